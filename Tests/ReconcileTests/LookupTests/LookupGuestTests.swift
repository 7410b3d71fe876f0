import Foundation
import Testing

/// A guest who signed up: two accounts whose orders carry one token.
@Suite struct LookupGuestTests {
    private static let token = "1d625e20-8e90-4318-1cf0-bfcf6828c345"
    private static let (lost, own) = ("2000000123450001", "2000000123450002")

    private func shown(_ desk: DeskFolder, _ text: String, _ options: String...) throws -> String {
        try desk.run(["lookup", text] + options, variables: ["COLUMNS": "900"]).output
    }

    private func order(_ id: String, _ account: String, of transaction: String = "", _ desk: DeskFolder, _ night: Int)
        -> String
    {
        "\(id),\(account),coins,1,6.00,CNY,\(Self.token),\(transaction),"
            + "\(transaction.isEmpty ? "pending" : "paid"),\(desk.date(0))T11:59:00+08:00,\(desk.noon(night))"
    }

    /// The guest's payment is lost; the new account bought the same goods later, and has them.
    /// - Parameter again: further orders of the second night.
    private func shop(again: (DeskFolder) -> [String]) throws -> DeskFolder {
        let desk = try DeskFolder()
        let field = #","appAccountToken":"\#(Self.token)""#
        try desk.deliver("orders", [order("ORD1000000001", "guest8003", desk, 0)], night: 0)
        try desk.deliverTransactions([(Self.lost, field)], night: 0)
        try desk.deliver(
            "orders",
            again(desk) + [
                "ORD1000000002,u68002003,coins,1,6.00,CNY,\(Self.token),\(Self.own),paid,\(desk.noon(1)),"
            ], night: 1)
        try desk.deliverTransactions([(Self.own, field)], night: 1)
        try desk.deliver("credits", night: 0)
        try desk.deliver(
            "credits", ["CR2,ORD1000000002,\(Self.own),u68002003,credit,auto,\(desk.noon(1))"], night: 1)
        try desk.nights(0...3)
        return desk
    }

    /// The guest's account stays in the guest's order.
    @Test func aLostPaymentWithTheTokenOfTheAccountIsNamed() throws {
        let desk = try shop { _ in [] }
        #expect(try desk.safety(Self.lost) == "owner_unknown")
        for (text, asker) in [
            ("u68002003", nil), ("u68002003 没到", nil), ("没到", "u68002003"), ("尾号0002", "u68002003"), (Self.own, nil),
            ("金币没到 \(Self.own)", "u68002003"),
        ] {
            let options = asker.map { ["--asker", $0] } ?? []
            let page = try desk.run(["lookup", text] + options, variables: ["COLUMNS": "900"]).output
            #expect(page.contains("Attention: the goods of \(Self.lost) 6.00 CNY are missing"), "\(text): \(page)")
            #expect(!page.contains("Your purchase is complete"), "\(text): \(page)")
            let answer = try asker.map { try desk.look(text, "--asker", $0) } ?? desk.look(text)
            let named = answer["also_lost"] as? [[String: Any]]
            #expect(named?.map { $0["transaction_id"] as? String } == [Self.lost], "\(text)")
        }
        #expect(try shown(desk, "u68002003", "--lang", "zh-Hans").contains("可能是该用户以游客身份付的款"))
        // Whoever asks about the payment itself reads it there.
        #expect(try !shown(desk, Self.lost).contains("may have paid as a guest"))
    }

    /// The guest's order was exported again with the new account.
    @Test func anOrderThatChangedHandsIsNotAStrangers() throws {
        let desk = try shop { [order("ORD1000000001", "u68002003", $0, 1)] }
        for (text, options) in [("guest8003", []), ("ORD1000000001", ["--asker", "guest8003"])] {
            let page = try desk.run(["lookup", text] + options, variables: ["COLUMNS": "900"]).output
            #expect(
                page.contains(
                    "Attention: order ORD1000000001 belonged to account guest8003 before, and belongs to account u68002003 now"
                ), "\(page)")
            #expect(!page.contains("another account than") && !page.contains("We cannot find this purchase"), "\(page)")
            #expect(page.contains(Self.lost) && page.contains("may have paid as a guest"), "\(page)")
        }
        let masked = try shown(desk, "guest8003", "--mask")
        #expect(!masked.contains("guest8003") && !masked.contains("u68002003"), "\(masked)")
        // Another account stays a stranger's.
        #expect(try shown(desk, "ORD1000000001", "--asker", "u68002009").contains("another account than"))
        #expect(try shown(desk, "u68002003").contains("the goods of \(Self.lost)"))
    }

    /// The order was exported again, its credit was not.
    @Test(arguments: [("nothing else", true), ("the token", true), ("the time", false)])
    func goodsAtTheGuestMayBeTheNewAccounts(changed: String, isHinted: Bool) throws {
        let desk = try DeskFolder()
        let row = order("ORD1000000001", "guest8003", of: Self.lost, desk, 0)
        try desk.deliver("orders", [row], night: 0)
        try desk.deliverTransactions([(Self.lost, "")], night: 0)
        try desk.deliver("credits", ["CR1,ORD1000000001,\(Self.lost),guest8003,credit,auto,\(desk.noon(0))"], night: 0)
        try desk.deliver("credits", night: 1)
        let moved = order("ORD1000000001", "u68002003", of: Self.lost, desk, 1)
        let other = moved.replacing(Self.token, with: "")
        let rows = ["the token": other, "the time": other.replacing("T11:59:00", with: "T11:58:00")]
        try desk.deliver("orders", [rows[changed] ?? moved], night: 1)
        try desk.nights(0...1)
        #expect(try desk.subjects(Self.lost)[0]["verdict"] as? String == "credited_to_wrong_account")
        #expect(try shown(desk, Self.lost).contains("A guest may have signed up") == isHinted)
        #expect(try shown(desk, Self.lost, "--lang", "zh-Hans").contains("先查看新账号是否已有商品") == isHinted)
    }
}
