/// A person's record that the desk gave a purchase's goods by hand. See docs/spec/interfaces.md#given.
public struct HandOut: Hashable, Sendable {
    public var transaction: Identifier
    public var by: String
    /// When that person recorded it.
    public var at: Instant
    /// The account that a lead named; nil for the payment's owner.
    public var account: String?
    /// The second user, who confirmed it; nil if there was none.
    public var confirmedBy: String?
    /// Why; empty if that person wrote nothing.
    public var note: String

    public init(
        transaction: Identifier, by: String, at: Instant, account: String? = nil, confirmedBy: String? = nil,
        note: String = ""
    ) {
        (self.transaction, self.by, self.at) = (transaction, by, at)
        (self.account, self.confirmedBy, self.note) = (account, confirmedBy, note)
    }

    /// The note in the desk's files: `confirmed by USER: account ACCOUNT: NOTE`. A note that begins like this by itself stands
    /// in quotes, so that it names neither.
    public static func text(confirmedBy: String? = nil, account: String?, note: String) -> String {
        let typed = parts(of: note)
        let isQuoted = account == nil && (typed.account != nil || typed.confirmedBy != nil)
        return [
            confirmedBy.map { "confirmed by \($0)" }, account.map { "account \($0)" }, isQuoted ? "“\(note)”" : note,
        ].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ": ")
    }

    /// What a note in the desk's files says.
    public static func parts(of text: String) -> (confirmedBy: String?, account: String?, note: String) {
        var rest = text[...]
        /// What stands between the prefix and the next colon, which is taken out.
        func take(_ prefix: String, needsColon: Bool) -> String? {
            guard rest.hasPrefix(prefix) else { return nil }
            let colon = rest.firstRange(of: ": ")
            if colon == nil, needsColon { return nil }
            let taken = rest[..<(colon?.lowerBound ?? rest.endIndex)].dropFirst(prefix.count)
            rest = rest[(colon?.upperBound ?? rest.endIndex)...]
            return String(taken)
        }
        let confirmer = take("confirmed by ", needsColon: false)
        let account = take("account ", needsColon: true)
        return (confirmer, account, String(rest))
    }
}
