internal import Domain
import Testing

@testable import Matching

/// Ten thousand pieces of every kind of evidence in one case, as a faulty client or a reused id may cause. Each test
/// takes seconds if the work grows linearly, and hours if it does not.
@Suite struct CrowdTests {
    private static let crowd = 10_000
    private let noon = Instant(milliseconds: 1_763_000_000_000)

    private func id(_ prefix: String, _ number: Int) -> Identifier { Identifier(prefix + padded(number, 8)) }
    private func at(_ number: Int) -> Instant { noon + Milliseconds(Int64(number)) }

    private func orders(_ status: OrderStatus = .paid, transaction: Identifier? = "1", id: Identifier? = nil) -> [Order]
    {
        (0..<Self.crowd).map { number in
            var order = Order(
                id: id ?? self.id("O", number), account: "a", product: "coins", status: status, createdAt: at(number))
            order.transaction = transaction
            return order
        }
    }

    private func credits(_ kind: CreditKind = .credit, transaction: Identifier? = "1", order: Bool = true) -> [Credit] {
        (0..<Self.crowd).map { number in
            var credit = Credit(
                id: id(kind == .credit ? "C" : "R", number), account: "a", kind: kind, creditedAt: at(number))
            credit.order = order ? id("O", number) : nil
            credit.transaction = transaction
            return credit
        }
    }

    private func receipts(claiming transaction: (Int) -> Identifier?, order: (Int) -> Identifier?) -> [Receipt] {
        (0..<Self.crowd).map { number in
            var receipt = Receipt(id: id("R", number), content: .absent, account: "a", receivedAt: at(number))
            receipt.transaction = transaction(number)
            receipt.order = order(number)
            return receipt
        }
    }

    private func accepted(_ receipts: [Receipt]) -> [Receipt] {
        receipts.map { receipt in
            var receipt = receipt
            receipt.verifyStatus = 0
            return receipt
        }
    }

    private func transactions(_ count: Int = 1, proof: Proof = .vouched) -> [Transaction] {
        (1...count).map { Transaction(id: Identifier("\($0)"), product: "coins", purchasedAt: at($0), proof: proof) }
    }

    /// The subjects of the single case that all of it must form.
    private func subjects(
        _ orders: [Order], _ credits: [Credit], _ transactions: [Transaction], _ receipts: [Receipt]
    ) -> [Subject] {
        var evidence = Evidence()
        evidence.orders = orders
        evidence.credits = credits
        evidence.transactions = transactions
        evidence.receipts = receipts
        let book = CaseSet(evidence, policy: Policy())
        var file = Case()
        book.load(0, into: &file)
        #expect(book.count == 1)
        let horizon = Horizon(instant: noon, businessDate: Zone.utc.date(of: noon))
        return Matching.subjects(of: file, policy: Policy(), horizon: horizon, owner: { _ in .unknown })
    }

    @Test func everythingNamesOneTransaction() {
        let receipts = receipts(claiming: { _ in "1" }, order: { id("O", $0) })
        let found = subjects(orders(), credits(), transactions(), receipts)
        #expect(found.count == 1 && found[0].position.net == Self.crowd && found[0].orders.count == Self.crowd)
    }

    @Test func everyCreditIsTakenBack() {
        let both = credits() + credits(.reversal)
        #expect(subjects(orders(), both, transactions(), [])[0].position.net == 0)
        let unnamed = credits() + credits(.reversal, order: false)
        #expect(subjects(orders(), unnamed, transactions(), [])[0].position.net == 0)
    }

    @Test func everyOrderSaysCredited() {
        #expect(subjects(orders(.credited), [], transactions(), [])[0].position.net == Self.crowd)
        #expect(subjects(orders(.credited), credits(), transactions(), [])[0].position.net == Self.crowd)
    }

    @Test func oneOrderIsClaimedWithTenThousandTransactions() {
        var order = orders()[0]
        order.transaction = "1"
        let receipts = receipts(claiming: { id("9", $0) }, order: { _ in order.id })
        #expect(subjects([order], [], transactions(), receipts).count == Self.crowd + 1)
    }

    @Test func oneOrderIsClaimedWithTenThousandPurchases() {
        let order = orders(transaction: nil)[0]
        let receipts = accepted(receipts(claiming: { Identifier("\($0 + 1)") }, order: { _ in order.id }))
        let credits = credits(transaction: nil).map { credit in
            var credit = credit
            credit.order = order.id
            return credit
        }
        let found = subjects([order], credits, transactions(Self.crowd), receipts)
        #expect(found.count == Self.crowd && found.allSatisfy { $0.position.net == 1 })
    }

    /// Receipts of many accounts that all claim one made-up transaction once merged all these accounts' orders into one
    /// case.
    @Test func noRejectedReceiptTiesStrangers() {
        var evidence = Evidence()
        evidence.orders = orders(transaction: nil)
        evidence.receipts = receipts(claiming: { _ in "9" }, order: { id("O", $0) })
        for number in evidence.orders.indices {
            evidence.orders[number].account = id("A", number)
            evidence.receipts[number].account = id("A", number)
            evidence.receipts[number].verifyStatus = 21003
        }
        #expect(CaseSet(evidence, policy: Policy()).count == Self.crowd)
    }

    @Test func aTokenThatEverybodySendsTiesNothing() {
        var policy = Policy()
        policy.tokenUse = .order
        var evidence = Evidence()
        evidence.orders = orders(transaction: nil)
        evidence.transactions = transactions(Self.crowd)
        for number in 0..<Self.crowd {
            evidence.orders[number].token = Token(high: 7, low: 7)
            evidence.transactions[number].token = Token(high: 7, low: 7)
        }
        let book = CaseSet(evidence, policy: policy)
        #expect(book.count == 2 * Self.crowd && book.crowdedTokens == [Token(high: 7, low: 7)])
    }

    @Test func oneOriginalIsRestoredTenThousandTimes() {
        var restores = transactions(Self.crowd)
        for number in restores.indices {
            restores[number].type = .nonConsumable
            restores[number].original = "original"
        }
        let found = subjects([], [], restores, [])
        #expect(found.count == 1 && found[0].transactions.count == Self.crowd)
    }

    @Test func forgeriesOfTenThousandTransactionsNameOneOrder() {
        let order = orders(transaction: nil)[0]
        let receipts = accepted(receipts(claiming: { Identifier("\($0 + 1)") }, order: { _ in order.id }))
        #expect(subjects([order], [], transactions(Self.crowd, proof: .invalid), receipts).count == Self.crowd)
    }

    @Test func copiesThatContradictAreSeenHoweverManyStandBetween() {
        for prices: (first: Int64, last: Int64) in [(600, 600), (600, 900)] {
            var evidence = Evidence()
            evidence.orders = orders(id: "O")
            for (index, price) in [(0, prices.first), (Self.crowd - 1, prices.last)] {
                evidence.orders[index].amount = Money(minor: price, currency: "CNY")
            }
            let book = CaseSet(evidence, policy: Policy())
            var file = Case()
            book.load(0, into: &file)
            #expect(file.orders[0].marks.contains(.conflict) == (prices.first != prices.last))
        }
    }

    @Test func oneOrderHasTenThousandCopies() {
        let found = subjects(orders(id: "O1"), [], [], [])
        #expect(found.count == 1 && found[0].orders.count == 1)
    }

    @Test func oneAccountBuysTheSameThingAllDay() {
        let loose = (0..<Self.crowd).map { number in
            UnlinkedPurchase(
                subject: SubjectKey(.transaction, id("9", number)), owner: "a", product: "coins",
                purchasedAt: at(number))
        }
        let unused = (0..<Self.crowd).map { number in
            UnlinkedOrder(
                id: id("O", number), account: "a", product: "coins", createdAt: at(Self.crowd + number))
        }
        #expect(suggestions(for: loose, among: unused, window: .hours(24)).isEmpty)
    }
}
