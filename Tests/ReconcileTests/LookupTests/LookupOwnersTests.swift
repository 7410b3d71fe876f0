import Domain
import Engine
import Foundation
import Glibc
import Testing

@testable import Ledger
@testable import Reconcile

/// Purchases that belong to an account by its token, and purchases that may belong to an order.
@Suite struct LookupOwnersTests {
    private static let token = "1d625e20-8e90-4318-1cf0-bfcf6828c345"

    /// The app was killed: pending orders of acct-1 without a transaction, and Apple's record with the account's token.
    private func killedApp(orders: Int) throws -> DeskFolder {
        let desk = try DeskFolder()
        try desk.deliver("credits", night: 0)
        let rows = (1...orders).map {
            "PENDING00\($0),acct-1,coins,1,6.00,CNY,\(Self.token),,pending,\(desk.date(0))T11:5\($0):00+08:00,"
        }
        try desk.deliver("orders", rows, night: 0)
        try desk.deliverTransactions([("2000000123456789", #","appAccountToken":"\#(Self.token)""#)], night: 0)
        try desk.night(0)
        return desk
    }

    private func transactions(_ desk: DeskFolder, _ id: String) throws -> [[String]] {
        try desk.subjects(id).map { $0["transaction_ids"] as? [String] ?? [] }
    }

    @Test func anAccountShowsWhatItOwnsByItsToken() throws {
        let desk = try killedApp(orders: 1)
        #expect(try transactions(desk, "acct-1") == [["2000000123456789"], []])
        #expect(try desk.subjects("acct-1")[0]["safe_reason"] as? String == "safe")
    }

    @Test func aTokenOfSeveralAccountsLeadsToNone() throws {
        let desk = try killedApp(orders: 1)
        try desk.deliver("credits", night: 1)
        try desk.deliver(
            "orders", ["OTHER1,acct-2,coins,1,6.00,CNY,\(Self.token),,pending,\(desk.noon(1)),"], night: 1)
        try desk.night(1)
        for account in ["acct-1", "acct-2"] { #expect(try transactions(desk, account) == [[]], "\(account)") }
        #expect(try desk.safety("2000000123456789") == "owner_unknown")
    }

    @Test(arguments: [1, 2])
    func anOrderShowsThePaymentThatMayBelongToIt(orders: Int) throws {
        let desk = try killedApp(orders: orders)
        try desk.nights(1...4)
        for number in 1...orders {
            let subjects = try desk.subjects("PENDING00\(number)")
            #expect(subjects.map { $0["verdict"] as? String } == ["paid_not_credited", "closed"])
            let all = (1...orders).map { "PENDING00\($0)" }
            #expect(subjects[0]["suggested_order_ids"] as? [String] == all)
            #expect(subjects[1]["open_purchase_ids"] as? [String] == ["2000000123456789"])
            #expect(subjects[1]["safe_reason"] as? String == "purchase_open")
            #expect(subjects[1]["safe_to_compensate"] as? Bool == false)
            for (language, owed) in [("en", "no payment came"), ("zh-Hans", "没有收到付款")] {
                let shown = try desk.run(
                    ["lookup", "PENDING00\(number)", "--lang", language], variables: ["COLUMNS": "300"]
                ).output
                #expect(!shown.contains(owed) && shown.contains("2000000123456789"))
            }
        }
    }

    /// The desk compensates under the order number that the customer has.
    @Test(arguments: [1, 2])
    func goodsGivenForThePendingOrderAreNotGivenAgain(orders: Int) throws {
        let desk = try killedApp(orders: orders)
        try desk.deliver("credits", ["CR1,PENDING001,,acct-1,credit,desk,\(desk.noon(1))"], night: 1)
        try desk.nights(1...1)
        for subject in try desk.subjects("2000000123456789") + desk.subjects("PENDING001") {
            #expect(subject["safe_to_compensate"] as? Bool == false, "\(subject["safe_reason"] ?? "")")
        }
    }

    @Test func whatMustBeLookedAtStandsFirst() throws {
        let desk = try DeskFolder()
        try desk.deliver(
            "orders",
            (1...60).map { "ORD\($0),busy,coins,1,6.00,CNY,,\(3_000_000_000_000_000 + $0),paid,\(desk.noon(0))," }
                + ["OLD1,busy,coins,1,6.00,CNY,,3000000000009999,paid,\(desk.date(0))T09:00:00+08:00,"], night: 0)
        try desk.deliverTransactions(
            (1...60).map { ("\(3_000_000_000_000_000 + $0)", "") } + [("3000000000009999", "")], night: 0)
        try desk.deliver(
            "credits", (1...60).map { "CR\($0),ORD\($0),,busy,credit,auto,\(desk.noon(0))" }, night: 0)
        try desk.night(0)
        #expect(try transactions(desk, "busy")[0] == ["3000000000009999"])
        #expect(try desk.look("busy")["more_subjects"] as? Int == 11)
    }
}

/// Ids with colliding keys, and reading copies of the ledger.
@Suite struct LookupExactTests {
    /// As if 600 clients had sent ids that share the purchase's key.
    @Test func noIdIsHiddenByOthersOfTheSameKey() throws {
        let desk = try DeskFolder.lostOrder()
        try desk.deliver(
            "receipts", (1...600).map { "R\($0),\(desk.noon(1)),acct-\($0),,9\(1_000_000 + $0),21002," }, night: 1)
        try desk.nights(1...1)
        let ledger = try Ledger(path: desk.folder.path + "/ledger.sqlite")
        var reader = IdentifierReader()
        try ledger.begin()
        let next = try ledger.nextCase()
        for kind in [IdentifierKind.transaction, .order, .account] {
            let id: Identifier = [.transaction: "2000000123456789", .order: "ORD1000000042"][kind] ?? "acct-lost-7"
            let key = reader.key(kind, id)
            try ledger.writeSegment(SegmentBlock.blocks(of: (2..<next).map { CaseKey(key: key, caseID: $0) }))
        }
        try ledger.commit()
        for id in ["2000000123456789", "ORD1000000042", "acct-lost-7"] {
            #expect(try desk.rulings(id) == ["paid_not_credited/receipt_unverified"], "\(id)")
        }
    }

    @Test func whatClientsClaimStandsBehindWhatIsOnRecord() throws {
        let desk = try DeskFolder.lostOrder()
        try desk.deliver(
            "receipts", (1...600).map { "R\($0),\(desk.noon(1)),acct-\($0),ORD1000000042,,21002," }, night: 1)
        try desk.nights(1...1)
        let first = try #require(try desk.subjects("ORD1000000042").first)
        #expect(first["transaction_ids"] as? [String] == ["2000000123456789"])
    }

    @Test func anIdIsNotLikeItself() throws {
        let desk = try DeskFolder.lostOrder()
        for id in ["2000000123456789", "2000000123456780"] {
            let near = try desk.look(id)["near"] as? [[String: String]] ?? []
            #expect(!near.contains { $0["id"] == id })
        }
    }

    /// Its end is what is lost most easily.
    @Test func anIdThatBeginsWithTheTextIsTheNearestOne() throws {
        let desk = try DeskFolder()
        let accounts = ["68001012", "68000102", "68001020", "68001002"]
        try desk.deliver(
            "orders", accounts.enumerated().map { "ORD\($0),\($1),coins,1,6.00,CNY,,,pending,\(desk.noon(0))," },
            night: 0)
        try desk.night(0)
        let near = try desk.look("6800102")["near"] as? [[String: String]] ?? []
        #expect(near.first?["id"] == "68001020" && near.count > 1, "\(near)")
    }

    /// A copy that has its log beside it, or may be in use, is never read without the log.
    @Test(arguments: [("ledger.sqlite ledger.sqlite-wal", "555"), ("ledger.sqlite", "755")])
    func aLedgerInUseIsNotReadAsUnchangeable(files: String, mode: String) throws {
        let desk = try DeskFolder.lostOrder()
        let writer = try Ledger(path: desk.folder.path + "/ledger.sqlite")
        try writer.begin()
        try writer.write([Arrival(feed: "x", date: BusinessDate(day: 1), file: "x")], run: 1)
        try writer.commit()
        // Only a user other than the folder's owner is unable to create the missing file.
        let isRoot = getuid() == 0
        if !isRoot, mode == "755" { return }
        let line = """
            mkdir copy && cp reconcile.json \(files) copy/ && chmod 644 copy/* && chmod \(mode) copy && chmod 755 . && \
            \(isRoot ? "setpriv --reuid=65534 --clear-groups" : "") $R lookup ORD1000000042 --config copy/reconcile.json
            """
        let ended = try Program.shell(line, in: desk.folder.path)
        #expect(ended.code == 77 && ended.output.isEmpty && ended.errors.contains("reconcile check"), "\(ended)")
        _ = try Program.shell("chmod 755 copy", in: desk.folder.path)
    }

    /// The payment names nobody. An order of acct-1 fits it; that of acct-2 is of another product.
    @Test func aLeadSeesTheOrdersThatFitAPaymentOfNobody() throws {
        let desk = try DeskFolder(settings: #"desk: { mayGive: ["li"], mayLead: ["chen"] },"#)
        let orders = [("5", "1", "coins"), ("6", "2", "gems"), ("7", "3", "coins")].map {
            "ORD100000000\($0),acct-\($1),\($2),1,6.00,CNY,,,cancelled,\(desk.date(0))T1\($0 == "7" ? 3 : 1):50:00+08:00,"
        }
        try desk.deliver("orders", orders, night: 0)
        let id = "2000000123450077"
        try desk.deliverTransactions([(id, "")], night: 0)
        try desk.nights(0...2)
        let fitting = "ORD1000000005 of account acct-1"
        let page = try desk.web("id=\(id)", by: "chen")
        #expect(
            page.contains("class=\"dim\">Orders without a payment that this one may belong to: \(fitting)."), "\(page)")
        #expect(
            try desk.web("id=\(id)&account=acct-2", by: "chen").contains("class=\"alarm\">Orders without a payment"))
        #expect(try !desk.web("id=\(id)&account=acct-1", by: "chen").contains("class=\"alarm\">Orders"))
        #expect(try desk.subjects(id)[0]["suggested_order_ids"] as? [String] == ["ORD1000000005"])
        let form = "id=\(id)&given=\(id)&reason=mail&owner=acct-2"
        let asked = try desk.web(form, by: "chen")
        #expect(asked.contains("no order of account acct-2 fits this payment, but these do: \(fitting)."), "\(asked)")
        #expect(asked.contains(#"name="despite" value="acct-2""#) && asked.contains(#"value="acct-2""#))
        #expect(try desk.web(form + "&despite=acct-3", by: "chen").contains("Nothing was recorded"))
        #expect(try desk.web(form + "&despite=acct-2", by: "chen").contains("Recorded: you give the goods"))
        // Whose order fits is not told that nothing was paid.
        let order = try desk.subjects("ORD1000000005")[0]
        #expect(order["safe_reason"] as? String == "purchase_open" && order["open_purchase_ids"] as? [String] == [id])
        let card = try desk.run(["lookup", id, "--asker", "acct-1"], variables: ["COLUMNS": "900"]).output
        #expect(
            card.contains("given by hand to account acct-2 (mail). A lead decided that; no record names"), "\(card)")
        #expect(try !desk.run(["lookup", id, "--asker", "acct-2"]).output.contains("A lead decided that"))
        let masked = try desk.run(["lookup", id, "--asker", "acct-1", "--mask"], variables: ["COLUMNS": "900"]).output
        #expect(!masked.contains("acct-2"), "\(masked)")
    }

    /// The customer left an order and paid the next one.
    @Test func theOrderOfADecidedPaymentSaysWhatTheLeadDecided() throws {
        let desk = try DeskFolder(settings: #"desk: { mayGive: ["li"], mayLead: ["chen"] },"#)
        let orders = [("5", "11:20"), ("6", "11:50")].map {
            "ORD100000000\($0),acct-1,coins,1,6.00,CNY,,,cancelled,\(desk.date(0))T\($1):00+08:00,"
        }
        try desk.deliver("orders", orders, night: 0)
        let id = "2000000123450077"
        try desk.deliverTransactions([(id, "")], night: 0)
        try desk.nights(0...2)
        #expect(try desk.subjects("ORD1000000006")[0]["safe_reason"] as? String == "purchase_open")
        let form = "id=\(id)&given=\(id)&reason=mail&owner=acct-1"
        #expect(try desk.web(form, by: "chen").contains("Recorded: you give the goods"))
        func check() throws {
            for text in ["ORD1000000006", "acct-1"] {
                let order = try #require(
                    try desk.subjects(text).first { ($0["order_ids"] as? [String])?.first == "ORD1000000006" })
                #expect(order["safe_reason"] as? String == "given", "\(order)")
                let said = try desk.run(["lookup", text], variables: ["COLUMNS": "900"]).output
                #expect(said.contains("payment \(id) is of this account, and gives its goods by hand"), "\(said)")
                #expect(said.contains("We add the items of this payment by hand."), "\(said)")
                #expect(!said.contains("may be the customer"), "\(said)")
                // Nobody reads the order as a purchase to give or to withdraw.
                let page = try desk.web("id=\(text)", by: "chen")
                #expect(page.contains("lead chen decided at") && !page.contains("transaction ."), "\(page)")
            }
            #expect(try desk.subjects("ORD1000000005")[0]["safe_reason"] as? String == "verdict")
        }
        try check()
        try desk.deliver("credits", ["CR9,,\(id),acct-1,credit,desk,\(desk.noon(3))"], night: 3)
        try desk.nights(3...3)
        try check()
        // Goods that went elsewhere are not called given.
        try desk.deliver("credits", ["CR9,,\(id),acct-9,credit,desk,\(desk.noon(3))"], night: 4)
        try desk.nights(4...4)
        #expect(try desk.subjects("ORD1000000006")[0]["safe_reason"] as? String != "given")
    }
}
