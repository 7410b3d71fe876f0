import Domain
import Testing

/// Messages with an id that is not on record, and messages about days before the first file's.
@Suite struct LookupUnrecordedTests {
    private func shown(_ desk: DeskFolder, _ text: String, _ language: String = "en") throws -> String {
        try desk.run(["lookup", text, "--lang", language], variables: ["COLUMNS": "900"]).output
    }

    private func shop(settings: String = "") throws -> DeskFolder {
        let desk = try DeskFolder(settings: settings)
        try desk.sell(1..<5, credited: 1..<4, night: 0)
        try desk.nights(0...1)
        return desk
    }

    @Test func anUnknownIdIsNamedBesideAKnownOne() throws {
        let desk = try shop()
        let (known, unknown) = (DeskFolder.sold(1), "2000000400000999")
        for text in [
            "\(known)到了，\(unknown)没到", "\(known)和\(unknown)都没到", "\(unknown) did not arrive, \(known) did",
            "订单1：\(known)\n订单2：\(unknown)\n第二个没到", "\(known) MVKX4L7Q2P 没到", "账号acct1 订单\(unknown)没到",
        ] {
            let id = text.contains("MVK") ? "MVKX4L7Q2P" : unknown
            #expect(try desk.look(text)["unknown_ids"] as? [String] == [id], "\(text)")
            let page = try shown(desk, text)
            #expect(page.contains("Not on record, but in the message: \(id)."), "\(page)")
            #expect(page.contains("We are checking what you sent us"), "\(page)")
            #expect(!page.contains("purchase is complete"), "\(page)")
        }
        #expect(try shown(desk, "\(known)到了，\(unknown)没到", "zh-Hans").contains("留言中的 \(unknown) 未查到"))
        // A YES stays.
        let lost = try desk.look("\(DeskFolder.sold(4)) \(unknown) 都没到")
        let subject = try #require((lost["subjects"] as? [[String: Any]])?.first)
        #expect(subject["safe_to_compensate"] as? Bool == true && lost["unknown_ids"] as? [String] == [unknown])
    }

    @Test(arguments: [
        "没到", "手机13812345678", "13812345678", "2025-11-01T1530", "20251101153000", "01-11-2025",
        "设备ID：A1B2C3D4E5F60718", "工单 20261127000123", "ORD91", "2000000400\n000001",
    ])
    func whatIsNoIdOrIsOnRecordIsNotNamed(words: String) throws {
        let desk = try DeskFolder.copy(of: "unrecorded") { try shop() }
        let answer = try desk.look("\(DeskFolder.sold(1)) 书币 \(words)")
        #expect(answer["unknown_ids"] as? [String] == [], "\(answer)")
        #expect(try shown(desk, "\(DeskFolder.sold(1)) 书币 \(words)").contains("purchase is complete"))
    }

    /// What looks like the shop's accounts is named above the list, whatever else the message says.
    @Test(arguments: [("204410", "299999", "6元没到"), ("13000110001", "1300 011 0052", "充了6元没到"), ("p20", "p29", "6元没到")])
    func anUnknownAccountIsNamedAboveAList(account: String, unknown: String, words: String) throws {
        let desk = try DeskFolder()
        try desk.deliver(
            "orders", ["ORD1,\(account),coins,1,6.00,CNY,,\(DeskFolder.sold(1)),paid,\(desk.noon(0)),"], night: 0)
        try desk.deliverTransactions([(DeskFolder.sold(1), "")], night: 0)
        try desk.nights(0...0)
        let page = try shown(desk, unknown + " " + words)
        let line = "No record of \(unknown.filter { $0 != " " })"
        #expect(page.contains(line) == (account != "p20") && page.contains(DeskFolder.sold(1)), "\(page)")
        for text in ["工单\(unknown) " + words, words, "20251101 " + words] {
            #expect(try !shown(desk, text).contains("No record of 2"), "\(text)")
        }
        #expect(try !shown(desk, "\(account) " + words).contains("No record of"))
    }

    /// It may be an account, a time or a code.
    @Test(arguments: ["251126", "261125", "112526"])
    func sixDigitsThatMayBeADateAreToldAsUnread(date: String) throws {
        let desk = try DeskFolder.copy(of: "unrecorded") { try shop() }
        let line = "\(date) was not read as a date"
        for text in ["\(DeskFolder.sold(1)) \(date) 没到", "\(date)充的6元没到", "acct4 \(date) 6元没到"] {
            #expect(try shown(desk, text).contains(line), "\(text)")
        }
        for text in [date, "\(DeskFolder.sold(1)) 204410没到", "\(DeskFolder.sold(1)) 6元没到", "ORD\(date) 6元"] {
            #expect(try !shown(desk, text).contains("was not read as a date"), "\(text)")
        }
    }

    /// The first file brought the rows of a month.
    @Test func theRecordsBeginWithTheirHistory() throws {
        let desk = try shop(settings: #"historyFrom: "2025-10-10","#)
        let line = "are not in these records"
        #expect(try shown(desk, "99999999991").contains("Purchases before 2025-10-10 " + line))
        #expect(try shown(desk, "10月5日充的777没到 acct1").contains("Purchases before 2025-10-10 " + line))
        for text in ["10月20日充的777没到 acct1", "10月20日充的777没到", "11月1日充的777没到", "5分钟前充了6元没到 acct1"] {
            #expect(try !shown(desk, text).contains(line), "\(text)")
        }
    }
}
