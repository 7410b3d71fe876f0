import Domain
import Foundation
import Testing

@testable import Engine
@testable import Reconcile

/// What the first rows of a night's files show, and a person should see. It holds nothing.
@Suite struct RowSampleTests {
    /// The token of an account.
    func token(_ night: Int, _ line: Int) -> Substring {
        "1d625e20-8e90-4318-1cf0-\(100_000_000_000 + night * 100 + line)"
    }

    private func night(_ night: Int, rows: Int = 12, hasTokens: Bool = true, _ desk: DeskFolder) throws -> Ended {
        let numbers = (night * 100)..<(night * 100 + rows)
        try desk.sell(numbers, credited: numbers, night: night)
        if rows == 0 { try desk.folder.write("\n", to: "inbox/transactions-\(desk.date(night)).jsonl") }
        if hasTokens {
            try rewrite("orders", night, desk) { $0 == 0 ? $1 : $1.prefix(6) + [token(night, $0)] + $1.dropFirst(7) }
        }
        return try desk.run([
            "nightly", "--date", desk.date(night), "--as-of", desk.date(night + 1) + "T04:00:00+08:00",
        ])
    }

    private func headline(_ desk: DeskFolder) throws -> Substring {
        try desk.folder.read("out/latest/summary.txt").split(separator: "\n")[0]
    }

    private static let lost = "inbox/orders-{date}.csv: no row has a usable app_account_token any more"

    @Test func aColumnThatAllFilesHadAndNoRowHasIsTold() throws {
        let desk = try DeskFolder(settings: #"guard: { rows: 0 },"#)
        for number in 0...2 { #expect(try night(number, desk).code == 0) }
        let ended = try night(3, hasTokens: false, desk)
        #expect(ended.code == 3 && ended.errors.contains(Self.lost), "\(ended)")
        #expect(try headline(desk).hasSuffix("; COLUMN EMPTY: app_account_token"))
        #expect(try desk.folder.read("out/latest/summary.txt").contains("Columns without values\n  " + Self.lost))
        let lost = #""lost_columns":[{"columns":["app_account_token"],"feed":"inbox/orders-{date}.csv"}]"#
        let summary = try desk.folder.read("out/latest/summary.json").filter { !$0.isWhitespace }
        #expect(summary.contains(lost), "\(summary)")
        // It is told again if the night is run again, until it is back.
        let again = ["nightly", "--date", desk.date(3), "--as-of", desk.date(4) + "T05:00:00+08:00"]
        #expect(try desk.run(again).code == 3)
        #expect(try night(4, rows: 0, hasTokens: false, desk).code == 3, "nothing came that could show it")
        let back = try night(5, desk)
        #expect(back.code == 0, "\(back)")
        #expect(try !headline(desk).contains("COLUMN"))
    }

    /// After a week it is no news. If the configuration says that the column is not read, it never was.
    @Test func whatIsMeantIsNotToldForEver() throws {
        let desk = try DeskFolder(settings: #"guard: { rows: 0 },"#)
        for number in 0...2 { #expect(try night(number, desk).code == 0) }
        for number in 3...10 {
            #expect(try night(number, hasTokens: false, desk).code == (number < 10 ? 3 : 0), "\(number)")
            #expect(try desk.run(["check"]).output.contains("LOOK   columns: " + Self.lost), "\(number)")
        }
        for number in 11...13 { #expect(try night(number, desk).code == 0) }
        #expect(try !desk.run(["check"]).output.contains("LOOK   columns"))
        let path = "orders-{date}.csv\","
        let configuration = try desk.folder.read("reconcile.json")
        try desk.folder.write(
            configuration.replacing(path, with: path + " columns: { app_account_token: null },"), to: "reconcile.json")
        #expect(try night(14, hasTokens: false, desk).code == 0)
    }

    /// A wallet's file begins with rows that are for no purchase.
    @Test func rowsThatAreLeftOutHideNoColumn() throws {
        let desk = try DeskFolder(settings: #"guard: { rows: 0 },"#)
        let path = "credits-{date}.csv\","
        try desk.folder.write(
            try desk.folder.read("reconcile.json").replacing(path, with: path + " whereNot: { kind: [\"SPENT\"] },"),
            to: "reconcile.json")
        let spent = (0...1000).map { "S\($0),,,acct\($0),SPENT,auto,2025-11-01T00:00:00Z" }.joined(separator: "\n")
        for number in 0...4 {
            try sell(number, 4, desk)
            let name = "inbox/credits-\(desk.date(number)).csv"
            let lines = try desk.folder.read(name).split(separator: "\n", maxSplits: 1)
            if number > 2 { try desk.folder.write([lines[0], spent[...], lines[1]].joined(separator: "\n"), to: name) }
            let ended = try run(number, desk)
            #expect(ended.code == 0, "\(ended)")
        }
    }

    /// A new end state of deliveries is rejected and named, and the purchase does not look served.
    @Test(arguments: [true, false]) func aNewWordIsNotReadAsGoods(_ isListed: Bool) throws {
        let desk = try DeskFolder(settings: #"guard: { rows: 0 },"#)
        let path = "credits-{date}.csv\","
        let known = isListed ? " known: { state: [\"OK\", \"FAILED\"] }," : ""
        let settings = path + " whereNot: { state: \"FAILED\" }," + known
        try desk.folder.write(
            try desk.folder.read("reconcile.json").replacing(path, with: settings), to: "reconcile.json")
        try desk.sell(100..<130, credited: 100..<130, night: 0)
        let name = "inbox/credits-\(desk.date(0)).csv"
        let lines = try desk.folder.read(name).split(separator: "\n").enumerated().map { number, line in
            line + "," + ["state", "EXPIRED", "FAILED", "OK"][min(number, 3)]
        }
        try desk.folder.write(lines.joined(separator: "\n") + "\n", to: name)
        let ended = try desk.run(["nightly", "--date", desk.date(0), "--as-of", desk.date(1) + "T04:00:00+08:00"])
        let told = "the first is \(name):2: “state” is “EXPIRED”, which known does not list"
        #expect([0, 3].contains(ended.code) && ended.errors.contains(told) == isListed, "\(ended)")
        let isLost = { (order: String) in try desk.rulings(order).contains { $0.hasPrefix("paid_not_credited/") } }
        #expect(try isLost("ORD9101") && isLost("ORD9100") == isListed)
    }

    /// Of a list that is wrong altogether, the mail has one line.
    @Test func manyPricesAreOneWarning() {
        func price(_ minor: Int64) -> Money { Money(minor: minor, currency: "CNY") }
        let doubt = PriceDoubt(
            product: "p10", listed: price(60_000), apples: price(600),
            span: DoubtSpan(since: BusinessDate("2025-11-18")!))
        #expect(
            NightWarning.pricesDoubted(count: 12, doubt).text.hasPrefix(
                "the product list has p10 at 600.00 CNY, but Apple's records show 6.00 CNY (and 11 more prices). Is the "
                    + "list in another unit, such as cents? Correct it. If the list is right and this is "
            ))
    }

    /// Two files, few rows, or a column that only some rows have.
    @Test(arguments: [(2, 12), (3, 9)]) func tooLittleSaysNothing(nights: Int, rows: Int) throws {
        let desk = try DeskFolder(settings: #"guard: { rows: 0 },"#)
        for number in 0..<nights { #expect(try night(number, rows: rows, desk).code == 0) }
        #expect(try night(nights, rows: rows, hasTokens: false, desk).code == 0)
    }

    /// The list says 600 yuan for what Apple sells for 6: it was written in fen.
    @Test func aPriceInAnotherUnitIsTold() throws {
        let desk = try DeskFolder()
        let configuration = try desk.folder.read("reconcile.json")
        try desk.folder.write(
            configuration.replacing("feeds: [", with: "feeds: [ { kind: \"products\", path: \"products.csv\" },"),
            to: "reconcile.json")
        func list(_ price: String) throws {
            try desk.folder.write(
                "product_id,type,amount,currency\ncoins,consumable,\(price),CNY\n", to: "products.csv")
        }
        for (number, price) in ["6.00", "8.00", "600.00", "0.06", "60.00"].enumerated() {
            try list(price)
            let ended = try night(number, rows: 3, desk)
            let isDoubtful = ["600.00", "0.06"].contains(price)
            #expect(ended.code == (isDoubtful ? 3 : 0), "\(price) \(ended)")
            #expect(try headline(desk).contains("PRICE LIST: coins") == isDoubtful)
            let told = "the product list has coins at \(price) CNY, but Apple's records show 6.00 CNY"
            #expect(ended.errors.contains(told) == isDoubtful, "\(ended)")
        }
        // Without a sale of that day, it is still the price that was found wrong.
        try list("600.00")
        #expect(try night(5, rows: 3, desk).code == 3)
        // It is told for a week. `check` does not forget it.
        for number in 6...12 {
            #expect(try night(number, rows: 0, desk).code == (number < 12 ? 3 : 0), "\(number)")
            let told = try desk.run(["check"]).output
            #expect(told.contains("LOOK   product list: the product list has coins at 600.00 CNY"), "\(told)")
        }
        try list("6.00")
        let right = try night(13, rows: 0, desk)
        #expect(right.code == 0, "\(right)")
        #expect(try !desk.run(["check"]).output.contains("LOOK   product list"))
    }

    /// The first month of a plan, for one yuan instead of 68.
    @Test(arguments: [true, false]) func anIntroductoryPriceIsNoPriceOfTheList(isOffer: Bool) throws {
        let desk = try DeskFolder()
        let configuration = try desk.folder.read("reconcile.json")
        try desk.folder.write(
            configuration.replacing("feeds: [", with: "feeds: [ { kind: \"products\", path: \"products.csv\" },"),
            to: "reconcile.json")
        try desk.folder.write("product_id,type,amount,currency\ncoins,consumable,600.00,CNY\n", to: "products.csv")
        try desk.sell(0..<1, credited: 0..<1, night: 0)
        if isOffer { try desk.deliverTransactions([(DeskFolder.sold(0), #","offerType":1"#)], night: 0) }
        let ended = try desk.run(["nightly", "--date", desk.date(0), "--as-of", desk.date(1) + "T04:00:00+08:00"])
        #expect(ended.code == (isOffer ? 0 : 3), "\(ended)")
    }

    /// Their prices differ by offer and by customer. Apple's record says what they are, its expiry date, or the list.
    @Test(arguments: [#""Auto-Renewable Subscription""#, #"null,"expiresDate":1764600000000"#, "null"])
    func theListPriceOfASubscriptionIsNotCompared(type: String) throws {
        let desk = try DeskFolder()
        let configuration = try desk.folder.read("reconcile.json")
        try desk.folder.write(
            configuration.replacing("feeds: [", with: "feeds: [ { kind: \"products\", path: \"products.csv\" },"),
            to: "reconcile.json")
        let kind = type == "null" ? "auto_renewable" : ""
        try desk.folder.write("product_id,type,amount,currency\ncoins,\(kind),600.00,CNY\n", to: "products.csv")
        try desk.sell(0..<1, credited: 0..<1, night: 0)
        try desk.deliverTransactions([(DeskFolder.sold(0), ",\"type\":" + type)], night: 0)
        let ended = try run(0, desk)
        #expect(ended.code == 0, "\(ended)")
    }

    /// A file without a header and without rows says nothing of a column.
    @Test func aFileThatShowsNothingEndsNoDoubt() {
        let date = BusinessDate("2025-11-01")!
        func sample(_ named: Set<String>?) -> RowSample {
            RowSample(of: Evidence(), .acks, named: named, filled: ["a": 0], since: Instant(milliseconds: 0))
        }
        var run = ColumnRun()
        let files: [Set<String>?] = [["a"], ["a"], ["a"], [], nil]
        for (day, named) in files.enumerated() { run.add(sample(named), "a", on: date.advanced(by: day)) }
        #expect(run.isLost)
        run.add(sample(["a"]), "a", on: date.advanced(by: 5))
        #expect(!run.isLost)
    }

    // MARK: Columns that the header lacks, and those of few rows

    /// Changes the rows of a night's CSV file. The first one is its header.
    func rewrite(_ feed: String, _ night: Int, _ desk: DeskFolder, _ row: (Int, [Substring]) -> [Substring])
        throws
    {
        let name = "inbox/\(feed)-\(desk.date(night)).csv"
        let rows = try desk.folder.read(name).split(separator: "\n").enumerated().map { number, line in
            row(number, line.split(separator: ",", omittingEmptySubsequences: false)).joined(separator: ",") + "\n"
        }
        try desk.folder.write(rows.joined(), to: name)
    }

    func run(_ night: Int, _ desk: DeskFolder) throws -> Ended {
        try desk.run(["nightly", "--date", desk.date(night), "--as-of", desk.date(night + 1) + "T04:00:00+08:00"])
    }

    func sell(_ night: Int, _ count: Int, _ desk: DeskFolder) throws {
        let numbers = (night * 100)..<(night * 100 + count)
        try desk.sell(numbers, credited: numbers, night: night)
    }

    /// Two orders in eight have a token, in a shop that sells eight pieces a day.
    @Test(arguments: [true, false]) func aColumnThatTheHeaderLacksIsToldWhateverFillsIt(isFilled: Bool) throws {
        let desk = try DeskFolder()
        for number in 0...4 {
            try sell(number, 8, desk)
            try rewrite("orders", number, desk) { line, row in
                var row = row
                if 1...2 ~= line, isFilled { row[6] = token(number, line) }
                if number > 2 { row.remove(at: 6) }
                return row
            }
            let ended = try run(number, desk)
            #expect(ended.code == (number > 2 && isFilled ? 3 : 0), "\(number) \(ended)")
            #expect(ended.errors.contains(Self.lost) == (number > 2 && isFilled))
        }
    }

    /// Rows without a value are summed up, however few come in a night.
    @Test func aColumnOfASmallShopIsMissedAfterSomeNights() throws {
        let desk = try DeskFolder()
        for number in 0...2 { #expect(try night(number, rows: 4, desk).code == 0) }
        for (number, code) in [(3, 0), (4, 0), (5, 3)] {
            let ended = try night(number, rows: 4, hasTokens: false, desk)
            #expect(ended.code == code, "\(number) \(ended)")
        }
    }

    /// All rows have an amount.
    @Test func theCurrencyIsToldByItsName() throws {
        let desk = try DeskFolder()
        for number in 0...3 {
            try sell(number, 12, desk)
            if number == 3 {
                try rewrite("orders", number, desk) { $0 == 0 ? $1 : $1.prefix(5) + [""] + $1.dropFirst(6) }
            }
            #expect(try run(number, desk).code == (number < 3 ? 0 : 3))
        }
        #expect(try headline(desk).hasSuffix("; COLUMN EMPTY: currency"))
    }

    /// One order of an older server may have its own.
    @Test(arguments: [0, 1]) func aTokenThatNearlyAllOrdersShareIsNone(others: Int) throws {
        let desk = try DeskFolder()
        for number in 0...3 {
            try sell(number, 12, desk)
            try rewrite("orders", number, desk) { line, row in
                var row = row
                if line > 0 { row[6] = number < 3 || line <= others ? token(number, line) : token(0, 0) }
                return row
            }
            #expect(try run(number, desk).code == (number < 3 ? 0 : 3), "\(number)")
        }
        #expect(try headline(desk).hasSuffix("; COLUMN EMPTY: app_account_token"))
    }

    /// Each file repeats the orders of seven days.
    @Test func whatNewOrdersHaveLostIsToldBesideOlderOnes() throws {
        let desk = try DeskFolder(settings: #"guard: { rows: 0 },"#)
        for number in 0...8 {
            try sell(number, 12, desk)
            let days = max(0, number - 6)..<number
            let older = try days.flatMap { day in
                try desk.folder.read("inbox/orders-\(desk.date(day)).csv").split(separator: "\n").suffix(12)
            }
            if number < 8 {
                try rewrite("orders", number, desk) {
                    $0 == 0 ? $1 : $1.prefix(6) + [token(number, $0)] + $1.dropFirst(7)
                }
            }
            let name = "inbox/orders-\(desk.date(number)).csv"
            let rows = try desk.folder.read(name).split(separator: "\n")
            let all = [rows[0]] + older + rows.dropFirst()
            try desk.folder.write(all.map { $0 + "\n" }.joined(), to: name)
            let ended = try run(number, desk)
            #expect(ended.code == (number < 8 ? 0 : 3), "\(number) \(ended)")
        }
        #expect(try headline(desk).hasSuffix("; COLUMN EMPTY: app_account_token"))
    }

    /// In a shop of four orders a day, all of them have one token.
    @Test func aSharedTokenOfASmallShopIsNone() throws {
        let desk = try DeskFolder(settings: #"guard: { rows: 0 },"#)
        for number in 0...6 {
            try sell(number, 4, desk)
            try rewrite("orders", number, desk) { line, row in
                var row = row
                if line > 0 { row[6] = number < 4 ? token(number, line) : token(0, 0) }
                return row
            }
            #expect(try run(number, desk).code == (number < 6 ? 0 : 3), "\(number)")
        }
    }

    /// Later prices would not be known.
    @Test(arguments: ["type", "amount", "currency"]) func aProductListThatLostAColumnIsTold(_ column: String) throws {
        let desk = try DeskFolder()
        let configuration = try desk.folder.read("reconcile.json")
        try desk.folder.write(
            configuration.replacing("feeds: [", with: "feeds: [ { kind: \"products\", path: \"products.csv\" },"),
            to: "reconcile.json")
        let header = "product_id,type,amount,currency,product_name"
        for (number, header) in [header, header.replacing(column, with: "x"), header].enumerated() {
            try desk.folder.write(header + "\ncoins,consumable,6.00,CNY,\(number)\n", to: "products.csv")
            try sell(number, 3, desk)
            let ended = try run(number, desk)
            #expect(ended.code == (number == 1 ? 3 : 0), "\(ended)")
            #expect(
                ended.errors.contains("products.csv: no row has a usable \(column) any more") == (number == 1),
                "\(ended)")
        }
        // An empty list is no day without rows.
        try desk.folder.write("", to: "products.csv")
        try sell(3, 3, desk)
        let empty = try run(3, desk)
        #expect(empty.code == 3 && empty.errors.contains("deliver it again"), "\(empty)")
        #expect(!empty.errors.contains("For a day without rows") && !empty.errors.contains("gap accept"), "\(empty)")
    }

    /// Which of the purchases were refunded and taken back. Without the column, the credits look kept.
    func refund(_ night: Int, changing change: ([Substring]) -> [Substring], _ desk: DeskFolder) throws -> Ended {
        try sell(night, 4, desk)
        let number = (night - 1) * 100
        let name = "inbox/transactions-\(desk.date(night)).jsonl"
        let noon = Zone("Asia/Shanghai")!.start(of: DeskFolder.first.advanced(by: night)).milliseconds + 43_200_000
        let sold = try desk.folder.read("inbox/transactions-\(desk.date(night - 1)).jsonl").split(separator: "\n")[0]
        let refunded = sold.replacing(/"signedDate":\d+/, with: "\"signedDate\":\(noon),\"revocationDate\":\(noon)")
        try desk.folder.write(try desk.folder.read(name) + refunded + "\n", to: name)
        let credits = "inbox/credits-\(desk.date(night)).csv"
        let reversal =
            "RV\(number),ORD9\(number),\(DeskFolder.sold(number)),acct\(number),reversal,auto,\(desk.noon(night))\n"
        try desk.folder.write(try desk.folder.read(credits) + reversal, to: credits)
        try rewrite("credits", night, desk) { change($1) }
        return try run(night, desk)
    }

    /// Customers who gave refunded goods back are not accused, and nothing is taken from them twice.
    @Test(arguments: ["left out", "renamed", "empty"]) func aFileThatLostItsKindIsRefused(_ how: String) throws {
        let desk = try DeskFolder(retry: "{ enabled: true, reverseRefunds: true }")
        try sell(0, 4, desk)
        _ = try run(0, desk)
        for number in 1...3 {
            let ended = try refund(number, changing: { $0 }, desk)
            #expect(ended.code == 0, "\(ended)")
        }
        func lose(_ row: [Substring]) -> [Substring] {
            let isHeader = row[4] == "kind"
            var row = row
            switch how {
            case "left out": row.remove(at: 4)
            case "renamed": row[4] = isHeader ? "entry_kind" : row[4]
            default: row[4] = isHeader ? "kind" : ""
            }
            return row
        }
        let refused = try refund(4, changing: lose, desk)
        #expect(refused.code == 65, "\(refused)")
        #expect(
            refused.errors.contains("it no longer has the column kind, which tells reversals from credits"),
            "\(refused)")
        // The right file ends it.
        let right = try refund(4, changing: { $0 }, desk)
        #expect(right.code == 0, "\(right)")
        #expect(try !desk.folder.read("out/latest/exceptions.csv").contains("refunded_not_reversed"))
        // So does the word that there is none.
        try sell(5, 4, desk)
        try rewrite("credits", 5, desk) { lose($1) }
        #expect(try run(5, desk).code == 65)
        let path = "credits-{date}.csv\","
        try desk.folder.write(
            try desk.folder.read("reconcile.json").replacing(path, with: path + " columns: { kind: null },"),
            to: "reconcile.json")
        #expect(try run(5, desk).code != 65)
    }

    /// Refunds are rare, so only their long absence says something.
    @Test func refundsThatNobodySeesAnyMoreAreTold() throws {
        let desk = try DeskFolder()
        try sell(0, 4, desk)
        _ = try run(0, desk)
        for number in 1...7 { _ = try refund(number, changing: { $0 }, desk) }
        for number in 8...13 {
            try sell(number, 4, desk)
            let ended = try run(number, desk)
            let told = "inbox/transactions-{date}.jsonl: no row has a usable revocationDate any more"
            #expect(ended.errors.contains(told) == (number > 12), "\(number) \(ended)")
        }
    }
}
