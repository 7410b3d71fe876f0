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

    @Test func theEndOfAPhonesNumberIsSaidNotToBeUsed() throws {
        let desk = try SearchShop().desk
        for (message, isSaid) in [("手机尾号0037，11月7日充了25没到", true), ("11月7日充了25没到", false), ("账号u3001 手机尾号0037", false)] {
            let shown = try desk.run(["lookup", message], variables: ["COLUMNS": "600"]).output
            #expect(shown.contains("The end of the phone's number was not used for the search.") == isSaid, "\(shown)")
        }
    }

    /// The list is of other customers' purchases, so the answer first says what became of the id.
    @Test(arguments: [
        ("Apple Order ID: MXX7K2P9QD, 980 Coins CN¥98.00, Nov 4", "MXX7K2P9QD", "Look Up Order ID"),
        ("transaction 250001234567890 of Nov 4, 98 yuan", "250001234567890", "Check it for typing errors."),
        ("收据\n订单号\nMXX7 K2P9QD\n文稿编号\n198765432109\n2025年11月4日 ¥ 98.00", "MXX7K2P9QD", "Look Up Order ID"),
    ])
    func anUnknownIdBesideADescriptionIsNamed(message: String, id: String, advice: String) throws {
        let desk = try SearchShop().desk
        let shown = try desk.run(["lookup", message], variables: ["COLUMNS": "600"]).output
        let unknown = try #require(shown.range(of: "No record of \(id). "), "\(shown)")
        let list = try #require(shown.range(of: "1 purchase found"), "\(shown)")
        #expect(unknown.upperBound < list.lowerBound && shown.contains(advice))
    }

    @Test func anIdBehindAWordWithADigitIsTheID() throws {
        let shown = try SearchShop().desk.run(["lookup", "去年9月买的 250001234567890", "--lang", "zh-Hans"]).output
        #expect(shown.contains("请核对有无错字") && !shown.contains("没有可以查询的编号"), "\(shown)")
    }

    @Test func everyMessageHasItsAnswer() throws {
        let desk = try SearchShop().desk
        #expect(desk.now == Instant(strict: "2025-11-08T01:00:00Z"))
        let messages = try Self.messages()
        #expect(messages.count == 191)
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
                let first = (answer["subjects"] as? [[String: Any]])?.first
                #expect((first?["safe_reason"] as? String == "other_account") == (message.kind == "!"), "\(said)")
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
