import Engine
import Intake
import Testing

@testable import Domain
@testable import Ledger
@testable import Reconcile
@testable import Reference

/// Ten nights of one shop, order by order: docs/spec/rules.md#exceptions.
@Suite struct StoryTests {
    @Test func tenNightsOfExceptionsAreABook() throws {
        var story = try Story()
        let nights = try story.played()
        for (number, expected) in Story.expected.enumerated() {
            #expect(nights[number] == expected, "night \(number)")
        }
        #expect(try story.closings() == story.openings())
        #expect(try story.historyOfLateCredit() == ["new", "changed", "resolved", "reopened", "resolved"])
        let once = try story.playedAtOnce()
        #expect(try subjects(of: story.player.ledger) == subjects(of: once.ledger))
    }
}

/// What happens in each night, and what each exception says afterwards.
private struct Story {
    var player: NightPlayer
    private var delivered: [WorldFile] = []
    private var opening: [[String]] = []
    private var closing: [[String]] = []

    init() throws { player = try NightPlayer(policy: Self.policy) }

    private static var policy: Policy {
        var policy = Policy()
        policy.graceApple = .hours(24)
        return policy
    }

    /// For each row shown: the order, then state, verdict/cause and the day of first_seen.
    static let expected: [[String: String]] = [
        // 0: T1 is paid and lost; T2 is credited twice; O3 says paid, and there is no payment yet.
        [
            "1": "new paid_not_credited/closed_order 10", "2": "new credited_twice/two_credits 10",
        ],
        // 1: O3's grace has passed. T1's order is paid after all.
        [
            "1": "changed paid_not_credited/credit_failed 10", "2": "open credited_twice/two_credits 10",
            "O3": "new order_unverified/ 11",
        ],
        // 2: T1 is credited late; T2's second credit is taken back; T3 arrives for O3, uncredited.
        [
            "1": "resolved paid_not_credited/credit_failed 10", "2": "resolved credited_twice/two_credits 10",
            "3": "changed paid_not_credited/credit_failed 11",
        ],
        // 3: T1 is refunded. Its grace has not passed, so it is not shown. A person waives T3.
        ["3": "open paid_not_credited/credit_failed 11"],
        // 4: T1's goods were not taken back. T3 stays waived.
        ["1": "reopened refunded_not_reversed/not_reversed 10", "3": "waived paid_not_credited/credit_failed 11"],
        // 5: Apple withdraws the refund, which resolves T1's exception. T3's order is closed, which undoes no waiver.
        ["1": "resolved refunded_not_reversed/not_reversed 10"],
        // 6: nothing arrives.
        [:],
        // 7: amounts are no longer compared, so T4, which would differ, is matched. T3 is credited under another order.
        [:],
        // 8: amounts are compared again: T4 differs. O5 and the earlier T5 are two cases.
        [
            "4": "new value_mismatch/amount 18", "5": "new paid_not_credited/no_order 18",
            "O5": "new order_unverified/ 18",
        ],
        // 9: a receipt says that O5 and T5 are one.
        [
            "4": "open value_mismatch/amount 18", "5": "changed paid_not_credited/credit_failed 18",
            "O5": "resolved order_unverified/ 18",
        ],
    ]
}

extension Story {
    private func order(_ id: Identifier, _ status: OrderStatus, _ night: Int, for transaction: Identifier? = nil)
        -> Order
    {
        var order = Order(id: id, account: "a", product: "coins", status: status, createdAt: noon(0))
        order.transaction = transaction
        order.amount = Money(minor: 600, currency: "CNY")
        order.updatedAt = noon(night)
        return order
    }

    private func credit(_ id: Identifier, _ night: Int, for transaction: Identifier, _ kind: CreditKind = .credit)
        -> Credit
    {
        var credit = Credit(id: id, account: "a", kind: kind, creditedAt: noon(night))
        credit.transaction = transaction
        return credit
    }

    private func paid(_ id: Identifier, _ night: Int = 0, revokedAt: Instant? = nil, signed: Int = 0) -> Transaction {
        var transaction = Transaction(id: id, product: "coins", purchasedAt: noon(night))
        transaction.price = Price(thousandths: 6000, currency: "CNY")
        transaction.signedAt = noon(max(night, signed))
        transaction.revocation = revokedAt.map { Revocation(at: $0) }
        return transaction
    }

    private func evidence(_ night: Int) -> Evidence {
        var rows = Evidence()
        switch night {
        case 0:
            rows.orders = [order("O1", .failed, 0, for: "1"), order("O2", .paid, 0, for: "2"), order("O3", .paid, 0)]
            rows.credits = [credit("C2", 0, for: "2"), credit("C3", 0, for: "2")]
            rows.transactions = [paid("1"), paid("2")]
        case 1: rows.orders = [order("O1", .paid, -1, for: "1"), order("O1", .paid, 1, for: "1")]
        case 2:
            rows.credits = [credit("C1", 2, for: "1"), credit("R3", 2, for: "2", .reversal)]
            rows.orders = [order("O3", .paid, 2, for: "3")]
            rows.transactions = [paid("3")]
        case 3: rows.transactions = [paid("1", revokedAt: noon(3) + .hours(1), signed: 3)]
        case 5:
            rows.transactions = [paid("1", signed: 5)]
            rows.orders = [order("O3", .cancelled, 5, for: "3")]
        case 7:
            rows.credits = [credit("C7", 7, for: "3"), credit("C4", 7, for: "4")]
            rows.orders = [order("O4", .paid, 7, for: "4")]
            rows.orders[0].amount = Money(minor: 1200, currency: "CNY")
            rows.transactions = [paid("4", 7)]
        case 8:
            rows.orders = [order("O5", .paid, 8)]
            rows.orders[0].product = "gems"
            rows.transactions = [paid("5", 8)]
        case 9:
            var receipt = Receipt(id: "P9", content: .absent, account: "a", receivedAt: noon(9))
            receipt.order = "O5"
            receipt.transaction = "5"
            receipt.verifyStatus = 0
            rows.receipts = [receipt]
        default: break
        }
        return rows
    }

    private func files(_ night: Int) -> [WorldFile] {
        let rows = evidence(night)
        var files: [WorldFile] = []
        func add(_ kind: FeedKind, _ fill: (inout Evidence) -> Void) {
            var own = Evidence()
            fill(&own)
            files.append(WorldFile(kind: kind, fileDate: day(night), evidence: own))
        }
        if !rows.orders.isEmpty { add(.orders) { $0.orders = rows.orders } }
        if !rows.credits.isEmpty { add(.credits) { $0.credits = rows.credits } }
        if !rows.transactions.isEmpty { add(.transactions) { $0.transactions = rows.transactions } }
        if !rows.receipts.isEmpty { add(.receipts) { $0.receipts = rows.receipts } }
        return files
    }

    /// All nights; of each the rows shown, by subject.
    mutating func played() throws -> [[String: String]] {
        try (0..<10).map { number in
            if number == 7 { player.configuration.policy.compare.remove(.amount) }
            if number == 8 { player.configuration.policy.compare.insert(.amount) }
            if number == 4 { try waive("3") }
            delivered += files(number)
            let night = try player.play(files(number), at: moment(number))
            note(night.report.rollForward)
            let shown = night.transitions.compactMap { move in
                move.row.map { row in
                    (
                        move.record.subject.id.text,
                        "\(row.state.rawValue) \(row.verdict.rawValue)/\(row.cause.rawValue) \(row.firstSeen.text.suffix(2))"
                    )
                }
            }
            return Dictionary(uniqueKeysWithValues: shown)
        }
    }

    mutating func playedAtOnce() throws -> NightPlayer {
        var player = try NightPlayer(policy: Self.policy)
        try player.play(delivered, at: moment(9))
        return player
    }

    /// Waives an exception, as a person does between nights.
    private func waive(_ transaction: Identifier) throws {
        let ledger = player.ledger
        var entry = try #require(ledger.unresolvedExceptions().first { $0.subject.id == transaction })
        entry.state = .waived
        try ledger.begin()
        try ledger.write(entry)
        try ledger.commit()
    }

    private mutating func note(_ lines: [RollForwardLine]) {
        let text = { (line: RollForwardLine, value: CountAndAmount) in
            "\(line.verdict) \(line.currency) \(value.count) \(value.minor)"
        }
        opening.append(lines.filter { $0.opening.count > 0 }.map { text($0, $0.opening) })
        closing.append(lines.filter { $0.closing.count > 0 }.map { text($0, $0.closing) })
    }

    func openings() throws -> [[String]] { Array(opening.dropFirst()) }
    func closings() throws -> [[String]] { Array(closing.dropLast()) }

    /// The states of T1's exception, event by event.
    func historyOfLateCredit() throws -> [String] {
        var states: [String] = []
        var row = try player.ledger.connection.prepare(
            """
            SELECT v.state FROM exception_event v JOIN exception e ON e.id = v.exception
            WHERE e.key = '1' ORDER BY v.run, v.number
            """)
        while try row.step() { states.append(row.text(0)) }
        return states
    }
}
