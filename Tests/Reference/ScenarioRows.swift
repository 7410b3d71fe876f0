internal import Domain

extension Scenario {
    /// A piece of evidence: its id gives its kind, and each further word gives one of its properties.
    mutating func add(_ piece: [String]) {
        let words = piece.dropFirst().map { Word($0, now: ScenarioWorld.now(policy), sentence: sentence) }
        let id = Identifier(piece[0])
        var source = Provenance.none
        source.fileDate = ScenarioWorld.date.advanced(by: words.lazy.compactMap { $0.days("file") }.first ?? 0)
        switch piece[0].first {
        case "O": evidence.orders.append(order(id, words, source))
        case "C", "V": evidence.credits.append(credit(id, words, source))
        case "T": evidence.transactions.append(transaction(id, words, source))
        case "R": evidence.receipts.append(receipt(id, words, source))
        default: preconditionFailure("\(sentence): of what kind is \(piece[0])?")
        }
    }

    private var tenDaysAgo: Instant { ScenarioWorld.now(policy) + .days(-10) }

    private func order(_ id: Identifier, _ words: [Word], _ source: Provenance) -> Order {
        var order = Order(id: id, account: "a", product: "coins", status: .paid, createdAt: tenDaysAgo, source: source)
        for word in words {
            switch word.name {
            case "at": order.createdAt = word.instant
            case "upd": order.updatedAt = word.instant
            case "by": order.account = word.id
            case "is": order.product = word.id
            case "T": order.transaction = word.id
            case "x": order.quantity = word.number
            case "money": order.amount = word.price.money
            case "tok": order.token = word.token
            case "file": break
            default: order.status = word.known(OrderStatus.init(rawValue:))
            }
        }
        return order
    }

    private func credit(_ id: Identifier, _ words: [Word], _ source: Provenance) -> Credit {
        var credit = Credit(
            id: id, account: "a", kind: id.text.hasPrefix("V") ? .reversal : .credit, creditedAt: tenDaysAgo,
            source: source)
        for word in words {
            switch word.name {
            case "at": credit.creditedAt = word.instant
            case "by": credit.account = word.id
            case "is": credit.product = word.id
            case "T": credit.transaction = word.id
            case "O": credit.order = word.id
            case "x": credit.quantity = word.number
            case "file": break
            case "back": credit.kind = .reversal
            default: credit.origin = word.known(CreditOrigin.init(rawValue:))
            }
        }
        return credit
    }

    private func receipt(_ id: Identifier, _ words: [Word], _ source: Provenance) -> Receipt {
        let isNamed = id.text != "R"
        let text = words.map(\.text).joined(separator: " ")
        var receipt = Receipt(
            id: isNamed ? id : nil, content: standInDigest(of: Array(text.utf8)), account: "a", receivedAt: tenDaysAgo,
            source: source)
        for word in words {
            switch word.name {
            case "at": receipt.receivedAt = word.instant
            case "by": receipt.account = word.id
            case "is": receipt.product = word.id
            case "T": receipt.transaction = word.id
            case "further": receipt.setFurther(word.id.text.split(separator: ",").map { Identifier(String($0)) })
            case "O": receipt.order = word.id
            case "status": receipt.verifyStatus = word.number
            case "final": receipt.isRetryable = false
            case "retryable": receipt.isRetryable = true
            case "file": break
            default: receipt.proof = word.known { name in ReceiptProof.allCases.first { "\($0)" == name } }
            }
        }
        return receipt
    }
}

/// Stands in for SHA-256: equal bytes give equal digests, different bytes different ones (FNV-1a, expanded).
func standInDigest(of bytes: [UInt8]) -> Digest256 {
    let seed = bytes.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    var words = SplitMix64(seed: seed)
    return Digest256(words: (words.next(), words.next(), words.next(), words.next()))
}
