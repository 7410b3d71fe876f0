/// The part of a month's difference that one subject causes for one reason.
public struct DifferenceLine: Hashable, Sendable, Codable {
    /// The id of the subject's key, without its kind.
    public var subject: String
    public var reason: DifferenceClass
    public var verdict: Verdict
    public var cause: Cause
    public var product: String?
    public var account: String?
    public var currency: Currency
    /// In minor units: net purchases less net credits.
    public var minor: Int64
    /// The earliest purchase, refund, credit and reversal of the subject in any month; nil if absent.
    public var purchasedAt: Instant?
    public var refundedAt: Instant?
    public var creditedAt: Instant?
    public var reversedAt: Instant?
}

/// The reason why money in and goods out differ for a subject within a month.
public enum DifferenceClass: Hashable, Sendable, Codable {
    /// Both sides are on record, but fall into different months.
    case cutOff
    /// A partial refund whose share is not a whole number of pieces: the goods stay with the customer.
    case partialRefund
    /// The subject is an exception or undecided; its verdict explains the difference.
    case verdict(Verdict)
    /// The subject is matched, closed or out of scope, where no difference should remain.
    case unexplained

    /// The class of the part of a difference that is not cut-off.
    public init(_ verdict: Verdict) {
        switch verdict {
        case .matched, .closed, .outOfScope: self = .unexplained
        default: self = .verdict(verdict)
        }
    }

    /// The word in `month.json`.
    public var code: String {
        switch self {
        case .cutOff: "cut_off"
        case .partialRefund: "partial_refund"
        case .verdict(let verdict): verdict.rawValue
        case .unexplained: "unexplained"
        }
    }

    /// All classes that explain a difference, in the order in which reports list them. `unexplained` is not one of
    /// them.
    public static let explanations: [DifferenceClass] =
        [.cutOff, .partialRefund]
        + Verdict.allCases.map(DifferenceClass.init).filter { $0 != .unexplained }

    /// The place of each class in reports: the explanations, then what is unexplained.
    static let ranks = Dictionary(uniqueKeysWithValues: (explanations + [.unexplained]).enumerated().map { ($1, $0) })
}
