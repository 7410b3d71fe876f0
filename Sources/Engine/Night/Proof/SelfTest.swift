internal import Matching

/// A planted fault, and the verdict that must result from it.
struct SelfTestCase: Sendable {
    /// The expected verdict and cause, as in `paid_not_credited/no_receipt`; without a slash if it has no cause.
    var ruling: String
    /// The verdicts of other subjects that the evidence must have.
    var others: [String]
    var build: @Sendable (inout Fixture) -> Void
    /// The feed kind that has a coverage gap while the case is judged. Nil for none.
    var gap: FeedKind?

    init(
        _ ruling: String, others: [String] = [], gap: FeedKind? = nil,
        _ build: @escaping @Sendable (inout Fixture) -> Void
    ) {
        (self.ruling, self.others, self.gap, self.build) = (ruling, others, gap, build)
    }
}

public struct SelfTest: Sendable {
    /// How many cases got the expected verdict.
    public private(set) var passed = 0
    /// How many cases there are.
    public private(set) var total = 0
    /// The cases that got no verdict or another one, each with what was found.
    public private(set) var failures: [String] = []

    /// Runs every case through the matching and the rules of a real night, under a policy of its own.
    ///
    /// A night without findings proves nothing if its rules find nothing at all. The rules are therefore tried before
    /// anything is published.
    public static func run(threads: Int) throws -> SelfTest {
        var test = SelfTest()
        let gaps = [FeedKind?.none, .credits, .transactions, .orders]
        for gap in gaps {
            let cases = SelfTestCase.all.filter { $0.gap == gap }
            let found = try verdicts(of: cases, gap: gap, threads: threads)
            for (number, testCase) in cases.enumerated() {
                test.total += 1
                if found[number]?.ordered() == ([testCase.ruling] + testCase.others).ordered() {
                    test.passed += 1
                } else {
                    test.failures.append(
                        "\(testCase.ruling) (found \(found[number]?.joined(separator: ", ") ?? "nothing"))")
                }
            }
        }
        return test
    }

    /// The verdicts of each case's subjects, by the case's number.
    private static func verdicts(of cases: [SelfTestCase], gap: FeedKind?, threads: Int) throws -> [Int: [String]] {
        var evidence = Evidence()
        for (number, testCase) in cases.enumerated() {
            var fixture = Fixture(number: number)
            testCase.build(&fixture)
            evidence.append(fixture.evidence)
        }
        var policy = Policy()
        policy.historyFrom = BusinessDate("2020-01-01")
        let date = BusinessDate("2025-06-30")!
        let coverage = Coverage(
            firstDate: BusinessDate("2025-05-01"), gaps: gap.map { [$0: [BusinessDate("2025-06-15")!]] } ?? [:])
        let horizon = Horizon(instant: Fixture.end, businessDate: date, coverage: coverage)
        let versions = Versions(evidence, policy: policy)
        let verdicts = try JudgedCases(versions, Basis(policy: policy, horizon: horizon)) { _ in .unknown }
            .verdicts(threads: threads)
        return Dictionary(grouping: verdicts.all.map(\.stored)) { Fixture.number(of: $0.subject.id) }.mapValues {
            $0.map { $0.verdict.ruling($0.cause) }
        }
    }
}

/// The evidence of one case. All its identifiers end in the case's number.
struct Fixture {
    let number: Int
    var evidence = Evidence()
    /// The horizon of the self-test: the end of 2025-06-29 in UTC.
    static let end = Zone.utc.start(of: BusinessDate("2025-06-30")!)

    private func id(_ name: String) -> Identifier { Identifier("selftest.\(name).\(number)") }

    /// The number that an identifier ends in; -1 if it ends in none.
    static func number(of id: Identifier) -> Int { id.text.split(separator: ".").last.flatMap { Int($0) } ?? -1 }

    /// The instant so many hours before the horizon.
    static func ago(_ hours: Int64) -> Instant { end + Milliseconds.hours(-hours) }

    /// Adds Apple's record of a purchase: 6.00 CNY for coins, 20 days ago.
    mutating func buy(
        _ name: String = "T", hours: Int64 = 480, _ change: (inout Transaction) -> Void = { _ in }
    ) {
        var transaction = Transaction(id: id(name), product: "coins_60", purchasedAt: Self.ago(hours))
        transaction.type = .consumable
        transaction.price = Price(thousandths: 6000, currency: "CNY")
        change(&transaction)
        evidence.transactions.append(transaction)
    }

    mutating func order(
        _ name: String = "O", status: OrderStatus = .paid, hours: Int64 = 481, transaction: String? = "T",
        _ change: (inout Order) -> Void = { _ in }
    ) {
        var order = Order(
            id: id(name), account: id("A"), product: "coins_60", status: status, createdAt: Self.ago(hours))
        order.amount = Money(minor: 600, currency: "CNY")
        order.transaction = transaction.map(id)
        change(&order)
        evidence.orders.append(order)
    }

    mutating func credit(
        _ name: String = "C", _ kind: CreditKind = .credit, hours: Int64 = 480, order: String? = "O",
        transaction: String? = "T", account: String = "A", origin: CreditOrigin = .auto, quantity: Int32? = nil
    ) {
        var credit = Credit(
            id: id(name), account: id(account), kind: kind, origin: origin, creditedAt: Self.ago(hours))
        credit.order = order.map(id)
        credit.transaction = transaction.map(id)
        credit.quantity = quantity
        evidence.credits.append(credit)
    }

    /// Adds a receipt that claims the purchase.
    mutating func receipt(
        _ status: Int32?, name: String = "R", hours: Int64 = 480, order: String? = nil, transaction: String? = "T",
        account: String = "A", proof: ReceiptProof = .unchecked
    ) {
        var receipt = Receipt(
            id: id(name), content: Digest256(words: (1, 1, 1, UInt64(number))), account: id(account),
            receivedAt: Self.ago(hours))
        receipt.order = order.map(id)
        receipt.transaction = transaction.map(id)
        receipt.verifyStatus = status
        receipt.proof = proof
        evidence.receipts.append(receipt)
    }

    /// Marks the transaction added last as refunded.
    mutating func refund(hours: Int64 = 400, type: RevocationType = .refundFull, percentage: Int32? = nil) {
        evidence.transactions[evidence.transactions.count - 1].revocation = Revocation(
            at: Self.ago(hours), type: type, percentage: percentage)
    }
}
