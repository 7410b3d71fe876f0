/// The version of the lines' format, which docs/use/retry-manifest.schema.json describes.
private let schema = "reconcile.retry/1"

/// One entry of `retry-manifest.jsonl` or `held.jsonl` on one line. Keys are sorted and always present, except
/// `suggested_order_ids`, which is present only if there are any. See docs/spec/rules.md#retry-entries.
///
/// - Parameter isDead: for `dead-letter.jsonl`, where a line also says why and since when its entry is not sent any
///   more.
/// - Returns: the line in UTF-8, with its line feed.
func retryJSONLine(_ line: RetryLine, isDead: Bool) -> [UInt8] {
    let facts = line.facts
    var writer = JSONWriter(escaping: .visible)
    writer.object { object in
        object.member("account_id", facts.account)
        object.member("action", facts.action.rawValue)
        object.member("amount", facts.amount?.text)
        object.member("attempt", line.attempt)
        object.member("bundle_id", facts.bundle)
        object.member("cause", facts.cause.rawValue)
        object.member("currency", facts.amount?.currency.text)
        if isDead { object.member("dead_since", line.deadSince?.text) }
        object.member("environment", facts.environment)
        object.key("evidence")
        object.list { list in
            for row in facts.evidence {
                list.object { object in
                    object.member("digest", row.digest)
                    object.member("line", row.line)
                    object.member("source", row.source)
                }
            }
        }
        object.member("exception_id", line.exception.text)
        object.member("expires_at", line.expiresAt?.text)
        object.member("first_emitted", line.firstEmitted?.text)
        object.member("key", facts.key)
        if isDead { object.member("message", line.message) }
        object.member("not_before", line.notBefore?.text)
        object.member("order_id", facts.order)
        object.member("original_transaction_id", facts.original)
        object.add("precondition", facts.preconditions.map(\.rawValue))
        object.member("product_id", facts.product)
        object.member("quantity", facts.quantity)
        if isDead { object.member("reason", line.end?.rawValue) }
        object.member("receipt_id", facts.receipt)
        object.member("schema", schema)
        if !facts.suggestedOrders.isEmpty { object.add("suggested_order_ids", facts.suggestedOrders) }
        object.member("transaction_id", facts.transaction)
        object.member("verdict", facts.verdict.rawValue)
    }
    return writer.takeBytes() + [UInt8(ascii: "\n")]
}

/// Also a member that is present without a value: as null.
extension JSONWriter {
    fileprivate mutating func member(_ key: StaticString, _ text: String?) {
        self.key(key)
        if let text { write(text) } else { writeNull() }
    }

    fileprivate mutating func member(_ key: StaticString, _ number: (some FixedWidthInteger)?) {
        self.key(key)
        if let number { write(Int64(number)) } else { writeNull() }
    }
}
