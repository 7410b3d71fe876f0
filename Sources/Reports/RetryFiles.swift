internal import Domain

/// The version of the lines' shape. docs/retry-manifest.schema.json describes it.
private let schema = "reconcile.retry/1"

/// One line an entry, its keys always all there and sorted: `retry-manifest.jsonl`, `held.jsonl`. RULES §5.
func retryJSONLine(_ line: RetryLine) -> String { JSON.object(members(of: line)).line + "\n" }

/// The same with why and since when nothing more is tried: `dead-letter.jsonl`.
func deadJSONLine(_ line: RetryLine) -> String {
    var members = members(of: line)
    members["reason"] = JSON(line.end?.rawValue)
    members["dead_since"] = JSON(line.deadSince)
    members["message"] = JSON(line.message)
    return JSON.object(members).line + "\n"
}

private func members(of line: RetryLine) -> [String: JSON] {
    let facts = line.facts
    return [
        "schema": .text(schema),
        "key": .text(facts.key),
        "action": .text(facts.action.rawValue),
        "environment": .text(facts.environment),
        "bundle_id": JSON(facts.bundle),
        "transaction_id": JSON(facts.transaction),
        "original_transaction_id": JSON(facts.original),
        "receipt_id": JSON(facts.receipt),
        "order_id": JSON(facts.order),
        "account_id": JSON(facts.account),
        "product_id": JSON(facts.product),
        "quantity": facts.quantity.map { .number($0) } ?? .null,
        "currency": JSON(facts.amount?.currency),
        "amount": JSON(facts.amount?.decimal),
        "verdict": .text(facts.verdict.rawValue),
        "cause": .text(facts.cause.rawValue),
        "exception_id": .text(line.exception),
        "precondition": .list(facts.preconditions.map { .text($0.rawValue) }),
        "evidence": .list(facts.evidence.map(json)),
        "attempt": JSON(line.attempt),
        "first_emitted": instant(line.firstEmitted),
        "not_before": instant(line.notBefore),
        "expires_at": instant(line.expiresAt),
    ]
}

private func json(_ evidence: RetryEvidence) -> JSON {
    .object([
        "source": .text(evidence.source), "line": JSON(evidence.line), "digest": .text(evidence.digest),
    ])
}

private func instant(_ milliseconds: Int64?) -> JSON {
    JSON(milliseconds.map { Instant(milliseconds: $0).text })
}
