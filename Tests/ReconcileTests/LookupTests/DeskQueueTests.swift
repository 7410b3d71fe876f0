import Domain
import Engine
import Foundation
import Testing

@testable import Reconcile

/// docs/spec/interfaces.md#queue and #work: the open work on the desk's page, and who has it in hand.
@Suite struct DeskQueueTests {
    private static let settings =
        #"desk: { mayWork: ["li", "wang", "chen"], mayLead: ["chen"], mayGive: ["li"], mask: ["wang"] },"#

    private func shop() throws -> DeskFolder { try SearchShop(settings: Self.settings).desk }

    private func queue(_ desk: DeskFolder, _ filter: String = "", by user: String = "li") throws -> String {
        try desk.web(nil, by: user, ["QUERY_STRING": "queue" + filter, "HTTP_ACCEPT_LANGUAGE": "en"])
    }

    /// The ends of the transactions that the page lists, in order.
    private func ends(_ page: String) -> [String] {
        page.matches(of: /name="id" value="200000087000(\d+)"/).map { String($0.output.1) }
    }

    private func exception(_ desk: DeskFolder, _ end: String) throws -> String {
        let subject = try desk.subjects(SearchShop.transaction(end))[0]
        return (subject["exception"] as? [String: Any])?["id"] as? String ?? ""
    }

    /// Sends a step from the answer about a transaction.
    private func send(
        _ desk: DeskFolder, _ step: String, on end: String = "3950", by user: String, _ fields: String = "",
        _ changes: [String: String?] = [:]
    ) throws -> String {
        let id = try exception(desk, end)
        return try desk.web(
            "id=\(SearchShop.transaction(end))&exception=\(id)&work=\(step)\(fields)", by: user,
            changes.merging(["HTTP_ACCEPT_LANGUAGE": "en"]) { first, _ in first })
    }

    private func lines(_ desk: DeskFolder) -> Int {
        ((try? desk.folder.read("desk/work-2025-11.jsonl")) ?? "").split(separator: "\n").count
    }

    private func work(_ desk: DeskFolder, _ end: String = "3950") throws -> [String: Any] {
        try desk.subjects(SearchShop.transaction(end))[0]["work"] as? [String: Any] ?? [:]
    }

    /// CNY has the most cases. Money × age: 98 × 4 days, 30 × 2, 25 × 1; then USD.
    @Test func theQueueBeginsWithTheMostMoneyForTheLongestTime() throws {
        let desk = try shop()
        let page = try queue(desk)
        #expect(ends(page) == ["2664", "3950", "4170", "1492"], "\(page)")
        #expect(page.contains("Total: 153.00 CNY, 4.99 USD") && page.contains("<b>4</b>\n<span>Open cases</span>"))
        #expect(page.contains("<td data-title=\"Reason\" class=\"reason\">Needs a person, Owner unknown</td>"))
        #expect(!page.contains("<script"))
        let chinese = try desk.web(nil, by: "li", ["QUERY_STRING": "queue&lang=zh-Hans"])
        #expect(chinese.contains(">待办</h1>") && chinese.contains("需人工处理"))
        #expect(chinese.contains("<title>待办</title>") && chinese.contains("aria-label=\"我来跟进 "))
    }

    /// The list and the purchase that is opened agree. A YES is given by the purchase alone.
    @Test func eachRowSaysWhatItsAnswerSays() throws {
        let desk = try shop()
        _ = try desk.run(["given", SearchShop.transaction("2664"), "--by", "chen", "--note", "account u3005"])
        _ = try send(desk, "take", on: "2664", by: "li")
        func cells(_ page: String) -> [String] {
            page.matches(of: /<td data-title="Give by hand\?" class="said">([^<]*)<\/td>/).map { String($0.output.1) }
        }
        let page = try queue(desk)
        for (end, cell) in zip(ends(page), cells(page)) {
            let subject = try desk.subjects(SearchShop.transaction(end))[0]
            let isSafe = try #require(subject["safe_to_compensate"] as? Bool)
            #expect(cell == (isSafe ? "open it first" : "NO: \(subject["safe_because"] ?? "")"), "\(end)")
        }
        #expect(Set(cells(page)).count == 3 && cells(page).contains("open it first"), "\(page)")
        #expect(!page.contains("YES"))
        let chinese = try desk.web(nil, by: "li", ["QUERY_STRING": "queue&lang=zh-Hans"])
        #expect(chinese.contains("<td data-title=\"可否人工补单\" class=\"said\">不可以：无法确认这笔付款的归属账号"), "\(chinese)")
        // Notes may name accounts.
        #expect(cells(page).contains { $0.contains("chen (account u3005)") })
        #expect(try cells(queue(desk, by: "wang")).contains { $0.contains("NO: chen recorded at") })
    }

    /// Opening the page again gives nobody a right.
    @Test func whoMayNotSeeTheQueueReadsWhy() throws {
        let page = try queue(shop(), by: "zhao")
        #expect(page.hasPrefix("Status: 403 ") && page.contains("does not have this permission."), "\(page)")
        #expect(!page.contains("Open the page again"))
    }

    /// What the repair job leaves unanswered, or says that it gave without a credit, is nobody's otherwise.
    @Test(arguments: [("retry_silent", "Asked, no answer"), ("retry_applied", "Reported as given, no credit")])
    func whatTheRepairJobLeavesIsInTheQueue(reason: String, words: String) throws {
        let desk = try DeskFolder.lostOrder(retry: "{}")
        try desk.configure(retry: "{}", settings: Self.settings)
        if reason == "retry_applied" {
            let key = try #require(try desk.manifestKeys().first)
            try desk.deliver("acks", ["\(key),applied,\(desk.noon(1)),"], night: 1)
        }
        let cell = "<td data-title=\"Reason\" class=\"reason\">\(words)</td>"
        #expect(try !queue(desk).contains(cell))
        try desk.nights(1...4)
        #expect(try desk.safety("2000000123456789") == reason)
        let page = try queue(desk)
        #expect(page.contains(cell), "\(page)")
    }

    @Test func ofEqualAmountsTheOldestComesFirst() throws {
        let desk = try DeskFolder(settings: Self.settings)
        for night in 0...4 {
            try desk.deliverTransactions([("200000087000\(104 - night)", "")], night: night)
            try desk.nights(night...night)
        }
        #expect(try ends(queue(desk)) == (100...104).reversed().map { String($0) })
    }

    private static let filters: [(filter: String, expected: [String])] = [
        ("trouble=paid_not_credited", ["2664", "3950", "4170", "1492"]), ("trouble=credited_twice", []),
        ("trouble=paid_not_credited/no_order", ["4170"]), ("reason=no_owner", ["4170"]), ("reason=held", []),
        ("age=3", ["2664", "1492"]), ("age=x", []), ("amount=30", ["2664", "3950"]),
        ("amount=4.99&currency=usd", ["1492"]),
        ("amount=x", []), ("product=COINS_9", ["2664"]), ("label=app_version=2.1", []), ("action=wait", []),
        ("sort=age", ["1492", "2664", "3950", "4170"]), ("sort=-age", ["4170", "3950", "2664", "1492"]),
        ("sort=amount", ["2664", "3950", "4170", "1492"]), ("sort=account", ["3950", "2664", "1492", "4170"]),
        ("sort=-account", ["1492", "2664", "3950", "4170"]),
        ("sort=product", ["3950", "2664", "1492", "4170"]), ("sort=nothing", ["2664", "3950", "4170", "1492"]),
        ("answer=open_first", ["2664", "3950", "1492"]), ("answer=no", ["4170"]), ("answer=not_needed", []),
        ("answer=no&amount=30", []), ("answer=x", []), ("sort=answer", ["2664", "3950", "1492", "4170"]),
        ("sort=-answer", ["4170", "2664", "3950", "1492"]), ("page=9", ["2664", "3950", "4170", "1492"]),
        ("assignee=nobody", ["2664", "3950", "4170", "1492"]),
        ("assignee=me", []),
    ]

    @Test func fieldsOfTheFormNarrowItDown() throws {
        let desk = try shop()
        for (filter, expected) in Self.filters {
            #expect(try ends(queue(desk, "&" + filter)) == expected, "\(filter)")
            let rows = try queue(desk, "&csv=1&" + filter).split(separator: "\n").filter { $0.hasPrefix("E") }
            #expect(rows.count == expected.count, "\(filter)")
            for (row, end) in zip(rows, expected) { #expect(row.contains(SearchShop.transaction(end)), "\(filter)") }
        }
    }

    /// In the user's language, and without what the user must not see.
    @Test func theFileSaysWhatThePageSays() throws {
        let desk = try shop()
        _ = try desk.run(["given", SearchShop.transaction("2664"), "--by", "chen", "--note", "account u3005"])
        _ = try send(desk, "take", on: "2664", by: "li")
        let file = try queue(desk, "&csv=1&sort=answer").split(separator: "\n").filter { $0.hasPrefix("E") }
        #expect(try queue(desk, "&csv=1").contains(",give_by_hand,give_by_hand_reason\n"))
        #expect(
            file.count == 4 && file[0].hasSuffix(",open_first,") && file[2].contains("chen (account u3005) recorded"),
            "\(file)")
        #expect(file[3].hasSuffix(",no,the account that this payment belongs to is not known"), "\(file)")
        let chinese = try queue(desk, "&csv=1&lang=zh-Hans&answer=no", by: "wang")
        #expect(chinese.contains(",no,无法确认这笔付款的归属账号\n") && !chinese.contains("u3005"), "\(chinese)")
    }

    /// A spreadsheet rounds the ids of a CSV file, and misreads its Chinese.
    @Test func theFileForPeopleHasThePagesWordsAndWholeIds() throws {
        let desk = try shop()
        let page = try queue(desk, "&lang=zh-Hans")
        #expect(page.contains("&amp;xlsx=1\">下载 Excel</a>") && !page.contains("csv=1"), "\(page)")
        // A workbook is no text.
        _ = try? queue(desk, "&xlsx=1&lang=zh-Hans&sort=answer")
        let said = try Data(contentsOf: URL(fileURLWithPath: desk.folder.path + "/said"))
        let start = try #require(said.range(of: Data("PK".utf8))).lowerBound
        let head = String(decoding: said[..<start], as: UTF8.self)
        #expect(head.contains(".sheet") && head.contains("filename=\"queue-2025-11-07.xlsx\""), "\(head)")
        try said[start...].write(to: URL(fileURLWithPath: desk.folder.path + "/queue.xlsx"))
        let unzip = Process()
        unzip.executableURL = URL(fileURLWithPath: "/usr/bin/unzip")
        unzip.arguments = ["-p", desk.folder.path + "/queue.xlsx", "xl/worksheets/sheet1.xml"]
        let output = Pipe()
        unzip.standardOutput = output
        try unzip.run()
        let sheet = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        for text in ["点开查看结论", "可否人工补单", "币种", ">CNY<", ">\(SearchShop.transaction("2664"))<"] {
            #expect(sheet.contains(text), "\(text): \(sheet)")
        }
        #expect(!sheet.contains("<v>\(SearchShop.transaction("2664"))") && sheet.contains("<v>98</v>"), "\(sheet)")
    }

    @Test func fiftyRowsAreAPage() throws {
        let desk = try DeskFolder(settings: Self.settings)
        try desk.deliver("credits", night: 0)
        try desk.deliver("orders", night: 0)
        try desk.deliverTransactions((100..<220).map { ("200000087000\($0)", "") }, night: 0)
        try desk.night(0)
        let pages = try (1...3).map { try ends(queue(desk, "&sort=product&page=\($0)")) }
        #expect(pages.map(\.count) == [50, 50, 20] && Set(pages.flatMap { $0 }).count == 120)
        let second = try queue(desk, "&amount=1&page=2")
        #expect(second.contains("Page 2 of 3") && second.contains("&amp;amount=1&amp;page=3\">Next page"), "\(second)")
    }

    @Test func oneHasItAndTheOtherIsToldWho() throws {
        let desk = try shop()
        let hasColumn = { (name: String) in try self.queue(desk).contains("data-title=\"\(name)\"") }
        #expect(try !hasColumn("In hand") && !hasColumn("Ticket"), "no row has one")
        #expect(try send(desk, "take", by: "li").contains("class=\"good\""))
        #expect(try hasColumn("In hand") && !hasColumn("Ticket"))
        let refusal = try send(desk, "take", by: "wang", "&comment=mine")
        #expect(refusal.contains("Nothing was recorded: li has had") && refusal.contains("since 2025-11-08 09:00:00."))
        #expect(lines(desk) == 1)
        #expect(try work(desk)["assignee"] as? String == "li")
        // Sent twice, it is recorded once.
        _ = try send(desk, "take", by: "li")
        #expect(lines(desk) == 1)
        for (filter, who) in [("me", "li"), ("anybody", "wang"), ("li", "chen")] {
            #expect(try ends(queue(desk, "&assignee=" + filter, by: who)) == ["3950"], "\(filter)")
        }
        #expect(try ends(queue(desk, "&assignee=nobody")) == ["2664", "4170", "1492"])
        let shown = try desk.run(["lookup", SearchShop.transaction("3950")], variables: ["COLUMNS": "200"]).output
        #expect(shown.contains("In hand             li, since 2025-11-08 09:00:00"), "\(shown)")
    }

    @Test func onlyTheHolderOrALeadHandsItOver() throws {
        let desk = try shop()
        _ = try send(desk, "take", by: "li")
        for step in ["give_back", "hand_over"] {
            #expect(try send(desk, step, by: "wang", "&to=wang").contains("Nothing was recorded: li has had"))
        }
        #expect(try send(desk, "hand_over", by: "li", "&to=nobody").hasPrefix("Status: 403 "))
        #expect(try send(desk, "hand_over", by: "chen", "&to=wang").contains("class=\"good\""))
        #expect(try work(desk)["assignee"] as? String == "wang")
        #expect(try send(desk, "hand_over", by: "wang", "&to=li").contains("class=\"good\""))
        #expect(try send(desk, "give_back", by: "li").contains("class=\"good\""))
        #expect(try work(desk)["assignee"] is NSNull)
        #expect(try send(desk, "give_back", by: "chen").contains("class=\"good\"") && lines(desk) == 4)
        #expect(try send(desk, "hand_over", by: "chen", "&to=li").contains("no one has"))
    }

    @Test(
        arguments: [
            ("zhao", [:]), ("li", ["HTTP_ORIGIN": nil]), ("li", ["HTTP_ORIGIN": "https://evil.example"]),
            ("li", ["HTTP_ORIGIN": "null"]),
        ] as [(String, [String: String?])])
    func othersMayNeitherLookNorTake(user: String, changes: [String: String?]) throws {
        let desk = try shop()
        for address in ["", "queue", "queue&csv=1"] {
            let changes = changes.merging(["QUERY_STRING": address]) { first, _ in first }
            #expect(try send(desk, "take", by: user, "", changes).hasPrefix("Status: 403 "), "\(address)")
        }
        #expect(lines(desk) == 0)
        guard user == "zhao" else { return }
        for filter in ["", "&csv=1", "&xlsx=1"] {
            let page = try queue(desk, filter, by: user)
            #expect(page.hasPrefix("Status: 403 ") && !page.contains("u300"))
        }
        let answer = try desk.web("id=" + SearchShop.transaction("3950"), by: user)
        #expect(!answer.contains("name=\"work\"") && !answer.contains("?queue"))
    }

    @Test func whatIsTypedStaysText() throws {
        let desk = try shop()
        let text = "<b onclick=x>\u{202E}\"' =HYPERLINK(1)\r\n\r\n第二行\u{1B}[31m"
        let ticket = "=1+2|\n<i>"
        let encoded = { (text: String) in text.addingPercentEncoding(withAllowedCharacters: .alphanumerics)! }
        let page = try send(desk, "take", by: "li", "&comment=\(encoded(text))&ticket=\(encoded(ticket))")
        #expect(page.contains("&lt;b onclick=x&gt;&quot;' =HYPERLINK(1)") && page.contains("第二行[31m"), "\(page)")
        #expect(
            !page.contains("<b ") && !page.contains("<i>") && !page.contains("\u{202E}") && !page.contains("\u{1B}"))
        #expect(page.contains("name=\"ticket\" value=\"=1+2|&lt;i&gt;\""))
        let comments = try work(desk)["comments"] as? [[String: Any]] ?? []
        #expect(comments.map { $0["by"] as? String } == ["li"])
        #expect(comments[0]["text"] as? String == "<b onclick=x>\"' =HYPERLINK(1)\n\n第二行[31m")
        #expect(try queue(desk, "&csv=1&assignee=me").contains(",li,'=1+2|<i>,open_first,\n"))
        #expect(try !queue(desk).contains("<i>"))
        // The same text again is the same form again; another ticket is another line.
        _ = try send(desk, "comment", by: "li", "&comment=\(encoded(text))&ticket=7")
        #expect(lines(desk) == 4)
        // Comments may name accounts.
        let masked = try desk.web("id=" + SearchShop.transaction("3950"), by: "wang")
        #expect(masked.contains("In hand") && !masked.contains("HYPERLINK"))
        #expect(try !queue(desk, by: "wang").contains("u300") && !queue(desk, "&csv=1", by: "wang").contains("u300"))
    }

    @Test func aCommentHasTwoThousandCharacters() throws {
        let desk = try shop()
        let character = "%E4%B8%80"
        for (count, ticket, isKept) in [(2000, 100, true), (2001, 1, false), (1, 101, false)] {
            let (comment, number) = (
                String(repeating: character, count: count), String(repeating: "7", count: ticket)
            )
            let page = try send(desk, "comment", by: "li", "&comment=\(comment)&ticket=\(number)")
            #expect(page.contains("Nothing was recorded: a comment has at most 2000") != isKept)
            #expect(lines(desk) == 2)
        }
    }

    /// Neither verdict nor retry entry nor ledger, and no hand-out.
    @Test func nothingElseChanges() throws {
        let (worked, left) = (try DeskFolder.lostOrder(retry: "{}"), try DeskFolder.lostOrder(retry: "{}"))
        for desk in [worked, left] { try desk.configure(retry: "{}", settings: Self.settings) }
        let before = try Data(contentsOf: URL(fileURLWithPath: worked.folder.path + "/ledger.sqlite"))
        let answer = try worked.subjects("2000000123456789")[0]
        let id = (answer["exception"] as? [String: Any])?["id"] as? String ?? ""
        for step in ["take", "comment", "give_back", "take"] {
            _ = try worked.web("id=1&exception=\(id)&work=\(step)&comment=\(step)&ticket=\(step)", by: "li")
        }
        let after = try Data(contentsOf: URL(fileURLWithPath: worked.folder.path + "/ledger.sqlite"))
        #expect(lines(worked) == 11 && before == after)
        var now = try worked.subjects("2000000123456789")[0]
        #expect(now["work"] is [String: Any])
        now["work"] = answer["work"]
        #expect(now as NSDictionary == answer as NSDictionary)
        for desk in [worked, left] { try desk.nights(1...1) }
        for file in ["retry-manifest.jsonl", "held.jsonl", "dead-letter.jsonl", "rejected.jsonl"] {
            #expect(try worked.folder.read("out/latest/" + file) == left.folder.read("out/latest/" + file))
        }
        let rows = try [worked, left].map { try $0.folder.read("out/latest/exceptions.csv").split(separator: "\n") }
        #expect(rows[0][0].hasSuffix(",assignee,ticket") && rows[0][1].hasSuffix(",li,take"))
        #expect(rows[1][1].hasSuffix(",,") && rows[0][1].dropLast(7) == rows[1][1].dropLast())
    }

    @Test func aDamagedLineCostsOnlyItself() throws {
        let desk = try shop()
        for end in ["3950", "2664"] { _ = try send(desk, "take", on: end, by: "li") }
        let whole = try desk.folder.read("desk/work-2025-11.jsonl")
        let id = try exception(desk, "2664")
        let damages = [
            "{\"at\":\"2025-11-08T\n", "\u{0}\n",
            "{\"at\":\"2025-11-08T01:00:00Z\",\"by\":\"x\",\"exception_id\":\"\(id)\",\"kind\":\"eat\"}\n",
        ]
        try desk.folder.write(damages.joined() + whole + "{\"at\":\"20", to: "desk/work-2025-11.jsonl")
        let page = try queue(desk, "&assignee=me")
        #expect(ends(page) == ["2664", "3950"] && page.contains("4 lines of the record of this work cannot be read"))
        let warnings = try desk.folder.read("complained")
        #expect(warnings.contains("work-2025-11.jsonl', line 1, is not a step"), "\(warnings)")
        #expect(try desk.safety(SearchShop.transaction("3950")) == "safe")
        try desk.deliver("receipts", night: 7)
        try desk.deliver("acks", night: 7)
        try desk.folder.write("", to: "inbox/transactions-\(desk.date(7)).jsonl")
        try desk.nights(7...7)
        #expect(try desk.folder.read("out/latest/exceptions.csv").matches(of: /,li,\n/).count == 2)
        // The next step sets the torn line aside.
        #expect(try send(desk, "give_back", on: "2664", by: "li").contains("class=\"good\""))
        #expect(try desk.folder.read("desk/work-2025-11.jsonl.torn") == "{\"at\":\"20\n")
        #expect(try queue(desk).contains("3 lines of the record"))
    }

    /// The night's reports say what the night knew, also when they are rendered again.
    @Test func aNightReportsWhoHasWhatAndHowLongItTook() throws {
        let desk = try DeskFolder.lostOrder()
        try desk.configure(settings: Self.settings)
        let id = (try desk.subjects("2000000123456789")[0]["exception"] as? [String: Any])?["id"] as? String ?? ""
        _ = try desk.web("id=1&exception=\(id)&work=take&ticket=T-1", by: "li")
        try desk.nights(1...1)
        func text(_ night: Int, _ name: String) throws -> String {
            try desk.folder.read("out/\(desk.date(night))/\(name)")
        }
        let (rows, page) = (try text(1, "exceptions.csv"), try text(1, "report.html"))
        #expect(rows.contains(",li,T-1\n") && page.contains("still open: 1, of these in hand: 1."))
        try desk.deliver(
            "credits", ["CR1,ORD1000000042,2000000123456789,acct-lost-7,credit,desk,\(desk.noon(2))"], night: 2)
        _ = try desk.web("id=1&exception=\(id)&work=give_back", by: "li")
        try desk.nights(2...2)
        let summary = try text(2, "summary.txt").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(summary.contains("Exceptions opened: 0, closed: 1, still open: 0, of these in hand: 0."))
        #expect(summary.contains("1 closed. Days from the first report: median 2, nine of ten within 2."), "\(summary)")
        #expect(try text(2, "summary.json").contains("\"p90\": 2"))
        try FileManager.default.removeItem(atPath: desk.folder.path + "/desk")
        try desk.night(1)
        #expect(try text(1, "exceptions.csv") == rows && text(1, "report.html") == page)
    }

    /// Goods that were given leave the queue until a night has run; then they are in it as what they are.
    @Test func aHandOutWithoutACreditComesBack() throws {
        let desk = try DeskFolder.lostOrder()
        try desk.configure(settings: Self.settings)
        let row = { try self.queue(desk).contains("value=\"2000000123456789\"") }
        #expect(try row())
        _ = try desk.web("id=2000000123456789&given=2000000123456789", by: "li")
        #expect(try !row())
        try desk.nights(1...1)
        let page = try queue(desk)
        #expect(page.contains("<td data-title=\"Reason\" class=\"reason\">Given, no credit</td>"), "\(page)")
        // The exception stays open without its order, though nothing of the hand-out is missing.
        try desk.deliver("credits", ["CR1,,2000000123456789,acct-lost-7,credit,desk,\(desk.noon(2))"], night: 2)
        try desk.deliver(
            "orders", ["ORD1000000042,acct-lost-7,coins,1,6.00,CNY,,,cancelled,\(desk.noon(0)),\(desk.noon(2))"],
            night: 2)
        try desk.nights(2...2)
        #expect(try !queue(desk).contains("<td data-title=\"Reason\" class=\"reason\">Given, no credit"))
    }

    @Test func eachLookIsOnRecord() throws {
        let desk = try shop()
        _ = try queue(desk, "&age=3&sort=age")
        _ = try send(desk, "take", by: "li")
        let lines = try desk.folder.read("desk/audit-2025-11.jsonl").split(separator: "\n").map { String($0) }
        #expect(
            lines.count == 3 && lines[0].contains(#""asked":{"age":"3","sort":"age"}"#)
                && lines[0].contains(#""found":2"#))
        #expect(lines[1].contains(#""kind":"work","recorded":true,"step":"take""#), "\(lines[1])")
        try desk.folder.write("x", to: "elsewhere")
        try desk.configure(settings: #"desk: { folder: "elsewhere", mayWork: ["li"] },"#)
        #expect(try queue(desk).hasPrefix("Status: 503 "))
    }
}
