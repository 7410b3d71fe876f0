internal import Domain
internal import Testing

@testable import Ledger
@testable internal import Reconcile

/// What a machine may do, and what docs/spec/rules.md#retry-demand leaves to a person.
@Suite struct RetryDemandTests {
    private static let date = BusinessDate("2025-11-10")!
    private let noon = Zone.utc.start(of: Self.date.advanced(by: -2)) + .hours(12)

    /// A rejected row withholds until its file comes again with as many rows, none of which is rejected.
    @Test func aRowThatIsCorrectedWithholdsNoLonger() throws {
        let desk = try DeskFolder(retry: "{ maxAttempts: 3 }", settings: "maxRejectedShare: 1,")
        let lost = (1...2).map { "O\($0),u\($0),coins,1,6.00,CNY,,300000000\($0),paid,\(desk.noon(0))," }
        let rejected = "O9,u1,coins,1,6.00,CNY,,,nonsense,\(desk.noon(0)),"
        try desk.deliver("orders", lost + [rejected], night: 0)
        try desk.deliver("credits", night: 0)
        try desk.deliverTransactions((1...2).map { ("300000000\($0)", "") }, night: 0)
        try desk.night(0)
        #expect(try desk.manifestKeys().count == 1)
        try desk.deliver("orders", lost, night: 0)
        try desk.nights(1...2)
        #expect(try desk.manifestKeys().count == 1, "The file came again without the row.")
        try desk.deliver("orders", lost + [rejected.replacing("nonsense", with: "failed")], night: 0)
        try desk.nights(3...4)
        #expect(try desk.folder.read("out/latest/retry-manifest.jsonl").contains("3000000001"))
    }

    /// Of two rejected rows, one was corrected: night and page name the one that is still wrong.
    @Test func theNewestFileSaysWhichRowIsWrong() throws {
        let desk = try DeskFolder(retry: "{ maxAttempts: 3 }", settings: "maxRejectedShare: 1,")
        let lost = (1...2).map { "O\($0),u\($0),coins,1,6.00,CNY,,300000000\($0),paid,\(desk.noon(0))," }
        let rejected = (8...9).map { "O\($0),u9,coins,1,6.00,CNY,,O1 O2,nonsense,\(desk.noon(0))," }
        try desk.deliver("orders", lost + rejected, night: 0)
        try desk.deliver("credits", night: 0)
        try desk.deliverTransactions((1...2).map { ("300000000\($0)", "") }, night: 0)
        func named() throws -> [Bool] {
            let summary = try desk.folder.read("out/latest/summary.json")
            let shown = try desk.run(["lookup", "3000000001"], variables: ["COLUMNS": "300"]).output
            #expect(shown.contains("reconcile gap accept"), "\(shown)")
            return (4...5).flatMap { line in
                [summary, shown].map { $0.contains("inbox/orders-2025-11-01.csv:\(line)") }
            }
        }
        try desk.night(0)
        #expect(try named() == [true, true, false, false])
        let corrected = rejected[0].replacing("nonsense", with: "failed").replacing("O1 O2", with: "")
        try desk.deliver("orders", lost + [corrected, rejected[1]], night: 0)
        for night in 1...2 {
            try desk.nights(night...night)
            #expect(try named() == [false, false, true, true], "night \(night)")
            #expect(try desk.manifestKeys() == [])
        }
    }

    /// A row that stands for nothing comes in no other form. A person decides about it, and it may come in other files, too.
    @Test func aRowThatStandsForNothingWithholdsNoLonger() throws {
        let desk = try DeskFolder(retry: "{ maxAttempts: 3 }", settings: "maxRejectedShare: 1,")
        let lost = "O1,u1,coins,1,6.00,CNY,,3000000001,paid,\(desk.noon(0)),"
        let (row, other) = ("TEST20251101,,,u1,test,,", "TEST20251102,,,u1,test,,")
        let file = "inbox/credits-\(desk.date(0)).csv"
        func decide(_ word: String, _ operands: String...) throws -> Ended {
            try desk.run(["gap", word] + operands + ["--by", "Li", "--note", "ticket 7"])
        }
        try desk.deliver("orders", [lost], night: 0)
        try desk.deliver("credits", [row, other], night: 0)
        try desk.deliverTransactions([("3000000001", "")], night: 0)
        try desk.night(0)
        try desk.deliver("credits", night: 0)
        try desk.nights(1...1)
        #expect(try desk.manifestKeys() == [])
        #expect(try desk.safety("3000000001") == "credit_rejected")
        #expect(try decide("accept", "inbox/orders-\(desk.date(0)).csv", desk.date(0)).code == 66)
        #expect(try decide("accept", "credits").code == 64)
        for place in [":2,3", ":2-3", ":", ":02", ":9", ":0"] {
            #expect(try decide("accept", file + place, desk.date(0)).code == 66, "\(place)")
        }
        #expect(try decide("accept", file + ":2").output.contains("1 rejected row (line 2) no longer withholds goods"))
        #expect(try desk.safety("3000000001") == "credit_rejected", "the other row")
        #expect(try decide("accept", file).output.contains("2 rejected rows (lines 2, 3) no longer withhold goods"))
        #expect(try desk.safety("3000000001") == "safe")
        try desk.deliver("credits", [row], night: 2)
        try desk.nights(2...2)
        #expect(try desk.manifestKeys().count == 1)
        #expect(try desk.folder.read("out/latest/summary.txt").contains("Li"))
        #expect(try decide("reopen", file).code == 0)
        try desk.nights(3...3)
        #expect(try desk.manifestKeys() == [])
        #expect(try decide("accept", file).code == 0)
        // It comes again with a third row, about which nobody decided.
        try desk.deliver("credits", ["TEST20251103,,,u1,test,,"], night: 0)
        try desk.nights(4...5)
        #expect(try desk.manifestKeys() == [])
        #expect(try desk.safety("3000000001") == "credit_rejected")
    }

    /// The garbage comes again on the line on which the row stood that tells of goods.
    @Test(arguments: [":2", ""]) func onlyRowsThatAreListedAreAccepted(line: String) throws {
        let desk = try DeskFolder(retry: "{ maxAttempts: 3 }", settings: "maxRejectedShare: 1,")
        let (goods, garbage) = ("C1,O1,3000000001,u1,nonsense,auto,2025-11-01", "TEST20251101,,,u1,test,,")
        let file = "inbox/credits-\(desk.date(0)).csv"
        try desk.deliver("orders", ["O1,u1,coins,1,6.00,CNY,,3000000001,paid,\(desk.noon(0)),"], night: 0)
        try desk.deliver("credits", [goods, garbage], night: 0)
        try desk.deliverTransactions([("3000000001", "")], night: 0)
        try desk.night(0)
        try desk.deliver("credits", [garbage], night: 0)
        try desk.nights(1...1)
        let unknown = try desk.run(["gap", "accept", file + ":9", "--by", "Li", "--note", "garbage"])
        #expect(unknown.errors.contains("\(file) are on these lines: 2, 2, 3. Nothing was changed."), "\(unknown)")
        let ended = try desk.run(["gap", "accept", file + line, "--by", "Li", "--note", "garbage"])
        #expect(
            ended.output.contains(line.isEmpty ? "3 rejected rows (lines 2, 2, 3)" : "1 rejected row (line 2)"),
            "\(ended)")
        try desk.nights(2...2)
        #expect(try desk.manifestKeys().count == (line.isEmpty ? 1 : 0))
        #expect(try desk.safety("3000000001") == (line.isEmpty ? "retry_out" : "credit_rejected"))
    }

    private func purchase(_ id: Identifier = "2000000000000001", quantity: Int32 = 1) -> Transaction {
        var transaction = Transaction(id: id, product: "coins", purchasedAt: noon)
        transaction.quantity = quantity
        transaction.bundle = "com.example.game"
        transaction.price = Price(Money(minor: 600 * Int64(quantity), currency: "CNY"))
        return transaction
    }

    private func order(_ id: Identifier = "ORD1", account: Identifier = "A") -> Order {
        var order = Order(id: id, account: account, product: "coins", status: .paid, createdAt: noon + .minutes(-1))
        order.transaction = "2000000000000001"
        return order
    }

    private func credit(
        _ id: Identifier, _ kind: CreditKind = .credit, account: Identifier = "A", quantity: Int32? = nil
    ) -> Credit {
        var credit = Credit(id: id, account: account, kind: kind, creditedAt: noon + .minutes(1))
        credit.transaction = "2000000000000001"
        credit.quantity = quantity
        return credit
    }

    private func receipt(_ id: Identifier, account: Identifier, status: Int32?) -> Receipt {
        var receipt = Receipt(
            id: id, content: Digest256(words: (1, 2, 3, 4)), account: account, receivedAt: noon + .minutes(2))
        receipt.transaction = "2000000000000001"
        receipt.verifyStatus = status
        return receipt
    }

    /// The manifest of the night two days after the events.
    private func manifest(
        _ evidence: Evidence, reverseRefunds: Bool = false, missing: FeedKind? = nil
    ) throws -> [RetryFacts] {
        var policy = Policy()
        policy.bundles = ["com.example.game"]
        policy.reverseRefunds = reverseRefunds
        var player = try RetryPlayer(policy: policy, retry: RetrySettings())
        for index in player.configuration.feeds.indices where player.configuration.feeds[index].kind == missing {
            player.configuration.feeds[index].required = true
        }
        var files = [FeedKind.orders, .credits, .transactions, .receipts].map { RetryFile(kind: $0, date: Self.date) }
        files[0].evidence.orders = evidence.orders
        files[1].evidence.credits = evidence.credits
        files[2].evidence.transactions = evidence.transactions
        files[3].evidence.receipts = evidence.receipts
        for day in -3..<0 {
            let isMissing = day == -1 && missing != nil
            try player.play([], on: Self.date.advanced(by: day), missing: isMissing ? [missing!] : [])
        }
        return try #require(try player.play(files, on: Self.date).report.retryLists).emitted.map(\.facts)
    }

    private func evidence(
        _ transactions: [Transaction] = [], orders: [Order] = [], credits: [Credit] = [], receipts: [Receipt] = []
    ) -> Evidence {
        var evidence = Evidence()
        evidence.transactions = transactions
        evidence.orders = orders
        evidence.credits = credits
        evidence.receipts = receipts
        return evidence
    }

    @Test func aLostOrderIsCreditedToItsOwnerInItsQuantity() throws {
        let facts = try manifest(evidence([purchase(quantity: 3)], orders: [order()]))
        #expect(facts.map(\.action) == [.credit] && facts[0].quantity == 3 && facts[0].account == "A")
        #expect(facts[0].amount == Money(minor: 1800, currency: "CNY"))
        for kind in [FeedKind.orders, .credits, .transactions, .receipts] {
            #expect(
                try manifest(evidence([purchase(quantity: 3)], orders: [order()]), missing: kind).isEmpty, "\(kind)")
        }
    }

    @Test func aPersonDecidesWhereOwnerOrOrderIsInDoubt() throws {
        #expect(try manifest(evidence([purchase()])).isEmpty, "no owner")
        #expect(try manifest(evidence([purchase()], orders: [order(), order("ORD2")])).isEmpty, "two orders")
        let reversed = evidence([purchase()], orders: [order()], credits: [credit("C1"), credit("C2", .reversal)])
        #expect(try manifest(reversed).isEmpty, "reversed without refund")
        var partial = purchase(quantity: 4)
        partial.revocation = Revocation(at: noon + .hours(1), type: .refundProrated, percentage: 50_000)
        #expect(try manifest(evidence([partial], orders: [order()], credits: [credit("C1", quantity: 1)])).isEmpty)
    }

    @Test func aProofInSeveralHandsMakesNoOwner() throws {
        let mine = receipt("R1", account: "A", status: 0)
        let facts = try manifest(evidence([purchase()], receipts: [mine]))
        #expect(
            facts.map(\.action) == [.credit] && facts[0].preconditions == [.noCreditForTransaction, .notRevokedSince])
        let other = receipt("R2", account: "B", status: 0)
        #expect(try manifest(evidence([purchase()], receipts: [mine, other])).isEmpty)
        let ordered = evidence([purchase()], orders: [order()], receipts: [mine, other])
        #expect(try manifest(ordered).isEmpty, "the desk says owner_disputed")
        #expect(try manifest(evidence([purchase()], orders: [order()], receipts: [mine])).map(\.account) == ["A"])
    }

    @Test func aClientsWordAloneGivesNothing() throws {
        var listed = purchase()
        listed.isFromReceipt = true
        listed.price = nil
        listed.proof = .verified
        let proven = evidence([listed], orders: [order()], receipts: [receipt("R1", account: "A", status: 0)])
        #expect(try manifest(proven).map(\.action) == [.fetchTransaction])
        let claimed = evidence(orders: [order()], receipts: [receipt("R1", account: "A", status: 0)])
        let facts = try manifest(claimed)
        #expect(facts.map(\.action) == [.fetchTransaction] && facts[0].transaction == "2000000000000001")
        #expect(facts[0].preconditions == [.transactionNotRecorded])
        #expect(try manifest(claimed, missing: .credits).isEmpty, "while a feed is missing, nothing at all")
    }

    @Test func aReceiptThatNobodyCouldCheckIsCheckedAgain() throws {
        let facts = try manifest(
            evidence(receipts: [receipt("R1", account: "A", status: 21004), receipt("R2", account: "A", status: 21005)])
        )
        #expect(facts.map(\.action) == [.verifyReceipt] && facts[0].receipt == "R2")
        #expect(try manifest(evidence(receipts: [receipt("R1", account: "A", status: 21004)])).isEmpty, "our own fault")
    }

    @Test func aRefundIsTakenBackOnlyWhereThatIsConfigured() throws {
        var refunded = purchase(quantity: 2)
        refunded.revocation = Revocation(at: noon + .hours(1), type: .refundFull)
        var ordered = order()
        ordered.quantity = 2
        let kept = evidence([refunded], orders: [ordered], credits: [credit("C1"), credit("C2")])
        #expect(try manifest(kept).isEmpty)
        let facts = try manifest(kept, reverseRefunds: true)
        #expect(facts.map(\.action) == [.reverseCredit] && facts[0].quantity == 4)
        #expect(facts[0].amount == Money(minor: 2400, currency: "CNY") && facts[0].account == "A")
        // Pieces are taken back one by one, too: of two and one more, two were.
        let left = [credit("C1"), credit("C2", quantity: 1), credit("C3", .reversal, quantity: 2)]
        let one = try manifest(evidence([refunded], orders: [ordered], credits: left), reverseRefunds: true)
        #expect(one.map(\.quantity) == [1] && one[0].amount == Money(minor: 600, currency: "CNY"))
        let twoAccounts = evidence([refunded], orders: [order()], credits: [credit("C1"), credit("C2", account: "B")])
        #expect(try manifest(twoAccounts, reverseRefunds: true).isEmpty)
        // The customer has other goods than those that were bought.
        var others = kept
        others.credits[0].product = "gems"
        #expect(try manifest(others, reverseRefunds: true).isEmpty)
    }

    @Test func aPartialRefundTakesBackWhatExceedsTheRest() throws {
        var partial = purchase(quantity: 4)
        partial.revocation = Revocation(at: noon + .hours(1), type: .refundProrated, percentage: 25_000)
        let facts = try manifest(evidence([partial], orders: [order()], credits: [credit("C1")]), reverseRefunds: true)
        #expect(facts.map(\.quantity) == [1] && facts[0].amount == Money(minor: 600, currency: "CNY"))
    }

    @Test func aDoubleCreditIsNeverAMachines() throws {
        let twice = evidence([purchase()], orders: [order()], credits: [credit("C1"), credit("C2")])
        #expect(try manifest(twice, reverseRefunds: true).isEmpty)
    }
}
