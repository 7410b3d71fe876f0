// The texts in which ledger and wire keep exceptions and retry entries. Each night writes and reads hundreds of thousands
// of them. Foundation's coders would take a minute for that.

extension ExceptionFields: MemberRecord {
    public static var blank: Self { Self(verdict: .matched, cause: .none, severity: .low, eventAt: .absent) }

    public mutating func describe(_ members: inout Members) {
        for field in Self.stored { field.describe(&members, &self) }
    }

    private static let stored = list.ordered { "\($0.stored)" < "\($1.stored)" }
}

extension ExceptionRow: MemberRecord {
    public static var blank: Self {
        Self(facts: .blank, id: .least, state: .open, firstSeen: .absent, lastSeen: .absent, ageDays: 0)
    }

    public mutating func describe(_ members: inout Members) {
        members.value("ageDays", &ageDays)
        members.value("facts", &facts)
        members.value("firstSeen", &firstSeen)
        members.value("id", &id)
        members.value("lastEvent", &lastEvent)
        members.value("lastSeen", &lastSeen)
        members.value("note", &note)
        members.value("state", &state)
    }
}

extension RetryEvidence: MemberRecord {
    public static var blank: Self { Self(source: "", line: 0, digest: "") }

    public mutating func describe(_ members: inout Members) {
        members.value("digest", &digest)
        members.value("line", &line)
        members.value("source", &source)
    }
}

extension RetryFields: MemberRecord {
    public static var blank: Self { Self(action: .none, environment: "", verdict: .matched, cause: .none) }

    public mutating func describe(_ members: inout Members) {
        members.value("account", &account)
        members.value("action", &action)
        members.value("amount", &amount)
        members.value("bundle", &bundle)
        members.value("cause", &cause)
        members.value("environment", &environment)
        members.value("evidence", &evidence)
        members.value("key", &key)
        members.value("order", &order)
        members.value("original", &original)
        members.value("preconditions", &preconditions)
        members.value("product", &product)
        members.value("quantity", &quantity)
        members.value("receipt", &receipt)
        members.list("suggestedOrders", &suggestedOrders)
        members.value("transaction", &transaction)
        members.value("verdict", &verdict)
    }
}

extension RetryLine: MemberRecord {
    public static var blank: Self { Self(facts: .blank, exception: .least, attempt: 0, firstEmitted: nil) }

    public mutating func describe(_ members: inout Members) {
        members.value("attempt", &attempt)
        members.value("deadSince", &deadSince)
        members.value("end", &end)
        members.value("exception", &exception)
        members.value("expiresAt", &expiresAt)
        members.value("facts", &facts)
        members.value("firstEmitted", &firstEmitted)
        members.value("message", &message)
        members.value("notBefore", &notBefore)
    }
}
