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
}
