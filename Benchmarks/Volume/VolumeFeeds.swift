import Demo
import Domain

/// The four feeds of a generated night, each in the order in which its backend would write it.
struct VolumeFeeds {
    let shop: VolumeShop
    let receipts: [String]

    static let receiptTexts = 4096

    init(_ shop: VolumeShop) {
        self.shop = shop
        var random = SplitMix64(seed: UInt64(shop.seed))
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        receipts = (0..<Self.receiptTexts).map { _ in String((0..<196).map { _ in digits[random.int(in: 0..<64)] }) }
    }

    func writeOrders(to file: SampleFile) {
        let labels = shop.hasLabels ? ",version,server,channel,network" : ""
        file.write(
            Array(
                "order_id,account_id,product_id,amount_minor,currency,app_account_token,status,created_at\(labels)\n"
                    .utf8))
        var row = RowText()
        for index in 0..<shop.purchases {
            let purchase = VolumePurchase(index, of: shop)
            row.begin()
            row.order(purchase, shop)
            row.text(",acct")
            row.number(Int64(1_000_000 + purchase.account))
            row.text(",com.example.game.pack")
            row.number(Int64(purchase.product))
            row.text(",")
            row.number(purchase.amount)
            row.text(",")
            row.text(VolumePurchase.currencies[purchase.market])
            row.text(",")
            row.token(purchase.token)
            row.text(",")
            row.text(status(of: purchase))
            row.text(",")
            row.instant(VolumeShop.start + purchase.at)
            if shop.hasLabels {
                for label in purchase.labels(seed: shop.seed) {
                    row.text(",")
                    row.text(label.column)
                    row.number(Int64(label.value))
                }
            }
            row.end()
            file.write(row.bytes)
        }
    }

    private func status(of purchase: VolumePurchase) -> String {
        switch purchase.outcome {
        case .paidNotCredited, .orphanReceipt: "pending"
        case .refundedAndReversed: "refunded"
        default: shop.marksCredited && purchase.outcome.isCredited ? "credited" : "paid"
        }
    }

    func writeCredits(to file: SampleFile) {
        let (credit, second, reversal) = (0, 1, 2)
        let events = chronology { purchase, add in
            if purchase.outcome.isCredited { add(purchase.delay, credit) }
            if purchase.outcome == .creditedTwice { add(purchase.delay + 5000, second) }
            if purchase.outcome == .refundedAndReversed { add(purchase.delay + 86_400_000, reversal) }
        }
        file.write(Array("credit_id,order_id,transaction_id,account_id,quantity,kind,credited_at\n".utf8))
        var row = RowText()
        for (number, event) in events.enumerated() {
            let purchase = VolumePurchase(event.index, of: shop)
            row.begin()
            row.text("CR")
            row.number(shop.base(10_000_000_000_000) + Int64(number))
            row.text(",")
            row.order(purchase, shop)
            row.text(",")
            row.number(purchase.transaction)
            row.text(",acct")
            row.number(Int64(1_000_000 + purchase.account))
            row.text(event.kind == reversal ? ",1,reversal," : ",1,credit,")
            row.instant(VolumeShop.start + event.at)
            row.end()
            file.write(row.bytes)
        }
    }

    func writeTransactions(to file: SampleFile) {
        // Notifications take up to half an hour.
        let events = chronology { purchase, add in
            if purchase.outcome.isPaid { add(purchase.delay * 30, 0) }
        }
        var row = RowText()
        for event in events {
            row.begin()
            row.transaction(VolumePurchase(event.index, of: shop))
            row.end()
            file.write(row.bytes)
        }
    }

    func writeReceipts(to file: SampleFile) {
        let events = chronology { purchase, add in add(purchase.delay / 2, 0) }
        var row = RowText()
        for event in events {
            let purchase = VolumePurchase(event.index, of: shop)
            row.begin()
            row.text("{\"received_at\":\"")
            row.instant(VolumeShop.start + event.at)
            row.text("\",\"account_id\":\"acct")
            row.number(Int64(1_000_000 + purchase.account))
            row.text(purchase.receiptNamesOrder ? "\",\"order_id\":\"" : "\",\"order_id\":null")
            if purchase.receiptNamesOrder {
                row.order(purchase, shop)
                row.text("\"")
            }
            row.text(",\"transaction_id\":\"")
            row.number(purchase.transaction)
            row.text("\",\"product_id\":\"com.example.game.pack")
            row.number(Int64(purchase.product))
            row.text("\",\"receipt_data\":\"")
            row.text(receipts[purchase.receipt])
            row.text("\",\"verify_status\":")
            row.number(purchase.outcome == .sandboxCredited ? 21007 : 0)
            row.text("}")
            row.end()
            file.write(row.bytes)
        }
    }

    /// Events in the order of their times.
    ///
    /// An event is 64 bits, so that sorting ten million of them takes about a second: 32 of time, 30 of the index, 2 of
    /// the kind. All times are within 32 days of `VolumeShop.start`, which is less than 2^32 milliseconds.
    private func chronology(
        _ events: (VolumePurchase, (_ after: Int64, _ kind: Int) -> Void) -> Void
    ) -> [VolumeEvent] {
        var all: [VolumeEvent] = []
        all.reserveCapacity(shop.purchases + shop.purchases / 50)
        for index in 0..<shop.purchases {
            let purchase = VolumePurchase(index, of: shop)
            events(purchase) { all.append(VolumeEvent(at: purchase.at + $0, index: index, kind: $1)) }
        }
        all.sort { $0.bits < $1.bits }
        return all
    }
}

struct VolumeEvent {
    let bits: UInt64

    init(at: Int64, index: Int, kind: Int) { bits = UInt64(at) << 32 | UInt64(index) << 2 | UInt64(kind) }

    var at: Int64 { Int64(bits >> 32) }
    var index: Int { Int(bits >> 2 & 0x3FFF_FFFF) }
    var kind: Int { Int(bits & 3) }
}

extension RowText {
    fileprivate mutating func order(_ purchase: VolumePurchase, _ shop: VolumeShop) {
        text("ORD")
        number(shop.base(10_000_000_000_000) + Int64(purchase.index))
    }

    fileprivate mutating func transaction(_ purchase: VolumePurchase) {
        let at = VolumeShop.start + purchase.at
        text("{\"transactionId\":\"")
        number(purchase.transaction)
        text("\",\"originalTransactionId\":\"")
        number(purchase.transaction)
        text("\",\"bundleId\":\"com.example.game\",\"productId\":\"com.example.game.pack")
        number(Int64(purchase.product))
        text("\",\"purchaseDate\":")
        number(at)
        text(",\"originalPurchaseDate\":")
        number(at)
        text(",\"quantity\":1,\"type\":\"Consumable\",")
        if purchase.transactionHasToken {
            text("\"appAccountToken\":\"")
            token(purchase.token)
            text("\",")
        }
        text("\"inAppOwnershipType\":\"PURCHASED\",\"signedDate\":")
        number(at + 400)
        text(",\"environment\":\"")
        text(purchase.outcome == .sandboxCredited ? "Sandbox" : "Production")
        text("\",\"transactionReason\":\"PURCHASE\",\"storefront\":\"")
        text(VolumePurchase.storefronts[purchase.market])
        text("\",\"storefrontId\":\"143441\",\"price\":")
        number(purchase.amount * 10 + (purchase.outcome == .valueMismatch ? 990 : 0))
        text(",\"currency\":\"")
        text(VolumePurchase.currencies[purchase.market])
        text("\"")
        if purchase.outcome.isRefunded {
            text(",\"revocationDate\":")
            number(at + 86_000_000)
            text(",\"revocationReason\":0")
        }
        text("}")
    }
}
