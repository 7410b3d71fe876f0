internal import Foundation
internal import Reports

/// What a user of the desk's page asks.
struct DeskQuestion {
    /// Identifiers, a message, or a record.
    var text: String
    /// The account of the customer who asks; nil if the user named none.
    var asker: String?
    /// What is searched for instead of the text; nil if nothing is.
    var search: DescriptionFields?
}

/// One app on the desk's page: its configuration, and what its ledger knows.
struct DeskApp {
    /// The name of the configuration's folder or, if two apps share it, the configuration's path. Nil if the page answers
    /// for one app only.
    let name: String?
    let configuration: Configuration

    /// The apps whose configurations the command line names: as operands, or the one of `--config`.
    static func named(by invocation: Invocation, _ context: CommandContext) throws(Failure) -> [DeskApp] {
        let paths = invocation.operands
        if paths.isEmpty { return [DeskApp(name: nil, configuration: try context.configuration(for: invocation))] }
        guard !invocation.isSet(.config) else {
            throw invocation.usage("desk takes either configurations or --config")
        }
        let folders = paths.map { path in
            absolute(path, in: context.folder).split(separator: "/").dropLast().last.map { String($0) } ?? path
        }
        var apps: [DeskApp] = []
        for (path, folder) in zip(paths, folders) {
            let name = folders.count { $0 == folder } == 1 ? folder : path
            let configuration = try Configuration.read(absolute(path, in: context.folder), shownAs: path)
            apps.append(DeskApp(name: paths.count == 1 ? nil : name, configuration: configuration))
        }
        return apps
    }

    /// The answers to a question, which are on record before they are shown.
    func answers(to question: DeskQuestion, user: String?, now: Instant) throws -> [LookupAnswer] {
        let answers = try knownAnswers(to: question, mayBrowse: maySearch(user), now: now)
        try audit(
            answers.map { answer in
                [
                    "kind": .text(answer.list == nil ? "lookup" : "find"), "query": .text(answer.identifier),
                    "asker": JSON(answer.asker), "asked": answer.list?.asked?.json ?? .null,
                    "found": JSON(answer.list?.total ?? answer.subjects.count + answer.subjectsMore),
                    "verdicts": .list(answer.subjects.map { .text($0.facts.verdict.rawValue) }),
                ]
            }, user: user, at: now)
        return isMasked(for: user) ? answers.map(\.masked) : answers
    }

    private func knownAnswers(to question: DeskQuestion, mayBrowse: Bool, now: Instant) throws -> [LookupAnswer] {
        let inquiry = try Lookup.inquiry(configuration, now: now)
        if let fields = question.search {
            let asked: PurchaseDescription
            do { asked = try inquiry.description(fields) } catch { throw DeskProblem.search(error) }
            if asked.isEmpty { throw DeskProblem.empty }
            return [try inquiry.answer(finding: asked, in: question.text, asker: question.asker)]
        }
        return try Lookup.answers(
            to: question.text, asker: question.asker, mayBrowse: mayBrowse, of: inquiry, configuration, now: now)
    }

    /// Adds lines to the record of what users of the page did, which has a file for each month.
    /// See docs/spec/interfaces.md#desk.
    ///
    /// - Throws: `Unrecorded` if the file cannot be written.
    func audit(_ lines: [[String: JSON]], user: String?, at now: Instant) throws(Unrecorded) {
        let common = ["at": JSON.text(now.text), "user": JSON(user)]
        let lines = lines.map { JSON.object(common.merging($0) { $1 }).line }
        try DeskFile.locked("audit", at: now, configuration) { _ in }.append(lines, isDurable: false)
    }

    /// Adds a line about what was done. It stands even if the line cannot be written.
    func auditDone(_ line: [String: JSON], by user: String, at now: Instant, _ log: Log) {
        do throws(Unrecorded) { try audit([line], user: user, at: now) } catch { log.failure(error.failure) }
    }

    /// Records that the user gave the goods of a purchase, or withdraws that for a reason, where the answer to the
    /// question allows it at this moment. What became of the wish is on record, too.
    func handOut(
        _ form: HandOutRequest, in question: DeskQuestion, by user: String, now: Instant, log: Log
    ) throws -> DeskPage.Notice {
        let (transaction, isWithdrawal, confirming) = (form.transaction, form.isWithdrawal, form.confirming)
        let subject = try knownAnswers(to: question, mayBrowse: false, now: now).flatMap(\.subjects).first {
            $0.facts.transactions.contains(transaction)
        }
        // A lead decides whose payment it is.
        let isLeads = !isWithdrawal && mayLead(user) && subject?.needsOwner == true
        var safety = isLeads ? subject?.besidesOwner ?? subject?.safety : subject?.safety
        var isAllowed =
            isLeads ? subject?.besidesOwner == nil : safety?.isSafe == true && mayGive(user) && !isWithdrawal
        if case .given(let handOut) = safety, isWithdrawal {
            isAllowed = form.shows(handOut) && (handOut.by == user || mayLead(user) && handOut.by == confirming)
        }
        if isAllowed, !isWithdrawal, let subject, let notice = try obstacle(to: form, subject, user, now, log) {
            return notice
        }
        let needsTwo = !isWithdrawal && configuration.desk.twoPersons.contains("given")
        let said = form.said(namesOwner: isLeads && !(needsTwo && confirming != nil))
        if isAllowed, said == nil { return .decision(transaction, .noReason) }
        var handOut = HandOut(
            transaction: Identifier(transaction), by: user, at: now, account: said?.account, note: said?.note ?? "")
        let request = DecisionRequest(
            kind: .given, key: transaction, by: user, at: now, account: handOut.account, note: handOut.note,
            isWithdrawal: isWithdrawal, confirming: confirming, seen: form.seen,
            owner: isLeads || isWithdrawal ? nil : subject?.owner)
        if isAllowed, needsTwo {
            let notice = try decide(request, since: .absent, log)
            guard case .decision(_, .stands(let wish)) = notice, let second = wish.confirmedBy else { return notice }
            (handOut.by, handOut.confirmedBy) = (wish.by, second)
            (handOut.account, handOut.note) = (wish.account, wish.note)
        } else if isWithdrawal,
            let wish = try DecisionRecord(configuration).wish(.given, transaction, by: user, isLead: mayLead(user))
        {
            // Who reads the purchase next reads why the request was refused.
            if wish.by != user, said == nil { return .decision(transaction, .noReason) }
            return try decide(request, since: .absent, log)
        }
        if isAllowed {
            let before = try Lookup.handOuts(configuration).record(handOut, isWithdrawal: isWithdrawal, seen: form.seen)
            // Another agent may have been faster by a moment.
            isAllowed = (before != nil) == isWithdrawal
            if let before, !isWithdrawal { safety = .given(before) }
        }
        auditDone(
            [
                "kind": .text(isWithdrawal ? "ungiven" : "given"), "transaction_id": .text(transaction),
                "recorded": .bool(isAllowed), "reason": JSON(isAllowed ? nil : safety?.code ?? "unknown"),
            ], by: user, at: now, log)
        let holder = subject?.work?.assignee.flatMap { $0 == handOut.by || $0 == user ? nil : $0 }
        let other = owner(of: safety, for: user)
        if isWithdrawal { return isAllowed ? .withdrawn(transaction) : .notWithdrawn(transaction, of: other) }
        if isAllowed { return .recorded(transaction, by: handOut.by, to: handOut.account, beside: holder) }
        // The form was sent twice. With another account, it says something else.
        if case .given(let handOut) = safety, handOut.by == user, ["", handOut.account].contains(form.owner) {
            return .recorded(transaction, by: user, before: handOut.at)
        }
        return .notRecorded(transaction, subject.flatMap { subject in safety.map { ($0, subject.facts.verdict) } })
    }

    /// Whose record stands, which this user may not withdraw; nil for others.
    private func owner(of safety: LookupSafety?, for user: String) -> String? {
        guard case .given(let handOut) = safety, handOut.by != user, !mayLead(user) else { return nil }
        return handOut.by
    }

    /// Why nothing is recorded now although the answer allows it, which is on record; nil if it can be.
    private func obstacle(
        to form: HandOutRequest, _ subject: LookupSubject, _ user: String, _ now: Instant, _ log: Log
    ) throws -> DeskPage.Notice? {
        let isInHand = subject.isLeft(toAnotherThan: user)
        // A colleague may have recorded and withdrawn it meanwhile, and the goods may have been given all the same.
        let isOutdated = form.confirming == nil && subject.lastRecordAt?.text ?? "" != form.seen ?? ""
        let wish = subject.waiverWish
        // Also before a wish is confirmed, which would be gone then.
        let (reason, notice): (String, DeskPage.Notice)
        if isInHand {
            (reason, notice) = ("in_hand", .work(form.transaction, .refused(subject.work ?? CaseWork())))
        } else if isOutdated {
            (reason, notice) = ("outdated", .outdated(form.transaction))
        } else if let wish {
            (reason, notice) = ("waive_requested", .decision(form.transaction, .left(wish)))
        } else if RunLock.holder(of: configuration.ledger) != nil {
            (reason, notice) = ("busy", .nightRuns)
        } else {
            return try objection(to: form, subject, user, now, log)
        }
        refuse(form, as: reason, by: user, at: now, log)
        return notice
    }

    private func refuse(_ form: HandOutRequest, as reason: String, by user: String, at now: Instant, _ log: Log) {
        auditDone(
            [
                "kind": .text("given"), "transaction_id": .text(form.transaction), "recorded": .bool(false),
                "reason": .text(reason),
            ], by: user, at: now, log)
    }

    /// Why the goods are not given to the account that a lead names or confirms, which is on record; nil if they can be.
    private func objection(
        to form: HandOutRequest, _ subject: LookupSubject, _ user: String, _ now: Instant, _ log: Log
    ) throws -> DeskPage.Notice? {
        let wish = subject.decisions.first {
            $0.kind == .given && $0.decidedAt == nil && $0.by == form.confirming && $0.at.text == form.seen
        }
        // A wish that does not stand any more confirms nothing.
        if form.confirming != nil ? wish == nil : form.said(namesOwner: true) == nil { return nil }
        let account = wish.map { $0.account ?? "" } ?? form.owner
        // The owner was not known when the account was named.
        if !subject.needsOwner, wish?.isLapsed(owner: subject.owner) != true { return nil }
        let inquiry = try Lookup.inquiry(configuration, now: now)
        let lapsed = subject.needsOwner ? nil : AccountObjection.safety(.otherAccount, subject.facts.verdict)
        let isSure = wish != nil || form.despite == account
        guard
            let found = try lapsed ?? inquiry.objection(toGiving: form.transaction, to: account, isSure: isSure)
        else { return nil }
        let reason =
            switch found {
            case .unknown: "unknown_account"
            case .otherToken: "other_token"
            case .otherOrders: "other_orders"
            case .safety(let safety, _): safety.code
            }
        refuse(form, as: reason, by: user, at: now, log)
        return .notTo(form.transaction, account: account, found)
    }

    func mayGive(_ user: String?) -> Bool { user.map(configuration.desk.givers.contains) ?? false }

    func maySearch(_ user: String?) -> Bool { user.map(configuration.desk.searchers.contains) ?? false }

    func isMasked(for user: String?) -> Bool { user.map(configuration.desk.masked.contains) ?? false }

    /// The app on the page, without answers.
    func part(for user: String?, now: Instant) -> DeskPage.App {
        let zone = configuration.policy.zone
        var part = DeskPage.App(name: name, zone: zone)
        part.night = contents(of: "summary.json").flatMap(NightGlance.init)
        part.staleness = (part.night?.businessDate).flatMap {
            LookupStaleness(of: $0, end: zone.start(of: $0.advanced(by: 1)), now: now, zone: zone)
        }
        part.isMasked = isMasked(for: user)
        part.linksReport = part.night != nil && !part.isMasked
        part.mayGive = mayGive(user)
        part.givers = configuration.desk.givers.sorted()
        part.maySearch = maySearch(user)
        part.mayWork = mayWork(user)
        part.mayLead = mayLead(user)
        part.leads = configuration.desk.leads.sorted()
        part.decisions = Set(DeskDecision.Kind.allCases.filter { mayDecide($0, user) })
        part.twoPersons = configuration.desk.twoPersons
        part.mayAskApple = mayAskApple(user)
        part.appleAnswers = part.mayAskApple ? (try? appleAnswers()) ?? [:] : [:]
        part.workers = configuration.desk.workers.sorted()
        return part
    }

    /// A file of the last night; nil if it cannot be read.
    func contents(of file: String) -> [UInt8]? {
        FileManager.default.contents(atPath: configuration.output + "/latest/" + file).map { Array($0) }
    }
}
