internal import Foundation
internal import Glibc

/// The record of goods that the desk gave by hand: a JSON line for each, in a file for each month beside the record of
/// look-ups. The look-up reads it at once, and each night reads it. See docs/spec/interfaces.md#given.
struct HandOutRecord {
    private let configuration: Configuration
    private let log: Log?
    private let known: [HandOut]

    /// - Parameters:
    ///   - log: receives a warning about an incomplete last line. Nil in look-ups, which do not warn.
    ///   - known: the ledger's hand-outs, which nights have read. They stand until they are withdrawn, even if the files
    ///     lack them.
    init(_ configuration: Configuration, _ log: Log? = nil, known: [HandOut]) {
        (self.configuration, self.log, self.known) = (configuration, log, known)
    }

    /// The hand-outs on record that were not withdrawn, the earliest of each transaction. A night also counts those recorded
    /// after its `asOf`: the page promised whoever recorded them that no machine would give the goods.
    /// - Throws: `Failure` if a line cannot be read, because goods that it records could be given again.
    func standing() throws(Failure) -> [HandOut] {
        let (recorded, lost, _) = try read()
        return (recorded + lost).sorted { ($0.at, $0.transaction) < ($1.at, $1.transaction) }
    }

    /// The known hand-outs that the files neither record nor withdraw: the date of the newest, and how many of how many. Old
    /// months of the files may be deleted, so only what is 31 days old at most is missed.
    func lost(asOf: Instant) throws(Failure) -> (date: BusinessDate, count: Int, known: Int)? {
        let lost = try read().lost.filter { $0.at >= asOf + .days(-31) }
        let count = known.count { $0.at >= asOf + .days(-31) }
        return lost.map(\.at).max().map { (configuration.policy.zone.date(of: $0), lost.count, count) }
    }

    /// The hand-outs that were withdrawn, in the order in which they were.
    func withdrawn() throws(Failure) -> [WithdrawnDecision] { try read().taken }

    private func read() throws(Failure) -> (recorded: [HandOut], lost: [HandOut], taken: [WithdrawnDecision]) {
        var standing: [Identifier: HandOut] = [:]
        var taken: [WithdrawnDecision] = []
        var withdrawn: [Identifier: Instant] = [:]
        for line in try lines() {
            let id = line.handOut.transaction
            if line.kind == .ungiven {
                // If a night that was running withdrew it at once, no page ever showed it.
                if let before = standing[id] ?? known.first(where: { $0.transaction == id }),
                    before.at != line.handOut.at || before.by != line.handOut.by
                {
                    taken.append(WithdrawnDecision(withdrawn: before, by: line.handOut))
                }
                standing[id] = nil
                withdrawn[id] = line.handOut.at
            } else if standing[id] == nil {
                standing[id] = line.handOut
            }
        }
        let lost = known.filter { handOut in
            standing[handOut.transaction] == nil && withdrawn[handOut.transaction].map { $0 < handOut.at } ?? true
        }
        return (Array(standing.values), lost, taken)
    }

    /// Records a hand-out, or withdraws it, unless another one of the transaction stands already, or none does.
    /// - Parameter seen: the time of the record to withdraw: where another one stands, none counts as standing. Nil for any.
    /// - Returns: the hand-out that stood before; nil if absent.
    /// - Throws: `Failure` if the file cannot be written or synchronized.
    func record(_ handOut: HandOut, isWithdrawal: Bool, seen: String? = nil) throws -> HandOut? {
        try record([handOut], isWithdrawal: isWithdrawal, seen: seen)[0]
    }

    /// Records several hand-outs of one instant, or withdraws them: all of them by one call of the system.
    /// - Returns: for each, the hand-out that stood before.
    /// - Throws: `Failure` with `busy` while a run uses the ledger: then nothing stands as given.
    func record(_ handOuts: [HandOut], isWithdrawal: Bool, seen: String? = nil) throws -> [HandOut?] {
        guard let first = handOuts.first else { return [] }
        let file = try DeskFile.locked("given", at: first.at, configuration) { torn in
            log?.warning(
                "\(quoted(torn)) has a line that was not written to its end. It was set aside there and does not count. "
                    + "Find out whether goods were given, and record them")
        }
        let standing = Dictionary(uniqueKeysWithValues: try standing().map { ($0.transaction, $0) })
        let before = handOuts.map { handOut in
            standing[handOut.transaction].flatMap { !isWithdrawal || seen == nil || $0.at.text == seen ? $0 : nil }
        }
        let new = zip(handOuts, before).filter { ($0.1 != nil) == isWithdrawal }.map { handOut, before in
            // Nothing is withdrawn before it was recorded, whatever the clocks say.
            var handOut = handOut
            if let before, before.at > handOut.at { handOut.at = Instant(milliseconds: before.at.milliseconds + 1) }
            return handOut
        }
        if new.isEmpty { return before }
        let kind: Line.Kind = isWithdrawal ? .ungiven : .given
        try file.append(new.map { Line(kind, $0).recordText }, isDurable: true)
        try requireStanding(new, isWithdrawal: isWithdrawal)
        // A night that runs may have read the record without these lines, and ask a machine for the goods.
        if !isWithdrawal, let holder = RunLock.holder(of: configuration.ledger) {
            try file.append(new.map { Line(.ungiven, $0).recordText }, isDurable: true)
            throw Failure(
                .busy, "nothing is recorded as given while a run uses the ledger: \(holder)",
                remedy: "Give nothing yet. When the run has ended, look the purchase up again.")
        }
        return before
    }

    /// Reads back what was written, and throws if it is not in force: otherwise the agent would be told that it is recorded.
    private func requireStanding(_ new: [HandOut], isWithdrawal: Bool) throws {
        let now = Dictionary(uniqueKeysWithValues: try standing().map { ($0.transaction, $0) })
        let lost = new.first { handOut in
            let found = now[handOut.transaction]
            return isWithdrawal ? found != nil : found?.by != handOut.by || found?.at != handOut.at
        }
        guard let lost else { return }
        throw Unrecorded(
            failure: Failure(
                .inputOutput, "what was written about \(quoted(lost.transaction.text)) does not stand",
                remedy: "Give nothing. Read the files 'given' in \(quoted(configuration.desk.folder))."))
    }

    /// A line of the files.
    private struct Line: MemberRecord {
        enum Kind: String { case given, ungiven }
        var kind: Kind
        var handOut: HandOut

        init(_ kind: Kind, _ handOut: HandOut) { (self.kind, self.handOut) = (kind, handOut) }

        static var blank: Self { Self(.given, HandOut(transaction: .absent, by: "", at: .absent)) }

        mutating func describe(_ members: inout Members) {
            members.value("account", &handOut.account)
            members.value("at", time: &handOut.at)
            members.value("by", &handOut.by)
            members.value("confirmed_by", &handOut.confirmedBy)
            members.value("kind", &kind)
            var note = handOut.note.isEmpty ? nil : handOut.note
            members.value("note", &note)
            handOut.note = note ?? ""
            members.value("transaction_id", &handOut.transaction)
        }
    }

    /// All lines in the order in which they were written.
    private func lines() throws(Failure) -> [Line] {
        try DeskFile.lines(of: "given", configuration) { (line) throws(Failure) in
            guard line.isTorn else {
                throw Failure(
                    .inputOutput, "\(line.place), is not a hand-out",
                    remedy: "Correct the line: goods that it records could be given again.")
            }
            // The writer was killed, or the disk was full. The agent did not see a success message.
            log?.warning(
                "the last line of \(line.file) was not written to its end and does not count. Find out whether goods were "
                    + "given; the next record sets the line aside")
        }
    }
}
