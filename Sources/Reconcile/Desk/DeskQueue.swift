internal import CGI
internal import Foundation
internal import Ledger
internal import Reports

/// The queue of one app on the desk's page. See docs/spec/interfaces.md#queue.
extension DeskApp {
    func mayWork(_ user: String?) -> Bool { user.map(configuration.desk.workers.contains) ?? false }

    func mayLead(_ user: String?) -> Bool { user.map(configuration.desk.leads.contains) ?? false }

    /// The open work that the filter admits, which is on record before it is shown.
    /// - Parameter isFile: all rows are wanted, not those of a page.
    func queue(_ filter: QueueFilter, isFile: Bool, user: String?, now: Instant, log: Log) throws -> WorkQueue {
        let ledger = try Lookup.ledger(configuration)
        let run = try lastRun(of: ledger)
        let record = try WorkRecord(configuration, log).standing()
        let decisions = try DecisionRecord(configuration).standing(since: run.asOf).decisions
        let items = try work(in: ledger, run, work: record.work, decisions: decisions)
        // The ledger of nights in stages has no evidence to judge.
        let inquiry = try ledger.isBook ? nil : Lookup.inquiry(configuration, now: now, in: ledger)
        func said(of items: some Sequence<QueueItem>) throws -> [ExceptionID: QueueAnswer] {
            try inquiry.map { try answers(to: items.map(\.exception.id), in: ledger, from: $0, user) } ?? [:]
        }
        let isWhole = isFile || filter.asksAnswers
        let known = isWhole ? try said(of: items.filter { filter.admits($0, for: user) }) : [:]
        var queue = WorkQueue(
            items, filter, known, for: user, labels: configuration.labels,
            date: run.businessDate, damaged: record.damaged)
        queue.rows = try rows(
            of: isFile ? Array(queue.items) : Array(queue.shown), isWhole ? known : said(of: queue.shown),
            in: ledger,
            run, user)
        queue.gaps = try ledger.coverageGaps(of: run).map { gap in
            (gap, decisions.first { $0.kind == .gap && $0.key == gap.decisionKey })
        }
        try audit(
            [["kind": .text("queue"), "asked": filter.json, "found": JSON(queue.count)]], user: user, at: now)
        return queue
    }

    private func lastRun(of ledger: Ledger) throws -> RunRecord {
        guard let run = try ledger.lastRun() else { throw DeskProblem.failed(.noNight, Int(ExitCode.noInput.rawValue)) }
        return run
    }

    /// What the lead sees at a glance; the look is on record.
    func lead(user: String?, now: Instant, log: Log) throws -> LeadReport {
        let ledger = try Lookup.ledger(configuration)
        let run = try lastRun(of: ledger)
        var nights = [try ledger.overview(of: run)]
        for number in 1..<LeadReport.datesMax {
            guard let night = try ledger.run(of: run.businessDate.advanced(by: -number)) else { continue }
            nights.append(try ledger.outline(of: night))
        }
        let items = try work(in: ledger, run, work: try WorkRecord(configuration, log).standing().work, decisions: [])
        let oldest = items.filter { $0.exception.amount != nil && $0.exception.verdict != .orderMissing }.sorted {
            ($0.exception.eventAt, $0.exception.id) < ($1.exception.eventAt, $1.exception.id)
        }.prefix(LeadReport.casesMax)
        let open = Set(
            items.filter { $0.reasons.contains(.given) }.flatMap(\.exception.transactions).map { String($0) })
        let since = configuration.policy.zone.date(of: now).advanced(by: -6)
        let week = try HandOutRecord(configuration, known: ledger.handOuts()).standing().filter {
            configuration.policy.zone.date(of: $0.at) >= since
        }
        let persons = Dictionary(grouping: week, by: \.by).sorted { $0.key < $1.key }
        try audit([["kind": .text("lead")]], user: user, at: now)
        return LeadReport(
            nights: nights, oldest: try rows(of: oldest, [:], in: ledger, run, user),
            handOuts: persons.map { person, handOuts in
                .init(by: person, count: handOuts.count, open: handOuts.count { open.contains($0.transaction.text) })
            })
    }

    /// The open exceptions that somebody must see to.
    private func work(
        in ledger: Ledger, _ run: RunRecord, work: [ExceptionID: CaseWork], decisions: [StandingDecision]
    ) throws -> [QueueItem] {
        let standing = try HandOutRecord(configuration, known: ledger.handOuts()).standing()
        var queue = QueueItems(
            given: standing, held: try ledger.exceptions(withRetryIn: .held),
            dead: try ledger.exceptions(withRetryIn: .dead), asked: try ledger.exceptionsAsked(), decisions: decisions,
            horizon: run.horizon)
        try ledger.forEachOpenException { queue.add($0, work[$0.id]) }
        return queue.items
    }

    /// What the look-up says about the purchases of these exceptions.
    private func answers(
        to ids: [ExceptionID], in ledger: Ledger, from inquiry: Inquiry, _ user: String?
    ) throws -> [ExceptionID: QueueAnswer] {
        var answers: [ExceptionID: QueueAnswer] = [:]
        // A purchase is searched for among all that are asked together.
        for start in stride(from: 0, to: ids.count, by: 100) {
            let records = try ledger.exceptions(withIDs: Array(ids[start...].prefix(100))).compactMap(\.self)
            for (id, subject) in try inquiry.subjects(of: records) {
                answers[id] = QueueAnswer(subject, isMasked: isMasked(for: user), reader: user)
            }
        }
        return answers
    }

    /// All that is known of these exceptions.
    private func rows(
        of items: some Sequence<QueueItem>, _ answers: [ExceptionID: QueueAnswer], in ledger: Ledger, _ run: RunRecord,
        _ user: String?
    ) throws -> [QueueRow] {
        let notes = try ledger.personsNotes(before: run.id.next)
        let exceptions = try ledger.exceptions(withIDs: items.map(\.exception.id))
        return zip(items, exceptions).compactMap { item, exception in
            guard let exception else { return nil }
            var row = ExceptionRow(exception, after: run)
            row.note = notes[exception.id]
            return QueueRow(item, row, answers[exception.id], isMasked: isMasked(for: user))
        }
    }

    /// Adds what the form says to the work on an exception, and says what became of it.
    func addWork(_ form: FormData, by user: String, now: Instant, log: Log) throws -> DeskPage.Notice? {
        guard let kind = form.first("work").flatMap(WorkStep.Kind.init),
            let id = form.first("exception").flatMap({ ExceptionID($0) }),
            let shown = try Lookup.ledger(configuration).exception(id: id).map({ $0.facts.shownID ?? id.text })
        else { return nil }
        let comment = Self.typed(form.first("comment"), lines: true)
        let ticket = Self.typed(form.first("ticket"), lines: false)
        if comment.unicodeScalars.count > WorkStep.commentMax || ticket.unicodeScalars.count > WorkStep.ticketMax {
            return .work(shown, .tooLong)
        }
        func step(_ kind: WorkStep.Kind, _ text: String? = nil) -> WorkStep {
            WorkStep(kind, id, by: user, at: now, text: text)
        }
        var steps: [WorkStep] = []
        if kind == .handOver {
            guard let to = form.first("to"), configuration.desk.workers.contains(to) else { return nil }
            steps.append(step(kind, to))
        } else if kind != .comment {
            steps.append(step(kind))
        }
        if !comment.isEmpty { steps.append(step(.comment, comment)) }
        if form.first("ticket") != nil { steps.append(step(.ticket, ticket.isEmpty ? nil : ticket)) }
        let before = try WorkRecord(configuration, log).record(steps, isLead: mayLead(user))
        auditDone(
            [
                "kind": .text("work"), "exception_id": .text(id.text), "step": .text(kind.rawValue),
                "recorded": .bool(before == nil),
            ], by: user, at: now, log)
        let done: WorkNotice = kind == .take ? .taken : kind == .comment ? .done : .passedOn
        return .work(shown, before.map(WorkNotice.refused) ?? done)
    }
}

/// Decisions from the page. See docs/spec/interfaces.md#desk-decisions.
extension DeskApp {
    func mayDecide(_ kind: DeskDecision.Kind, _ user: String?) -> Bool {
        let users = kind == .given ? configuration.desk.givers : configuration.desk.deciders[kind.rawValue] ?? []
        return user.map(users.contains) ?? false
    }

    /// Records what the form decides, and says what stands. Nil if the user may not decide it, or it cannot be decided.
    func decide(_ form: FormData, by user: String, now: Instant, log: Log) throws -> DeskPage.Notice? {
        let isWithdrawal = form.first("withdraw") != nil
        guard let kind = form.first("decide").flatMap(DeskDecision.Kind.init), kind != .given,
            mayDecide(kind, user) || isWithdrawal && mayLead(user), let key = form.first("key"),
            case let ledger = try Lookup.ledger(configuration), let run = try ledger.lastRun(),
            try canDecide(kind, key, in: ledger, after: run, isWithdrawal: isWithdrawal)
        else { return nil }
        let note = Self.typed(form.first(isWithdrawal ? "reason" : "note"), lines: false)
        // Who reads the purchase next reads why a waiver was withdrawn, or a release refused.
        let needsNote = !isWithdrawal || kind.asksWhy(ofOther: form.first("confirms") != nil)
        if needsNote && note.isEmpty || note.unicodeScalars.count > WorkStep.commentMax {
            return .decision(key, .noReason)
        }
        let request = DecisionRequest(
            kind: kind, key: key, by: user, at: now, note: note, isWithdrawal: isWithdrawal,
            confirming: form.first("confirms"), seen: form.first("seen"))
        return try decide(request, since: run.asOf, log)
    }

    private func canDecide(
        _ kind: DeskDecision.Kind, _ key: String, in ledger: Ledger, after run: RunRecord, isWithdrawal: Bool
    ) throws -> Bool {
        switch kind {
        case .given: false
        case .waive: try ExceptionID(key).flatMap(ledger.exception(id:)).map { isWithdrawal || $0.isOpen } ?? false
        case .release:
            try ledger.retryEntries(ofKeys: [key]).contains { entry in
                try isWithdrawal || entry.state != .waiting && !isWaived(entry.exception, in: ledger, after: run)
            }
        case .gap: try ledger.coverageGaps(of: run).contains { $0.decisionKey == key }
        }
    }

    /// By the ledger, or by a decision that the next night brings in. What is waived is not sent.
    private func isWaived(_ id: ExceptionID, in ledger: Ledger, after run: RunRecord) throws -> Bool {
        try ledger.exception(id: id)?.state == .waived
            || DecisionRecord(configuration).standing(since: run.asOf).decisions.contains {
                $0.kind == .waive && $0.key == id.text && $0.decidedAt != nil
            }
    }

    /// Records the decision, and says what stands.
    /// - Parameter since: what was decided before does not count any more.
    func decide(_ request: DecisionRequest, since: Instant, _ log: Log) throws -> DeskPage.Notice {
        let (key, user, isWithdrawal) = (request.key, request.by, request.isWithdrawal)
        let stands = try DecisionRecord(configuration).record(request, since: since, isLead: mayLead(user))
        auditDone(
            [
                "kind": .text("decision"), "decision": .text(request.kind.rawValue), "key": .text(key),
                "withdrawn": .bool(isWithdrawal), "decided": .bool(stands?.decidedAt != nil),
            ], by: user, at: request.at, log)
        if let stands {
            let isUnseen = stands.decidedAt == nil && stands.by != user
            return .decision(key, isWithdrawal ? .left(stands) : isUnseen ? .asked(stands) : .stands(stands))
        }
        let last = try DecisionRecord(configuration).standing().withdrawn.last {
            $0.decision.kind == request.kind && $0.decision.key == key && $0.decision.by == request.confirming
        }
        if !isWithdrawal { return .decision(key, .gone(last)) }
        if let last, last.decision.step == .wish, last.withdrawal.by == user { return .decision(key, .refused(last)) }
        return .decision(key, .withdrawn)
    }

    /// What was typed, without signs that deceive.
    static func typed(_ text: String?, lines: Bool) -> String {
        (text ?? "").replacing("\r\n", with: "\n").filter { character in
            character.unicodeScalars.allSatisfy { !$0.isDeceptive || lines && $0 == "\n" }
        }.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

extension QueueFilter {
    init(_ query: FormData) {
        self.init()
        for (name, path) in Self.names {
            self[keyPath: path] = query.first(name)?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        }
    }
}
