internal import Domain
internal import Matching
internal import Reference
internal import Rules
internal import Testing

/// The fast path for clean matches gives the same result as the rules.
@Suite struct SettledTests {
    private let noon = Instant(milliseconds: 1_763_000_000_000)

    /// A case in which everything agrees, with up to two random changes.
    private func evidence(_ random: inout SplitMix64, _ policy: Policy) -> Evidence {
        var order = Order(id: "O1", account: "A1", product: "coins", status: .paid, createdAt: noon)
        order.amount = Money(minor: 600, currency: "CNY")
        var credit = Credit(id: "C1", account: "A1", creditedAt: noon + .minutes(2))
        credit.order = "O1"
        credit.transaction = "1001"
        var transaction = Transaction(id: "1001", product: "coins", purchasedAt: noon, environment: policy.environment)
        transaction.price = Price(thousandths: 6000, currency: "CNY")
        if Bool.random(using: &random) { order.status = .credited }
        if Bool.random(using: &random) { (order.token, transaction.token) = (tokens[1], tokens[1]) }
        var receipt = Receipt(id: "R1", content: .absent, account: "A1", receivedAt: noon)
        receipt.transaction = "1001"
        var evidence = Evidence()
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1: change(&transaction, &random)
            case 2: change(&order, &random)
            case 3: change(&credit, &random)
            default: change(&receipt, &random)
            }
        }
        evidence.orders = [order]
        evidence.credits = [credit]
        evidence.transactions = [transaction]
        if Bool.random(using: &random) { evidence.receipts = [receipt] }
        return evidence
    }

    private func id(_ random: inout SplitMix64, _ texts: String...) -> Identifier? {
        texts.randomElement(using: &random).flatMap { $0.isEmpty ? nil : Identifier($0) }
    }

    private let tokens: [Token?] = [nil, Token(high: 1, low: 2), Token(high: 3, low: 4)]

    private func instant(_ random: inout SplitMix64) -> Instant {
        let steps: [Milliseconds] = [.days(-40), .hours(-2), .minutes(-6), .minutes(-5), .minutes(61), .days(20)]
        return noon + steps.randomElement(using: &random)!
    }

    private func change(_ transaction: inout Transaction, _ random: inout SplitMix64) {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: transaction.proof = Proof.allCases.randomElement(using: &random)!
        case 1: transaction.environment = AppEnvironment.allCases.randomElement(using: &random)!
        case 2: transaction.original = id(&random, "1001", "1000", "")
        case 3:
            transaction.revocation = Revocation(at: noon, type: RevocationType.allCases.randomElement(using: &random)!)
        case 4: transaction.ownership = Ownership.allCases.randomElement(using: &random)!
        case 5: transaction.isFromReceipt = true
        case 6: transaction.isUpgraded = true
        case 7: transaction.price = [nil, Price(thousandths: 0, currency: "CNY")].randomElement(using: &random)!
        case 8: transaction.quantity = 2
        case 9: transaction.token = tokens.randomElement(using: &random)!
        case 10: transaction.purchasedAt = instant(&random)
        default: transaction.marks = [[.conflict], [.forged]].randomElement(using: &random)!
        }
    }

    private func change(_ order: inout Order, _ random: inout SplitMix64) {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: order.status = OrderStatus.allCases.randomElement(using: &random)!
        case 1: order.transaction = id(&random, "1001", "1002")
        case 2: order.product = "gems"
        case 3: order.account = "A2"
        case 4: order.quantity = 2
        case 5: order.token = tokens.randomElement(using: &random)!
        case 6:
            order.amount = [nil, Money(minor: 500, currency: "CNY"), Money(minor: 600, currency: "USD")]
                .randomElement(using: &random)!
        default: order.marks = [.conflict]
        }
    }

    private func change(_ credit: inout Credit, _ random: inout SplitMix64) {
        switch Int.random(in: 0..<7, using: &random) {
        case 0: credit.kind = .reversal
        case 1: credit.order = id(&random, "O2", "")
        case 2: credit.transaction = id(&random, "1002", "")
        case 3: credit.account = "A2"
        case 4: credit.product = id(&random, "coins", "gems")
        case 5: credit.quantity = [1, 2].randomElement(using: &random)!
        default: credit.creditedAt = instant(&random)
        }
    }

    private func change(_ receipt: inout Receipt, _ random: inout SplitMix64) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: receipt.transaction = id(&random, "1002", "")
        case 1: receipt.order = id(&random, "O1", "O2")
        case 2: receipt.account = "A2"
        default: receipt.marks = [.conflict]
        }
    }

    private func policy(_ random: inout SplitMix64) -> Policy {
        var policy = Policy()
        policy.tokenUse = TokenUse.allCases.randomElement(using: &random)!
        policy.historyFrom = [nil, BusinessDate("2025-11-13"), BusinessDate("2025-11-14")].randomElement(
            using: &random)!
        policy.compare = [[], Set(ComparedField.allCases)].randomElement(using: &random)!
        return policy
    }

    @Test func settledCasesAreMatchedWithoutAFlagAndNothingIsLeftToDo() {
        var recognised = 0
        for seed in Trials.seeds(inBlock: 0, 8000, long: 20_000) {
            var random = SplitMix64(seed: seed)
            let policy = policy(&random)
            let book = CaseSet(evidence(&random, policy), policy: policy)
            let owner = [TokenOwner.unknown, .several, .account("A1"), .account("A2")].randomElement(using: &random)!
            let settled = CleanMatch(policy: policy)
            for number in 0..<book.count {
                guard let singleton = book.singleton(number) else { continue }
                let amount = settled.amount(
                    book.transactions[singleton.transaction], order: book.orders[singleton.order],
                    credit: book.credits[singleton.credit],
                    receipt: singleton.receipt.map { book.receipts[$0] }, owner: { _ in owner })
                guard let amount else { continue }
                recognised += 1
                let isRight = isProblemFree(book, number, amount, policy, owner: owner)
                #expect(isRight, "seed \(seed)")
            }
        }
        #expect(recognised > 2000 && recognised < 18_000, "\(recognised)")
    }

    private func isProblemFree(
        _ book: CaseSet, _ number: Int, _ amount: Money, _ policy: Policy, owner: TokenOwner
    ) -> Bool {
        var file = Case()
        book.load(number, into: &file)
        let horizon = Horizon(instant: noon + .days(90), businessDate: BusinessDate("2026-02-10")!)
        let subjects = subjects(of: file, policy: policy, horizon: horizon, owner: { _ in owner })
        let judgements = subjects.map {
            Rules.judge(Facts(subject: $0, file: file, policy: policy, horizon: horizon))
        }
        guard subjects.count == 1, subjects[0].unlinkedPurchase(in: file, policy: policy) == nil,
            subjects[0].revocation == nil, file.unlinkedOrders(policy: policy).isEmpty,
            !file.awaitsCredits(horizon: horizon, policy: policy)
        else { return false }
        let judgement = judgements[0]
        let (payment, credit) = (file.transactions[0], file.credits[0])
        guard
            PurchaseOutcome(
                payment.purchasedAt, creditedAt: credit.creditedAt, by: credit.origin, in: policy.zone)
                == PurchaseOutcome(subjects[0], judgement, in: file, policy: policy)
        else { return false }
        return judgement.verdict == .matched && judgement.cause == .none && judgement.flags.isEmpty
            && judgement.amount == amount && judgement.subject.id == file.transactions[0].id
            && judgement.subject.kind == .transaction && judgement.action == .none
    }
}
