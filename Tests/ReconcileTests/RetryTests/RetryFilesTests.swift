internal import Foundation
internal import Testing

/// The files that a night writes for the retry manifest's consumer, and `release`.
/// See docs/spec/rules.md#retry-entries, docs/spec/interfaces.md#retry-files.
@Suite struct RetryFilesTests {
    private func keys(_ lines: [[String: Any]]) -> [String] { lines.compactMap { $0["key"] as? String } }

    /// A consumer that does not run, and one that refuses everything.
    @Test func theFirstLineSaysThatNobodyActsOnTheManifest() throws {
        let shop = try ShopFolder()
        try shop.sell(1..<4, night: 0)
        for night in 0...3 {
            if night == 3 {
                try shop.answer(keys(shop.lines("retry-manifest.jsonl", 2)).map { ($0, "permanent_error") }, night: 3)
            }
            #expect(try shop.night(night).code == 0)
            let line = String(try #require(shop.report("summary.txt", night)?.split(separator: "\n").first))
            let told = ["arrived", "arrived", "; RETRY: 3 unanswered", "; RETRY: 3 stopped"][night]
            #expect(line.hasSuffix(told), "night \(night): \(line)")
        }
    }

    @Test func aManifestLineHoldsTheFactsThatItsConsumerChecks() throws {
        let shop = try ShopFolder()
        try shop.sell(1..<2, night: 0)
        let ended = try shop.night(0)
        #expect(ended.code == 0, "\(ended.errors)")
        let line = try #require(try shop.lines("retry-manifest.jsonl", 0).first)
        let row = try #require(shop.exceptions(0).first)
        let expected: [String: String] = [
            "schema": "reconcile.retry/1", "action": "credit", "environment": "Production",
            "bundle_id": "com.example.game", "transaction_id": shop.transaction(1),
            "original_transaction_id": shop.transaction(1), "order_id": "ORD1", "account_id": "acct1",
            "product_id": "coins", "currency": "CNY", "amount": "6.00", "verdict": "paid_not_credited",
            "cause": "credit_failed", "first_emitted": "2025-11-02T04:00:00Z", "not_before": "2025-11-02T04:00:00Z",
            "expires_at": "2025-11-03T04:00:00Z",
        ]
        for (name, value) in expected { #expect(line[name] as? String == value, "\(name)") }
        #expect(line["quantity"] as? Int == 1 && line["attempt"] as? Int == 1 && line["receipt_id"] is NSNull)
        #expect(line["exception_id"] as? String == row["exception_id"] && line["key"] as? String == row["retry_key"])
        #expect(
            line["precondition"] as? [String] == [
                "no_credit_for_transaction", "no_credit_for_order", "not_revoked_since",
            ])
        let evidence = try #require(line["evidence"] as? [[String: Any]])
        #expect(
            evidence.map { "\($0["source"]!):\($0["line"]!)" } == [
                "inbox/orders-2025-11-01.csv:2", "inbox/transactions-2025-11-01.jsonl:1",
            ])
        let sum = try Program.shell("sha256sum inbox/orders-2025-11-01.csv", in: shop.folder.path).output.prefix(64)
        #expect(evidence[0]["digest"] as? String == String(sum))
        let sorted = try JSONSerialization.data(
            withJSONObject: line, options: [.sortedKeys, .withoutEscapingSlashes])
        #expect(try shop.files(0)["retry-manifest.jsonl"]! == sorted + Data("\n".utf8), "its keys are sorted")
        let names = try shop.files(0).keys
        #expect(names.contains("held.jsonl") && names.contains("dead-letter.jsonl"))
        #expect(
            try Program.shell("sha256sum --check --strict SHA256SUMS", in: shop.folder.path + "/out/latest/").code == 0)
        #expect(shop.report("summary.json", 0)?.contains("\"emitted\": 1,") == true)
    }

    @Test func anEntryIsAskedForUntilItsCreditShows() throws {
        let shop = try ShopFolder()
        try shop.sell(1..<3, night: 0)
        try shop.night(0)
        let all = keys(try shop.lines("retry-manifest.jsonl", 0))
        #expect(all.count == 2)
        let one = try #require(shop.exceptions(0).first { $0["order_id"] == "ORD1" }?["retry_key"])
        try shop.answer([(one, "applied"), (one, "applied")], night: 1)
        try shop.night(1)
        // One was acknowledged, but the credits feed does not show it. The other has no answer.
        #expect(keys(try shop.lines("retry-manifest.jsonl", 1)) == all.filter { $0 != one })
        #expect(shop.report("summary.json", 1)?.contains("\"waiting\": 1\n") == true)
        let acks = #""acks": {\#n      "accepted": 1,\#n      "duplicates": 1,"#
        #expect(shop.report("summary.json", 1)?.contains(acks) == true)
        // The same acknowledgement in another file is a repetition.
        try shop.folder.write(
            "key,at,outcome,message\n\(one),\(shop.date(1))T10:01:00Z,applied,said so\n",
            to: "inbox/acks-\(shop.date(2)).csv")
        try shop.credit([1, 2], night: 2)
        try shop.night(2)
        #expect(
            shop.report("summary.json", 2)?.contains(
                """
                "acks": {
                      "accepted": 0,
                      "duplicates": 1,
                """) == true)
        #expect(try shop.lines("retry-manifest.jsonl", 2).isEmpty)
        #expect(shop.exceptions(2).map { $0["state"] } == ["resolved", "resolved"])
    }

    @Test func whatAConsumerFoundOtherwiseIsAPersonsUntilTheFactsChange() throws {
        let shop = try ShopFolder()
        try shop.sell(1..<2, night: 0)
        try shop.night(0)
        let key = try #require(keys(try shop.lines("retry-manifest.jsonl", 0)).first)
        try shop.answer([(key, "precondition_failed")], night: 1)
        try shop.night(1)
        #expect(shop.exceptions(1).map { $0["action"] } == ["investigate"])
        #expect(try shop.lines("retry-manifest.jsonl", 1).isEmpty)
        let dead = try #require(try shop.lines("dead-letter.jsonl", 1).first)
        #expect(dead["reason"] as? String == "precondition_failed" && dead["message"] as? String == "said so")
        #expect(dead["dead_since"] as? String == "2025-11-02" && dead["expires_at"] is NSNull)
        try shop.night(2)
        #expect(keys(try shop.lines("dead-letter.jsonl", 2)) == [key])
        #expect(
            try shop.run(["release", key, "--by", "Li", "--note", "checked"]).output
                == "\(key) is released.\n1 of 1 entry, worth CNY 6.00, will be sent with the next night if its exception is still open.\n"
        )
        try shop.night(3)
        #expect(try shop.lines("retry-manifest.jsonl", 3).first?["attempt"] as? Int == 2)
        #expect(shop.exceptions(3).map { $0["note"] } == ["checked"])
        #expect(shop.exceptions(3).map { $0["action"] } == ["credit"])
    }

    /// Even if it was many nights ago, and whatever key was demanded in between.
    @Test func goodsAreNotAskedForAgainUnderAThirdKey() throws {
        let (shop, bundle) = (try ShopFolder(), "com.example.game")
        let settings = try shop.folder.read("reconcile.json")
        try shop.folder.write(
            settings.replacing("\"\(bundle)\"", with: "\"\(bundle)\", \"\(bundle)1\", \"\(bundle)2\""),
            to: "reconcile.json")
        try shop.sell(1..<2, night: 0)
        try shop.night(0)
        let first = try #require(keys(try shop.lines("retry-manifest.jsonl", 0)).first)
        let record = try shop.folder.read("inbox/transactions-\(shop.date(0)).jsonl")
        for night in 1...2 {
            try shop.folder.write(
                record.replacing(#""\#(bundle)""#, with: #""\#(bundle)\#(night)""#)
                    .replacing(/"signedDate":(\d+)/) { #""signedDate":\#(Int($0.output.1)! + night)"# },
                to: "inbox/transactions-\(shop.date(night)).jsonl")
            try shop.night(night)
            #expect(try shop.lines("retry-manifest.jsonl", night).isEmpty, "night \(night)")
            let dead = try #require(try shop.lines("dead-letter.jsonl", night).first, "night \(night)")
            #expect(dead["reason"] as? String == "another_key" && dead["bundle_id"] as? String == "\(bundle)\(night)")
            #expect(dead["key"] as? String != first)
        }
    }

    @Test func aHeldManifestEndsWith3UntilItIsReleased() throws {
        let shop = try ShopFolder(retry: "{ maxEntries: 2 }")
        try shop.sell(1..<4, night: 0)
        let held = try shop.night(0)
        #expect(held.code == 3)
        #expect(
            shop.report("summary.txt", 0)?.contains("\n  on hold: 3 entries, more than retry.maxEntries (2)\n")
                == true)
        #expect(held.errors.contains("the retry manifest is held: 3 entries, more than retry.maxEntries (2)"))
        #expect(try shop.lines("retry-manifest.jsonl", 0).isEmpty)
        let lines = try shop.lines("held.jsonl", 0)
        #expect(lines.map { $0["attempt"] as? Int } == [1, 1, 1] && lines[0]["not_before"] is NSNull)
        #expect(try shop.night(1).code == 3)
        #expect(try shop.run(["release", "--held", "--by", "Li", "--note", "ok"]).code == 0)
        #expect(try shop.night(2).code == 0)
        #expect(keys(try shop.lines("retry-manifest.jsonl", 2)) == keys(lines))
        for nothing in [["--held"], keys(lines)] {
            let ended = try shop.run(["release"] + nothing + ["--by", "Li", "--note", "ok"])
            #expect(ended.code == 1 && ended.output.hasSuffix("No entry is released.\n"), "\(ended)")
        }
    }

    /// The night keeps a waiver, so a release would promise what does not happen.
    @Test func whatIsWaivedIsNotReleased() throws {
        let shop = try ShopFolder(retry: "{ maxEntries: 1 }")
        try shop.sell(1..<3, night: 0)
        try shop.night(0)
        let held = keys(try shop.lines("held.jsonl", 0))
        let waived = try #require(
            shop.exceptions(0).first { $0["retry_key"] == held[0] }?["exception_id"])
        #expect(try shop.run(["waive", waived, "--by", "Li", "--note", "refunded"]).code == 0)
        let refusal =
            "\(held[0]) is not released, because \(waived) is waived. To send it, first run 'reconcile unwaive \(waived)'.\n"
        let reason = ["--by", "Wu", "--note", "send it"]
        let refused = try shop.run(["release", held[0]] + reason)
        #expect(refused.code == 1 && refused.output.hasPrefix(refusal + "No entry is released.\n"))
        try shop.folder.write("retry_key,note\n\(held[0]),send it\n", to: "list.csv")
        let listed = try shop.run(["release", "--from", shop.folder.path + "/list.csv", "--by", "Wu"])
        #expect(listed.output.hasPrefix("0 of 1 entries are released") && listed.output.hasSuffix(refusal))
        #expect(try shop.run(["release", "--held", "--dry-run"] + reason).output.contains(refusal))
        #expect(try shop.run(["unwaive", waived] + reason).code == 0)
        #expect(try shop.run(["release", "--held"] + reason).output.contains("2 of 2 entries"))
        try shop.night(1)
        #expect(Set(keys(try shop.lines("retry-manifest.jsonl", 1))) == Set(held))
    }

    @Test(
        arguments: [
            ["R0", "--by", "Li", "--note", "x"], ["--by", "Li", "--note", "x"],
            ["--held", "--dead", "--by", "Li", "--note", "x"], ["--held", "--by", " ", "--note", "x"],
            ["--held", "--by", "Li"],
        ])
    func aReleaseSaysWhatWhoAndWhy(_ arguments: [String]) throws {
        let shop = try ShopFolder()
        #expect(try shop.run(["release", "R0", "--by", "Li", "--note", "x"]).code == 66)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: shop.folder.path).contains("ledger.sqlite") == false)
        try shop.sell(1..<2, night: 0)
        try shop.night(0)
        #expect(try shop.run(["release"] + arguments).code == (arguments[0] == "R0" ? 66 : 64))
    }

    @Test func withoutRetryThereAreNoRetryFiles() throws {
        let shop = try ShopFolder()
        try shop.sell(1..<2, night: 0)
        try shop.night(0)
        try shop.configure(retry: "{ enabled: false }")
        try shop.night(1)
        let names = try shop.files(1).keys.filter { $0.hasSuffix(".jsonl") }
        #expect(names == ["rejected.jsonl"])
        #expect(shop.exceptions(1).map { $0["retry_key"] } == [""])
        try shop.configure(retry: "{}")
        try shop.night(2)
        #expect(try shop.lines("retry-manifest.jsonl", 2).first?["attempt"] as? Int == 2)
        #expect(try shop.files(1)["retry-manifest.jsonl"] == nil)
    }

    @Test func aNightRunAgainGivesTheSameBytesWhateverWasReleasedOrWaivedSince() throws {
        let shop = try ShopFolder(retry: "{ maxAttempts: 1 }")
        try shop.sell(1..<4, night: 0)
        try shop.night(0)
        let ids = shop.exceptions(0).compactMap { $0["exception_id"] }
        #expect(try shop.run(["waive", ids[0], "--by", "Li", "--note", "stands"]).code == 0)
        try shop.night(1)
        let before = try (0...1).map { try shop.files($0) }
        #expect(try shop.lines("dead-letter.jsonl", 1).count == 2)
        let released = try shop.run(["release", "--dead", "--by", "Wu", "--note", "again"])
        #expect(released.code == 0 && released.output.contains("2 of 2 entries"))
        #expect(try shop.run(["waive", ids[1], "--by", "Wu", "--note", "stands, too"]).code == 0)
        for night in [1, 0, 1] { try shop.night(night) }
        #expect(try (0...1).map { try shop.files($0) } == before)
        try shop.night(2)
        for night in [0, 1] { try shop.night(night) }
        #expect(try (0...1).map { try shop.files($0) } == before)
    }

    @Test func whatIsWithdrawnIsNotReleasedWithTheRest() throws {
        let shop = try ShopFolder(retry: "{ maxAttempts: 1 }")
        try shop.sell(1..<2, night: 0)
        for night in [0, 1] { try shop.night(night) }
        let row = try #require(shop.exceptions(1).first)
        #expect(keys(try shop.lines("dead-letter.jsonl", 1)) == [row["retry_key"]])
        #expect(try shop.run(["waive", row["exception_id"] ?? "", "--by", "Li", "--note", "stands"]).code == 0)
        try shop.night(2)
        #expect(try shop.lines("dead-letter.jsonl", 2).isEmpty)
        #expect(try shop.run(["release", "--dead", "--by", "Li", "--note", "x"]).output == "No entry is released.\n")
    }

    @Test func anUnknownKeyIsToldOnce() throws {
        let shop = try ShopFolder()
        try shop.sell(1..<2, night: 0)
        try shop.night(0)
        try shop.answer([("Rnobody", "applied"), ("Rnothing", "applied")], night: 1)
        let ended = try shop.night(1)
        #expect(ended.code == 0)
        #expect(
            ended.errors.contains(
                "2 acknowledgements have a key that was never issued; the first is 'Rnobody' "
                    + "(inbox/acks-2025-11-02.csv:2)"))
        #expect(try !shop.night(2).errors.contains("acknowledgements"))
    }
}
