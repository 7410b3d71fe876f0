import Domain
import Foundation
import Testing

/// Messages of customers, with the right answer beside each: Tests/Fixtures/desk-messages.txt.
@Suite struct DeskMessageTests {
    private struct Message {
        var kind: Character
        var expected: [String]
        var text: String
    }

    private static func messages() throws -> [Message] {
        let path = Program.repository + "/Tests/Fixtures/desk-messages.txt"
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map {
                let parts = $0.split(separator: "\t")
                return Message(
                    kind: parts[0].first!, expected: parts[0].dropFirst(2).split(separator: ",").map { String($0) },
                    text: String(parts[1]))
            }
    }

    /// The last four digits of each purchase.
    private func ends(_ subjects: Any?) -> [String] {
        (subjects as? [[String: Any]] ?? []).map {
            String(($0["transaction_ids"] as? [String])?.first?.suffix(4) ?? "-")
        }
    }

    @Test func everyMessageHasItsAnswer() throws {
        let desk = try SearchShop().desk
        #expect(desk.now == Instant(strict: "2025-11-08T01:00:00Z"))
        let messages = try Self.messages()
        #expect(messages.count == 120)
        for message in messages {
            let answer = try desk.look(message.text)
            let list = answer["list"] as? [String: Any]
            let (found, listed) = (ends(answer["subjects"]), ends(list?["purchases"]))
            let (part, route) = (answer["found_by"] as? String, answer["route"] as? String)
            let said =
                "\(message.text): \(found) \(listed) \(part ?? "-") \(route ?? "-") \(list?["understood"] ?? "-")"
            switch message.kind {
            case "=", "!":
                #expect(found == message.expected && part == nil && list == nil, "\(said)")
                let last = (answer["subjects"] as? [[String: Any]])?.last
                #expect((last?["safe_reason"] as? String == "other_account") == (message.kind == "!"), "\(said)")
            case "~":
                #expect(found == message.expected && part != nil && listed.isEmpty, "\(said)")
                let subject = (answer["subjects"] as? [[String: Any]])?.first
                #expect(subject?["safe_to_compensate"] as? Bool == false, "\(said)")
            case "*": #expect(listed == message.expected && found.isEmpty, "\(said)")
            default:
                #expect(found.isEmpty && listed.isEmpty && answer["next_step"] as? String != nil, "\(said)")
                #expect((route == "outside_records") == (message.expected == ["time"]), "\(said)")
            }
        }
    }
}
