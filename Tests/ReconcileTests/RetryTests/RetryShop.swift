internal import Domain
import Engine

/// A shop's backend over many days, and the consumer of its retry manifest. What counts is what the consumer did, and
/// not what it answered.
struct RetryShop {
    struct Purchase {
        var transaction: Transaction
        var account: Identifier
    }
    var random: SplitMix64
    /// The consumer checks each precondition again. Otherwise it relies on its keys alone, and the desk does nothing.
    let isCareful: Bool
    private(set) var purchases: [Identifier: Purchase] = [:]
    private(set) var credits: [Credit] = []
    private(set) var isKeyApplied: [String: Bool] = [:]
    private var orders: [Order] = []
    private var signed: [Transaction] = []
    private var answers: [Acknowledgement] = []
    private var number = 0

    init(seed: UInt64, isCareful: Bool) {
        random = SplitMix64(seed: seed)
        self.isCareful = isCareful
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    /// Sells goods, credits most of them and refunds some. The desk helps a few customers.
    mutating func trade(on date: BusinessDate) {
        let start = Zone.utc.start(of: date)
        for id in purchases.keys.sorted() where chance(2) { refund(id, at: start + .hours(12)) }
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            sell(at: start + .hours(Int64.random(in: 0...23, using: &random)))
        }
        guard isCareful else { return }
        // At 13:00, the desk knows what was sold before.
        let sold = purchases.keys.sorted().filter { purchases[$0]!.transaction.purchasedAt < start + .hours(12) }
        for id in sold where net(id) == 0 && !isRevoked(id) && chance(2) {
            credit(id, purchases[id]!.account, origin: .desk, at: start + .hours(13))
        }
    }

    private mutating func sell(at instant: Instant) {
        number += 1
        let id = Identifier("20000000\(10_000_000 + number)")
        var transaction = Transaction(id: id, product: "coins", purchasedAt: instant)
        transaction.signedAt = instant
        transaction.price = Price(Money(minor: 600, currency: "CNY"))
        let account = Identifier("acct\(number % 7)")
        purchases[id] = Purchase(transaction: transaction, account: account)
        signed.append(transaction)
        if chance(90) {
            var order = Order(
                id: Identifier("ORD\(number)"), account: account, product: "coins", status: .paid, createdAt: instant)
            order.transaction = id
            order.amount = Money(minor: 600, currency: "CNY")
            orders.append(order)
        }
        if chance(60) { credit(id, account, origin: .auto, at: instant + .minutes(1)) }
    }

    private mutating func refund(_ id: Identifier, at instant: Instant) {
        guard !isRevoked(id) else { return }
        purchases[id]!.transaction.revocation = Revocation(at: instant, type: .refundFull)
        purchases[id]!.transaction.signedAt = instant
        signed.append(purchases[id]!.transaction)
    }

    private mutating func credit(
        _ id: Identifier, _ account: Identifier, kind: CreditKind = .credit, origin: CreditOrigin, at instant: Instant
    ) {
        var credit = Credit(
            id: Identifier("CR\(credits.count + 1)"), account: account, kind: kind, origin: origin, creditedAt: instant)
        credit.transaction = id
        credits.append(credit)
    }

    func net(_ id: Identifier) -> Int {
        credits.reduce(0) { $1.transaction == id ? $0 + ($1.kind == .credit ? 1 : -1) : $0 }
    }

    func isRevoked(_ id: Identifier) -> Bool { purchases[id]!.transaction.revocation != nil }
}

extension RetryShop {
    /// The consumer at work on a manifest: it crashes, repeats itself and forgets to answer.
    mutating func consume(_ lines: [RetryLine], on date: BusinessDate, isReliable: Bool = false) {
        for (index, line) in lines.enumerated() where isReliable || !chance(15) {
            let now = Zone.utc.start(of: date) + .hours(6) + .minutes(Int64(index))
            precondition(line.notBefore! <= now)
            if now >= line.expiresAt! { continue }
            if !isReliable, chance(10) {
                answer(line, chance(70) ? .retryableError : .permanentError, at: now)
                continue
            }
            var outcome = apply(line.facts, at: now)
            if chance(20) { outcome = apply(line.facts, at: now + .minutes(1)) }
            // A crash after acting and before answering.
            if isReliable || !chance(25) { answer(line, outcome, at: now + .minutes(2)) }
        }
    }

    /// One transaction of the backend covers the key, the preconditions and the goods.
    private mutating func apply(_ facts: RetryFacts, at now: Instant) -> AckOutcome {
        if isKeyApplied[facts.key] == true { return .alreadyApplied }
        let id = Identifier(facts.transaction!)
        if isCareful {
            let holds = facts.action == .credit ? net(id) == 0 && !isRevoked(id) : net(id) == 1 && isRevoked(id)
            if !holds { return .preconditionFailed }
        }
        isKeyApplied[facts.key] = true
        credit(
            id, Identifier(facts.account!), kind: facts.action == .credit ? .credit : .reversal, origin: .auto, at: now)
        return .applied
    }

    private mutating func answer(_ line: RetryLine, _ outcome: AckOutcome, at now: Instant) {
        answers.append(Acknowledgement(key: line.facts.key, outcome: outcome, at: now, message: "of \(line.attempt)"))
    }

    /// The day's exports, each once.
    mutating func files(of date: BusinessDate) -> [RetryFile] {
        var files = RetryPlayer.kinds.map { RetryFile(kind: $0, date: date) }
        files[0].evidence.orders = orders
        files[1].evidence.credits = credits.filter { Zone.utc.date(of: $0.creditedAt) == date }
        files[2].evidence.transactions = signed
        files[4].evidence.acknowledgements = answers
        (orders, signed, answers) = ([], [], [])
        return files
    }
}
