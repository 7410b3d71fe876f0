import Domain
import Engine
import Foundation
import Testing

@testable import Ledger
@testable import Reconcile

/// docs/spec/rules.md#safe-to-compensate: everything that must turn the answer about a lost order into NO, each with
/// its own reason. Every world here has the lost order of `DeskFolder.lostOrder`, which is safe in night 0.
@Suite struct LookupReasonsTests {
    private static let transaction = "2000000123456789"

    /// The code of the reason. Also checks that both languages have a text for it.
    private func reason(_ desk: DeskFolder, _ id: String = transaction) throws -> String {
        var words = Set<String>()
        for (language, no) in [("en", "NO – "), ("zh-Hans", "不可以，")] {
            let subject = try #require((try desk.look(id, "--lang", language)["subjects"] as? [[String: Any]])?.first)
            let because = try #require(subject["safe_because"] as? String)
            let shown = try desk.run(["lookup", id, "--lang", language], variables: ["COLUMNS": "2000"]).output
            #expect(shown.contains(no + because) && !because.contains("{"), "\(shown)")
            words.insert(because)
        }
        #expect(words.count == 2)
        return try desk.safety(id)
    }

    @Test(arguments: [
        "ORD1000000042,2000000999999999", "ord1000000042,", "000ORD1000000042,", "\" ORD1000000042 \",2000000999999999",
        ",002000000123456789", ",\"2000000123456789 \"",
    ])
    func aCreditOfTheSameOrderOrTransactionInWhateverSpelling(_ ids: String) throws {
        // Goods of the own account are in doubt whatever they name.
        for account in ["acct-lost-7", "acct-other"].suffix(ids.hasPrefix("ORD") ? 2 : 1) {
            let desk = try DeskFolder.lostOrder()
            try desk.deliver("credits", ["CR1,\(ids),\(account),credit,auto,\(desk.noon(1))"], night: 1)
            try desk.nights(1...1)
            // If the reader trims the id, the credit belongs to the purchase.
            if try desk.rulings(Self.transaction)[0].hasPrefix("paid_not_credited") {
                #expect(try reason(desk) == "credit_on_record")
                #expect(try desk.run(["lookup", Self.transaction]).output.contains("CR1"))
            } else {
                #expect(ids.contains("\""))
            }
        }
    }

    @Test func anOrderThatSaysThatItWasCredited() throws {
        let desk = try DeskFolder.lostOrder()
        try desk.deliver(
            "orders",
            ["ORD1000000042,acct-lost-7,coins,1,6.00,CNY,,2000000123456789,credited,\(desk.noon(0)),\(desk.noon(1))"],
            night: 1)
        try desk.deliver(
            "credits", ["CR1,ORD1000000042,2000000999999999,acct-other,credit,auto,\(desk.noon(1))"], night: 1)
        try desk.nights(1...1)
        #expect(try desk.safety(Self.transaction) != "safe")
    }

    @Test func aCreditOfTheAccountThatBelongsToNoPayment() throws {
        let desk = try DeskFolder.lostOrder()
        try desk.deliver("credits", ["CR1,,2000000777777777,acct-lost-7,credit,desk,\(desk.noon(1))"], night: 1)
        try desk.nights(1...1)
        #expect(try reason(desk) == "credit_unplaced")
        // A credit of another account, or from before the purchase, does not matter.
        let other = try DeskFolder.lostOrder()
        try other.deliver("credits", ["CR1,,2000000777777777,acct-other,credit,desk,\(other.noon(1))"], night: 1)
        try other.nights(1...1)
        #expect(try other.safety(Self.transaction) == "safe")
    }

    @Test func whatTheSystemOnceSaidThatItGaveStaysSaid() throws {
        let desk = try DeskFolder.lostOrder(retry: "{ maxAttempts: 2 }")
        let key = try #require(try desk.manifestKeys().first)
        try desk.deliver("acks", ["\(key),applied,\(desk.noon(1)),"], night: 1)
        for night in 1...7 {
            try desk.nights(night...night)
            #expect(["retry_out", "retry_applied"].contains(try desk.safety(Self.transaction)), "night \(night)")
        }
        #expect(try reason(desk) == "retry_applied")
        #expect(try desk.folder.read("out/latest/dead-letter.jsonl").contains(key))
    }

    @Test func whatAPersonWaived() throws {
        for retry in ["{ enabled: false }", "{}"] {
            let desk = try DeskFolder.lostOrder(retry: retry)
            let exception = try #require(try desk.subjects(Self.transaction)[0]["exception"] as? [String: Any])
            let id = try #require(exception["id"] as? String)
            #expect(try desk.run(["waive", id, "--by", "Lin", "--note", "got a gift instead"]).code == 0)
            #expect(try reason(desk) == "waived")
            try desk.nights(1...3)
            #expect(try reason(desk) == "waived")
        }
    }

    @Test(arguments: ["orders", "transactions", "receipts"])
    func aDayThatNobodyCouldLookAt(_ feed: String) throws {
        let suffix = feed == "transactions" ? "jsonl" : "csv"
        let refused = try DeskFolder.lostOrder()
        try refused.folder.write("garbage\n", to: "inbox/\(feed)-\(refused.date(1)).\(suffix)")
        try refused.nights(1...3)
        #expect(try reason(refused) == "records_missing")
        #expect(try refused.run(["lookup", Self.transaction]).output.contains("2025-11-02"))

        let missing = try DeskFolder.lostOrder()
        try missing.configure(requires: ["credits", feed])
        try missing.deliver("credits", night: 1)
        try missing.night(1)
        #expect(try reason(missing) == "records_missing")
    }

    @Test(arguments: [
        ("CR9,ORD1000000042,,acct-lost-7,nonsense,auto,now", true),
        ("CR9,,02000000123456789,x,nonsense,auto,now", true),
        ("CR9,ord1000000042,,x,nonsense,auto,now", true), ("CR9,,,acct-lost-7,credit,auto,now", true),
        ("CR9,ORD1000000077,,x,nonsense,auto,now", false),
    ])
    func aRowOfTheCreditsThatCouldNotBeRead(_ row: String, isAboutIt: Bool) throws {
        for retry in ["{ enabled: false }", "{}"] {
            let desk = try DeskFolder.lostOrder(retry: retry, settings: "maxRejectedShare: 1,")
            try desk.deliver("credits", [row.replacing("now", with: desk.noon(1))], night: 1)
            try desk.nights(1...1)
            let isOut = try retry == "{}" && !desk.manifestKeys().isEmpty
            if retry == "{}" { #expect(isOut != isAboutIt, "\(row)") }
            try desk.nights(2...4)
            if retry == "{}", !isAboutIt { continue }
            #expect(try desk.safety(Self.transaction) == (isAboutIt ? "credit_rejected" : "safe"), "\(row), \(retry)")
            if isAboutIt {
                #expect(try reason(desk) == "credit_rejected")
                let shown = try desk.run(["lookup", Self.transaction], variables: ["COLUMNS": "300"]).output
                #expect(shown.contains("inbox/credits-2025-11-02.csv:2"))
            }
        }
    }

    /// The feeds put a W before the order numbers of the backend, which a rejected row has without it.
    @Test(arguments: [("1000000042", true), ("1000000043", false)])
    func aRejectedRowNamesTheOrderAsTheBackendDoes(_ named: String, isAboutIt: Bool) throws {
        let prefix = #", columns: { order_id: { from: "order_id", prefix: "W" } }"#
        for retry in ["{ enabled: false }", "{}"] {
            let desk = try DeskFolder(retry: retry, settings: "maxRejectedShare: 1,")
            let settings = try ["orders", "credits"].reduce(desk.folder.read("reconcile.json")) {
                $0.replacing($1 + #"-{date}.csv""#, with: $1 + #"-{date}.csv""# + prefix)
            }
            try desk.folder.write(settings, to: "reconcile.json")
            try desk.deliver(
                "orders", ["1000000042,acct-7,coins,1,6.00,CNY,,\(Self.transaction),paid,\(desk.noon(0)),"], night: 0)
            try desk.deliver("credits", ["CR9,\(named),,x,nonsense,auto,\(desk.noon(0))"], night: 0)
            try desk.deliverTransactions([(Self.transaction, "")], night: 0)
            try desk.night(0)
            if retry == "{}" { #expect(try desk.manifestKeys().isEmpty == isAboutIt) }
            if isAboutIt { #expect(try reason(desk) == "credit_rejected") }
            if retry != "{}", !isAboutIt { #expect(try desk.safety(Self.transaction) == "safe") }
        }
    }

    @Test func aRowThatCannotBeSearched() {
        let rows: [[UInt8]] = [[], Array(repeating: 65, count: 4096), [65, 0, 66], Array(#"{"a":"\u00"}"#.utf8)]
        let zone = Zone("UTC")!
        let date = BusinessDate("2025-11-02")!
        func place(
            _ row: [UInt8], _ ids: [String], owner: [String] = [], kind: FeedKind = .credits,
            since day: String = "2025-11-02"
        ) -> String? {
            let rejected = RejectedRow(kind: kind, date: date, source: "c.csv", line: 7, row: row)
            return RejectedRows([rejected], zone: zone).place(
                mentioning: ids, owner: owner, since: zone.start(of: BusinessDate(day)!))
        }
        for row in rows {
            #expect(place(row, []) == "c.csv:7")
            #expect(place(row, [], since: "2025-11-03") == nil)
            #expect(place(row, [], kind: .transactions) == nil)
        }
        // Anybody may have claimed anything in a row of receipts whose text was deleted.
        #expect(place([], [], kind: .receipts) == "c.csv:7" && place([65, 0, 66], [], kind: .receipts) == nil)
        let row = Array(#"{"order_id":"A:B","t":12}"#.utf8)
        #expect(place(row, ["a:b"]) == "c.csv:7" && place(row, ["0012"]) == "c.csv:7")
        #expect(place(row, ["", "000", "1"]) == nil && place(row, ["12"], since: "2025-11-03") == nil)
        // A spreadsheet rounded the account. It writes the decimal point of its language.
        for cell in ["8.80012E+11", "\"8,80012E+11\"", "8.80012e+11\r"] {
            let rounded = Array("C1,,2.00000E+15,\(cell)".utf8)
            for account in ["880012345678", "880011500000", "880012499999"] {
                #expect(place(rounded, ["2000000000000001"], owner: [account]) == "c.csv:7")
            }
            for account in ["880011499999", "880012500001", "88001234567", "a880012345678"] {
                #expect(place(rounded, ["2000000000000001"], owner: [account]) == nil)
            }
            #expect(place(rounded, [], owner: ["880012345678"], kind: .orders) == nil)
        }
        let others = [
            "0E+300", "8E+11", "x8.80012E+11", "8.80012E+11x", "88.0012E+10", "8.80012E+300", "9E+999", "9E+308",
        ]
        for cell in others {
            #expect(place(Array("C1,,,\(cell),coins".utf8), [], owner: ["880012345678"]) == nil, "\(cell)")
        }
        // It leaves out zeros at the end. The comma may stand between two cells.
        for (cell, account) in [
            ("9E+11", "880012345678"), ("8.8E+11", "880012345678"), ("8.80E+11", "880012345678"),
            ("1,8E+11", "800000345678"), ("1,8E+11", "180000000456"), ("\"8,8E+11\"", "880000345678"),
            ("1E+100", "1" + String(repeating: "0", count: 100)),
        ] {
            #expect(place(Array("C1,,,\(cell),coins".utf8), [], owner: [account]) == "c.csv:7", "\(cell)")
        }
        #expect(place(Array("C1,1,8.8E+11,coins".utf8), [], owner: ["188000000000"]) == nil)
        // A person wrote letters or signs around the account, or around the transaction.
        for cell in [
            "u880012345678", "880012345678-s12", "补880012345678。", "8800-1234-5678", "8800 1234 5678",
            "13800138000123-880012345678", "\"880,012,345,678\"",
        ] {
            let row = Array("C1,,\(cell),coins".utf8)
            #expect(place(row, [], owner: ["880012345678"]) == "c.csv:7", "\(cell)")
            #expect(place(row, [], owner: ["80012345678"]) == nil, "\(cell)")
            #expect(place(row, [], owner: ["880012345678"], kind: .orders) == nil, "\(cell)")
        }
        #expect(place(Array("C1,,u2000001213005481,coins".utf8), ["2000001213005481"]) == "c.csv:7")
        // A row of credits or orders that only names the account may be about this purchase; no other one is.
        #expect(place(row, [], owner: ["12"]) == "c.csv:7" && place(row, [], owner: ["12"], kind: .orders) == "c.csv:7")
        #expect(
            place(row, [], owner: ["12"], kind: .transactions) == nil && place(row, ["A:B"], kind: .receipts) == nil)
        // Escapes hide nothing, and do not make a row unsearchable.
        for (text, account) in [
            (#"C1,O2,"m""1""x",1"#, #"m"1"x"#), (#"{"a":"m\/1"}"#, "m/1"), (#"{"a":"\u7528\u62371"}"#, "用户1"),
        ] {
            #expect(place(Array(text.utf8), [], owner: [account]) == "c.csv:7" && place(Array(text.utf8), []) == nil)
        }
        #expect(place(row, ["12"], kind: .transactions) == "c.csv:7")
    }

    @Test func whatSeveralAccountsClaim() throws {
        let desk = try DeskFolder.lostOrder()
        try desk.deliver("receipts", ["R2,\(desk.noon(1)),acct-2,,2000000123456789,0,"], night: 1)
        try desk.nights(1...1)
        #expect(try reason(desk) == "owner_disputed")
    }

    /// Apple's record has a token that no order carries. Only an accepted receipt shows the owner.
    @Test func aTokenThatIsNobodys() throws {
        for (fields, isSafe) in [(#","appAccountToken":"1d625e20-8e90-4318-1cf0-bfcf6828c345""#, false), ("", true)] {
            let desk = try DeskFolder()
            try desk.deliver("credits", night: 0)
            try desk.deliverTransactions([(Self.transaction, fields)], night: 0)
            try desk.deliver("receipts", ["R1,\(desk.noon(0)),acct-1,,\(Self.transaction),0,"], night: 0)
            try desk.night(0)
            if isSafe {
                #expect(try desk.safety(Self.transaction) == "safe")
            } else {
                #expect(try ["owner_disputed", "owner_unknown"].contains(reason(desk)))
            }
        }
    }

    @Test func theCircuitBreaker() throws {
        #expect(try reason(DeskFolder.lostOrder(retry: "{ maxEntries: 0 }")) == "held")
    }
}
