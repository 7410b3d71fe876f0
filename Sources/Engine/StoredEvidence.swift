public import Domain
public import Matching

/// Evidence of earlier nights, with the number of the case that holds each version.
///
/// The arrays beside `evidence` have one element a version, in the same order.
public struct StoredEvidence: Sendable {
    public var evidence = Evidence()
    public var orderCases: [Int64] = []
    /// Whether each order was the current version.
    public var orderWasCurrent: [Bool] = []
    public var creditCases: [Int64] = []
    public var transactionCases: [Int64] = []
    /// Whether each transaction was the current version. That changes with the configured environment.
    public var transactionWasCurrent: [Bool] = []
    public var receiptCases: [Int64] = []

    public init() {}

    public mutating func append(_ other: StoredEvidence) {
        evidence.append(other.evidence)
        orderCases += other.orderCases
        orderWasCurrent += other.orderWasCurrent
        creditCases += other.creditCases
        transactionCases += other.transactionCases
        transactionWasCurrent += other.transactionWasCurrent
        receiptCases += other.receiptCases
    }

    public var isEmpty: Bool {
        orderCases.isEmpty && creditCases.isEmpty && transactionCases.isEmpty && receiptCases.isEmpty
    }

    /// The case of each version, for matching.
    public var cases: StoredCases {
        StoredCases(orders: orderCases, credits: creditCases, transactions: transactionCases, receipts: receiptCases)
    }
}
