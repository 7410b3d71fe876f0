internal import Domain

extension ScenarioGroup {
    static let forgeries = ScenarioGroup(
        title: "Not Apple's word 伪造或他人收据", scenarios: [unsigned, ownChain, otherApp])

    /// A modified client sends a "signed" transaction whose header says that no signature is needed. The backend does
    /// not check it and credits it.
    private static let unsigned: Builder = { world in
        let sale = world.sale(.coins6480, daysAgo: 0)
        let jws = Forgery.unsigned.jws(claiming: sale.transaction)
        world.feeds.write(jws, to: .transactions, at: sale.receipt.receivedAt)
        world.deliver(sale.order)
        world.deliver(sale.credit)
        return Scenario(
            "Unsigned transaction credited", "无签名交易被发货", sale.transaction.id, .invalidTransaction, .badSignature,
            desk: "Take back, escalate. 扣回并上报。")
    }

    /// Another modified client signs with its own certificates. Nothing was credited.
    private static let ownChain: Builder = { world in
        let sale = world.sale(.coins6480, daysAgo: 1)
        let jws = Forgery.ownChain.jws(claiming: sale.transaction)
        world.feeds.write(jws, to: .transactions, at: sale.receipt.receivedAt)
        return Scenario(
            "Signed by somebody else", "自签证书伪造", sale.transaction.id, .invalidTransaction, .untrustedChain,
            desk: "Escalate. 上报。")
    }

    /// A genuine purchase of 0.10 in another app, presented here and credited.
    private static let otherApp: Builder = { world in
        var sale = world.sale(.coins6480, daysAgo: 0)
        sale.transaction.bundle = "com.example.flashlight"
        sale.transaction.price = Price(thousandths: 100, currency: sale.account.market.currency)
        world.deliver(sale.order)
        world.deliver(sale.transaction)
        world.deliver(sale.credit)
        return Scenario(
            "Another app's purchase credited", "他应用交易被发货", sale.transaction.id, .invalidTransaction, .wrongBundle,
            desk: "Take back; check bundle ids. 扣回，校验包名。")
    }
}
