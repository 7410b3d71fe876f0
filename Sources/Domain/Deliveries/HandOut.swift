/// A person's record that the desk gave a purchase's goods by hand. See docs/spec/interfaces.md#given.
public struct HandOut: Hashable, Sendable {
    public var transaction: Identifier
    public var by: String
    /// When that person recorded it.
    public var at: Instant
    /// That person's note; nil if absent.
    public var note: String?
    /// How the note begins where a second person confirmed it.
    public static let confirmedBy = "confirmed by "

    public init(transaction: Identifier, by: String, at: Instant, note: String? = nil) {
        (self.transaction, self.by, self.at, self.note) = (transaction, by, at, note)
    }

    /// The note where a lead says which account the goods of a payment without a known owner are given to.
    public static func note(account: String, reason: String) -> String { "account \(account): \(reason)" }

    /// The parts of a note: who confirmed it, the account, and why.
    public static func parts(of note: String) -> (confirmedBy: String?, account: String?, reason: String) {
        var (rest, confirmer, account) = (note[...], String?.none, String?.none)
        /// What stands between the prefix and the next colon, which is taken out.
        func take(_ prefix: String, needsColon: Bool) -> String? {
            guard rest.hasPrefix(prefix) else { return nil }
            let colon = rest.firstRange(of: ": ")
            if colon == nil, needsColon { return nil }
            let taken = rest[..<(colon?.lowerBound ?? rest.endIndex)].dropFirst(prefix.count)
            rest = rest[(colon?.upperBound ?? rest.endIndex)...]
            return String(taken)
        }
        confirmer = take(confirmedBy, needsColon: false)
        account = take("account ", needsColon: true)
        return (confirmer, account, String(rest))
    }

    /// The account that a lead named; nil if the note names none.
    public var account: String? { note.flatMap { Self.parts(of: $0).account } }
}
