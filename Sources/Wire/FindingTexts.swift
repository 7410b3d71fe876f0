internal import Domain
public import Engine
internal import Exceptions
public import JSON
public import Matching
public import Records
public import ReportData

/// An observation, and the keys of all evidence of its case.
struct ObservationText: FactsText {
    var observation: Observation
    var caseKeys: [SubjectKey]?

    init(_ observation: Observation, caseKeys: [SubjectKey]?) {
        self.observation = observation
        self.caseKeys = caseKeys
    }

    func write(to text: inout JSONWriter) {
        if !observation.aliases.isEmpty { text.add("aliases", observation.aliases.map(\.text)) }
        text.add("amount", observation.amount)
        if let caseKeys { text.add("caseKeys", caseKeys.map(\.text)) }
        text.add("cause", observation.cause.rawValue)
        if let facts = observation.facts { text.add("facts") { facts.write(to: &$0) } }
        text.add("id", observation.id?.text)
        if !observation.news.isEmpty { text.add("news", observation.news) }
        if let retry = observation.retry { text.add("retry") { retry.write(to: &$0) } }
        text.add("subject", observation.subject.text)
        text.add("verdict", observation.verdict.rawValue)
    }

    init(_ text: FactsReader) throws {
        observation = Observation(
            subject: try text.subject("subject"), verdict: try text.word("verdict"), cause: try text.word("cause"),
            amount: try text.amount("amount"), facts: try text.object("facts").map(ExceptionFacts.init),
            aliases: try text.subjects("aliases"), news: try text.optionalTexts("news"),
            retry: try text.object("retry").map(RetryFacts.init), id: try text.id("id"))
        let keys = try text.subjects("caseKeys")
        caseKeys = keys.isEmpty ? nil : keys
    }
}

extension RefundLine: FactsText {
    public func write(to text: inout JSONWriter) {
        text.add("account", account)
        text.add("amount", amount)
        text.add("cause", cause.rawValue)
        text.add("kind", kind.rawValue)
        text.add("percentage", percentage)
        text.add("product", product)
        text.add("purchasedAt", purchasedAt.milliseconds)
        text.add("reason", reason)
        text.add("revokedAt", revokedAt.milliseconds)
        text.add("transaction", transaction)
        text.add("verdict", verdict.rawValue)
    }

    public init(_ text: FactsReader) throws {
        self.init(
            transaction: try text.text("transaction"), product: try text.text("product"),
            account: try text.optionalText("account"),
            purchasedAt: Instant(milliseconds: try text.number("purchasedAt")),
            revokedAt: Instant(milliseconds: try text.number("revokedAt")), reason: try text.optionalNumber("reason"),
            kind: try text.word("kind"), percentage: try text.optionalNumber("percentage"),
            amount: try text.amount("amount"), verdict: try text.word("verdict"), cause: try text.word("cause"))
    }
}

extension UnlinkedPurchase: FactsText {
    public func write(to text: inout JSONWriter) {
        text.add("orders", receiptLinkedOrders.map(\.text))
        text.add("owner", owner.text)
        text.add("product", product.text)
        text.add("purchasedAt", purchasedAt.milliseconds)
        text.add("subject", subject.text)
    }

    public init(_ text: FactsReader) throws {
        self.init(
            subject: try text.subject("subject"), owner: Identifier(try text.text("owner")),
            product: Identifier(try text.text("product")),
            purchasedAt: Instant(milliseconds: try text.number("purchasedAt")))
        receiptLinkedOrders = try text.texts("orders").map { Identifier($0) }
    }
}

extension UnlinkedOrder: FactsText {
    public func write(to text: inout JSONWriter) {
        text.add("account", account.text)
        text.add("createdAt", createdAt.milliseconds)
        text.add("givenAt", givenAt?.milliseconds)
        text.add("isGivenByDesk", isGivenByDesk ? 1 : 0)
        text.add("order", id.text)
        text.add("product", product.text)
    }

    public init(_ text: FactsReader) throws {
        self.init(
            id: Identifier(try text.text("order")), account: Identifier(try text.text("account")),
            product: Identifier(try text.text("product")),
            createdAt: Instant(milliseconds: try text.number("createdAt")))
        givenAt = try text.instant("givenAt")
        isGivenByDesk = try text.number("isGivenByDesk") == 1
    }
}

extension StrayCredit: FactsText {
    public func write(to text: inout JSONWriter) {
        text.add("account", account.text)
        text.add("credit", id.text)
        text.add("givenAt", givenAt.milliseconds)
        text.add("isUnplaced", isUnplaced ? 1 : 0)
        text.add("order", order?.text)
        text.add("transaction", transaction?.text)
    }

    public init(_ text: FactsReader) throws {
        self.init(
            id: Identifier(try text.text("credit")), account: Identifier(try text.text("account")),
            order: try text.optionalText("order").map { Identifier($0) },
            transaction: try text.optionalText("transaction").map { Identifier($0) },
            givenAt: Instant(milliseconds: try text.number("givenAt")),
            isUnplaced: try text.number("isUnplaced") == 1)
    }
}

extension UnnamedDeskCredit: FactsText {
    public func write(to text: inout JSONWriter) {
        text.add("account", account.text)
        text.add("credit", id.text)
        text.add("delivery", source.delivery.rawValue)
        text.add("fileDate", source.fileDate.day)
        text.add("line", source.line)
    }

    public init(_ text: FactsReader) throws {
        self.init(
            id: Identifier(try text.text("credit")), account: Identifier(try text.text("account")),
            source: Provenance(
                delivery: DeliveryID(try text.number("delivery")), line: try text.number("line"),
                fileDate: BusinessDate(day: try text.number("fileDate"))))
    }
}

extension FactsReader {
    fileprivate func subject(_ key: StaticString) throws -> SubjectKey {
        guard let subject = SubjectKey(text: try text(key)) else {
            throw RecordError("a line without a valid “\(key)”")
        }
        return subject
    }

    /// Empty if the key is absent.
    fileprivate func subjects(_ key: StaticString) throws -> [SubjectKey] {
        try optionalTexts(key).map { text in
            guard let subject = SubjectKey(text: text) else { throw RecordError("a line without a valid “\(key)”") }
            return subject
        }
    }
}
