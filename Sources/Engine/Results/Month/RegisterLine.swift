/// Why the month's money and the register of exceptions differ for a subject.
public enum RegisterReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// Goods went to another account: the money agrees, and the customer lacks the goods.
    case wrongAccount = "to_another_account"
    /// The booked amount or currency differs from the price: goods and payment agree.
    case booking = "booked_otherwise"
    /// It was bought, given or refunded in another month.
    case otherMonths = "in_other_months"
    /// A person waived the exception: it left the register, and the money did not.
    case waived = "waived_by_a_person"
    /// It was in order again on the month's last night, or is since.
    case cleared = "cleared_since"
    /// It is not an exception: waiting, undetermined or matched.
    case undecided = "not_an_exception"
    /// The money rests on evidence of later nights than the month's last one.
    case later = "known_later"
}

/// A difference between a subject's effect in the register at the month's end and its part of the month's money.
public struct RegisterLine: Hashable, Sendable, Codable {
    /// The id of the subject's key, or of the exception's first piece of evidence.
    public var subject: String
    /// The verdict under which it counts.
    public var verdict: Verdict
    public var reason: RegisterReason
    public var currency: Currency
    /// By the month's money, in minor units: above 0 where the customer has too much.
    public var money: Int64
    /// The exception's effect, in minor units.
    public var effect: Int64
}
