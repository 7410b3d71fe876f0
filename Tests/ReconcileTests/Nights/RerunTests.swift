import Foundation
import Intake
import Testing

@testable import Domain
@testable import Ledger
@testable import Reconcile
@testable import Reference

/// Nights on real files: run again, repeated, missing, refused. See docs/spec/interfaces.md#nightly.
@Suite struct RerunTests {
    @Test func theSameMomentGivesTheSameBytesFromTheLedgerAlone() throws {
        let night = try NightFolder(required: [.orders, .credits, .transactions])
        for number in 0..<3 {
            try night.deliverLostOrders(number, count: 3 + number)
            #expect(try night.night(moment(number)).code == .done)
        }
        let before = try night.reports(day(2).text)
        try night.forget()
        let again = try night.night(moment(2))
        #expect(again.code == .done && again.errors.contains("rebuilt from the ledger"))
        #expect(try night.reports(day(2).text) == before)
        #expect(try night.reports("latest") == before)
    }

    @Test func anEarlierNightIsRebuiltFromWhatItKnew() throws {
        let night = try NightFolder(required: [.orders, .credits, .transactions])
        var shown: [[String: Data]] = []
        for number in 0..<4 {
            try night.deliverLostOrders(number, count: 2)
            if number == 2 {
                var credit = Credit(id: "C1", account: "a", creditedAt: noon(2))
                credit.transaction = "200000000001100"
                try night.deliver(file(.credits, 2) { $0.credits = [credit] })
            }
            #expect(try night.night(moment(number)).code == .done)
            shown.append(try night.reports(day(number).text))
        }
        try night.forget()
        for number in 0..<4 {
            #expect(try night.night(moment(number)).code == .done)
            let rebuilt = try night.reports(day(number).text)
            for (name, bytes) in shown[number] where rebuilt[name] != bytes {
                Issue.record("\(name) of night \(number) differs")
            }
        }
        #expect(try night.reports("latest") == shown[3])
    }

    /// The record of an open exception does not say whether it is new; the look-up does.
    @Test func aLookUpShowsTheStateThatTheLastNightReported() throws {
        let shop = try ShopFolder()
        for night in 0..<2 {
            try shop.sell(night * 2..<night * 2 + 2, night: night)
            try shop.night(night)
            for exception in shop.exceptions(night) {
                let id = try #require(exception["exception_id"])
                let found = try shop.run(["lookup", id, "--json"])
                // No step of its history has this state: nights write none for an exception that is merely open.
                #expect(found.output.contains("\"state\": \"open\"") == (exception["state"] == "open"))
                #expect(found.output.contains("\"state\": \"new\""))
            }
        }
        #expect(Set(shop.exceptions(1).map { $0["state"] }) == ["new", "open"])
    }

    /// With hundreds of thousands of open exceptions, writing each again would be most of a night's writing.
    @Test func aNightWritesNothingAboutAnExceptionThatIsMerelyOpenAgain() throws {
        var player = try NightPlayer(policy: Policy())
        let lost = file(.transactions, 0) { rows in
            rows.transactions = [Transaction(id: "200000000000100", product: "coins", purchasedAt: noon(0))]
        }
        for number in 0..<3 {
            let night = try player.play(number == 0 ? [lost] : [], at: moment(number))
            #expect(night.transitions.map(\.isStored) == [number > 0] && night.report.exceptions.count == 1)
        }
    }

    @Test func aFileUnderAnotherNameIsSkipped() throws {
        let night = try NightFolder()
        try night.deliverLostOrders(0, count: 2)
        _ = try night.night(moment(0))
        try night.deliverLostOrders(0, count: 2)
        try night.folder.write(try night.folder.read("inbox/orders-2025-11-10.csv"), to: "inbox/orders-2025-11-11.csv")
        let outcome = try night.night(moment(1))
        #expect(outcome.code == .done && outcome.errors.contains("orders-2025-11-11.csv has the same content as"))
        let run = try #require(try night.ledger().lastRun())
        let report = try night.ledger().report(of: run)
        #expect(report.files.isEmpty && report.filesSkipped == 5)
    }

    @Test func aFileWithoutRowsHasArrived() throws {
        let night = try NightFolder(required: [.orders, .credits, .transactions])
        for number in 0..<2 {
            for kind in [FeedKind.orders, .credits, .transactions] { try night.deliver(file(kind, number)) }
            #expect(try night.night(moment(number)).code == .done)
        }
    }

    @Test func aMissingRequiredFeedIsABlindSpotUntilItComes() throws {
        let night = try NightFolder(required: [.orders, .credits, .transactions])
        try night.deliverLostOrders(0, count: 1)
        #expect(try night.night(moment(0)).code == .done)
        try night.deliverLostOrders(1, count: 1)
        try FileManager.default.removeItem(atPath: night.folder.path + "/inbox/credits-2025-11-11.csv")
        let blind = try night.night(moment(1))
        #expect(blind.code == .look && blind.output.contains("credits"))
        #expect(try subjects(of: night.ledger()).values.allSatisfy { $0.verdict == "undetermined" })
        #expect(try night.ledger().unresolvedExceptions().count == 1)
        try night.deliverLostOrders(2, count: 1)
        try night.deliver(file(.credits, 1))
        #expect(try night.night(moment(2)).code == .done)
        #expect(try subjects(of: night.ledger()).values.allSatisfy { $0.verdict == "paid_not_credited" })
        #expect(try night.ledger().unresolvedExceptions().count == 3)
    }

    /// A price holds from the date of its file: what was bought before keeps its price.
    @Test func aPriceChangedAndChangedBackCountsFromThenOn() throws {
        let night = try NightFolder()
        let prices = ["6.00", "9.00", "6.00"]
        for (number, price) in prices.enumerated() {
            try night.folder.write("product_id,amount,currency\ncoins,\(price),CNY\n", to: "products.csv")
            let transaction = Transaction(
                id: Identifier("200000000000000\(number)"), product: "coins", purchasedAt: noon(number))
            try night.deliver(file(.transactions, number) { $0.transactions = [transaction] })
            #expect(try night.night(moment(number)).code == .done)
            let amounts = try subjects(of: night.ledger()).sorted { $0.key < $1.key }.map { $0.value.amount?.text }
            #expect(amounts == prices.prefix(number + 1).map { $0 })
        }
    }

    @Test func aCrowdedCaseIsANightLikeAnother() throws {
        let night = try NightFolder()
        let ids = (0..<3000).map { Identifier("ORD\(20_000 + $0)") }
        for number in 0..<2 {
            try night.deliver(
                file(.orders, number) { rows in
                    rows.orders = ids.map { id in
                        var order = Order(
                            id: id, account: "a", product: "coins", status: .paid, createdAt: noon(number))
                        order.transaction = "1"
                        return order
                    }
                })
            try night.deliver(
                file(.credits, number) { rows in
                    rows.credits = ids.map { id in
                        var credit = Credit(id: id, account: "a", creditedAt: noon(number))
                        credit.order = id
                        credit.transaction = "1"
                        return credit
                    }
                })
            try night.deliver(
                file(.receipts, number) { rows in
                    rows.receipts = ids.map { id in
                        var receipt = Receipt(id: id, content: .absent, account: "a", receivedAt: noon(number))
                        receipt.order = id
                        receipt.transaction = "1"
                        return receipt
                    }
                })
            let transaction = Transaction(id: "1", product: "coins", purchasedAt: noon(0))
            try night.deliver(file(.transactions, number) { $0.transactions = [transaction] })
            #expect(try night.night(moment(number)).code == .done)
            #expect(try subjects(of: night.ledger()).values.map(\.verdict) == ["credited_twice"])
        }
    }

    @Test func aRefusedRequiredFileChangesNothing() throws {
        let night = try NightFolder(required: [.orders])
        try night.deliverLostOrders(0, count: 2)
        _ = try night.night(moment(0))
        let before = try (night.contents("ledger.sqlite", "ledger.sqlite-wal"), night.reports("latest"))
        try night.deliverLostOrders(1, count: 2)
        try night.folder.write("order_id,account_id\n1,2\n", to: "inbox/orders-2025-11-11.csv")
        let refused = try night.night(moment(1))
        #expect(refused.code == .inputRefused && refused.errors.contains("Deliver the file again"))
        #expect(try night.contents("ledger.sqlite", "ledger.sqlite-wal") == before.0)
        #expect(try night.reports("latest") == before.1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: night.folder.path + "/out/.nights").count == 1)
    }

    @Test func anotherFeedsRefusedFileIsABlindSpot() throws {
        let night = try NightFolder(required: [.orders])
        try night.deliverLostOrders(0, count: 1)
        try night.folder.write("credit_id\n1\n", to: "inbox/credits-2025-11-10.csv")
        let outcome = try night.night(moment(0))
        #expect(outcome.code == .look && outcome.errors.contains("credits-2025-11-10.csv is refused"))
        #expect(try subjects(of: night.ledger()).values.map(\.verdict) == ["undetermined"])
    }

    /// A file of one feed says nothing about the contents of another feed's file.
    @Test func aRefusedFileStaysABlindSpotWhateverOtherFilesOfItsKindCome() throws {
        let night = try NightFolder(required: [.orders])
        try night.addFeed(#"{ kind: "credits", path: "inbox/desk-{date}*.csv" }"#)
        try night.deliverLostOrders(0, count: 1)
        try night.folder.write("a;b\n1;2\n", to: "inbox/desk-2025-11-10-b.csv")
        try night.folder.write("credit_id,account_id,order_id,credited_at\n", to: "inbox/desk-2025-11-10-a.csv")
        let first = try night.night(moment(0))
        #expect(first.code == .look && first.output.contains("desk-2025-11-10-b.csv is refused"), "\(first)")
        let manifest = { try night.folder.read("out/latest/retry-manifest.jsonl") }
        #expect(try manifest().isEmpty)
        try night.deliverLostOrders(1, count: 1)
        try night.folder.write("credit_id,account_id,order_id,credited_at\n", to: "inbox/desk-2025-11-11.csv")
        #expect(try night.night(moment(1)).code == .look)
        #expect(try !manifest().contains("2025-11-10"), "of that day nothing is given")
        try night.deliverLostOrders(2, count: 1)
        try night.folder.write(
            "credit_id,account_id,order_id,credited_at\nC1,stranger,nothing,2025-11-10T10:00:00Z\n",
            to: "inbox/desk-2025-11-10-c.csv")
        try night.folder.write("credit_id,account_id,order_id,credited_at\n", to: "inbox/desk-2025-11-12.csv")
        #expect(try night.night(moment(2)).code == .look, "another part of that day is no substitute")
        #expect(try !manifest().contains("2025-11-10"))
        try night.deliverLostOrders(3, count: 1)
        try night.folder.write(
            "credit_id,account_id,order_id,credited_at\nC2,stranger,nothing,2025-11-10T11:00:00Z\n",
            to: "inbox/desk-2025-11-10-b.csv")
        try night.folder.write("credit_id,account_id,order_id,credited_at\n", to: "inbox/desk-2025-11-13.csv")
        #expect(try night.night(moment(3)).code == .done)
        #expect(try manifest().contains("2025-11-10"))
    }

    /// There are reports, but the ledger that published them is gone. Everything on record in it would be lost
    /// unnoticed.
    @Test func aVanishedLedgerIsToldAndNoNewOneIsBegun() throws {
        let night = try NightFolder(required: [.orders])
        try night.deliverLostOrders(0, count: 1)
        #expect(try night.night(moment(0)).code == .done)
        let before = try night.reports("latest")
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: night.folder.path + "/ledger.sqlite" + suffix)
        }
        try night.deliverLostOrders(1, count: 1)
        for options in [[], ["--dry-run"]] {
            let lost = try night.run(
                ["nightly", "--as-of", moment(1).asOf.text, "--date", moment(1).businessDate.text] + options)
            #expect(lost.code == .configuration && lost.errors.contains("pass --new-ledger"), "\(lost)")
        }
        #expect(!FileManager.default.fileExists(atPath: night.folder.path + "/ledger.sqlite"))
        #expect(try night.reports("latest") == before)
        let check = try night.run(["check"])
        #expect(check.code == .no && check.output.contains("restore a backup"), "\(check.output)")
        // An empty file in its place is no better.
        try night.folder.write("", to: "ledger.sqlite")
        #expect(try night.night(moment(1)).code == .configuration)
        try FileManager.default.removeItem(atPath: night.folder.path + "/ledger.sqlite")
        #expect(try night.night(moment(1), "--new-ledger").code == .done)
        #expect(try night.ledger().lastRun()?.id == 1)
        try night.deliverLostOrders(2, count: 1)
        #expect(try night.night(moment(2), "--new-ledger").code == .usage)
        #expect(try night.night(moment(2)).code == .done)
    }

    @Test func aFailedFirstNightLeavesNothingBehind() throws {
        let night = try NightFolder(required: [.orders])
        try FileManager.default.removeItem(atPath: night.folder.path + "/products.csv")
        let names = { try FileManager.default.contentsOfDirectory(atPath: night.folder.path).sorted() }
        #expect(try night.night(moment(0)).code == .noInput)
        #expect(try names() == ["inbox", "ledger.sqlite.lock", "reconcile.json", "stderr", "stdout"])
        try night.folder.write("order_id\n1\n", to: "inbox/orders-2025-11-10.csv")
        #expect(try night.night(moment(0)).code == .inputRefused)
        #expect(try names() == ["inbox", "ledger.sqlite.lock", "reconcile.json", "stderr", "stdout"])
    }
}
