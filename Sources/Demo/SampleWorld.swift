/// The state of a small game shop while the sample is made: its accounts, the next identifiers and the feeds.
struct SampleWorld {
    static let bundle: Identifier = "com.example.stargarden"
    /// The label of the app's version.
    static let version = "version"

    var random: SplitMix64
    var feeds: SampleFeeds
    /// Whether new accounts have the app's newest version.
    var isNewestVersion = false
    private let seed: UInt64
    private let regularAccounts: Int
    private var accountsMade = 0
    private(set) var ordersMade = 0
    private var idsMade = 0

    /// - Parameter regularAccounts: how many accounts share the ordinary purchases.
    init(seed: UInt64, regularAccounts: Int, feeds: SampleFeeds) {
        random = SplitMix64(seed: seed)
        self.feeds = feeds
        self.seed = seed
        self.regularAccounts = regularAccounts
    }

    /// An account that buys again and again.
    mutating func regularAccount() -> SampleAccount {
        SampleAccount(number: random.int(in: 0..<regularAccounts), seed: seed)
    }

    /// An account that occurs nowhere else. It is of Japan only on request, because one of Japan's exports is late.
    mutating func newAccount(in market: Market? = nil) -> SampleAccount {
        accountsMade += 1
        let number = regularAccounts + accountsMade
        var account = SampleAccount(number: number, seed: seed, market: market)
        if market == nil, account.market == .japan {
            account = SampleAccount(number: number, seed: seed, market: .china)
        }
        if isNewestVersion { account.version = SampleAccount.newestVersion }
        return account
    }

    /// A moment on the day `daysAgo` days before the last business date.
    mutating func moment(daysAgo: Int, hours: Range<Int> = 8..<22) -> Instant {
        SampleCalendar.moment(daysAgo: daysAgo, hours: hours, &random)
    }
}

/// Identifiers, each given once. Apple's have 16 digits.
extension SampleWorld {
    private mutating func nextID() -> Int {
        idsMade += 1
        return idsMade
    }

    mutating func newTransactionID() -> Identifier {
        Identifier(String(2_000_000_870_000_000 + nextID() * 89 + random.int(in: 0..<89)))
    }

    mutating func newCreditID() -> Identifier { Identifier("CR" + String(7_000_000_000 + nextID())) }

    mutating func newReceiptID() -> Identifier { Identifier("RC" + String(3_000_000_000 + nextID())) }

    private mutating func newOrderID(_ moment: Instant) -> Identifier {
        ordersMade += 1
        let date = SampleCalendar.zone.date(of: moment).text.replacing("-", with: "")
        return Identifier("SG" + date + padded(ordersMade, 7))
    }
}

extension SampleWorld {
    /// A purchase from order to credit, all within a minute of `moment`. None of its rows is delivered yet.
    mutating func sale(_ product: SampleProduct, to account: SampleAccount, at moment: Instant, quantity: Int32 = 1)
        -> Sale
    {
        let paidAt = moment + .seconds(random.int(in: 6..<40))
        let reportedAt = paidAt + .seconds(random.int(in: 1..<4))
        let creditedAt = reportedAt + .seconds(random.int(in: 1..<3))
        var order = Order(
            id: newOrderID(moment), account: account.id, product: Identifier(product.id), status: .credited,
            createdAt: moment)
        order.quantity = quantity
        order.amount = product.price(in: account.market, quantity: quantity)
        order.token = account.token
        order.labels = LabelSet([LabelSet.Value(name: Self.version, text: account.version)])
        order.updatedAt = creditedAt
        let transaction = transaction(product, of: account, at: paidAt, quantity: quantity)
        order.transaction = transaction.id
        var receipt = Receipt(
            id: newReceiptID(), content: .absent, account: account.id, receivedAt: reportedAt)
        receipt.labels = order.labels
        receipt.order = order.id
        receipt.transaction = transaction.id
        receipt.product = order.product
        receipt.verifyStatus = 0
        var credit = Credit(id: newCreditID(), account: account.id, creditedAt: creditedAt)
        credit.order = order.id
        credit.transaction = transaction.id
        credit.product = order.product
        credit.quantity = quantity
        return Sale(
            account: account, product: product, order: order, transaction: transaction, receipt: receipt, credit: credit
        )
    }

    /// The same for a new account.
    mutating func sale(
        _ product: SampleProduct, quantity: Int32 = 1, in market: Market? = nil, daysAgo: Int,
        hours: Range<Int> = 8..<22
    ) -> Sale {
        let account = newAccount(in: market)
        return sale(product, to: account, at: moment(daysAgo: daysAgo, hours: hours), quantity: quantity)
    }

    /// Apple's record of a payment.
    mutating func transaction(
        _ product: SampleProduct, of account: SampleAccount, at moment: Instant, quantity: Int32 = 1
    ) -> Transaction {
        var transaction = Transaction(
            id: newTransactionID(), product: Identifier(product.id), purchasedAt: moment)
        transaction.bundle = Self.bundle
        transaction.signedAt = moment + .seconds(2)
        transaction.token = account.token
        transaction.price = Price(product.price(in: account.market, quantity: quantity))
        transaction.storefront = Identifier(account.market.storefront)
        transaction.quantity = quantity
        transaction.type = product.type
        if product.type == .autoRenewable {
            transaction.line = newTransactionID()
            transaction.expiresAt = moment + .days(30)
        }
        return transaction
    }

    mutating func another(_ credit: Credit, at moment: Instant, origin: CreditOrigin = .auto) -> Credit {
        var copy = credit
        copy.id = newCreditID()
        copy.creditedAt = moment
        copy.origin = origin
        return copy
    }

    mutating func reversal(of credit: Credit, at moment: Instant) -> Credit {
        var copy = another(credit, at: moment)
        copy.kind = .reversal
        return copy
    }

    func deliver(_ rows: any SampleRow...) { for row in rows { row.write(to: feeds) } }

    func deliver(_ sale: Sale) { for row in sale.rows { deliver(row) } }
}
