import Domain
import Foundation
import Testing

@testable import Engine
@testable import Reports

@Suite struct RetryLineTests {
    @Test(arguments: [false, true]) func keysAreSorted(_ isDead: Bool) throws {
        var facts = RetryFacts(
            action: .credit, environment: "Production", verdict: .paidNotCredited, cause: .creditFailed)
        facts.suggestedOrders = ["ORD1"]
        facts.evidence = [RetryEvidence(source: "orders.csv", line: 2, digest: "00")]
        var line = RetryLine(facts: facts, exception: ExceptionID(bits: 7), attempt: 1, firstEmitted: nil)
        line.message = "said so"
        let bytes = Data(retryJSONLine(line, isDead: isDead))
        let object = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        #expect(object.count == (isDead ? 27 : 24))
        let sorted = try JSONSerialization.data(
            withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        #expect(bytes == sorted + Data("\n".utf8))
    }

    @Test func everyFieldIsInTheLedgerAndInTheManifest() throws {
        var facts = RetryFacts(
            action: .credit, environment: "Production", verdict: .paidNotCredited, cause: .creditFailed)
        for path in [\RetryFacts.bundle, \.transaction, \.original, \.receipt, \.order, \.account, \.product] {
            facts[keyPath: path] = "id"
        }
        facts.suggestedOrders = ["ORD1"]
        facts.quantity = 1
        facts.amount = Money(minor: 600, currency: "CNY")
        let fields = Mirror(reflecting: facts.allFields).children.compactMap(\.label)
        let stored = try JSONSerialization.jsonObject(with: Data(facts.recordText.utf8)) as? [String: Any]
        #expect(stored?.keys.sorted() == fields.sorted())
        let line = RetryLine(facts: facts, exception: ExceptionID(bits: 7), attempt: 1, firstEmitted: nil)
        let members = try JSONSerialization.jsonObject(with: Data(retryJSONLine(line, isDead: false))) as? [String: Any]
        let names = try #require(members).keys
        // As in `original_transaction_id`, `suggested_order_ids`, `precondition`.
        let missing = fields.filter { field in
            let words = field.replacing(/[A-Z]/) { "_" + $0.output.lowercased() }
            let stem = words.hasSuffix("s") ? String(words.dropLast()) : words
            return !names.contains { $0.hasPrefix(stem) }
        }
        #expect(missing == [])
    }
}
