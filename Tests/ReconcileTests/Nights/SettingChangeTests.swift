import Testing

@testable import Reconcile

/// Settings that change no verdict on record, and that a night names all the same when they change.
@Suite struct SettingChangeTests {
    private let shop: ShopFolder

    init() throws {
        shop = try ShopFolder()
        try shop.sell(1..<4, night: 0)
    }

    private func edit(_ old: String, _ new: String) throws {
        let text = try shop.folder.read("reconcile.json")
        #expect(text.contains(old))
        try shop.folder.write(text.replacing(old, with: new), to: "reconcile.json")
    }

    @Test func whetherEntriesGoOutIsNamed() throws {
        try shop.night(0)
        try shop.configure(retry: "{ enabled: false }")
        try shop.sell(4..<6, night: 1)
        let ended = try shop.night(1)
        #expect(
            ended.errors.contains(
                "retry.enabled was true, now false. If tonight's value is wrong, set it right and run"),
            "\(ended.errors)")
        #expect(try #require(shop.report("summary.txt", 1)).contains("SETTINGS CHANGED: 1"))
        try shop.sell(6..<8, night: 2)
        #expect(try !shop.night(2).errors.contains("retry.enabled"))
    }

    /// What holds a night, and where it is published. No case is judged again.
    @Test func limitsAndTheOutputFolderAreNamed() throws {
        try shop.night(0)
        try shop.configure(retry: "{ maxEntries: 5, maxAmount: { CNY: 7 }, maxAttempts: 2 }")
        try edit("timeZone:", "maxRejectedShare: 0.5, output: \"web\", guard: { rows: 0, collisions: 0.1 }, timeZone:")
        try shop.sell(4..<6, night: 1)
        let ended = try shop.night(1)
        for text in [
            "guard.collisions was 0.005, now 0.1.", "guard.rows was 0.333333, now 0.0.", "output was out, now web.",
            "maxRejectedShare was 0.01, now 0.5.", "retry.maxAmount was not set, now CNY 7.00.",
            "retry.maxAttempts was 6, now 2.", "retry.maxEntries was 10000, now 5.",
        ] { #expect(ended.errors.contains(text), "\(text): \(ended.errors)") }
        #expect(try shop.folder.read("web/latest/summary.txt").contains("SETTINGS CHANGED: 7"))
    }

    @Test(arguments: [
        (
            #"columns: { account_id: "product_id", status: { words: { done: "paid" } } }"#,
            "columns.account_id was account_id, now product_id"
        ),
        (
            #"columns: { account_id: "account_id", status: { words: { done: "paid", x: "failed" } } }"#,
            "columns.status was done=paid, now done=paid x=failed"
        ),
        (
            #"columns: { account_id: "account_id", transaction_id: null, status: { words: { done: "paid" } } }"#,
            "columns.transaction_id was not set, now null"
        ),
        (
            #"columns: { account_id: "account_id", bundle_id: "quantity", status: { words: { done: "paid" } } }"#,
            "columns.quantity was not set, now null"
        ),
        (#"columns: { account_id: "account_id" }"#, "columns.status was done=paid, now not set"),
        (
            #"columns: { account_id: "account_id", status: { words: { done: "paid" } } }, timeZone: "Asia/Tokyo""#,
            "timeZone was not set, now Asia/Tokyo"
        ),
        (
            #"columns: { account_id: "account_id", status: { words: { done: "paid" } } }, where: { status: "paid" }"#,
            "where.status was not set, now paid"
        ),
    ])
    func howAFeedIsReadIsNamed(_ change: String, _ text: String) throws {
        let path = "inbox/orders-{date}.csv"
        let columns = #"columns: { account_id: "account_id", status: { words: { done: "paid" } } }"#
        try edit("\"\(path)\" }", "\"\(path)\", \(columns) }")
        #expect(try shop.night(0).code == 0)
        try edit(columns, change)
        try shop.sell(4..<6, night: 1)
        let ended = try shop.night(1)
        #expect(
            ended.errors.contains(
                "feeds: \(path): \(text). Rows keep what they were read as: if either was wrong, set it right, restore"),
            "\(ended.errors)")
    }

    /// A feed that is new or gone is named once.
    @Test func aNewFeedIsOneChange() throws {
        try shop.night(0)
        try edit(
            "{ kind: \"acks\"",
            #"{ kind: "receipts", path: "inbox/r-{date}.csv", columns: { account_id: "uid" } }, { kind: "acks""#)
        try shop.sell(4..<6, night: 1)
        let warnings = try shop.night(1).errors.split(separator: "\n").filter { $0.contains("since the last night") }
        #expect(warnings.count == 1 && warnings[0].contains("feeds: inbox/r-{date}.csv was not set"), "\(warnings)")
    }

    /// Nobody reads the credits any more, or Apple's records. Every night misses them, and no goods go out until somebody reads them
    /// again. A feed that is gone on purpose is named once.
    @Test(arguments: [
        (
            #"{ kind: "credits", path: "inbox/credits-{date}.csv", required: true },"#,
            "credits-{date}.csv was credits, required", true
        ),
        (#"{ kind: "credits", path: "inbox/credits-{date}.csv" },"#, "credits-{date}.csv was credits", true),
        (
            #"{ kind: "transactions", path: "inbox/transactions-{date}.jsonl", trust: "backend", required: true },"#,
            "transactions-{date}.jsonl was transactions, required", true
        ),
        (#"{ kind: "acks", path: "inbox/acks-{date}.csv" },"#, "acks-{date}.csv was acks", false),
    ])
    func lostEvidenceIsMissedEveryNight(_ feed: String, _ was: String, _ isMissed: Bool) throws {
        func sell(_ night: Int) throws {
            let numbers = (10 * night + 1)..<(10 * night + 11)
            try shop.sell(numbers, night: night)
            try shop.credit(numbers.dropLast(), night: night)
        }
        try edit(#""backend" } ]"#, #""backend" }, ]"#)
        try edit(feed.replacing(", required: true", with: ""), feed)
        try sell(0)
        try shop.night(0)
        #expect(try shop.lines("retry-manifest.jsonl", 0).count == 1)
        try edit(feed, "")
        for night in 1...3 {
            try sell(night)
            let ended = try shop.night(night)
            #expect(ended.errors.contains("feeds: inbox/\(was), now not set") == (night == 1), "\(ended.errors)")
            let isGap = ended.errors.contains("no feed of the configuration reads it any more")
            #expect(isGap == was.contains("required"), "\(ended.errors)")
            #expect(try shop.lines("retry-manifest.jsonl", night).isEmpty == isMissed, "night \(night)")
            let headline = try #require(shop.report("summary.txt", night)).split(separator: "\n")[0]
            #expect(headline.contains("FEED REMOVED: ") == (isMissed && night == 1) || ended.errors.contains("unusual"))
            // Where no feed is required, the guard decides.
            if isGap || !isMissed { #expect(ended.code == (isMissed ? 3 : 0), "\(ended.errors)") }
        }
        #expect(try shop.run(["check"]).output.contains("but the configuration no longer has it") == isMissed)
        try edit("feeds: [", "feeds: [ " + feed)
        try sell(4)
        #expect(try !shop.night(4).errors.contains(", now not set"))
        #expect(try shop.run(["check"]).output.contains("but the configuration no longer has it") == false)
    }

    /// A file is missing, and the next day the feed has another path.
    @Test func aRenamedFeedKeepsItsGaps() throws {
        try edit(#"credits-{date}.csv" }"#, #"credits-{date}.csv", required: true }"#)
        try shop.night(0)
        #expect(try shop.run(["nightly", "--date", shop.date(1), "--as-of", shop.date(2) + "T04:00:00Z"]).code == 3)
        let accept = [
            "gap", "accept", "inbox/credits-{date}.csv", shop.date(1), "--by", "Li", "--note", "nothing was sold",
        ]
        try edit(#""inbox/credits-{date}.csv""#, #""inbox/grants-{date}.csv""#)
        for night in 2...3 {
            try shop.folder.write(
                "credit_id,order_id,account_id,credited_at\n", to: "inbox/grants-\(shop.date(night)).csv")
            let ended = try shop.night(night)
            #expect(
                ended.code == 3 && ended.errors.contains("no feed of the configuration reads it any more"), "\(ended)")
            #expect(try shop.lines("retry-manifest.jsonl", night).isEmpty)
            let refused = try shop.run(accept)
            #expect(refused.code == 66 && refused.errors.contains(#"give that one "name": "#), "\(refused.errors)")
        }
        try edit(#""inbox/grants-{date}.csv""#, #""inbox/grants-{date}.csv", name: "inbox/credits-{date}.csv""#)
        #expect(try shop.run(accept).code == 0)
        try shop.folder.write("credit_id,order_id,account_id,credited_at\n", to: "inbox/grants-\(shop.date(4)).csv")
        #expect(try shop.night(4).code == 0)
    }

    /// A credits feed that is not required is gone for two nights, and comes back with another path.
    @Test func aReplacedCreditsFeedKeepsItsUnseenDays() throws {
        func night(_ night: Int, file: String = "credits") throws -> Ended {
            let numbers = (10 * night + 1)..<(10 * night + 5)
            try shop.sell(numbers, night: night)
            try shop.credit(numbers.dropLast(), night: night)
            let ended = { try self.shop.night(night) }
            if file == "credits" { return try ended() }
            let header = "credit_id,order_id,transaction_id,account_id,credited_at\n"
            let rows = numbers.dropLast().map { number in
                "CR\(number),ORD\(number),\(shop.transaction(number)),acct\(number),\(shop.date(night))T10:00:00Z\n"
            }
            try shop.folder.write(header + rows.joined(), to: "inbox/\(file)-\(shop.date(night)).csv")
            return try ended()
        }
        func said(_ text: String, _ night: Int) -> Bool { shop.report("summary.txt", night)?.contains(text) == true }
        let feed = #"{ kind: "credits", path: "inbox/credits-{date}.csv" },"#
        #expect(try night(0).code == 0)
        try edit(feed, "")
        for number in 1...2 {
            let ended = try night(number)
            #expect(ended.code == (number == 1 ? 3 : 0), "\(ended)")
            #expect(said("FEED REMOVED: credits", number) == (number == 1))
            #expect(said("No automatic credits are issued: no credits feed is configured any more.", number))
        }
        try edit("feeds: [", "feeds: [ " + feed.replacing("credits-", with: "grants-"))
        let days =
            "no file of inbox/credits-{date}.csv came for \(shop.date(1)) and 1 more day: no credit entry goes out for "
        for number in 3...4 {
            let ended = try night(number, file: "grants")
            #expect(
                ended.code == 0 && ended.errors.contains(days + "purchases up to that day. Put the feed back"),
                "\(ended)")
            #expect(!said("No automatic credits", number))
            // Clocks differ, so a purchase of the third night may have its goods in the second one's file.
            let manifest = try shop.lines("retry-manifest.jsonl", number)
            #expect(
                manifest.compactMap { $0["transaction_id"] as? String } == (number == 3 ? [] : [shop.transaction(44)]))
        }
        let accept = ["gap", "accept", "inbox/credits-{date}.csv", shop.date(1), "--by", "Li", "--note", "none"]
        #expect(try shop.run(accept).code == 66)
        try edit(#""inbox/grants-{date}.csv""#, #""inbox/grants-{date}.csv", name: "inbox/credits-{date}.csv""#)
        for number in 1...2 {
            try shop.folder.write(
                shop.folder.read("inbox/credits-\(shop.date(number)).csv"), to: "inbox/grants-\(shop.date(number)).csv")
        }
        #expect(try !night(5, file: "grants").errors.contains("no file of"))
        let sent = Set(try shop.lines("retry-manifest.jsonl", 5).compactMap { $0["transaction_id"] as? String })
        #expect(sent.isSuperset(of: [14, 24, 34, 54].map(shop.transaction)), "\(sent)")
    }
}
