internal import CGI
internal import Foundation
internal import Ledger
internal import Reports

/// The queue of one app on the desk's page. See docs/spec/interfaces.md#queue.
extension DeskApp {
    func mayWork(_ user: String?) -> Bool { user.map(configuration.desk.workers.contains) ?? false }

    func mayLead(_ user: String?) -> Bool { user.map(configuration.desk.leads.contains) ?? false }

    /// The open work that the filter admits, which is on record before it is shown.
    func queue(_ filter: QueueFilter, user: String?, now: Instant, log: Log) throws -> WorkQueue {
        let ledger = try Lookup.ledger(configuration)
        guard let run = try ledger.lastRun() else { throw DeskProblem.failed(.noNight, Int(ExitCode.noInput.rawValue)) }
        let record = try WorkRecord(configuration, log).standing()
        let standing = try HandOuts(configuration).standing()
        let given = Dictionary(standing.map { ($0.transaction.text, $0.at) }) { first, _ in first }
        let held = Set(try ledger.retryEntries(in: .held).map(\.exception))
        let dead = Set(try ledger.retryEntries(in: .dead).map(\.exception))
        let notes = try ledger.personsNotes(before: run.id.next)
        let items = try ledger.openExceptions().compactMap { exception -> QueueItem? in
            let (facts, id) = (exception.facts, exception.id)
            let work = record.work[id] ?? CaseWork()
            var reasons: [QueueItem.Reason] = []
            if let handOut = facts.transactions.lazy.compactMap({ given[$0] }).first {
                // Until a night has run, the credit is on its way.
                if handOut < run.horizon { reasons.append(.given) }
            } else if held.contains(id) {
                reasons.append(.held)
            } else if ![.wait, .none].contains(facts.action), facts.retryKey == nil || dead.contains(id) {
                reasons.append(.person)
            }
            if facts.accounts.isEmpty, !facts.transactions.isEmpty { reasons.append(.noOwner) }
            if work.assignee != nil { reasons.append(.inHand) }
            if reasons.isEmpty { return nil }
            var row = ExceptionRow(exception, after: run)
            row.note = notes[id]
            let item = QueueItem(row, reasons, work)
            return isMasked(for: user) ? item.masked : item
        }
        let queue = WorkQueue(
            items, filter, for: user, labels: configuration.labels.isEmpty ? nil : configuration.labels,
            date: run.businessDate, damaged: record.damaged)
        try self.record(
            [["kind": .text("queue"), "asked": filter.json, "found": JSON(queue.count)]], user: user, at: now)
        return queue
    }

    /// Adds what the form says to the work on an exception, and says what became of it.
    func record(work form: FormData, by user: String, now: Instant, log: Log) throws -> DeskPage.Notice? {
        guard let kind = form.first("work").flatMap(WorkStep.Kind.init),
            let id = form.first("exception").flatMap({ ExceptionID($0) }),
            try Lookup.ledger(configuration).exception(id: id) != nil
        else { return nil }
        func text(_ name: String, lines: Bool) -> String? {
            let text = (form.first(name) ?? "").replacing("\r\n", with: "\n")
            return text.filter { character in
                character.unicodeScalars.allSatisfy { !$0.isDeceptive || lines && $0 == "\n" }
            }.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let (comment, ticket) = (text("comment", lines: true) ?? "", text("ticket", lines: false) ?? "")
        if comment.unicodeScalars.count > WorkStep.commentMax || ticket.unicodeScalars.count > WorkStep.ticketMax {
            return .work(id, .tooLong)
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
        try record(
            [
                [
                    "kind": .text("work"), "exception_id": .text(id.text), "step": .text(kind.rawValue),
                    "recorded": .bool(before == nil),
                ]
            ], user: user, at: now)
        return .work(id, before.map(WorkNotice.refused) ?? .done)
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
