import Domain
import Foundation
import Testing

@testable import Ledger
@testable import Reconcile

@Suite struct LookupAnswerTests {
    @Test func everyKindOfIdentifierFindsThePurchase() throws {
        let desk = try DeskFolder.lostOrder()
        let subject = try desk.subjects("2000000123456789")[0]
        let receipt = try #require((subject["receipt_ids"] as? [String])?.first)
        let exception = try #require((subject["exception"] as? [String: Any])?["id"] as? String)
        for identifier in [
            "2000000123456789", "2000000123450000", "ORD1000000042", "acct-lost-7", receipt, exception,
            "700000000000123", "1d625e20-8e90-4318-1cf0-bfcf6828c345", "1D625E20-8E90-4318-1CF0-BFCF6828C345",
        ] {
            #expect(try desk.rulings(identifier) == ["paid_not_credited/receipt_unverified"], "\(identifier)")
        }
        #expect(try desk.run(["lookup", "ORD1000000042"]).code == 0)
        #expect(try desk.run(["lookup", "ORD1000000042", "ORD1000000099"]).code == 1)
    }

    @Test func theAnswerHasTheShapeThatIsPromised() throws {
        let desk = try DeskFolder.lostOrder()
        let answer = try desk.look("ORD1000000042")
        #expect(answer["identifier"] as? String == "ORD1000000042" && answer["found"] as? Bool == true)
        #expect(answer["covers"] as? [String: String] == ["from": "2025-11-01", "to": "2025-11-01"])
        #expect(answer["known_up_to"] as? String == "2025-11-01T16:00:00Z")
        let subject = try desk.subjects("ORD1000000042")[0]
        for (name, value) in [
            "verdict": "paid_not_credited", "cause": "receipt_unverified", "product_id": "coins", "currency": "CNY",
            "amount": "6.00",
        ] { #expect(subject[name] as? String == value, "\(name)") }
        #expect(subject["quantity"] as? Int == 1)
        for (name, values) in [
            "transaction_ids": ["2000000123456789"], "order_ids": ["ORD1000000042"], "account_ids": ["acct-lost-7"],
            "credit_ids": [], "flags": [],
        ] { #expect(subject[name] as? [String] == values, "\(name)") }
        #expect((subject["advice"] as? String)?.isEmpty == false)
        let exception = try #require(subject["exception"] as? [String: Any])
        #expect(exception["state"] as? String == "new" && exception["first_seen"] as? String == "2025-11-01")
        #expect((exception["history"] as? [[String: Any]])?.count == 1)
        let timeline = try #require(subject["timeline"] as? [[String: Any]])
        #expect(timeline.map { $0["kind"] as? String } == ["order", "receipt", "transaction"])
        #expect(timeline[0]["source"] as? String == "inbox/orders-2025-11-01.csv" && timeline[0]["line"] as? Int == 2)
        #expect(timeline[0]["at"] as? String == "2025-11-01T04:00:00Z")
        let both = try desk.run(["lookup", "--json", "ORD1000000042", "nobody"])
        let object = try JSONSerialization.jsonObject(with: Data(both.output.utf8)) as? [String: Any]
        let list = object?["answers"] as? [[String: Any]]
        #expect(list?.map { $0["found"] as? Bool } == [true, false])
    }

    @Test(
        arguments: [
            "2000000123456780", "2000000132456789", "200000012345678", "20000001234567899", "ORD1000000052",
            "20000001234", "ORD10",
        ])
    func aMistypedIdIsAnsweredWithNearIdsAlone(typed: String) throws {
        let desk = try DeskFolder.lostOrder()
        let ended = try desk.run(["lookup", typed])
        #expect(ended.code == 1)
        #expect(ended.output.contains("2000000123456789") || ended.output.contains("ORD1000000042"))
        #expect(!ended.output.contains("acct") && !ended.output.contains("6.00"))
        #expect(ended.output.contains("Records cover 2025-11-01; nothing after 2025-11-02"))
        let near = try desk.look(typed)["near"] as? [[String: String]] ?? []
        #expect(near.contains { ["2000000123456789", "ORD1000000042"].contains($0["id"]) }, "\(near)")
    }

    /// Other customers' ids look like it.
    @Test func anIdThatOnlyARejectedRowNamesIsAnsweredWithTheRow() throws {
        let desk = try DeskFolder.lostOrder(settings: "maxRejectedShare: 1,")
        let (order, payment, row) = ("ORD1000000043", "2000000123450099", "inbox/orders-2025-11-02.csv:2")
        try desk.deliver(
            "orders", ["\(order),acct-9,coins,1,6.00,CNY,,\(payment),REFUND,\(desk.noon(1)),"], night: 1)
        try desk.deliverTransactions([(payment, "")], night: 1)
        try desk.nights(1...2)
        let answer = try desk.look(order)
        #expect(answer["route"] as? String == "row_rejected" && (answer["near"] as? [Any])?.isEmpty == true)
        let next = try #require(answer["next_step"] as? String)
        #expect(
            next.contains("The row of \(order) was rejected")
                && next.contains("(\(row): the value “REFUND” is not known, column status)"), "\(next)")
        func shown(_ text: String, _ options: String...) throws -> String {
            try desk.run(["lookup", text] + options, variables: ["COLUMNS": "900"]).output
        }
        #expect(try shown("ord 1000-000043").contains(row) && !shown("ORD1000000044").contains(row))
        #expect(try shown(order, "--mask").contains(row) && !shown(order, "--mask").contains("“REFUND”"))
        let beside = try shown("account acct-lost-7, order \(order) never came")
        #expect(beside.contains(row) && beside.contains("Paid not credited"), "\(beside)")
        let advice = try #require(desk.subjects(payment)[0]["advice"] as? String)
        #expect(advice.contains(row) && advice.hasSuffix("Look again tomorrow."), "\(advice)")
    }

    /// A row is rejected for a reason in English; the answer has words of its own language for each.
    @Test func aReasonHasWordsInTheLanguageOfTheAnswer() throws {
        let desk = try DeskFolder.lostOrder(settings: "maxRejectedShare: 1,")
        let noon = desk.noon(1)
        try desk.deliver(
            "orders",
            [
                "ORD1000000050,acct-9,coins,1,六十八,CNY,,2000000123450050,paid,\(noon),",
                "ORD1000000051,acct-9,coins,1,6.00,CNY,,2000000123450051,paid,2025-13-26,",
                "ORD1000000052,acct-9,coins,1,6.00,CNY,,2000000123450052,paid,2035-11-02T12:00:00+08:00,",
                "ORD1000000053,acct-9,coins,一,6.00,CNY,,2000000123450053,paid,\(noon),",
                "ORD1000000054,acct-9,coins,1,6.00,RMBX,,2000000123450054,paid,\(noon),",
                "ORD1000000055,,coins,1,6.00,CNY,,2000000123450055,paid,\(noon),",
                "ORD1000000056,acct-9,coins,1,6.00,CNY,,2000000123450056,付讫,\(noon),",
            ], night: 1)
        try desk.folder.write(
            #"{"transactionId":"2000000123450057","productId":"coins","purchaseDate":"soon","price":6000}"# + "\n"
                + #"{"transactionId":"2000000123450058","purchaseDate":}"# + "\n",
            to: "inbox/transactions-\(desk.date(1)).jsonl")
        try desk.nights(1...1)
        for (end, chinese, english) in [
            (50, "金额“六十八”无法识别，amount 列", "the amount “六十八” cannot be read, column amount"),
            (51, "时间“2025-13-26”无法识别，created_at 列", "the time “2025-13-26” cannot be read, column created_at"),
            (52, "时间晚于当前时间，created_at 列", "its time lies in the future, column created_at"),
            (53, "数量“一”无法识别，quantity 列", "the quantity “一” cannot be read, column quantity"),
            (54, "币种“RMBX”无法识别，currency 列", "the currency “RMBX” is not known, column currency"),
            (55, "缺少必填内容，account_id 列", "a value is missing, column account_id"),
            (56, "取值“付讫”无法识别，status 列", "the value “付讫” is not known, column status"),
            (57, "时间无法识别，purchaseDate 列", "the time cannot be read, column purchaseDate"),
            (58, "该行格式有误", "the row cannot be read"),
        ] {
            for (language, words) in [("zh-Hans", chinese), ("en", english)] {
                let answer = try desk.look("20000001234500\(end)", "--lang", language)
                let next = try #require(answer["next_step"] as? String, "\(end)")
                #expect(next.contains(words + (language == "en" ? "). " : "）。")), "\(next)")
            }
        }
    }

    /// The row has nothing but the token of the order's account, or an id that only a receipt names.
    @Test func aRejectedRowIsNamedBesideWhatMayLackIt() throws {
        let desk = try DeskFolder(settings: "maxRejectedShare: 1,")
        let token = "1d625e20-8e90-4318-1cf0-bfcf6828c345"
        let (payment, other, row) = ("2000000123450043", "2000000123450045", "inbox/transactions-2025-11-01.jsonl:")
        try desk.deliver("orders", ["ORD43,u8800043,coins,1,6.00,CNY,\(token),,pending,\(desk.noon(0)),"], night: 0)
        try desk.deliver("receipts", ["R45,\(desk.noon(0)),acct-45,,\(other),0,"], night: 0)
        let rejected = [
            #"{"transactionId":"\#(payment)","productId":"coins","purchaseDate":"soon","appAccountToken":"\#(token)"}"#,
            #"{"transactionId":"\#(other)","productId":"coins","purchaseDate":"soon"}"#,
        ]
        let path = "inbox/transactions-\(desk.date(0)).jsonl"
        try desk.folder.write(rejected.map { $0 + "\n" }.joined(), to: path)
        try desk.nights(0...0)
        func shown(_ text: String, _ options: String...) throws -> String {
            try desk.run(["lookup", text] + options, variables: ["COLUMNS": "900"]).output
        }
        for (text, line) in [("ORD43", 1), ("u8800043", 1), (other, 2), ("R45", 2)] {
            let (english, chinese) = (try shown(text), try shown(text, "--lang", "zh-Hans"))
            #expect(english.contains("A row that may be about") && english.contains(row + "\(line)"), "\(english)")
            #expect(english.contains("Have the backend team correct the row named above"), "\(english)")
            #expect(english.contains("We are checking what you sent us") && !english.contains("No payment of this"))
            #expect(chinese.contains("：时间无法识别，purchaseDate 列）") && chinese.contains("请后端更正上述一行"), "\(chinese)")
        }
        // The row may be the payment that the message tells of.
        let paid = try shown("u8800043 was charged 98, nothing came")
        #expect(paid.contains("Apart from the row named above, no payment fits this."), "\(paid)")
        #expect(!paid.contains("purchases on Android"), "\(paid)")
        // A later file corrected it.
        try desk.deliverTransactions([(payment, #","appAccountToken":"\#(token)""#)], night: 1)
        try desk.nights(1...1)
        #expect(try !shown("ORD43").contains("A row that may be about"))
    }

    @Test func anIdThatIsOnlyAnotherPaymentsOriginalIsCalledThat() throws {
        let desk = try DeskFolder.lostOrder()
        let other = "2000000123450000 itself is not on record. It is the original transaction of 2000000123456789."
        let said = try desk.run(["lookup", "2000000123450000"], variables: ["COLUMNS": "900"]).output
        #expect(said.contains(other), "\(said)")
        #expect(try !desk.run(["lookup", "2000000123456789"]).output.contains("itself is not on record"))
    }

    /// Apple's flag never came, and the two periods are cases of their own.
    @Test func aReplacedPlanNamesTheNewOne() throws {
        let desk = try DeskFolder()
        let (old, new) = (DeskFolder.sold(1), DeskFolder.sold(2))
        let chain = #","originalTransactionId":"\#(old)","type":"Auto-Renewable Subscription","expiresDate":"#
        try desk.deliver("orders", ["ORD91,acct-1,coins,1,6.00,CNY,,\(old),paid,\(desk.noon(0)),"], night: 0)
        try desk.deliverTransactions([(old, chain + "1764561600000")], night: 0)
        try desk.deliverTransactions([(new, chain + "1793505600000")], night: 1)
        let file = "inbox/transactions-\(desk.date(1)).jsonl"
        try desk.folder.write(desk.folder.read(file).replacing(#""coins""#, with: #""gold""#), to: file)
        try desk.deliver("credits", ["CR2,,\(new),acct-1,credit,auto,\(desk.noon(1))"], night: 1)
        try desk.nights(0...2)
        let subject = try #require(desk.subjects(old).first { $0["transaction_ids"] as? [String] == [old] })
        #expect(subject["safe_reason"] as? String == "refund_reported")
        #expect((subject["customer"] as? String)?.contains("upgraded to gold") == true, "\(subject)")
    }

    @Test func aCaseUnderTheSameHashIsNotAnswered() throws {
        let desk = try DeskFolder.lostOrder()
        let ledger = try Ledger(path: desk.folder.path + "/ledger.sqlite")
        var reader = IdentifierReader()
        let hash = reader.key(.order, "ORD-of-somebody-else")
        try ledger.begin()
        try ledger.writeSegment(SegmentBlock.blocks(of: [CaseKey(key: hash, caseID: 1)]))
        try ledger.commit()
        #expect(try ledger.cases(knowing: ["ORD-of-somebody-else"]).count == 1)
        #expect(try desk.rulings("ORD-of-somebody-else").isEmpty)
    }

    @Test func anAccountsNewestFiftyPurchasesAreShown() throws {
        let desk = try DeskFolder()
        try desk.deliver("credits", night: 0)
        try desk.deliver("credits", night: 1)
        let orders = { (numbers: ClosedRange<Int>, night: Int) in
            numbers.map {
                "ORD\($0),busy,coins,1,6.00,CNY,,\(3_000_000_000_000_000 + $0),paid,\(desk.noon(night)),"
            }
        }
        let transactions = { (numbers: ClosedRange<Int>) in numbers.map { ("\(3_000_000_000_000_000 + $0)", "") } }
        try desk.deliver("orders", orders(1...30, 1), night: 1)
        try desk.deliverTransactions(transactions(1...30), night: 1)
        try desk.deliver("orders", orders(31...65, 0), night: 0)
        try desk.deliverTransactions(transactions(31...65), night: 0)
        try desk.night(0)
        try desk.night(1)
        let answer = try desk.look("busy")
        let subjects = try desk.subjects("busy")
        #expect(subjects.count == 50 && answer["more_subjects"] as? Int == 15)
        let newest = Set(subjects.prefix(30).compactMap { ($0["order_ids"] as? [String])?.first })
        #expect(newest == Set((1...30).map { "ORD\($0)" }))
        #expect(try desk.run(["lookup", "busy"]).output.contains("15 more purchases"))
    }

    @Test func whatTheDeskGaveAndTheSystemGaveAgainIsFoundTheNextNight() throws {
        let desk = try DeskFolder.lostOrder()
        #expect(try desk.safety("ORD1000000042") == "safe")
        let credit = { (id: String, origin: String, night: Int) in
            "\(id),ORD1000000042,2000000123456789,acct-lost-7,credit,\(origin),\(desk.noon(night))"
        }
        try desk.deliver("credits", [credit("CR1", "desk", 1)], night: 1)
        try desk.night(1)
        #expect(try desk.rulings("2000000123456789") == ["matched/"])
        #expect(try desk.safety("CR1") == "verdict")
        try desk.deliver("credits", [credit("CR2", "auto", 2)], night: 2)
        try desk.night(2)
        #expect(try desk.rulings("acct-lost-7") == ["credited_twice/desk_and_auto"])
        let history = (try desk.subjects("CR2")[0]["exception"] as? [String: Any])?["history"] as? [[String: Any]]
        #expect(history?.map { $0["state"] as? String } == ["new", "resolved", "reopened"])
    }

    @Test func copiesThatNoLongerCountStayOnTheTimeline() throws {
        let desk = try DeskFolder()
        try desk.deliver("credits", night: 0)
        try desk.deliver("orders", ["O77001,a,coins,1,6.00,CNY,,,created,\(desk.noon(0)),"], night: 0)
        try desk.night(0)
        try desk.deliver("credits", night: 1)
        try desk.deliver("orders", ["O77001,a,coins,1,6.00,CNY,,,paid,\(desk.noon(0)),\(desk.noon(1))"], night: 1)
        try desk.night(1)
        let timeline = try desk.subjects("O77001")[0]["timeline"] as? [[String: Any]] ?? []
        #expect(
            timeline.map { "\($0["source"]!):\($0["line"]!)" } == [
                "inbox/orders-2025-11-01.csv:2", "inbox/orders-2025-11-02.csv:2", "inbox/orders-2025-11-02.csv:2",
            ])
    }

    @Test func withoutALedgerThereIsNothingToAsk() throws {
        let desk = try DeskFolder()
        let ended = try desk.run(["lookup", "ORD1"])
        #expect(ended.code == 66 && ended.errors.contains("reconcile nightly"))
    }
}
