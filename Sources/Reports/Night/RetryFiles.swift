internal import Base
internal import Domain
internal import Engine

/// The version of the lines' format, which docs/use/retry-manifest.schema.json describes.
private let schema = "reconcile.retry/1"

/// One entry of `retry-manifest.jsonl` or `held.jsonl` on one line. Keys are sorted and always present, except
/// `suggested_order_ids`, which is present only if there are any. See docs/spec/rules.md#retry-entries.
///
/// - Parameter isDead: for `dead-letter.jsonl`, where a line also says why and since when its entry is not sent any
///   more.
func retryJSONLine(_ line: RetryLine, isDead: Bool) -> [UInt8] {
    let facts = line.facts
    var json = JSONWriter(escaping: .visible)
    json.object { json in
        json.set("account_id", facts.account)
        json.set("action", facts.action.rawValue)
        json.set("amount", facts.amount?.text)
        json.set("attempt", Int64(line.attempt))
        json.set("bundle_id", facts.bundle)
        json.set("cause", facts.cause.rawValue)
        json.set("currency", facts.amount?.currency.text)
        if isDead { json.set("dead_since", line.deadSince?.text) }
        json.set("environment", facts.environment)
        json.key("evidence")
        json.list { list in for row in facts.evidence { list.object { write(row, to: &$0) } } }
        json.set("exception_id", line.exception.text)
        json.set("expires_at", line.expiresAt?.text)
        json.set("first_emitted", line.firstEmitted?.text)
        json.set("key", facts.key)
        if isDead { json.set("message", line.message) }
        json.set("not_before", line.notBefore?.text)
        json.set("order_id", facts.order)
        json.set("original_transaction_id", facts.original)
        json.add("precondition", facts.preconditions.map(\.rawValue))
        json.set("product_id", facts.product)
        json.set("quantity", facts.quantity)
        if isDead { json.set("reason", line.end?.rawValue) }
        json.set("receipt_id", facts.receipt)
        json.set("schema", schema)
        if !facts.suggestedOrders.isEmpty { json.add("suggested_order_ids", facts.suggestedOrders) }
        json.set("transaction_id", facts.transaction)
        json.set("verdict", facts.verdict.rawValue)
    }
    return json.bytes + [UInt8(ascii: "\n")]
}

private func write(_ evidence: RetryEvidence, to json: inout JSONWriter) {
    json.set("digest", evidence.digest)
    json.set("line", Int64(evidence.line))
    json.set("source", evidence.source)
}

/// Members that are present without a value, too.
extension JSONWriter {
    fileprivate mutating func set(_ key: StaticString, _ text: String?) {
        self.key(key)
        if let text { write(text) } else { writeNull() }
    }

    fileprivate mutating func set(_ key: StaticString, _ number: Int64?) {
        self.key(key)
        if let number { write(number) } else { writeNull() }
    }
}
