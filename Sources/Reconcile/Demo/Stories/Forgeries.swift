internal import Domain

extension Chapter {
    static let forgeries = Chapter(
        title: "Not Apple's word 伪造或他人凭证", stories: [unsigned, ownChain, otherApp])

    /// A modified client sends a "signed" transaction whose header says that no signature is needed, and the backend
    /// credits it without looking.
    private static let unsigned: Teller = { world in
        let sale = world.sale(.coins6480, daysAgo: 0)
        let jws = Forgery.unsigned.jws(claiming: sale.transaction)
        world.feeds.write(jws, to: .transactions, at: sale.receipt.receivedAt)
        world.deliver(sale.order)
        world.deliver(sale.credit)
        return Story(
            "Unsigned transaction credited", "无签名交易被发货", sale.transaction.id, .invalidTransaction, .badSignature,
            desk: "Take back, escalate. 追回并上报。")
    }

    /// Another one signs with certificates of its own. Nothing was credited.
    private static let ownChain: Teller = { world in
        let sale = world.sale(.coins6480, daysAgo: 1)
        let jws = Forgery.ownChain.jws(claiming: sale.transaction)
        world.feeds.write(jws, to: .transactions, at: sale.receipt.receivedAt)
        return Story(
            "Signed by somebody else", "自签证书伪造", sale.transaction.id, .invalidTransaction, .untrustedChain,
            desk: "Escalate. 上报。")
    }

    /// A genuine purchase of 0.10 in another app, presented here and credited.
    private static let otherApp: Teller = { world in
        var sale = world.sale(.coins6480, daysAgo: 0)
        sale.transaction.bundle = "com.example.flashlight"
        sale.transaction.price = Price(thousandths: 100, currency: sale.player.market.currency)
        world.deliver(sale.order)
        world.deliver(sale.transaction)
        world.deliver(sale.credit)
        return Story(
            "Another app's purchase credited", "他应用交易被发货", sale.transaction.id, .invalidTransaction, .wrongBundle,
            desk: "Take back; check bundle ids. 追回，校验包名。")
    }
}
