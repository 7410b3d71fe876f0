package import Domain

/// A row that could not be used.
package struct UnusableRow: Sendable {
    package var kind: FeedKind
    package var fileDate: BusinessDate
    /// Empty if the row is beyond reading.
    package var text: String

    package init(kind: FeedKind, fileDate: BusinessDate, text: String) {
        self.kind = kind
        self.fileDate = fileDate
        self.text = text
    }
}

/// A small shop in which accounts have several orders, purchases and credits. Its backend gives the goods of some
/// purchases and loses others; what it records about that is as bad as in real shops: credits that name orders only, a
/// ticket or a misspelt id, orders of another time or product, rows that cannot be used. The same seed gives the same
/// shop.
package struct GivingShop {
    package private(set) var evidence = Evidence()
    /// What cannot be used.
    package private(set) var unusable: [UnusableRow] = []
    /// The transactions whose goods the customer has, whatever the records say.
    package private(set) var given: Set<Identifier> = []
    package var policy: Policy
    package let horizon = ScenarioWorld.horizon
    /// What credits name in this shop.
    private let creditsNameOrders: Bool
    private var random: SplitMix64

    package init(seed: UInt64) {
        random = SplitMix64(seed: seed ^ 0x6174)
        policy = ScenarioWorld.policy
        policy.tokenUse = random.pick([.account, .account, .order, .none])
        creditsNameOrders = random.oneIn(2)
        for number in 0..<Int.random(in: 2...7, using: &random) { purchase(number) }
        for number in 0..<Int.random(in: 0...2, using: &random) { loosen(number) }
        if random.oneIn(2) { payAgain() }
        if random.oneIn(2) { renew() }
        if random.oneIn(3) { giveByList() }
    }

    /// An account pays a second time for what it can have only once. The first time, it got the goods, and mostly kept them.
    private mutating func payAgain() {
        let account = random.pick(["a", "b"] as [Identifier])
        for number in 20...21 {
            let id = Identifier("\(2_000_000_000_000_001 + number)")
            let at = ScenarioWorld.now(policy) + .hours(-12 * Int64.random(in: 5...12, using: &random))
            var paid = Transaction(id: id, product: "sword", purchasedAt: at)
            let isFirst = number == 20
            paid.type = isFirst ? .nonConsumable : random.pick([nil, .nonConsumable])
            let isOther = isFirst && random.oneIn(2)
            let owner = isOther && random.oneIn(4) ? "c" : account
            if isOther, random.oneIn(4) { paid.ownership = .familyShared }
            if isOther, random.oneIn(4) { paid.environment = .sandbox }
            if isOther, random.oneIn(4) { paid.revocation = Revocation(at: at + .hours(3)) }
            evidence.transactions.append(paid)
            var order = Order(
                id: Identifier("ORD10\(number)"), account: owner, product: "sword", status: .paid, createdAt: at)
            order.transaction = id
            evidence.orders.append(order)
            // One shop in six lost the first one's goods, too.
            if !isFirst || random.oneIn(6) { continue }
            var credit = Credit(id: "C20", account: owner, origin: .auto, creditedAt: at + .minutes(1))
            (credit.order, credit.transaction) = (order.id, id)
            if random.oneIn(4) { credit.account = Identifier(owner.text.uppercased()) }
            evidence.credits.append(credit)
            if !isOther, credit.account == account { given.insert("2000000000000022") }
            if isOther, random.oneIn(4) {
                (credit.id, credit.kind, credit.creditedAt) = ("V20", .reversal, at + .hours(2))
                evidence.credits.append(credit)
            }
        }
    }

    /// The desk gives goods and keeps a list in a spreadsheet, which leaves 15 digits of each number; or writes more than the
    /// account.
    private mutating func giveByList() {
        let id: Identifier = "2000000000000047"
        let account: Identifier = random.pick(["a", "880055345678905678"])
        let at = ScenarioWorld.now(policy) + .hours(-12 * Int64.random(in: 5...12, using: &random))
        evidence.transactions.append(Transaction(id: id, product: "coins", purchasedAt: at))
        var order = Order(id: "ORD1040", account: account, product: "coins", status: .paid, createdAt: at)
        order.transaction = id
        evidence.orders.append(order)
        var credit = Credit(id: "C40", account: account, origin: .desk, creditedAt: at + .hours(1))
        if account != "a" {
            credit.account = random.pick([
                "880055345678905000", "u880055345678905678", "8800 5534-5678905678", "13800138000/880055345678905678",
            ])
        }
        credit.order = random.pick([nil, "TICKET-40"])
        credit.transaction = account == "a" || random.oneIn(2) ? "2000000000000040" : nil
        if account == "a" { credit.account = "c" }
        // A cell too far to the left or to the right.
        if account != "a", random.oneIn(4) { (credit.account, credit.order) = ("clerk", id) }
        if account != "a", random.oneIn(6) { (credit.account, credit.transaction) = (id, nil) }
        if account != "a", random.oneIn(6) { (credit.account, credit.order) = (id, "TICKET-40") }
        if random.oneIn(4) { return }
        evidence.credits.append(credit)
        given.insert(id)
    }

    /// A subscription's second period, a day after the first one, whose order may be a stranger's.
    private mutating func renew() {
        let at = ScenarioWorld.now(policy) + .hours(-12 * Int64.random(in: 7...12, using: &random))
        let token = Token(high: 8, low: 1)
        for number in 30...31 {
            var paid = Transaction(
                id: Identifier("\(2_000_000_000_000_001 + number)"), product: "month",
                purchasedAt: at + .days(number == 30 ? 0 : 1))
            (paid.original, paid.token, paid.expiresAt) = ("2000000000000031", token, paid.purchasedAt + .days(1))
            evidence.transactions.append(paid)
            let account: Identifier = number == 30 ? "a" : random.pick(["a", "a", "b", "mallory"])
            var order = Order(
                id: Identifier("ORD10\(number)"), account: account, product: "month",
                status: number == 30 ? .paid : random.pick([.paid, .pending, .failed]), createdAt: paid.purchasedAt)
            order.transaction = paid.id
            order.token = number == 30 ? token : random.pick([token, nil, Token(high: 8, low: 2)])
            evidence.orders.append(order)
        }
        var credit = Credit(id: "C30", account: "a", origin: .auto, creditedAt: at + .minutes(1))
        (credit.order, credit.transaction) = ("ORD1030", random.pick([nil, "2000000000000031"]))
        evidence.credits.append(credit)
        renewAnother(at)
    }

    /// More renewals, of which Apple's records say different things, and which are mostly recorded.
    private mutating func recordRenewals(before at: Instant) {
        for number in 60...85 {
            let id = Identifier("\(2_000_000_000_000_001 + number)")
            var paid = Transaction(id: id, product: "month", purchasedAt: at + .hours(number < 75 ? -12 : -2))
            (paid.original, paid.token) = ("2000000000000061", Token(high: 8, low: 4))
            paid.expiresAt = paid.purchasedAt + .hours(2)
            paid.reason = random.pick([nil, .renewal, .renewal, .renewal, number == 60 ? .purchase : .renewal])
            evidence.transactions.append(paid)
            if number > 60, random.oneIn(25) { continue }
            var credit = Credit(
                id: Identifier("C\(number)"), account: "f", origin: .auto, creditedAt: paid.purchasedAt + .minutes(1))
            credit.transaction = id
            evidence.credits.append(credit)
            given.insert(id)
        }
    }

    /// Another customer's renewals with the token of the first order: one has its goods on record, well or badly, and of the
    /// other one they may be recorded by the number of that order alone.
    private mutating func renewAnother(_ at: Instant) {
        if random.oneIn(3) { return }
        let token = Token(high: 8, low: 3)
        if random.oneIn(2) { recordRenewals(before: at) }
        for number in 50...52 {
            let id = Identifier("\(2_000_000_000_000_001 + number)")
            var paid = Transaction(id: id, product: "month", purchasedAt: at + .days(2 * Int64(number - 52)))
            (paid.original, paid.token, paid.expiresAt) = ("2000000000000051", token, paid.purchasedAt + .days(2))
            evidence.transactions.append(paid)
            if number == 50 {
                var order = Order(
                    id: "ORD1050", account: "e", product: "month", status: .paid, createdAt: paid.purchasedAt)
                (order.transaction, order.token) = (random.pick([nil, id]), token)
                evidence.orders.append(order)
            }
            if number > 50, random.oneIn(3) { continue }
            var credit = Credit(
                id: Identifier("C\(number)"), account: "e", origin: number > 50 && random.oneIn(4) ? .desk : .auto,
                creditedAt: paid.purchasedAt + random.pick([.minutes(1), .minutes(1), .hours(30)]))
            let isByOrder = number == 50 || random.oneIn(3)
            credit.order = isByOrder ? "ORD1050" : nil
            credit.transaction = isByOrder && random.oneIn(2) ? nil : id
            evidence.credits.append(credit)
            given.insert(id)
        }
    }

    private mutating func purchase(_ number: Int) {
        let account = random.pick(["a", "a", "b"] as [Identifier])
        let transaction = Identifier("\(2_000_000_000_000_001 + number)")
        let order = Identifier("ORD10\(number)")
        let at = ScenarioWorld.now(policy) + .hours(-12 * Int64.random(in: 5...12, using: &random))
        let token = policy.tokenUse == .order ? Token(high: 9, low: UInt64(number)) : Token(high: 1, low: account.bits)
        var paid = Transaction(id: transaction, product: random.pick(["coins", "coins", "chest"]), purchasedAt: at)
        paid.price = Price(thousandths: 6000, currency: "CNY")
        paid.token = random.oneIn(4) ? nil : token
        if random.oneIn(12) { paid.environment = .sandbox }
        if random.oneIn(12) { paid.ownership = .familyShared }
        if random.oneIn(8) { paid.revocation = Revocation(at: at + random.pick([.hours(3), .minutes(-1)])) }
        evidence.transactions.append(paid)
        if random.oneIn(10) { return giveElsewhere(number, paid) }
        let isGiven = !random.oneIn(3)
        var givenAt = at + random.pick([.minutes(1), .minutes(1), .hours(20), .minutes(-2)])
        let hasOrder = !random.oneIn(6)
        if hasOrder {
            let early: [Milliseconds] = [.minutes(-1), .minutes(-1), .minutes(-1), .hours(-25), .minutes(1), .hours(2)]
            var row = Order(
                id: order, account: account, product: random.oneIn(6) ? "gems" : paid.product,
                status: random.pick([.pending, .paid]), createdAt: at + random.pick(early))
            row.transaction = random.oneIn(3) ? transaction : nil
            row.token = random.oneIn(4) ? nil : token
            givenAt = max(givenAt, row.createdAt)
            if isGiven, random.oneIn(3) { (row.status, row.updatedAt) = (.credited, random.oneIn(4) ? nil : givenAt) }
            evidence.orders.append(row)
            // A later version no longer says that the goods were given.
            if row.status == .credited, random.oneIn(4) {
                (row.status, row.updatedAt) = (random.pick([.paid, .failed]), givenAt + .hours(1))
                evidence.orders.append(row)
            }
            if random.oneIn(3) { receipt(number, account, order: random.oneIn(3) ? nil : order, paid) }
        }
        if isGiven { give(number, account, hasOrder ? order : nil, transaction, givenAt) }
    }

    /// The goods went to the customer's other account, whose app reported the payment with an order of its own. What is left
    /// of that receipt: a refused one, a misspelt one, an overwritten one, a row that cannot be used.
    private mutating func giveElsewhere(_ number: Int, _ paid: Transaction) {
        given.insert(paid.id)
        let at = paid.purchasedAt
        var order = Order(
            id: Identifier("SECOND\(number)"), account: "d", product: paid.product, status: .paid, createdAt: at)
        var credit = Credit(
            id: Identifier("D\(number)"), account: "d", origin: .auto, creditedAt: at + .minutes(1))
        credit.order = order.id
        if random.oneIn(3) { (order.status, order.updatedAt) = (.credited, credit.creditedAt) }
        evidence.orders.append(order)
        evidence.credits.append(credit)
        var receipt = Receipt(
            id: Identifier("R\(number)"), content: .absent, account: "d", receivedAt: at + .minutes(1))
        func add(_ transaction: Identifier, status: Int32, after time: Milliseconds = .minutes(0)) {
            (receipt.transaction, receipt.verifyStatus) = (transaction, status)
            receipt.receivedAt = receipt.receivedAt + time
            receipt.content = standInDigest(of: receipt.canonicalBytes)
            evidence.receipts.append(receipt)
        }
        switch random.pick([0, 1, 2, 3]) {
        case 0: add(paid.id, status: random.pick([21003, 21005]))
        case 1: add(Identifier("0" + paid.id.text), status: random.pick([0, 21003]))
        case 2:
            add(paid.id, status: random.pick([0, 21003]))
            add("999", status: 21003, after: .hours(1))
        default:
            unusable.append(
                UnusableRow(kind: .receipts, fileDate: policy.zone.date(of: at), text: "R\(number),d,\(paid.id.text),0")
            )
        }
    }

    /// Puts on record, well or badly, that the goods were given.
    private mutating func give(
        _ number: Int, _ account: Identifier, _ order: Identifier?, _ transaction: Identifier, _ at: Instant
    ) {
        given.insert(transaction)
        // The order's status says it.
        if let order, evidence.orders.contains(where: { $0.id == order && $0.status == .credited }), random.oneIn(2) {
            return
        }
        // The order's row says it, but cannot be used.
        if let order, random.oneIn(10) {
            evidence.orders.removeAll { $0.id == order }
            let text = "\(order.text),\(account.text),\(random.oneIn(2) ? transaction.text : "1"),credited"
            unusable.append(UnusableRow(kind: .orders, fileDate: policy.zone.date(of: at), text: text))
            return
        }
        if random.oneIn(8) {
            let text = random.pick([
                "C\(number),,,\(account.text),credit", "", "C\(number),,00\(transaction.text),x,credit",
            ])
            unusable.append(UnusableRow(kind: .credits, fileDate: policy.zone.date(of: at), text: text))
            return
        }
        var credit = Credit(
            id: Identifier("C\(number)"), account: account, origin: random.oneIn(5) ? .desk : .auto, creditedAt: at)
        if let order, creditsNameOrders || random.oneIn(4) { credit.order = order }
        if credit.order == nil || random.oneIn(6) { credit.transaction = transaction }
        let namesTicket = random.oneIn(10)
        if namesTicket { (credit.order, credit.transaction) = (Identifier("TICKET-\(number)"), nil) }
        if random.oneIn(10) { (credit.order, credit.transaction) = (nil, Identifier("0" + transaction.text)) }
        evidence.credits.append(credit)
        // To a friend, to another spelling of the account, or more pieces than were bought. Nothing on record tells of a friend's
        // goods if the credit names a ticket, too, or another record has its id.
        let isForFriend = !namesTicket && random.oneIn(12)
        if isForFriend { evidence.credits[evidence.credits.count - 1].account = "c" }
        if random.oneIn(12) {
            evidence.credits[evidence.credits.count - 1].account = Identifier(account.text.uppercased())
        }
        if random.oneIn(12) { evidence.credits[evidence.credits.count - 1].quantity = 2 }
        // Another record has the same id.
        if !isForFriend, random.oneIn(12) {
            var other = credit
            (other.account, other.order, other.transaction) = ("c", Identifier("OTHER-\(number)"), nil)
            other.creditedAt = at + .hours(1)
            evidence.credits.append(other)
        }
    }

    /// A receipt, sometimes a stranger's. Apple vouches for a stranger's receipt only if a token shows the owner: who else
    /// sends a customer's receipt first becomes the owner, and goods may be given to him.
    private mutating func receipt(
        _ number: Int, _ account: Identifier, order: Identifier?, _ paid: Transaction
    ) {
        let isStranger = random.oneIn(8)
        var receipt = Receipt(
            id: Identifier("R\(number)"), content: .absent, account: isStranger ? "mallory" : account,
            receivedAt: paid.purchasedAt + .minutes(1))
        // Now and then for another payment, which is how a client hides goods.
        let other = Identifier("\(2_000_000_000_000_001 + Int.random(in: 0..<7, using: &random))")
        (receipt.order, receipt.transaction) = (order, random.oneIn(6) ? other : paid.id)
        let showsOwner = policy.tokenUse == .account && paid.token != nil
        let isRefused = receipt.transaction != paid.id || isStranger && !showsOwner
        receipt.verifyStatus = random.pick(isRefused ? [21005, 21003] : [0, 0, 21005, 21003])
        receipt.content = standInDigest(of: receipt.canonicalBytes)
        evidence.receipts.append(receipt)
    }

    /// An order that was never paid, or a gift of the desk's.
    private mutating func loosen(_ number: Int) {
        let account = random.pick(["a", "b"] as [Identifier])
        let at = ScenarioWorld.now(policy) + .hours(-12 * Int64.random(in: 5...12, using: &random))
        if random.oneIn(2) {
            var order = Order(
                id: Identifier("FREE\(number)"), account: account, product: "coins", status: .created, createdAt: at)
            order.token = policy.tokenUse == .account ? Token(high: 1, low: account.bits) : nil
            evidence.orders.append(order)
        } else {
            var gift = Credit(id: Identifier("G\(number)"), account: account, origin: .desk, creditedAt: at)
            gift.order = Identifier("GIFT-\(number)")
            evidence.credits.append(gift)
        }
    }
}

extension GivingShop {
    /// All rows, for a person.
    package var description: String {
        let orders = evidence.orders.map {
            "order \($0.id) of \($0.account), \($0.product), \($0.status), \($0.createdAt), for \($0.transaction?.text ?? "-"), token \($0.token?.text ?? "-")"
        }
        let paid = evidence.transactions.map {
            "payment \($0.id), \($0.product), \($0.purchasedAt), token \($0.token?.text ?? "-"), \($0.environment), revoked \($0.revocation != nil)"
        }
        let credits = evidence.credits.map {
            "credit \($0.id) of \($0.account), \($0.origin), \($0.creditedAt), for \($0.order?.text ?? "-"), \($0.transaction?.text ?? "-")"
        }
        let receipts = evidence.receipts.map {
            "receipt \($0.id) of \($0.account), \($0.order?.text ?? "-"), \($0.transaction?.text ?? "-"), \($0.verifyStatus.map(String.init) ?? "-")"
        }
        let unusable = unusable.map { "unusable \($0.kind) of \($0.fileDate): \($0.text)" }
        return (["tokens \(policy.tokenUse)"] + orders + paid + credits + receipts + unusable + ["given \(given)"])
            .joined(separator: "\n")
    }
}
