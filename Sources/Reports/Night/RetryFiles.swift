/// The version of the lines' format, which docs/use/retry-manifest.schema.json describes.
private let schema = "reconcile.retry/1"

/// One entry of `retry-manifest.jsonl` or `held.jsonl` on one line. Keys are sorted and always present, except
/// `suggested_order_ids`, which is present only if there are any. See docs/spec/rules.md#retry-entries.
///
/// - Parameter isDead: for `dead-letter.jsonl`, where a line also says why and since when its entry is not sent any
///   more.
func retryJSONLine(_ line: RetryLine, isDead: Bool) -> String {
    let facts = line.facts
    let evidence = facts.evidence.map { row in
        JSON.object(["digest": JSON(row.digest), "line": JSON(row.line), "source": JSON(row.source)])
    }
    var members: [String: JSON] = [
        "account_id": JSON(facts.account), "action": .text(facts.action.rawValue), "amount": JSON(facts.amount?.text),
        "attempt": JSON(line.attempt), "bundle_id": JSON(facts.bundle), "cause": .text(facts.cause.rawValue),
        "currency": JSON(facts.amount?.currency.text), "environment": JSON(facts.environment),
        "evidence": .list(evidence), "exception_id": .text(line.exception.text),
        "expires_at": JSON(line.expiresAt?.text), "first_emitted": JSON(line.firstEmitted?.text),
        "key": JSON(facts.key), "not_before": JSON(line.notBefore?.text), "order_id": JSON(facts.order),
        "original_transaction_id": JSON(facts.original),
        "precondition": .list(facts.preconditions.map { .text($0.rawValue) }), "product_id": JSON(facts.product),
        "quantity": facts.quantity.map { .number(Int64($0)) } ?? .null, "receipt_id": JSON(facts.receipt),
        "schema": .text(schema), "transaction_id": JSON(facts.transaction), "verdict": .text(facts.verdict.rawValue),
    ]
    if isDead {
        members["dead_since"] = JSON(line.deadSince?.text)
        members["message"] = JSON(line.message)
        members["reason"] = JSON(line.end?.rawValue)
    }
    if !facts.suggestedOrders.isEmpty {
        members["suggested_order_ids"] = .list(facts.suggestedOrders.map { .text($0) })
    }
    return JSON.object(members).line + "\n"
}
