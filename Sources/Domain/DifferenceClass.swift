/// Why a subject's two legs differ within a month.
public enum DifferenceClass: Hashable, Sendable, Codable {
    /// Both legs are known, and fall into different months.
    case cutOff
    /// Refunded by a share that takes no whole piece of the goods back: they stay with the customer.
    case partialRefund
    /// The subject's verdict, which is an exception, or not settled yet.
    case verdict(Verdict)
    /// It falls on what should differ in nothing: matched, closed or out of scope.
    case unexplained

    /// What is left of a subject's difference once both months are looked at.
    public init(_ verdict: Verdict) {
        switch verdict {
        case .matched, .closed, .outOfScope: self = .unexplained
        default: self = .verdict(verdict)
        }
    }

    /// As `month.json` has it.
    public var code: String {
        switch self {
        case .cutOff: "cut_off"
        case .partialRefund: "partial_refund"
        case .verdict(let verdict): verdict.rawValue
        case .unexplained: "unexplained"
        }
    }

    /// In the order in which people meet them; `unexplained` is no explanation.
    public static let explanations: [DifferenceClass] =
        [.cutOff, .partialRefund]
        + Verdict.allCases.map(DifferenceClass.init).filter { $0 != .unexplained }
}
