internal import Domain

/// The game's small world while it happens: who plays, what ids come next, and what the feeds have been told.
struct SampleWorld {
    static let bundle: Identifier = "com.example.stargarden"

    var chance: Chance
    var feeds: SampleFeeds
    private let seed: UInt64
    private let regulars: Int
    private var playersMade = 0
    private(set) var ordersMade = 0
    private var idsMade = 0

    /// - Parameter regulars: how many players share the ordinary purchases.
    init(seed: UInt64, regulars: Int, feeds: SampleFeeds) {
        chance = Chance(seed: seed)
        self.feeds = feeds
        self.seed = seed
        self.regulars = regulars
    }

    /// One of the players who come back.
    mutating func regular() -> Player { Player(number: chance.int(in: 0..<regulars), seed: seed) }

    /// Somebody whom nothing else in the sample is about. Not of Japan unless asked for: its export is late once.
    mutating func newPlayer(in market: Market? = nil) -> Player {
        playersMade += 1
        let number = regulars + playersMade
        let player = Player(number: number, seed: seed, market: market)
        if market != nil || player.market != .japan { return player }
        return Player(number: number, seed: seed, market: .china)
    }

    /// A moment of the day that is so many days before the last one.
    mutating func moment(daysAgo: Int, hours: Range<Int> = 8..<22) -> Instant {
        SampleCalendar.moment(daysAgo: daysAgo, hours: hours, &chance)
    }
}

/// Ids, each given once. Apple's have 16 digits.
extension SampleWorld {
    private mutating func nextID() -> Int {
        idsMade += 1
        return idsMade
    }

    mutating func newTransactionID() -> Identifier {
        Identifier(String(2_000_000_870_000_000 + nextID() * 89 + chance.int(in: 0..<89)))
    }

    mutating func newCreditID() -> Identifier { Identifier("CR" + String(7_000_000_000 + nextID())) }

    mutating func newReceiptID() -> Identifier { Identifier("RC" + String(3_000_000_000 + nextID())) }

    private mutating func newOrderID(_ moment: Instant) -> Identifier {
        ordersMade += 1
        let date = SampleCalendar.zone.date(of: moment).text.replacing("-", with: "")
        return Identifier("SG" + date + padded(ordersMade, 7))
    }
}

/// What may happen.
extension SampleWorld {
    /// A purchase from order to credit, all within a minute of `moment`. Nothing of it is delivered yet.
    mutating func sale(_ goods: Goods, to player: Player, at moment: Instant, quantity: Int32 = 1) -> Sale {
        let paidAt = moment + .seconds(chance.int(in: 6..<40))
        let reportedAt = paidAt + .seconds(chance.int(in: 1..<4))
        let creditedAt = reportedAt + .seconds(chance.int(in: 1..<3))
        var order = Order(
            id: newOrderID(moment), account: player.account, product: Identifier(goods.id), status: .credited,
            createdAt: moment)
        order.quantity = quantity
        order.amount = goods.price(in: player.market, quantity: quantity)
        order.token = player.token
        order.updatedAt = creditedAt
        let transaction = transaction(goods, of: player, at: paidAt, quantity: quantity)
        order.transaction = transaction.id
        var receipt = Receipt(
            id: newReceiptID(), content: .absent, account: player.account, receivedAt: reportedAt)
        receipt.order = order.id
        receipt.transaction = transaction.id
        receipt.product = order.product
        receipt.verifyStatus = 0
        var credit = Credit(id: newCreditID(), account: player.account, creditedAt: creditedAt)
        credit.order = order.id
        credit.transaction = transaction.id
        credit.product = order.product
        credit.quantity = quantity
        return Sale(
            player: player, goods: goods, order: order, transaction: transaction, receipt: receipt, credit: credit)
    }

    /// As above, to somebody new.
    mutating func sale(_ goods: Goods, daysAgo: Int, hours: Range<Int> = 8..<22, quantity: Int32 = 1) -> Sale {
        let player = newPlayer()
        return sale(goods, to: player, at: moment(daysAgo: daysAgo, hours: hours), quantity: quantity)
    }

    /// Apple's record of a payment.
    mutating func transaction(
        _ goods: Goods, of player: Player, at moment: Instant, quantity: Int32 = 1
    ) -> Transaction {
        var transaction = Transaction(
            id: newTransactionID(), product: Identifier(goods.id), purchasedAt: moment)
        transaction.bundle = Self.bundle
        transaction.signedAt = moment + .seconds(2)
        transaction.token = player.token
        transaction.price = Price(goods.price(in: player.market, quantity: quantity))
        transaction.storefront = Identifier(player.market.storefront)
        transaction.quantity = quantity
        transaction.type = goods.type
        if goods.type == .autoRenewable {
            transaction.line = newTransactionID()
            transaction.expiresAt = moment + .days(30)
        }
        return transaction
    }

    /// The same goods given once more.
    mutating func another(_ credit: Credit, at moment: Instant, origin: CreditOrigin = .auto) -> Credit {
        var copy = credit
        copy.id = newCreditID()
        copy.creditedAt = moment
        copy.origin = origin
        return copy
    }

    /// The goods taken back.
    mutating func reversal(of credit: Credit, at moment: Instant) -> Credit {
        var copy = another(credit, at: moment)
        copy.kind = .reversal
        return copy
    }

    /// All of a purchase, as it is.
    mutating func deliver(_ sale: Sale) {
        deliver(sale.order)
        deliver(sale.transaction)
        deliver(sale.receipt)
        deliver(sale.credit)
    }

    mutating func deliver(_ orders: Order...) { for order in orders { feeds.write(order) } }
    mutating func deliver(_ transactions: Transaction...) {
        for transaction in transactions { feeds.write(transaction) }
    }
    mutating func deliver(_ credits: Credit...) { for credit in credits { feeds.write(credit) } }
    mutating func deliver(_ receipts: Receipt...) { for receipt in receipts { feeds.write(receipt) } }
}
