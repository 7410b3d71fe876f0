public import Domain
public import JSON
public import ReportData

extension Shared: FactsText where Fields: FactsText {
    public func write(to text: inout JSONWriter) { allFields.write(to: &text) }
    public init(_ facts: FactsReader) throws { self.init(fields: try Fields(facts)) }
}

extension ExceptionFields: FactsText {
    public func write(to text: inout JSONWriter) {
        text.add("accounts", accounts)
        text.add("action", action.rawValue)
        text.add("amount", amount)
        text.add("cause", cause.rawValue)
        text.add("credits", credits)
        text.add("differences", differences.map(\.rawValue))
        text.add("effect", effect)
        text.add("eventAt", eventAt.milliseconds)
        text.add("evidence", evidence)
        text.add("flags", flags)
        text.add("orders", orders)
        text.add("originals", originals)
        text.add("product", product)
        text.add("quantity", quantity)
        text.add("receipts", receipts)
        text.add("retryKey", retryKey)
        text.add("severity", severity.rawValue)
        text.add("short", short.rawValue)
        text.add("suggestedOrder", suggestedOrder)
        text.add("transactions", transactions)
        text.add("verdict", verdict.rawValue)
    }

    public init(_ facts: FactsReader) throws {
        self.init(
            verdict: try facts.word("verdict"), cause: try facts.word("cause"), severity: try facts.word("severity"),
            eventAt: Instant(milliseconds: try facts.number("eventAt")))
        accounts = try facts.texts("accounts")
        action = try facts.word("action")
        amount = try facts.amount("amount")
        credits = try facts.texts("credits")
        differences = try facts.texts("differences").map { try Self.difference($0) }
        effect = try facts.amount("effect")
        evidence = try facts.texts("evidence")
        flags = try facts.texts("flags")
        orders = try facts.texts("orders")
        originals = try facts.texts("originals")
        product = try facts.optionalText("product")
        quantity = try facts.optionalNumber("quantity")
        receipts = try facts.texts("receipts")
        retryKey = try facts.optionalText("retryKey")
        short = try facts.word("short")
        suggestedOrder = try facts.optionalText("suggestedOrder")
        transactions = try facts.texts("transactions")
    }

    private static func difference(_ code: String) throws -> Difference {
        guard let difference = Difference(rawValue: code) else {
            throw RecordError("an exception has the unknown difference “\(code)”")
        }
        return difference
    }
}

extension ExceptionRow: FactsText {
    public func write(to text: inout JSONWriter) {
        text.add("ageDays", ageDays)
        text.add("facts") { facts.write(to: &$0) }
        text.add("firstSeen", firstSeen.text)
        text.add("id", id.text)
        text.add("lastEvent", lastEvent?.rawValue)
        text.add("lastSeen", lastSeen.text)
        text.add("note", note)
        text.add("state", state.rawValue)
    }

    public init(_ text: FactsReader) throws {
        guard let id = try text.id("id"), let firstSeen = try text.date("firstSeen"),
            let lastSeen = try text.date("lastSeen"), let facts = try text.object("facts")
        else { throw RecordError("an exception without id, dates or facts") }
        self.init(
            try ExceptionFacts(facts), id: id, state: try text.word("state"), firstSeen: firstSeen, lastSeen: lastSeen,
            ageDays: try text.number("ageDays"))
        lastEvent = try text.optionalWord("lastEvent")
        note = try text.optionalText("note")
    }
}

extension RetryFields: FactsText {
    public func write(to text: inout JSONWriter) {
        text.add("account", account)
        text.add("action", action.rawValue)
        text.add("amount", amount)
        text.add("bundle", bundle)
        text.add("cause", cause.rawValue)
        text.add("environment", environment)
        text.key("evidence")
        text.list { list in
            for row in evidence {
                list.object {
                    $0.add("digest", row.digest)
                    $0.add("line", row.line)
                    $0.add("source", row.source)
                }
            }
        }
        text.add("key", key)
        text.add("order", order)
        text.add("original", original)
        text.add("preconditions", preconditions.map(\.rawValue))
        text.add("product", product)
        text.add("quantity", quantity)
        text.add("receipt", receipt)
        if !suggestedOrders.isEmpty { text.add("suggestedOrders", suggestedOrders) }
        text.add("transaction", transaction)
        text.add("verdict", verdict.rawValue)
    }

    public init(_ facts: FactsReader) throws {
        self.init(
            action: try facts.word("action"), environment: try facts.text("environment"),
            verdict: try facts.word("verdict"), cause: try facts.word("cause"))
        account = try facts.optionalText("account")
        amount = try facts.amount("amount")
        bundle = try facts.optionalText("bundle")
        evidence = try facts.objects("evidence") {
            RetryEvidence(
                source: try $0.text("source"), line: try $0.number("line"), digest: try $0.text("digest"))
        }
        key = try facts.text("key")
        order = try facts.optionalText("order")
        original = try facts.optionalText("original")
        preconditions = try facts.texts("preconditions").map { text in
            guard let precondition = RetryPrecondition(rawValue: text) else {
                throw RecordError("facts with the unknown precondition “\(text)”")
            }
            return precondition
        }
        product = try facts.optionalText("product")
        quantity = try facts.optionalNumber("quantity")
        receipt = try facts.optionalText("receipt")
        suggestedOrders = try facts.optionalTexts("suggestedOrders")
        transaction = try facts.optionalText("transaction")
    }
}

extension RetryLine: FactsText {
    public func write(to text: inout JSONWriter) {
        text.add("attempt", attempt)
        text.add("deadSince", deadSince?.text)
        text.add("end", end?.rawValue)
        text.add("exception", exception.text)
        text.add("expiresAt", expiresAt?.milliseconds)
        text.add("facts") { facts.write(to: &$0) }
        text.add("firstEmitted", firstEmitted?.milliseconds)
        text.add("message", message)
        text.add("notBefore", notBefore?.milliseconds)
    }

    public init(_ text: FactsReader) throws {
        guard let facts = try text.object("facts"), let exception = try text.id("exception") else {
            throw RecordError("a retry line without facts or exception")
        }
        self.init(
            facts: try RetryFacts(facts), exception: exception, attempt: try text.number("attempt"),
            firstEmitted: try text.instant("firstEmitted"))
        deadSince = try text.date("deadSince")
        end = try text.optionalWord("end")
        expiresAt = try text.instant("expiresAt")
        message = try text.optionalText("message")
        notBefore = try text.instant("notBefore")
    }
}
