internal import Domain

extension Scenario {
    func transaction(_ id: Identifier, _ words: [Word], _ source: Provenance) -> Transaction {
        var transaction = Transaction(
            id: id, product: "coins", purchasedAt: ScenarioWorld.now(policy) + .days(-10), proof: .verified,
            source: source)
        for word in words {
            switch word.name {
            case "at": transaction.purchasedAt = word.instant
            case "signed": transaction.signedAt = word.instant
            case "expires": transaction.expiresAt = word.instant
            case "is": transaction.product = word.id
            case "of": transaction.original = word.id
            case "line": transaction.line = word.id
            case "x": transaction.quantity = word.number
            case "money": transaction.price = word.price
            case "tok": transaction.token = word.token
            case "file": break
            case "vouched": transaction.proof = .vouched
            case "unverifiable": transaction.proof = .unverifiable
            case "shared": transaction.ownership = .familyShared
            case "upgraded": transaction.isUpgraded = true
            case "receiptline": transaction.isFromReceipt = true
            case "refunded", "refundFull", "refundProrated", "familyRevoke", "otherRefund":
                transaction.revocation = word.revocation
            default: transaction.set(word)
            }
        }
        return transaction
    }
}

extension Transaction {
    fileprivate mutating func set(_ word: Word) {
        if let type = ProductType.allCases.first(where: { $0.name == word.name }) {
            self.type = type
        } else if let environment = AppEnvironment.allCases.first(where: { "\($0)" == word.name }) {
            self.environment = environment
        } else {
            failure = word.known { name in ProofFailure.allCases.first { "\($0)" == name } }
            proof = .invalid
        }
    }
}

/// One word of a piece of evidence.
struct Word {
    let text: String
    /// What it states: `at`, `T`, `O`, `x`, `money`, `status`, else the part before `:` or `@`.
    let name: String
    private let value: String
    private let now: Instant
    private let sentence: String

    init(_ text: String, now: Instant, sentence: String) {
        self.text = text
        self.now = now
        self.sentence = sentence
        let (head, tail) = halves(text, at: "@")
        if tail.isEmpty, text.first?.isNumber == true {
            (name, value) = ("money", text)
        } else if text.hasPrefix("=") {
            (name, value) = ("status", String(text.dropFirst()))
        } else if head.isEmpty {
            (name, value) = ("at", tail)
        } else if text.first == "T" || text.first == "O" {
            let (kind, id) = halves(text, at: ":")
            (name, value) = (String(text.prefix(1)), kind.count == 1 ? id : text)
        } else if text.first == "x", Int32(text.dropFirst()) != nil {
            (name, value) = ("x", String(text.dropFirst()))
        } else if !tail.isEmpty {
            (name, value) = (halves(head, at: ":").0, halves(head, at: ":").1 + "@" + tail)
        } else {
            (name, value) = halves(text, at: ":")
        }
    }

    var id: Identifier { Identifier(value) }
    var number: Int32 { known { _ in Int32(value) } }
    var instant: Instant { now + offset(halves(value, at: "@").1.isEmpty ? value : halves(value, at: "@").1) }
    var token: Token { Token(high: 1, low: known { _ in UInt64(value) }) }

    func days(_ name: String) -> Int? { self.name == name ? Int(value) : nil }

    /// `6.00CNY`, at most three decimals.
    var price: Price {
        let digits = value.prefix { $0.isNumber || $0 == "." }
        let (whole, fraction) = halves(String(digits), at: ".")
        let thousandths = known { _ in Int64(whole + fraction + String(repeating: "0", count: 3 - fraction.count)) }
        return Price(thousandths: thousandths, currency: known { _ in Currency(value.dropFirst(digits.count)) })
    }

    /// `refunded@-1d`, `refundProrated:50000@-1d`.
    var revocation: Revocation {
        let types: [String: RevocationType] = [
            "refunded": .unnamed, "refundFull": .refundFull, "refundProrated": .refundProrated,
            "familyRevoke": .familyRevoke, "otherRefund": .other,
        ]
        let (percentage, _) = halves(value, at: "@")
        return Revocation(at: instant, type: known { types[$0] }, percentage: Int32(percentage))
    }

    /// The value that the word stands for. A word without a meaning is a mistake in the table.
    func known<Value>(_ meaning: (String) -> Value?) -> Value {
        guard let found = meaning(name) else { preconditionFailure("\(sentence): what is \(text)?") }
        return found
    }
}
