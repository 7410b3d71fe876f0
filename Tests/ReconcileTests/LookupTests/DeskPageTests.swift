import Foundation
import Testing

/// `reconcile desk`, called as a web server calls it. scripts/soak.d/desk asks with real servers and a browser.
@Suite struct DeskPageTests {
    /// A demo with the setting `desk`, and the program's answers to requests.
    final class Site: Sendable {
        let run: DemoRun

        init(_ desk: String = "{}") throws {
            run = try DemoRun("--orders 300")
            let configuration = try run.text("reconcile.json")
            let changed = "{ desk: \(desk)," + configuration.drop { $0 != "{" }.dropFirst()
            try run.folder.write(changed, to: "night/reconcile.json")
        }

        var folder: TestFolder { run.folder }

        /// The response to a form with these bytes; with nil, to a request for the page.
        func ask(_ body: String?, _ changes: [String: String] = [:]) throws -> Ended {
            try folder.write(body ?? "", to: "body")
            var variables = [
                "REQUEST_METHOD": body == nil ? "GET" : "POST",
                "CONTENT_LENGTH": body.map { String($0.utf8.count) } ?? "",
                "CONTENT_TYPE": body == nil ? "" : "application/x-www-form-urlencoded", "REMOTE_USER": "li",
                "REMOTE_ADDR": "10.0.0.7", "HTTP_HOST": "desk.example.com", "GATEWAY_INTERFACE": "CGI/1.1",
            ]
            variables.merge(changes) { $1 }
            return try Program.shell(
                "$R desk --config night/reconcile.json < body", in: folder.path, variables)
        }

        /// The lines of the record.
        func record() throws -> [[String: Any]] {
            let path = folder.path + "/night/desk"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            let text = try names.sorted().map { try folder.read("night/desk/" + $0) }.joined()
            return try text.split(separator: "\n").map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
        }
    }

    /// A lost order of the demo, from the exceptions' list: its transaction and its account.
    private func lostOrder(_ site: Site) throws -> (transaction: String, account: String) {
        let rows = try site.run.text("out/latest/exceptions.csv").split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
        }
        let columns = rows[0]
        let row = try #require(
            rows.first { $0.contains("paid_not_credited") && $0.contains("no_receipt") && $0[9] != "" })
        let at = { (name: String) in row[columns.firstIndex(of: name)!] }
        return (at("transaction_id"), at("account_id"))
    }

    @Test func thePageAsksForAnIdentifier() throws {
        let ended = try Site().ask(nil)
        #expect(ended.code == 0 && ended.errors == "")
        #expect(
            ended.output.hasPrefix(
                "Status: 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nCache-Control: no-store"))
        #expect(ended.output.contains("<form method=\"post\""))
        #expect(ended.output.contains("form-action 'self'; frame-ancestors 'none'\r\n"))
        #expect(ended.output.contains("Last night reconciled: 2025-11-18. New exceptions: "))
        #expect(ended.output.contains("Signed in as li"))
        #expect(!ended.output.contains("<script"))
    }

    @Test func theAnswerIsThatOfLookupAndIsOnRecord() throws {
        let site = try Site()
        let lost = try lostOrder(site)
        let ended = try site.ask("id=" + lost.transaction)
        #expect(ended.output.contains("<h2>\(lost.transaction)</h2>"))
        #expect(ended.output.contains("Paid not credited") && ended.output.contains(lost.account))
        let record = try site.record()
        #expect(record.count == 1)
        #expect(record.first?["user"] as? String == "li" && record.first?["query"] as? String == lost.transaction)
        #expect(record.first?["found"] as? Int == 1 && record.first?["verdicts"] as? [String] == ["paid_not_credited"])
    }

    @Test func severalIdentifiersHaveSeveralAnswers() throws {
        let site = try Site()
        let lost = try lostOrder(site)
        let ended = try site.ask("id=\(lost.transaction)+%0A\(lost.account)%EF%BC%8C9999999999")
        #expect(ended.output.components(separatedBy: "<h2>").count == 4)
        #expect(ended.output.contains("No record of 9999999999"))
        #expect(try site.record().count == 3)
        let message = try site.ask("id=order+SG202511180000001+never+arrived")
        #expect(message.output.components(separatedBy: "<h2>").count == 2)
        let receipt = try site.ask("id=MIIT0wYJKoZIhvcNAQcC%0AoIITxDCCE8ACAQEx%2F%2B12")
        #expect(receipt.output.components(separatedBy: "<h2>").count == 2)
        let many = try site.ask("id=" + (0..<51).map { "10000\($0)" }.joined(separator: "+"))
        #expect(many.output.contains("You can look up at most 50 at once."))
    }

    @Test(arguments: [("zh-CN,zh;q=0.9", ""), ("en", "lang=zh-Hans")])
    func theBrowserOrALinkChoosesTheLanguage(browser: String, query: String) throws {
        let ended = try Site().ask("id=", ["HTTP_ACCEPT_LANGUAGE": browser, "QUERY_STRING": query])
        #expect(ended.output.contains("<html lang=\"zh-Hans\">") && ended.output.contains("请先输入编号。"))
        #expect(ended.output.contains("<a href=\"?lang=en\">English</a>"))
    }

    @Test func withoutALoginNothingIsShown() throws {
        let site = try Site("{ anonymous: false }")
        for changes in [
            ["REMOTE_USER": ""], ["REMOTE_USER": "", "HTTP_X_REMOTE_USER": "li"],
            ["REMOTE_USER": "", "REMOTE_ADDR": "127.0.0.1"],
        ] {
            let ended = try site.ask("id=2000000870000128", changes)
            #expect(ended.output.hasPrefix("Status: 403 "))
            #expect(ended.output.contains("This page needs a login.") && !ended.output.contains("Last night"))
        }
        #expect(try site.record().isEmpty)
    }

    @Test func withoutALoginThePageCanBeTriedOnTheMachineItself() throws {
        let site = try Site("{ anonymous: true }")
        #expect(try site.ask(nil, ["REMOTE_USER": "", "REMOTE_ADDR": "::1"]).output.hasPrefix("Status: 200 "))
        #expect(try site.ask(nil, ["REMOTE_USER": "", "REMOTE_ADDR": "10.0.0.7"]).output.hasPrefix("Status: 403 "))
    }

    @Test func someUsersSeeMaskedAccountsAndNoReport() throws {
        let site = try Site("{ mask: [\"wang\"] }")
        let lost = try lostOrder(site)
        let (full, masked) = (
            try site.ask("id=" + lost.transaction), try site.ask("id=" + lost.transaction, ["REMOTE_USER": "wang"])
        )
        #expect(full.output.contains(lost.account) && full.output.contains("?report"))
        #expect(!masked.output.contains(lost.account) && !masked.output.contains("?report"))
        let report = ["QUERY_STRING": "report"]
        #expect(try site.ask(nil, report).output.contains("<h1>Nightly reconciliation 2025-11-18"))
        #expect(try site.ask(nil, report.merging(["REMOTE_USER": "wang"]) { $1 }).output.hasPrefix("Status: 404 "))
    }

    @Test func markupInTheQueryStaysText() throws {
        let ended = try Site().ask("id=%3Cscript%3Ealert%281%29%3C%2Fscript%3E%22+onfocus%3D%22x")
        #expect(!ended.output.contains("<script") && !ended.output.contains("\" onfocus=\""))
        #expect(ended.output.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot; onfocus=&quot;x"))
    }

    /// Feeds are the outside world's: every field of the evidence may contain markup.
    @Test func markupInEveryFieldStaysText() throws {
        let desk = try DeskFolder(settings: #"desk: { mayGive: ["li"] },"#)
        let mark = { (field: String) in "<b title='\(field)' onclick=alert(1)>" }
        let (order, account) = (mark("order"), mark("account"))
        try desk.deliver(
            "orders",
            [
                "\(order),\(account),\(mark("product")),1,6.00,CNY,,2000000123456789,paid,\(desk.noon(0)),",
                "ORD2,\(account),\(mark("product")),1,6.00,CNY,,2000000123456790,paid,\(desk.noon(0)),",
            ], night: 0)
        try desk.deliverTransactions([("2000000123456789", ""), ("2000000123456790", "")], night: 0)
        let credit = "\(mark("credit")),,2000000123456790,\(account),credit,desk,\(desk.noon(0))"
        try desk.deliver("credits", [credit], night: 0)
        let receipt = "\(mark("receipt")),\(desk.noon(0)),\(account),\(order),2000000123456789,0,\(mark("device"))"
        try desk.deliver("receipts", [receipt], night: 0)
        try desk.night(0)
        for query in ["2000000123456789", "2000000123456790", order.replacing("+", with: "%2B")] {
            let page = try desk.web("id=" + query, by: mark("user"))
            #expect(page.contains("&lt;b title='account'"), "\(query)")
            #expect(!page.contains("<b ") && page.contains("Signed in as &lt;b title='user'"))
        }
    }

    @Test func thePageNamesTheFilesThatTheLastNightLacked() throws {
        let desk = try DeskFolder()
        try desk.deliver("orders", night: 0)
        try desk.deliver("credits", night: 0)
        try desk.night(0)
        #expect(try !desk.web(nil, by: "li").contains("Missing files"))
        try desk.deliver("orders", night: 1)
        try desk.night(1)
        #expect(try desk.web(nil, by: "li").contains("Missing files: credits 2025-11-02."))
        #expect(try desk.web(nil, by: "li", ["QUERY_STRING": "lang=zh-Hans"]).contains("2025-11-02"))
    }

    @Test func aRequestThatIsNotThePagesFormIsRefused() throws {
        let site = try Site()
        let refusals: [(body: String, changes: [String: String], status: String)] = [
            ("id=1000001", ["CONTENT_LENGTH": "1048576"], "413 "), ("id=1000001", ["CONTENT_LENGTH": "11"], "400 "),
            ("id=1000001", ["CONTENT_TYPE": "text/plain"], "415 "), ("id=1000001", ["REQUEST_METHOD": "PUT"], "405 "),
            ("id=1000001", ["HTTP_ORIGIN": "https://evil.example"], "403 "),
        ]
        for (body, changes, status) in refusals {
            #expect(try site.ask(body, changes).output.hasPrefix("Status: " + status))
        }
        #expect(try site.record().isEmpty)
    }

    @Test func aFailureIsAPageAndALineForTheServersLog() throws {
        let site = try Site()
        _ = try Program.shell("rm night/ledger.sqlite*", in: site.folder.path)
        let ended = try site.ask("id=2000000870000128")
        #expect(ended.code == 0 && ended.output.hasPrefix("Status: 503 "))
        #expect(ended.output.contains("Give this message to the administrator:") && ended.errors.contains("error:"))
    }

    /// The reader of the page is an agent: no path, and nothing in another language.
    @Test(arguments: [
        "rm ledger.sqlite*", "truncate -s 20000 ledger.sqlite", "printf x | dd of=ledger.sqlite bs=1 conv=notrunc",
    ])
    func aBrokenLedgerIsToldInThePagesLanguageWithoutPaths(_ damage: String) throws {
        let desk = try DeskFolder.lostOrder()
        try desk.folder.write("", to: "ledger.sqlite-wal")
        _ = try Program.shell("rm -f ledger.sqlite-*; \(damage)", in: desk.folder.path)
        for (language, words) in [("zh-CN", "查询暂时不可用。"), ("en", "The look-up does not work at present.")] {
            let page = try desk.web("id=2000000123456789", by: "li", ["HTTP_ACCEPT_LANGUAGE": language])
            #expect(page.hasPrefix("Status: 503 ") && page.contains(words), "\(page)")
            #expect(!page.contains(desk.folder.path) && !page.contains("ledger.sqlite"))
            let said = try #require(page.firstMatch(of: /role="alert"><p>(.*)<\/p>/)).output.1
            if language == "zh-CN" { #expect(said.matches(of: /[A-Za-z]+/).isEmpty, "\(said)") }
            #expect(try desk.folder.read("complained").contains("ledger.sqlite") || !damage.hasPrefix("rm"))
        }
    }

    /// 50 accounts with 25 lost orders each: some MB, and in this build some seconds.
    @Test func aQuestionThatMeetsALimitIsToldWhichOne() throws {
        let limits = [
            ("seconds: 60, outputMB: 1", "The answer is larger than 1 MB"),
            ("seconds: 1, outputMB: 64", "takes more than 1 s of processor time"),
            ("seconds: 60, memoryMB: 16, outputMB: 64", "needs more than 16 MB of memory"),
        ]
        let desk = try DeskFolder()
        // The answer shows a purchase once, so the accounts have to differ.
        let accounts = (10..<60).map { "acct-00\($0)" }
        let token = { (account: String) in "0f8fad5b-d9cb-469f-a165-0000000000" + account.suffix(2) }
        let orders = accounts.flatMap { account in
            (10..<35).map {
                "O1\($0)\(account),\(account),coins,1,6.00,CNY,\(token(account)),,failed,\(desk.noon(0)),"
            }
        }
        try desk.deliver("orders", orders, night: 0)
        try desk.deliver("credits", night: 0)
        try desk.deliverTransactions(
            accounts.flatMap { account in
                (10..<35).map { ("3000\(account.suffix(2))\($0)", #","appAccountToken":"\#(token(account))""#) }
            }, night: 0)
        try desk.night(0)
        let body = "id=" + accounts.joined(separator: "+")
        for (limit, words) in limits {
            try desk.configure(settings: "desk: { limits: { \(limit) } },")
            let ended = try Program.shell(
                "printf '%s' '\(body)' | $R desk --config reconcile.json", in: desk.folder.path,
                [
                    "REQUEST_METHOD": "POST", "CONTENT_LENGTH": String(body.utf8.count), "REMOTE_USER": "li",
                    "CONTENT_TYPE": "application/x-www-form-urlencoded", "GATEWAY_INTERFACE": "CGI/1.1",
                ])
            #expect(ended.code == 0 && ended.output.hasPrefix("Status: 503 "), "\(ended.output.prefix(200))")
            #expect(ended.output.contains(words) && ended.errors.contains(words), "\(ended.errors)")
        }
    }

    @Test func anAnswerThatCannotBeRecordedIsNotShown() throws {
        let site = try Site()
        let lost = try lostOrder(site)
        try site.folder.write("", to: "night/desk")
        let ended = try site.ask("id=" + lost.transaction)
        #expect(ended.output.hasPrefix("Status: 503 ") && !ended.output.contains(lost.account))
    }

    @Test func aPersonAtAShellIsToldWhatToUse() throws {
        let ended = try Program.shell("$R desk")
        #expect(ended.code == 64 && ended.errors.contains("use 'reconcile lookup'"))
    }

    /// The first link leads to the answer, the title says what it is, and there is one heading of the first level.
    @Test func whoHearsThePageFindsTheAnswer() throws {
        let (desk, id) = (try DeskFolder.lostOrder(), "2000000123456789")
        try desk.configure(settings: #"desk: { mayWork: ["li"], mayGive: ["li"] },"#)
        let (skip, target) = ("<a class=\"skip\" href=\"#content\">", " id=\"content\" tabindex=\"-1\">")
        let answer = try desk.web("id=" + id, by: "li")
        #expect(answer.contains("<title>\(id) – YES – Order look-up</title>"), "\(answer)")
        #expect(answer.contains("<main>\n" + skip) && answer.contains("<div" + target))
        let several = try desk.web("id=\(id)+9999999999", by: "li")
        #expect(several.contains("<title>\(id), 9999999999 – Order look-up</title>"), "\(several)")
        let start = try desk.web(nil, by: "li")
        #expect(start.contains("<title>Order look-up</title>") && start.contains("<h1" + target), "\(start)")
        let queue = try desk.web(nil, by: "li", ["QUERY_STRING": "queue", "HTTP_ACCEPT_LANGUAGE": "en"])
        #expect(queue.contains("<td data-title=\"Purchase\"" + target), "\(queue)")
        #expect(queue.contains("<th scope=\"col\">"))
        for page in [answer, several, start, queue] {
            #expect(page.contains(skip) && page.ranges(of: "<h1").count == 1 && page.ranges(of: target).count == 1)
            #expect(!page.contains("<th>") && !page.contains("<th class"))
        }
    }

    @Test func allLinesOfACommentLookAlike() throws {
        let (desk, id) = (try DeskFolder.lostOrder(), "2000000123456789")
        try desk.configure(settings: #"desk: { mayWork: ["li"] },"#)
        let key = (try desk.subjects(id)[0]["exception"] as? [String: Any])?["id"] as? String ?? ""
        let page = try desk.web("id=\(id)&exception=\(key)&work=comment&comment=first%0Asecond", by: "li")
        #expect(page.contains("<dd>li: first<span class=\"line\">second</span>"), "\(page)")
    }
}
