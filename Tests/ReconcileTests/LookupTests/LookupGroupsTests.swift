import Domain
import Foundation
import Testing

/// Accounts that a message does not write as they are on record, and numbers beside them.
/// See docs/spec/interfaces.md#lookup-spellings.
@Suite struct LookupGroupsTests {
    /// Each account lost a purchase at noon.
    private func shop(_ accounts: [String]) throws -> DeskFolder {
        try DeskFolder.copy(of: "groups " + accounts.joined(separator: " ")) {
            let desk = try DeskFolder()
            let sold = accounts.enumerated().map { ($1, DeskFolder.sold($0)) }
            try desk.deliver(
                "orders", sold.map { "ORD\($1),\($0),coins,1,6.00,CNY,,\($1),paid,\(desk.noon(0))," }, night: 0)
            try desk.deliverTransactions(sold.map { ($0.1, "") }, night: 0)
            try desk.nights(0...0)
            return desk
        }
    }

    private func shown(_ desk: DeskFolder, _ text: String, _ language: String = "en") throws -> String {
        try desk.run(["lookup", text, "--lang", language], variables: ["COLUMNS": "900"]).output
    }

    private func answers(_ desk: DeskFolder, _ text: String) throws -> [String] {
        let answer = try desk.look(text)
        let said = (answer["subjects"] as? [[String: Any]] ?? []).map { $0["safe_reason"] as? String ?? "" }
        return (answer["read_as"] as? [String] ?? []) + said
    }

    @Test(arguments: [
        "uid 204 410 没到", "我的ID是 204 410，6元没到", "账号 204-410，没到", "204410-6没到", "uid204410 6元没到",
    ])
    func anAccountOfSixDigitsInGroupsIsFoundBehindItsLabel(text: String) throws {
        #expect(try answers(shop(["204410", "204405"]), text) == ["204410", "safe"])
    }

    /// It may be two amounts.
    @Test func withoutALabelItIsNamedAsSimilar() throws {
        let desk = try shop(["204410", "204405"])
        let answer = try desk.look("204 410 6元没到")
        #expect((answer["near"] as? [[String: String]])?.map { $0["id"] } == ["204410"], "\(answer)")
        #expect((answer["subjects"] as? [Any])?.isEmpty == true)
        #expect(try !shown(desk, "204 410 6元没到").contains("No record of 204410"))
    }

    @Test func anAccountWithPointsOrAnAmountBehindItIsFound() throws {
        let desk = try shop(["260318420"])
        for text in ["260.318.420", "260.318.420 6元没到", "260318420-6没到"] {
            #expect(try answers(desk, text) == ["260318420", "safe"], "\(text)")
        }
        // Where accounts have hyphens, it may be another account.
        #expect(try answers(shop(["260318420", "260318420-2"]), "260318420-3没到") == [])
    }

    /// The only number beside the account is the time of the payment.
    @Test(arguments: [
        ("204405，120010付的6元", "safe"), ("204405 115830 6元", "safe"), ("204405，110220付的6元", "account_unclear"),
    ])
    func aTimeInDigitsIsNoOtherAccount(text: String, reason: String) throws {
        #expect(try answers(shop(["204410", "204405"]), text) == ["204405", reason])
    }

    @Test(arguments: ["880466 6元没到", "880466", "角色ID880466 6元没到", "12服880466 6元没到", "12 880466 6元没到"])
    func aRolesNumberNamesTheAccountThatMayBeMeant(text: String) throws {
        let one = try shop(["12-880466", "12-880467"])
        let page = try shown(one, text)
        #expect(page.contains("one account ends in it: 12-880466. Ask the customer for the server"), "\(page)")
        #expect(!page.contains(": YES"))
        #expect(try shown(one, text, "zh-Hans").contains("请向用户核实区服"))
        let two = try shop(["12-880466", "13-880466", "12-880467"])
        #expect(try shown(two, text).contains("2 accounts end in it. Ask the customer for the server"))
        #expect(try !shown(shop(["204410"]), text).contains("end in it"))
    }

    @Test func lettersForDigitsInAnIdOfBothAreFound() throws {
        let desk = try DeskFolder()
        try desk.deliver(
            "orders", ["01M84Z8ARRGFCTS6J1,acct-1,coins,1,6.00,CNY,,2000000123456789,paid,\(desk.noon(0)),"], night: 0)
        try desk.deliverTransactions([("2000000123456789", "")], night: 0)
        try desk.nights(0...0)
        for text in ["O1M84Z8ARRGFCTS6J1", "订单o1m84z8arrgfcts6jl没到"] {
            #expect(try answers(desk, text) == ["01M84Z8ARRGFCTS6J1", "found_by_part"], "\(text)")
        }
    }
}
