import Ledger
internal import Testing

/// `waive` and `unwaive`. See docs/spec/rules.md#exception-lifecycle: a person decided that an exception stands, with
/// name, reason and time.
@Suite struct WaiveTests {
    private let shop: ShopFolder
    private let id: String

    /// One lost order, seen by the first night.
    init() throws {
        shop = try ShopFolder()
        try shop.sell(1..<2, night: 0)
        try shop.night(0)
        id = try #require(shop.exceptions(0).first?["exception_id"])
    }

    private func decide(_ command: String, _ note: String = "paid back by bank") throws -> Ended {
        try shop.run([command, id, "--by", "Li", "--note", note, "--as-of", "2025-11-02T09:00:00+08:00"])
    }

    /// State and note of the only exception; `-` if none is shown.
    private func shown(_ night: Int) throws -> String {
        let ended = try shop.night(night)
        #expect(ended.code == 0, "\(ended.errors)")
        let rows = shop.exceptions(night)
        #expect(rows.count <= 1)
        return rows.first.map { ($0["state"] ?? "") + "/" + ($0["note"] ?? "") } ?? "-"
    }

    @Test func aWaivedExceptionIsShownOnceMoreAndLeavesTheBooks() throws {
        let ended = try decide("waive")
        #expect(ended.code == 0 && ended.output.hasPrefix("\(id) is waived by Li."))
        #expect(try [shown(1), shown(2)] == ["waived/paid back by bank", "-"])
        #expect(try shop.lines("retry-manifest.jsonl", 1).isEmpty)
    }

    @Test func waivingTwiceChangesNothingAndSaysWhoWasFirst() throws {
        _ = try decide("waive")
        let again = try decide("waive", "other")
        #expect(again.code == 1)
        #expect(again.output == "\(id) is already waived, by Li at 2025-11-02T01:00:00Z: paid back by bank.\n")
        #expect(try shown(1) == "waived/paid back by bank")
    }

    @Test(arguments: ["waive", "unwaive"]) func anUnknownExceptionEndsWith66(_ command: String) throws {
        let ended = try shop.run([command, "E0", "--by", "Li", "--note", "x"])
        #expect(ended.code == 66 && ended.errors.contains("unknown exception 'E0'"))
        #expect(try shop.run([command, id, "--note", "x"]).code == 64)
    }

    @Test func aWaiverTakenBackBeforeTheNightNeverWas() throws {
        _ = try decide("waive")
        #expect(
            try decide("unwaive", "the bank returned it").output == "\(id) will be open again with the next night.\n")
        let again = try decide("unwaive")
        #expect(again.code == 1 && again.output == "\(id) is not waived, so its waiver cannot be withdrawn.\n")
        #expect(try shown(1) == "open/the bank returned it")
    }

    /// The reports of a second run of the date say what the first run found, so view and look-up must not say more.
    @Test func aWaiverTakenBackBeforeASecondRunNeverWas() throws {
        func states() throws -> [String] {
            let ledger = try Connection(path: shop.folder.path + "/ledger.sqlite", mode: .readOnly)
            var view = try ledger.prepare("SELECT state FROM v_exception_open")
            #expect(try view.step())
            let found = try shop.run(["lookup", id, "--json"]).output
            // The exception's own state follows its id; those of its history have none.
            let state = try #require(found.firstMatch(of: /"id": "E[0-9a-f]+",\s+"state": "([a-z]+)"/))
            return [view.text(0), String(state.1)]
        }
        #expect(try states() == ["new", "new"])
        _ = try decide("waive")
        _ = try decide("unwaive")
        #expect(try states() == ["reopened", "reopened"])
        let again = try shop.run(["nightly", "--date", shop.date(0), "--as-of", shop.date(1) + "T09:00:00Z"])
        #expect(again.code == 0 && shop.exceptions(0).map { $0["state"] } == ["new"], "\(again)")
        #expect(try states() == ["new", "new"])
    }

    @Test func aWaiverTakenBackLaterReopensIt() throws {
        _ = try decide("waive")
        _ = try [shown(1), shown(2)]
        _ = try decide("unwaive", "the bank returned it")
        #expect(try [shown(3), shown(4)] == ["reopened/the bank returned it", "open/the bank returned it"])
        // It keeps its earlier attempts.
        #expect(try shop.lines("retry-manifest.jsonl", 3).first?["attempt"] as? Int == 2)
    }

    @Test func otherFactsReopenAWaivedException() throws {
        _ = try decide("waive")
        #expect(try shown(1) == "waived/paid back by bank")
        try shop.sell(1..<2, night: 2)  // The order and its purchase again, at another time: the same payment.
        #expect(try shown(2) == "-")
        try shop.sell(1..<2, night: 3, quantity: 2)
        #expect(try shown(3) == "reopened/paid back by bank")
    }

    @Test func factsThatChangeBeforeTheNightReopenItAtOnce() throws {
        _ = try decide("waive")
        try shop.sell(1..<2, night: 1, quantity: 2)
        #expect(try shown(1) == "reopened/paid back by bank")
    }

    @Test func whatIsToBeDoneIsNoFact() throws {
        _ = try decide("waive")
        _ = try shown(1)
        try shop.configure(retry: "{ enabled: false }")
        #expect(try shown(2) == "-")
    }

    @Test func aWaivedExceptionThatIsCleanTheSameNightIsResolved() throws {
        _ = try decide("waive")
        try shop.credit([1], night: 1)
        #expect(try [shown(1), shown(2)] == ["resolved/paid back by bank", "-"])
        #expect(try decide("waive").output == "\(id) is resolved and cannot be waived.\n")
    }

    @Test func aWaiverThatStoodIsResolvedInSilence() throws {
        _ = try decide("waive")
        _ = try shown(1)
        try shop.credit([1], night: 2)
        #expect(try shown(2) == "-")
    }

    @Test func aWaiverTakenBackAndCleanTheSameNightIsResolved() throws {
        _ = try decide("waive")
        _ = try shown(1)
        _ = try decide("unwaive", "returned")
        try shop.credit([1], night: 2)
        #expect(try [shown(2), shown(3)] == ["resolved/returned", "-"])
    }
}
