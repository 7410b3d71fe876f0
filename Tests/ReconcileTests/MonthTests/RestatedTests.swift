import Foundation
import Testing

@testable import Domain
@testable import Reconcile

/// What closed months changed by is found subject by subject, whatever changed it. A month whose subjects did not add up to
/// the change would not be published.
@Suite struct RestatedTests {
    typealias Sale = MonthFolder.Sale

    /// The order says `credited`, and the credits file of its day comes after the month was closed. It holds no row, so the
    /// order stands for the credit from then on.
    @Test func aLateFileWithoutRowsRestatesTheOrdersThatItLetsStand() throws {
        let folder = try MonthFolder(required: [.credits])
        let sale = Sale(id: 1, minor: 800, at: "2026-01-31 12:00:00")
        try folder.deliver("2026-01-30")
        try folder.night("2026-01-30")
        let order = folder.order(sale).replacing(",paid,", with: ",credited,")
        try folder.deliver("2026-01-31", orders: [order], transactions: [folder.record(sale)])
        let inbox = folder.nights.folder.path + "/inbox/"
        let credits = try String(contentsOfFile: inbox + "credits-2026-01-31.csv", encoding: .utf8)
        try FileManager.default.removeItem(atPath: inbox + "credits-2026-01-31.csv")
        try folder.night("2026-01-31")
        #expect(try folder.month("2026-01", "--close", "--by", "Li").file.money["CNY"]?.credited == "0.00")
        try credits.write(toFile: inbox + "credits-2026-01-31.csv", atomically: true, encoding: .utf8)
        try folder.deliver("2026-02-01")
        try folder.night("2026-02-01")
        let restated = try folder.month("2026-02").file
        #expect(restated.restated.map { $0.change["credited"] } == ["8.00"])
        #expect(restated.restated_subjects.map(\.subject_id) == [folder.transaction(1)])
    }

    /// The last sale of the month comes with the next day's files. Nothing is odd about it, and it restates the month all
    /// the same.
    @Test func aPlainSaleOfTheLastMinutesRestatesTheClosedMonth() throws {
        let folder = try MonthFolder()
        try folder.deliver("2026-01-31")
        try folder.night("2026-01-31")
        _ = try folder.month("2026-01", "--close", "--by", "Li")
        let sale = Sale(id: 1, minor: 800, at: "2026-01-31 23:58:00")
        try folder.deliver(
            "2026-02-01", orders: [folder.order(sale)], credits: [folder.credit(sale, at: sale.at)],
            transactions: [folder.record(sale)])
        try folder.night("2026-02-01")
        let month = try folder.month("2026-02").file
        #expect(month.restated.map { $0.change["purchases"] } == ["8.00"])
        #expect(month.restated_subjects.map(\.subject_id) == [folder.transaction(1)])
    }

    /// Bought on 1 February in Shanghai, which is 31 January in UTC.
    @Test func anotherTimeZoneRestatesThePurchasesAtTheEdge() throws {
        let folder = try MonthFolder()
        let sales = [
            Sale(id: 1, minor: 600, at: "2026-01-15 12:00:00"), Sale(id: 2, minor: 3000, at: "2026-02-01 00:30:00"),
        ]
        try folder.deliver(
            "2026-01-31", orders: [folder.order(sales[0])], credits: [folder.credit(sales[0], at: sales[0].at)],
            transactions: [folder.record(sales[0])])
        try folder.night("2026-01-31")
        _ = try folder.month("2026-01", "--close", "--by", "Li")
        try folder.deliver(
            "2026-02-01", orders: [folder.order(sales[1])], credits: [folder.credit(sales[1], at: sales[1].at)],
            transactions: [folder.record(sales[1])])
        let text = try folder.nights.folder.read("reconcile.json")
        try folder.nights.folder.write(text.replacing("Asia/Shanghai", with: "UTC"), to: "reconcile.json")
        try folder.night("2026-02-02")
        let month = try folder.month("2026-02").file
        #expect(month.restated.map { $0.change["purchases"] } == ["30.00"])
        #expect(month.restated_subjects.map(\.subject_id) == [folder.transaction(2)])
    }

    /// The app's rows were in the files already. By the ids of the closing they were another app's.
    @Test func aFurtherBundleIDRestatesTheAppsPurchases() throws {
        let folder = try MonthFolder()
        let sales = [
            Sale(id: 1, minor: 600, at: "2026-01-15 12:00:00"),
            Sale(id: 2, minor: 3000, at: "2026-01-16 12:00:00", more: ",\"bundleId\":\"com.example.other\""),
        ]
        try folder.deliver(
            "2026-01-31", orders: sales.map(folder.order), credits: sales.map { folder.credit($0, at: $0.at) },
            transactions: sales.map { folder.record($0) })
        try folder.night("2026-01-31")
        #expect(try folder.month("2026-01", "--close", "--by", "Li").file.money["CNY"]?.purchases == "6.00")
        let text = try folder.nights.folder.read("reconcile.json")
        let ids = try #require(text.firstMatch(of: /"com\.example\.[a-z]+"/)).output
        try folder.nights.folder.write(text.replacing(ids, with: ids + ", \"com.example.other\""), to: "reconcile.json")
        try folder.deliver("2026-02-01")
        try folder.night("2026-02-01")
        let month = try folder.month("2026-02").file
        #expect(month.restated.map { $0.change["purchases"] } == ["30.00"])
        #expect(month.restated_subjects.map(\.subject_id) == [folder.transaction(2)])
    }

    /// A price list that changes after the month was closed changes nothing in it.
    @Test func anotherPriceListChangesNoClosedMonth() throws {
        let folder = try MonthFolder()
        var sale = Sale(id: 1, minor: 600, at: "2026-01-15 12:00:00")
        sale.product = "gems"
        let list = { (price: String) in "product_id,amount,currency\ngems,\(price),CNY\n" }
        try folder.nights.folder.write(list("6.00"), to: "products.csv")
        let record = folder.record(sale).replacing("\"price\":6000,\"currency\":\"CNY\",", with: "")
        let order = folder.order(sale).replacing(",600,CNY,", with: ",,,")
        try folder.deliver(
            "2026-01-31", orders: [order], credits: [folder.credit(sale, at: sale.at)], transactions: [record])
        try folder.night("2026-01-31")
        #expect(try folder.month("2026-01", "--close", "--by", "Li").file.money["CNY"]?.estimated == "6.00")
        try folder.nights.folder.write(list("8.00") + "new,9.00,CNY\n", to: "products.csv")
        try folder.deliver("2026-02-01")
        try folder.night("2026-02-01")
        #expect(try folder.month("2026-02").file.restated.isEmpty)
        // It is named where changed settings are. A new product is not.
        let json = try folder.text("2026-02", "month.json")
        #expect(json.contains("\"setting\": \"products: gems\"") && !json.contains("products: new"), "\(json)")
        #expect(try folder.strings("2026-02").contains("products: gems: new 8.00 CNY from 2026-02-01; 1 as before"))
    }

    /// After the closing the backend writes another amount into an order, and goods that waited for their payment turn out
    /// to be unpaid. No movement changes: the booking and the reasons do.
    @Test func aRewrittenOrderAndAnEndedWaitRestateTheClosedMonth() throws {
        let folder = try MonthFolder()
        var sale = Sale(id: 1, minor: 600, at: "2026-01-10 12:00:00")
        let unpaid = Sale(id: 2, minor: 3000, at: "2026-01-31 12:00:00")
        try folder.deliver(
            "2026-01-31", orders: [sale, unpaid].map(folder.order),
            credits: [sale, unpaid].map { folder.credit($0, at: $0.at) }, transactions: [folder.record(sale)])
        try folder.night("2026-01-31")
        _ = try folder.month("2026-01", "--close", "--by", "Li")
        sale.minor = 6000
        try folder.deliver("2026-02-28", orders: ["", folder.order(sale)])
        try folder.night("2026-02-28")
        let february = try folder.month("2026-02", "--close", "--by", "Li").file
        let figures = [
            "2026-01 CNY booked 36.00 90.00 54.00", "2026-01 CNY other_amount 0.00 -54.00 -54.00",
        ]
        #expect(february.restated.isEmpty && Set(february.restated_figures?.map(\.text) ?? []).isSuperset(of: figures))
        let row = try #require(february.restated_subjects.first { $0.subject_id == folder.transaction(1) })
        #expect(row.figures == ["booked": "54.00", "other_amount": "-54.00"])
        #expect(row.file?.hasSuffix("orders-2026-02-28.csv") == true && row.line == 3)
        #expect(february.restated_subjects.first { $0.subject_id != row.subject_id }?.file == nil)
        let text = try folder.strings("2026-02")
        #expect(text.contains("no new row: a wait or a gap ended"))
        #expect(
            !text.contains("has not changed any closed month") && text.contains("Booked by the backend +54.00"))
        // The change is computed, so that another figure "as last reported" trips a check.
        #expect(text.contains(#/<f>\$E\$\d+-\$D\$\d+<\/f><v>54</#))
        #expect(try folder.text("2026-02", "month.csv").contains("restated,CNY,2026-01,,booked,,54.00"))
        // It is told once: March begins where February's report ended.
        sale.minor = 6600
        try folder.deliver("2026-03-20", orders: [folder.order(sale)])
        try folder.night("2026-03-31")
        let march = try folder.month("2026-03").file
        #expect(
            Set(march.restated_figures?.map(\.text) ?? []) == [
                "2026-01 CNY booked 90.00 96.00 6.00", "2026-01 CNY other_amount -54.00 -60.00 -6.00",
            ])
    }

    /// The refund of January is known on 8 February; the goods are taken back on the 9th, which is February's movement.
    @Test(arguments: [("2026-02-09 12:00:00", false), ("2026-01-29 12:00:00", true)])
    func theRowThatChangedTheFigureIsNamed(reversedAt: String, areBoth: Bool) throws {
        let folder = try MonthFolder()
        var sale = Sale(id: 1, minor: 3000, at: "2026-01-10 12:00:00")
        try folder.deliver(
            "2026-01-31", orders: [folder.order(sale)], credits: [folder.credit(sale, at: sale.at)],
            transactions: [folder.record(sale)])
        try folder.night("2026-01-31")
        _ = try folder.month("2026-01", "--close", "--by", "Li")
        sale.more = folder.refund("2026-01-28 12:00:00")
        try folder.deliver("2026-02-08", transactions: [folder.record(sale, signed: "2026-02-08 10:00:00")])
        try folder.night("2026-02-08")
        try folder.deliver(
            "2026-02-09", credits: [folder.credit(sale, at: reversedAt, "reversal", number: 2)])
        try folder.night("2026-02-09")
        let row = try #require(try folder.month("2026-02").file.restated_subjects.first)
        let record = "transactions-2026-02-08.jsonl"
        let file = areBoth ? "credits-2026-02-09.csv" : record
        #expect(row.file?.hasSuffix(file) == true && row.night == (areBoth ? "2026-02-09" : "2026-02-08"))
        #expect(row.also?.count == (areBoth ? 1 : 0) && row.also?.allSatisfy { $0.hasSuffix(record + ":1") } == true)
        let said = try folder.strings("2026-02")
        #expect(said.contains("\(record):1") == areBoth)
    }

    /// Apple's record of a booked order is known after the closing. The order is no subject any more; what it moved leads to
    /// the record.
    @Test func anOrderThatBecameAPurchaseLeadsToItsRecord() throws {
        let folder = try MonthFolder()
        let sale = Sale(id: 1, minor: 3000, at: "2026-01-10 12:00:00")
        try folder.deliver("2026-01-31", orders: [folder.order(sale)], credits: [folder.credit(sale, at: sale.at)])
        try folder.night("2026-01-31")
        _ = try folder.month("2026-01", "--close", "--by", "Li")
        try folder.deliver("2026-02-08", transactions: [folder.record(sale)])
        try folder.night("2026-02-08")
        let rows = try folder.month("2026-02").file.restated_subjects
        #expect(rows.count > 1 && Set(rows.map(\.subject_id)).count > 1, "\(rows)")
        for row in rows {
            #expect(row.file?.hasSuffix("transactions-2026-02-08.jsonl") == true && row.line == 1, "\(row)")
        }
    }

    /// Paid and not given: in the last minutes of the month, or on a day whose credits came later. No row is new.
    @Test(arguments: [
        ("2026-01-31 23:50:00", "a wait ended"),
        ("2026-01-31 12:00:00", "gaps, one or more of: credits 2026-01-31, Apple transactions 2026-02-01"),
    ])
    func aChangeWithoutANewRowSaysWhatEnded(at: String, said: String) throws {
        let folder = try MonthFolder(required: [.credits])
        try folder.deliver("2026-01-30")
        try folder.night("2026-01-30")
        let sale = Sale(id: 1, minor: 800, at: at)
        try folder.deliver("2026-01-31", orders: [folder.order(sale)], transactions: [folder.record(sale)])
        let file = folder.nights.folder.path + "/inbox/credits-2026-01-31.csv"
        let credits = try String(contentsOfFile: file, encoding: .utf8)
        if said.contains("gap") { try FileManager.default.removeItem(atPath: file) }
        try folder.night("2026-01-31")
        _ = try folder.month("2026-01", "--close", "--by", "Li")
        let missing = try folder.strings("2026-01").contains("missing: inbox/credits-2026-01-31*.csv")
        #expect(missing == said.contains("gap"))
        try credits.write(toFile: file, atomically: true, encoding: .utf8)
        try folder.deliver("2026-02-01")
        try folder.night("2026-02-01")
        _ = try folder.month("2026-02")
        #expect(try folder.strings("2026-02").contains("no new row: " + said + "<"))
    }

    /// After the closing a credit is delivered again with another order and transaction: the only one of its purchase, or one
    /// of two, without which the purchase is in order.
    @Test(arguments: [(1, "paid_not_credited"), (2, "credited_twice")])
    func whatLostARowLeadsToTheRowThatTookItAway(number: Int, reason: String) throws {
        let folder = try MonthFolder()
        let sales = [1, 2].map { Sale(id: $0, minor: 600 * $0, at: "2026-01-10 12:00:00") }
        let credits =
            sales.map { folder.credit($0, at: $0.at) }
            + (number == 2 ? [folder.credit(sales[1], at: "2026-01-11 12:00:00", number: 2)] : [])
        try folder.deliver(
            "2026-01-31", orders: sales.map(folder.order), credits: credits,
            transactions: sales.map { folder.record($0) })
        try folder.night("2026-01-31")
        _ = try folder.month("2026-01", "--close", "--by", "Li")
        let moved = credits[number].replacing("ORD2,", with: "ORD1,").replacing(",A2,", with: ",A1,")
            .replacing(folder.transaction(2), with: folder.transaction(1))
        try folder.deliver("2026-02-28", credits: ["", moved])
        try folder.night("2026-02-28")
        let rows = try folder.month("2026-02").file.restated_subjects
        #expect(Set(rows.map(\.subject_id)) == [folder.transaction(1), folder.transaction(2)])
        for row in rows {
            #expect(row.file?.hasSuffix("credits-2026-02-28.csv") == true && row.line == 3, "\(row)")
        }
        #expect(rows.last?.figures == [reason: "12.00"], "as it was judged then")
    }

    /// January's goods went to account A9. After the closing the order is delivered again, of that account.
    @Test func goodsThatWereNotAstrayRestateTheBalancesOfTheClosedMonth() throws {
        let folder = try MonthFolder()
        let sale = Sale(id: 1, minor: 600, at: "2026-01-10 12:00:00")
        try folder.deliver(
            "2026-01-31", orders: [folder.order(sale)],
            credits: [folder.credit(sale, at: sale.at).replacing(",A1,", with: ",A9,")],
            transactions: [folder.record(sale)])
        try folder.night("2026-01-31")
        _ = try folder.month("2026-01", "--close", "--by", "Li")
        try folder.deliver("2026-02-28", orders: [folder.order(sale).replacing(",A1,", with: ",A9,")])
        try folder.night("2026-02-28")
        let february = try folder.month("2026-02", "--close", "--by", "Li").file
        #expect(february.restated_figures?.map(\.text) == ["2026-01 CNY to_another_account 6.00 0.00 -6.00"])
        let row = try #require(february.restated_subjects.first)
        #expect(row.file?.hasSuffix("orders-2026-02-28.csv") == true && row.line == 2)
        #expect(try folder.strings("2026-02").contains("Goods went to another account -6.00"))
        // It is told once.
        try folder.deliver("2026-03-31")
        try folder.night("2026-03-31")
        #expect(try folder.month("2026-03").file.restated_subjects.isEmpty)
    }

    /// A price list has one row a currency. Goods of another product than was paid for are priced by the row in the
    /// payment's currency, whatever is written below it, and another currency's new price changes nothing.
    @Test func aPriceListMayHaveARowACurrency() throws {
        let folder = try MonthFolder()
        let sales = [
            Sale(id: 1, minor: 600, product: "gem_60", at: "2026-01-10 12:00:00"),
            Sale(
                id: 2, currency: "TWD", minor: 17_000, product: "gem_300", storefront: "TWN", at: "2026-01-10 12:00:00"),
        ]
        let list = """
            product_id,amount,currency
            gem_60,6.00,CNY
            gem_60,33.00,TWD
            gem_60,180,JPY
            gem_300,30.00,CNY
            gem_300,170.00,TWD

            """
        try folder.nights.folder.write(list, to: "products.csv")
        let given = ["gem_60": "gem_300", "gem_300": "gem_60"]
        try folder.deliver(
            "2026-01-31",
            orders: sales.map {
                folder.order($0).replacing("," + $0.product + ",", with: "," + given[$0.product]! + ",")
            },
            credits: sales.map { folder.credit($0, at: $0.at) }, transactions: sales.map { folder.record($0) })
        try folder.night("2026-01-31")
        func expectPaper() throws {
            let money = try folder.month("2026-01").file.money
            #expect(money["CNY"]?.credited == "30.00" && money["CNY"]?.difference == "-24.00")
            #expect(money["TWD"]?.credited == "33.00" && money["TWD"]?.difference == "137.00")
        }
        try expectPaper()
        try folder.nights.folder.write("product_id,amount,currency\ngem_60,190,JPY\n", to: "products.csv")
        try folder.deliver("2026-02-01")
        try folder.night("2026-02-01")
        try expectPaper()
        #expect(try folder.nights.ledger().products().count == 6)
        #expect(try folder.nights.run(["check"]).code == .done)
    }

    /// Every balance on the first page has its rows: partial refunds of an earlier month, missing goods, goods given to the
    /// wrong account, and goods without a payment. The sheet checks their sums.
    @Test func theBalancesHaveTheirRows() throws {
        let folder = try MonthFolder()
        var partly = Sale(id: 1, minor: 600, at: "2025-12-10 12:00:00")
        partly.more = folder.refund("2025-12-20 12:00:00", percentage: 50_000)
        let (lost, stray) = (
            Sale(id: 2, minor: 700, at: "2026-01-10 12:00:00"), Sale(id: 3, minor: 800, at: "2026-01-11 12:00:00")
        )
        let unpaid = Sale(id: 4, minor: 900, at: "2026-01-12 12:00:00")
        try folder.deliver(
            "2026-01-31", orders: [partly, lost, stray, unpaid].map(folder.order),
            credits: [partly, stray, unpaid].map { folder.credit($0, at: $0.at).replacing(",A3,", with: ",A9,") },
            transactions: [partly, lost, stray].map { folder.record($0) })
        try folder.night("2026-01-31")
        let month = try folder.month("2026-01").file
        #expect(
            month.population.map { "\($0.kind) \($0.count) \($0.amount)" } == [
                "purchase 2 15.00", "credited 2 17.00", "closing_owed 2 15.00", "closing_given_free 3 20.00",
            ])
        let path = folder.nights.folder.path + "/out/2026-01/month-purchases.csv.gz"
        let rows = try Program.shell("gzip -dc \(path)", in: folder.nights.folder.path).output.split(separator: "\n")
        #expect(rows.contains { $0.hasPrefix("closing_given_free,2025-12-20T04:00:00Z,2000000000000101,") })
        #expect(
            rows.contains {
                $0.hasPrefix("closing_given_free,2026-01-12T04:00:00Z,,,coins,")
                    && $0.contains(",9.00,,,ORD4,credited_not_paid,") && $0.hasSuffix("/orders-2026-01-31.csv,5")
            }, "\(rows)")
    }

    /// Every purchase and refund of the month is a row, and the sums are those of the tie-out.
    @Test func theListOfPurchasesIsThePopulation() throws {
        let folder = try MonthFolder()
        var refunded = Sale(id: 2, minor: 3000, quantity: 3, at: "2026-01-11 12:00:00")
        refunded.more = folder.refund("2026-01-20 12:00:00", percentage: 33_333)
        let sales = [Sale(id: 1, minor: 600, product: "a,b", at: "2026-01-10 12:00:00"), refunded]
        try folder.deliver(
            "2026-01-31", orders: sales.map { folder.order($0).replacing("a,b", with: "\"a,b\"") },
            credits: sales.map { folder.credit($0, at: $0.at) }, transactions: sales.map { folder.record($0) })
        try folder.night("2026-01-31")
        let month = try folder.month("2026-01").file
        #expect(
            month.population.map { "\($0.kind) \($0.count) \($0.amount)" } == [
                "purchase 2 36.00", "refund 1 10.00", "credited 2 36.00", "closing_given_free 1 10.00",
            ])
        let path = folder.nights.folder.path + "/out/2026-01/month-purchases.csv.gz"
        let unpacked = try Program.shell("gzip -dc \(path)", in: folder.nights.folder.path)
        let rows = unpacked.output.split(separator: "\n")
        #expect(
            rows.count == 7 && rows[0].hasPrefix("kind,at,transaction_id,") && unpacked.output.contains(",\"a,b\","))
        let last = ",1,CNY,10.00,apple,A2,ORD2,refunded_not_reversed,reversed_short,"
        #expect(rows.contains { $0.hasPrefix("refund,2026-01-20T04:00:00Z,") && $0.contains(last) })
    }

    /// Two of two are refunded, and one is taken back.
    @Test func aFullRefundWithAPartTakenBackIsAnException() throws {
        let folder = try MonthFolder()
        var sale = Sale(id: 1, minor: 1998, quantity: 2, at: "2026-02-05 12:00:00")
        sale.more = folder.refund("2026-02-10 12:00:00")
        try folder.deliver(
            "2026-02-28", orders: [folder.order(sale)],
            credits: [
                folder.credit(sale, at: sale.at),
                folder.credit(sale, at: "2026-02-11 12:00:00", "reversal", number: 2, quantity: 1),
            ], transactions: [folder.record(sale, signed: "2026-02-10 12:00:00")])
        try folder.night("2026-02-28")
        let money = try #require(try folder.month("2026-02").file.money["CNY"])
        #expect(money.explained.map { "\($0.verdict) \($0.amount)" } == ["refunded_not_reversed -9.99"])
        // The register has the same, so nothing is in one only.
        #expect(try !folder.text("2026-02", "month.json").contains("known_later"))
        let answer = try folder.nights.run(["lookup", folder.transaction(1)]).output
        #expect(answer.contains("Too little taken back") && !answer.contains("no goods left"), "\(answer)")
    }
}
