import Domain
import Foundation
import Testing

/// What an agent acts on says what and how many, whom to ask, and which purchase.
@Suite struct DeskWordsTests {
    private static let transaction = "2000000123456789"

    /// The order says one number, Apple another.
    private func lost(ordered: Int, paid: Int) throws -> DeskFolder {
        let desk = try DeskFolder(
            settings: #"desk: { mayGive: ["li", "wang"], mayWaive: ["li", "wang"], mayWork: ["li", "wang"], "#
                + #"twoPersons: ["waive"] },"#)
        try desk.deliver(
            "orders", ["ORD1,acct-1,coins,\(ordered),6.00,CNY,,\(Self.transaction),paid,\(desk.noon(0)),"], night: 0)
        try desk.deliverTransactions([(Self.transaction, "")], night: 0)
        let path = "inbox/transactions-\(desk.date(0)).jsonl"
        let rows = try desk.folder.read(path).replacing(#""quantity":1"#, with: #""quantity":\#(paid)"#)
        try desk.folder.write(rows, to: path)
        try desk.nights(0...0)
        return desk
    }

    private func page(_ desk: DeskFolder, _ form: String = "", by user: String = "li", _ language: String = "en") throws
        -> String
    {
        try desk.web("id=\(Self.transaction)" + form, by: user, ["HTTP_ACCEPT_LANGUAGE": language])
    }

    @Test func whatIsGivenHasItsNumber() throws {
        let desk = try lost(ordered: 3, paid: 3)
        let answer = try page(desk)
        #expect(answer.contains("Then give them once (coins × 3), to the account shown"), "\(answer)")
        #expect(answer.contains("give the goods once (coins × 3) when the page says"), "\(answer)")
        #expect(!answer.contains("The order says"))
        let queue = try desk.web(nil, by: "li", ["QUERY_STRING": "queue"])
        #expect(queue.contains(">coins × 3<"), "\(queue)")
        let recorded = try page(desk, "&given=" + Self.transaction)
        #expect(recorded.contains("Give them now, once (coins × 3);"), "\(recorded)")
        #expect(recorded.contains("BY YOU: give the goods once (coins × 3) – you recorded"), "\(recorded)")
        #expect(recorded.contains("You recorded this. Give the goods once (coins × 3)."))
        let chinese = try page(desk, "", by: "li", "zh-Hans")
        #expect(chinese.contains("由您补单一次（coins × 3）"), "\(chinese)")
    }

    @Test(arguments: [(1, 5), (5, 1), (1, 1)])
    func applesNumberCounts(ordered: Int, paid: Int) throws {
        let desk = try lost(ordered: ordered, paid: paid)
        let line = "The order says \(ordered) and Apple was paid for \(paid): Apple’s number counts."
        let answer = try page(desk)
        #expect(answer.contains(line) == (ordered != paid), "\(answer)")
        #expect(answer.contains("once (coins × \(paid))") == (paid > 1))
        let chinese = try page(desk, "", by: "li", "zh-Hans")
        #expect(chinese.contains("订单上的数量是 \(ordered)，苹果收款的数量是 \(paid)") == (ordered != paid), "\(chinese)")
    }

    @Test func nobodyIsToldToAskThemselves() throws {
        let desk = try lost(ordered: 1, paid: 1)
        _ = try page(desk, "&given=" + Self.transaction)
        desk.now = desk.now + .hours(1)
        _ = try page(desk, "&ungiven=\(Self.transaction)&reason=timeout")
        let own = try page(desk)
        #expect(own.contains("look into the account in the backend: the goods may have been given."), "\(own)")
        #expect(!own.contains("ask li"))
        #expect(try page(desk, "", by: "wang").contains("look into the account in the backend and ask li: the goods"))
        #expect(try page(desk, "", by: "li", "zh-Hans").contains("请先在后台查看该账号，确认没有补过单。"))
    }

    @Test func whoRecordedALateHandOutIsNotSentToAskThemselves() throws {
        let desk = try lost(ordered: 1, paid: 1)
        _ = try page(desk, "&given=" + Self.transaction)
        try desk.nights(1...2)
        let late = try page(desk)
        #expect(late.contains("if not, withdraw the record, and look again.") && !late.contains("ask li"), "\(late)")
        #expect(try page(desk, "", by: "wang").contains("ask li. If the goods were given"))
    }

    @Test func aRequestNamesThePurchase() throws {
        let desk = try lost(ordered: 1, paid: 1)
        let exception = try desk.subjects(Self.transaction)[0]["exception"] as? [String: Any]
        let key = try #require(exception?["id"] as? String)
        let waiver = "&decide=waive&key=" + key
        let asked = try page(desk, waiver + "&note=refund")
        #expect(
            asked.ranges(of: "li asks to waive the exception of \(Self.transaction), because: refund").count > 1,
            "\(asked)")
        #expect(!asked.contains("exception of \(key)"))
        let chinese = try page(desk, "", by: "wang", "zh-Hans")
        #expect(chinese.contains("li 申请豁免 \(Self.transaction) 的异常，理由：refund。"), "\(chinese)")
        desk.now = desk.now + .hours(1)
        let withdrawn = try page(desk, waiver + "&withdraw=1&reason=mistake")
        #expect(withdrawn.contains("Withdrawn: nothing is decided about \(Self.transaction)."), "\(withdrawn)")
    }
}
