internal import Domain
internal import JSON
internal import ReportData

/// The version of the lines' format, which docs/use/retry-manifest.schema.json describes.
private let schema = "reconcile.retry/1"

/// One entry of `retry-manifest.jsonl` or `held.jsonl` on one line. Keys are sorted and always present, except
/// `suggested_order_ids`, which is present only if there are any. See docs/spec/rules.md#retry-entries.
func retryJSONLine(_ line: RetryLine) -> String {
    let json = line.facts.suggestedOrders.isEmpty ? JSON.sorted(members(of: line)) : .object(allMembers(of: line))
    return json.line + "\n"
}

private func allMembers(of line: RetryLine) -> [String: JSON] {
    var members = Dictionary(uniqueKeysWithValues: members(of: line).map { ($0.key, $0.value) })
    if !line.facts.suggestedOrders.isEmpty {
        members["suggested_order_ids"] = .list(line.facts.suggestedOrders.map { .text($0) })
    }
    return members
}

/// One entry of `dead-letter.jsonl`: the same members, and why and since when the entry is not sent any more.
func deadJSONLine(_ line: RetryLine) -> String {
    var members = allMembers(of: line)
    members["reason"] = JSON(line.end?.rawValue)
    members["dead_since"] = JSON(line.deadSince?.text)
    members["message"] = JSON(line.message)
    return JSON.object(members).line + "\n"
}

private func members(of line: RetryLine) -> KeyValuePairs<String, JSON> {
    let facts = line.facts
    return [
        "account_id": JSON(facts.account),
        "action": .text(facts.action.rawValue),
        "amount": JSON(facts.amount?.text),
        "attempt": JSON(line.attempt),
        "bundle_id": JSON(facts.bundle),
        "cause": .text(facts.cause.rawValue),
        "currency": JSON(facts.amount?.currency.text),
        "environment": .text(facts.environment),
        "evidence": .list(facts.evidence.map(json)),
        "exception_id": .text(line.exception.text),
        "expires_at": instant(line.expiresAt),
        "first_emitted": instant(line.firstEmitted),
        "key": .text(facts.key),
        "not_before": instant(line.notBefore),
        "order_id": JSON(facts.order),
        "original_transaction_id": JSON(facts.original),
        "precondition": .list(facts.preconditions.map { .text($0.rawValue) }),
        "product_id": JSON(facts.product),
        "quantity": facts.quantity.map { .number($0) } ?? .null,
        "receipt_id": JSON(facts.receipt),
        "schema": .text(schema),
        "transaction_id": JSON(facts.transaction),
        "verdict": .text(facts.verdict.rawValue),
    ]
}

private func json(_ evidence: RetryEvidence) -> JSON {
    .sorted([
        "digest": .text(evidence.digest), "line": JSON(evidence.line), "source": .text(evidence.source),
    ])
}

private func instant(_ instant: Instant?) -> JSON { JSON(instant?.text) }
