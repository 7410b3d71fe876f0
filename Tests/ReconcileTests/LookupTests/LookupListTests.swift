import Foundation
internal import Reference
import Testing

/// A row of a list, or of the queue, and the answer that it opens never contradict each other.
@Suite struct LookupListTests {
    /// A customer who was charged twice for what was delivered twice reads that it was two purchases.
    @Test func twoPurchasesOfTheSameGoodsAreNamedAsSuch() throws {
        let desk = try DeskFolder()
        let ids = ["2000000123456781", "2000000123456782"]
        try desk.deliver(
            "orders", ids.map { "O\($0),a1,coins,1,6.00,CNY,,\($0),credited,\(desk.noon(0))," }, night: 0)
        try desk.deliver("credits", ids.map { "C\($0),O\($0),\($0),a1,credit,auto,\(desk.noon(0))" }, night: 0)
        try desk.deliverTransactions(ids.map { ($0, "") }, night: 0)
        try desk.night(0)
        let said = "You charged me twice! \(ids[0]) \(ids[1])"
        let shown = try desk.run(["lookup", said], variables: ["COLUMNS": "600"]).output
        #expect(shown.contains("Two purchases of the same goods, 1 minute apart: \(ids[0]) and \(ids[1])."), "\(shown)")
        #expect(try !desk.run(["lookup", ids[0]]).output.contains("Two purchases"))
    }

    /// The app was killed, so the order has no transaction; the goods were given by the transaction alone.
    @Test func anOrderAndADeliveredPaymentPointToEachOther() throws {
        let desk = try DeskFolder()
        let transaction = "2000000123456789"
        try desk.deliver(
            "orders", ["ORD1000000042,acct-7,coins,1,6.00,CNY,,,paid,\(desk.date(0))T11:59:40+08:00,"], night: 0)
        try desk.deliverTransactions([(transaction, "")], night: 0)
        try desk.deliver("receipts", ["R1,\(desk.noon(0)),acct-7,,\(transaction),0,"], night: 0)
        try desk.deliver("credits", ["CR1,,\(transaction),acct-7,credit,desk,\(desk.noon(0))"], night: 0)
        try desk.nights(0...8)
        let step =
            "Ask the backend team whether order ORD1000000042 belongs to \(transaction). If so, have them write "
            + "\(transaction) as the transaction of the order: the next night then closes the exceptions. "
            + "The customer has the goods: nothing is given or taken back."
        for (id, verdict) in [(transaction, "order_missing"), ("ORD1000000042", "order_unverified")] {
            #expect(try desk.rulings(id).contains { $0.hasPrefix(verdict) }, "\(id)")
            let shown = try desk.run(["lookup", id], variables: ["COLUMNS": "900"]).output
            #expect(shown.contains(step) && !shown.contains("Find the transaction at Apple"), "\(shown)")
            #expect(shown.contains("one may belong to it") == (id != transaction), "\(shown)")
            let chinese = try desk.run(["lookup", id, "--lang", "zh-Hans"], variables: ["COLUMNS": "900"]).output
            #expect(chinese.contains("请在该订单上补写苹果交易号 \(transaction)"), "\(chinese)")
        }
        let shown = try desk.run(["lookup", transaction], variables: ["COLUMNS": "900"]).output
        #expect(shown.contains("Paid and credited; no order names the payment"), "\(shown)")
    }

    /// A customer who buys the same small thing all day has not been charged twice.
    @Test func ofManyPurchasesTwoAreNamedOnlyToWhomTheyExplainACharge() throws {
        let desk = try DeskFolder()
        let ids = (1...5).map { "200000012345678\($0)" }
        try desk.deliver(
            "orders", ids.map { "O\($0),acct77,coins,1,6.00,CNY,,\($0),credited,\(desk.noon(0))," }, night: 0)
        try desk.deliver("credits", ids.map { "C\($0),O\($0),\($0),acct77,credit,auto,\(desk.noon(0))" }, night: 0)
        try desk.deliverTransactions(ids.map { ($0, "") }, night: 0)
        try desk.night(0)
        let said = { try desk.run(["lookup", $0], variables: ["COLUMNS": "600"]).output }
        #expect(
            try !said("acct77").contains("Two purchases")
                && !said("account acct77 nothing arrived").contains("Two purchases"))
        #expect(try said("account acct77 was charged twice").contains("1 minute apart: \(ids[3]) and \(ids[4])."))
    }

    private static let settings = #"desk: { maySearch: ["li"], mayWork: ["li"] },"#

    /// The parts of an answer: the title, and the word behind "Safe to compensate by hand".
    private func parts(_ page: String) -> [(title: String, word: String)] {
        // To whoever recorded the goods, the answer NO says what is left to do.
        page.matches(of: /<h3>([^<]*)<\/h3>\n?<p class="safe[^"]*">[^<]*: (YES|NOT NEEDED|NO|BY YOU)[^<–]* –/).map {
            (String($0.output.1), $0.output.2 == "BY YOU" ? "NO" : String($0.output.2))
        }
    }

    private func cells(_ page: String) -> [(id: String, cells: [String])] {
        page.matches(of: /(?s)<tr>(?:(?!<\/tr>).)*?name="id" value="([^"]+)".*?<\/tr>/).map { row in
            (String(row.output.1), row.output.0.matches(of: /<td[^>]*>([^<]*)<\/td>/).map { String($0.output.1) })
        }
    }

    /// Opens each row of the lists of all dates. Returns the words that the rows had.
    private func openLists(_ desk: DeskFolder, nights: ClosedRange<Int>, asker: String) throws -> [String] {
        let english: [String: String?] = ["HTTP_ACCEPT_LANGUAGE": "en"]
        var words: [String] = []
        for night in nights {
            let date = desk.date(night)
            let page = try desk.web("find=1&from=\(date)&to=\(date)&account=\(asker)", by: "li", english)
            #expect(!page.contains("YES"))
            for row in cells(page) {
                let (title, word) = (row.cells[row.cells.count - 2], row.cells[row.cells.count - 1])
                let opened = parts(try desk.web("id=\(row.id)&account=\(asker)", by: "li", english))
                let expected = word == "open it first" ? "YES" : word
                #expect(
                    opened.contains { $0.title == title && $0.word == expected },
                    "\(date) \(asker): \(row) opens \(opened)")
                words.append(word)
            }
        }
        return words
    }

    /// Opens each row of the queue. Returns the reasons that the rows had.
    private func openQueue(_ desk: DeskFolder) throws -> [String] {
        let english: [String: String?] = ["HTTP_ACCEPT_LANGUAGE": "en", "QUERY_STRING": "queue"]
        return try cells(desk.web(nil, by: "li", english)).map { row in
            let (word, title, reason) = (row.cells[0], row.cells[2], row.cells[6])
            let opened = parts(try desk.web("id=\(row.id)", by: "li", ["HTTP_ACCEPT_LANGUAGE": "en"]))
            // Who is to give the goods reads NO, as all others do, and beside it that it is their turn.
            let expected =
                ["open it first": "YES", "BY YOU: give the goods once": "NO"][word] ?? String(word.prefix { $0 != ":" })
            #expect(opened.contains { $0.title == title && $0.word == expected }, "\(row) opens \(opened)")
            // What waits for a check, for an owner or for a credit is not to be given now.
            if reason.contains("On hold") || reason.contains("Owner unknown") || reason.contains("Given") {
                #expect(opened.allSatisfy { $0.title != title || $0.word != "YES" }, "\(row) opens \(opened)")
            }
            return reason
        }
    }

    @Test(arguments: 1...Trials.count(4, long: 20))
    func ofRandomWorlds(seed: Int) throws {
        let desk = try LookupAgreementTests.world(seed: UInt64(seed))
        try desk.configure(settings: Self.settings)
        for asker in ["", "acct-1"] { _ = try openLists(desk, nights: 0...2, asker: asker) }
        #expect(try !openQueue(desk).isEmpty)
    }

    @Test func ofAShop() throws {
        let desk = try SearchShop(settings: Self.settings).desk
        #expect(try Set(openLists(desk, nights: 0...6, asker: "")) == ["open it first", "NO", "NOT NEEDED"])
        #expect(try openLists(desk, nights: 0...6, asker: "u3003") == ["open it first", "NO"])
        #expect(
            try openQueue(desk).sorted() == [
                "Needs a person", "Needs a person", "Needs a person", "Needs a person, Owner unknown",
            ])
        _ = try desk.run(["given", SearchShop.transaction("3950"), "--by", "li"])
        #expect(try !openLists(desk, nights: 5...5, asker: "").contains("open it first"))
    }

    @Test func ofHeldEntriesAndHandOuts() throws {
        let desk = try DeskFolder.lostOrder(retry: "{ maxEntries: 1 }")
        try desk.configure(retry: "{ maxEntries: 0 }", settings: Self.settings)
        try desk.nights(1...1)
        #expect(try openLists(desk, nights: 0...0, asker: "") == ["NO"])
        #expect(try openQueue(desk) == ["On hold"])
        // The line of the first night is still valid.
        #expect(try desk.run(["given", "2000000123456789", "--by", "li"]).code == 1)
        try desk.nights(2...2)
        #expect(try openQueue(desk) == ["Given, no credit"])
    }
}
