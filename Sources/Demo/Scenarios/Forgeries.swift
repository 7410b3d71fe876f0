internal import Base

extension ScenarioGroup {
    static let forgeries = ScenarioGroup(
        title: "Not Apple's word 伪造或他人收据",
        scenarios: [
            // A modified client sends a "signed" transaction whose header says that no signature is needed. The backend
            // does not check it and credits it.
            Scenario(
                "Unsigned transaction credited", chinese: "无签名交易仍发放", verdict: .invalidTransaction, .badSignature,
                desk: "Take back, escalate. 扣回并上报。", selling: .coins6480, daysAgo: 0
            ) { sale, world in
                let jws = Forgery.unsigned.jws(claiming: sale.transaction)
                world.feeds.write(jws, to: .transactions, at: sale.receipt.receivedAt)
                return [sale.order, sale.credit]
            },

            // Another modified client signs with its own certificates. Nothing was credited.
            Scenario(
                "Signed by somebody else", chinese: "自签证书伪造", verdict: .invalidTransaction, .untrustedChain,
                desk: "Escalate. 上报。", selling: .coins6480, daysAgo: 1
            ) { sale, world in
                let jws = Forgery.ownChain.jws(claiming: sale.transaction)
                world.feeds.write(jws, to: .transactions, at: sale.receipt.receivedAt)
                return []
            },

            // A genuine purchase of 0.10 in another app, presented here and credited.
            Scenario(
                "Another app's purchase credited", chinese: "他应用交易仍发放", verdict: .invalidTransaction, .wrongBundle,
                desk: "Take back; check bundle ids. 扣回，校验包名。", selling: .coins6480, daysAgo: 0
            ) { sale, _ in
                sale.transaction.bundle = "com.example.flashlight"
                sale.transaction.price = Price(thousandths: 100, currency: sale.account.market.currency)
                return [sale.order, sale.transaction, sale.credit]
            },
        ])
}

/// A forged Apple signature. No key signs it.
enum Forgery: String {
    /// The old trick: a header that says that no signature is needed.
    case unsigned = #"{"alg":"none"}"#
    /// Two certificates of the forger in place of Apple's three.
    case ownChain = #"{"alg":"ES256","x5c":["Zm9yZ2VkIGxlYWY=","Zm9yZ2VkIHJvb3Q="]}"#

    /// A compact JWS that claims `transaction`.
    func jws(claiming transaction: Transaction) -> String {
        let parts = [Array(rawValue.utf8), Array(transaction.payload.utf8), [UInt8](repeating: 7, count: 64)]
        return parts.map(base64url).joined(separator: ".")
    }
}
