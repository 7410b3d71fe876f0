internal import Foundation
internal import Glibc
internal import Ledger

/// What a user of the desk's page decides or asks for, confirms, refuses or withdraws.
struct DecisionRequest {
    let kind: DeskDecision.Kind
    /// What it is about, as in `DeskDecision`.
    let key: String
    let by: String
    let at: Instant
    /// The account that a lead named for a hand-out; nil for the payment's owner.
    var account: String?
    /// Why; empty if the user said nothing.
    let note: String
    let isWithdrawal: Bool
    /// Whose wish the user saw and confirms, or whose decision the user withdraws.
    let confirming: String?
    /// The time of that wish or decision, also of one's own to be withdrawn. Where another one stands, nothing is recorded.
    let seen: String?
    /// Whose payment it is, if that is known: a wish for another account does not stand any more.
    var owner: String?
}

/// The record of decisions made on the desk's page: a JSON line for each step, in a file for each month beside the
/// hand-outs. See docs/spec/interfaces.md#desk-decisions.
struct DecisionRecord {
    let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    /// What stands, which waivers were withdrawn, and the place of a line that cannot be read.
    ///
    /// - Parameter since: decisions that were made before are left out: a night has brought them in. Wishes stay.
    func standing(
        since: Instant? = nil
    ) throws(Failure) -> (decisions: [StandingDecision], withdrawn: [WithdrawnDecision], damaged: String?) {
        var damaged: String?
        let steps: [DeskDecision] = try DeskFile.lines(of: "decisions", configuration) { damaged = $0.place }
        let (decisions, withdrawn) = ([StandingDecision](steps), [WithdrawnDecision](steps))
        guard var since else { return (decisions, withdrawn, damaged) }
        since = min(since, waiting ?? since)
        return (decisions.filter { $0.decidedAt.map { $0 >= since } ?? true }, withdrawn, damaged)
    }

    private static let waitingName = "decisions.waiting"

    /// Since when decisions wait that a damaged line kept out of a night. Nil without one.
    private var waiting: Instant? {
        let lines = FileManager.default.contents(atPath: configuration.desk.folder + "/" + Self.waitingName)
        return lines?.split(separator: UInt8(ascii: "\n")).lazy
            .compactMap { Instant(strict: String(decoding: $0, as: UTF8.self)) }.first
    }

    /// The wish that stands and that this user, who may decide the same, may withdraw or refuse.
    func wish(
        _ kind: DeskDecision.Kind, _ key: String, by user: String, isLead: Bool
    ) throws(Failure) -> StandingDecision? {
        try standing().decisions.first {
            $0.kind == kind && $0.key == key && (isLead || $0.by == user || $0.isRefusable) && $0.decidedAt == nil
        }
    }

    /// Adds a user's decision. Where it needs two persons, the first one's is a wish, and another user who confirms it decides.
    ///
    /// - Parameters:
    ///   - since: what was decided before does not count any more.
    ///   - isLead: whether the user may withdraw what another one decided. Whoever may confirm a wish may refuse it.
    /// - Returns: what stands now; nil if nothing stands, as after a withdrawal.
    func record(_ request: DecisionRequest, since: Instant, isLead: Bool) throws -> StandingDecision? {
        let (kind, user, confirming) = (request.kind, request.by, request.confirming)
        let file = try DeskFile.locked("decisions", at: request.at, configuration) { _ in }
        func found() throws -> StandingDecision? {
            try standing(since: since).decisions.first { $0.kind == kind && $0.key == request.key }
        }
        // Goods that were given, and then not given after all, need two persons again.
        let before = try found().flatMap {
            kind == .given && $0.decidedAt != nil || $0.isLapsed(owner: request.owner) ? nil : $0
        }
        let needsTwo = configuration.desk.twoPersons.contains(kind.rawValue)
        var step: DeskDecision.Step? = before != nil ? nil : needsTwo ? .wish : .decide
        // Nobody confirms a wish that their page did not show.
        if confirming != nil, let before, before.by != user, before.decidedAt == nil { step = .decide }
        let mayRefuse = isLead || confirming != nil && before?.isRefusable == true
        if request.isWithdrawal { step = before.map { mayRefuse || $0.by == user } == true ? .withdraw : nil }
        if let confirming, before?.by != confirming { step = nil }
        if request.isWithdrawal || confirming != nil, before?.at.text != request.seen { step = nil }
        guard let step else {
            // The process that wrote it may have been killed before the sync.
            try file.append([], isDurable: true)
            return before
        }
        let line = DeskDecision(
            kind, request.key, step, by: user, at: request.at, account: request.account,
            note: request.isWithdrawal && request.note.isEmpty ? nil : request.note)
        try file.append([line.recordText], isDurable: true)
        return try found()
    }

    /// Brings what was decided since the last night into the ledger, as the commands `waive`, `release` and `gap accept` do.
    /// What the ledger knows already, or cannot be decided any more, is left out.
    func bringIn(until: Instant, _ context: CommandContext) throws {
        guard try waiting != nil || standing().decisions.contains(where: { $0.decidedAt != nil }),
            exists(configuration.ledger),
            let ledger = try Ledger.committed(at: configuration.ledger),
            let last = try ledger.lastRun()
        else { return }
        // A page may have needed a moment to write what it decided before the last night began.
        let since = last.asOf + .hours(-1)
        let (standing, _, damaged) = try standing(since: since)
        let due = try standing.filter { try $0.isDue(until, ledger) }
        if let damaged, !due.isEmpty {
            if waiting == nil {
                try DeskFile(Self.waitingName, configuration).append([since.text], isDurable: true)
            }
            context.log.warning(
                "\(damaged), is not a decision of the desk's page. None is brought in tonight, because the line may be a "
                    + "withdrawal. Correct or remove it; those that were decided wait for the next night"
            )
            return
        }
        if !due.isEmpty {
            let done = try Ledger.change(at: configuration.ledger, clock: context.clock) { ledger, run in
                try due.count { try $0.bringIn(configuration, context, after: run.id, ledger) }
            }
            context.log.notice("decisions of the desk's page that are in the ledger now: \(done) of \(due.count)")
        }
        if damaged == nil { unlink(configuration.desk.folder + "/" + Self.waitingName) }
    }
}

extension StandingDecision {
    /// False if it cannot be decided any more.
    fileprivate func bringIn(
        _ configuration: Configuration, _ context: CommandContext, after run: RunID, _ ledger: Ledger
    ) throws -> Bool {
        let decision = Decision(by: by, note: fullNote, at: decidedAt!, configuration, context)
        switch kind {
        case .given: return false
        case .waive:
            return try ExceptionID(key).map { try Waive.waive($0, decision, run: run, in: ledger) } ?? false
        case .release:
            let entries = try ledger.retryEntries(ofKeys: [key])
            return try entries.first.map { try Release.release($0, decision, run: run, in: ledger) == nil } ?? false
        case .gap: return try Gap.accept(key, decision, of: configuration, in: ledger)
        }
    }

    /// Whether it was decided up to that time, and the ledger does not have it yet.
    fileprivate func isDue(_ until: Instant, _ ledger: Ledger) throws -> Bool {
        guard let decidedAt, decidedAt <= until else { return false }
        switch kind {
        case .given: return false
        case .gap:
            return try !ledger.gapDecisions(before: RunID(Int64(Int32.max))).contains {
                $0.by == by && $0.at == decidedAt.milliseconds && $0.feed + " " + $0.date.text == key
            }
        case .waive, .release:
            let entries = try kind == .release ? ledger.retryEntries(ofKeys: [key]).map(\.exception) : []
            guard let id = ExceptionID(key) ?? entries.first else { return false }
            return try !ledger.hasDecision(on: id, by: by, at: decidedAt)
        }
    }
}
