import Domain
import Foundation
import Testing

/// When the purchase of a message was, beside all other times that it names.
@Suite struct LookupTimesTests {
    private func shown(_ desk: DeskFolder, _ text: String) throws -> String {
        try desk.run(["lookup", text], variables: ["COLUMNS": "900"]).output
    }

    private func first(_ desk: DeskFolder, _ text: String) throws -> String? {
        try (desk.subjects(text).first?["transaction_ids"] as? [String])?.first
    }

    /// Asked on 2025-11-08. The purchase was on 2025-11-06 at 12:21.
    @Test(arguments: [
        "【反馈单】提交时间：2025-11-08 08:31:22\n内容：ACCOUNT，前天中午12点21充的98没到", "提交时间：2025-11-08 08:31:22 ACCOUNT 前天中午12点21充的98没到",
        "发件人：用户\n发送时间：2025年11月8日 8:31\n收件人：客服\n\n前天中午12点21充的98没到 ACCOUNT",
        "创建时间 2025/11/8 8:31 前天中午12点21充的98没到 ACCOUNT", "反馈时间\n2025-11-08 08:31:22\n前天中午12点21充的98没到 ACCOUNT",
        "注册时间：2024-03-01 12:00 最近登录：2025-11-08 08:11 ACCOUNT 前天中午12点21充的98没到",
        "小明 8:31\n前天中午12点21充的98没到 ACCOUNT\n客服小林 8:33\n请稍等",
        "2025-11-08 08:31 用户：前天中午12点21充的98没到 ACCOUNT\n2025-11-08 08:33 客服：请稍等",
        "没到账 ACCOUNT\n前天中午12点21充的98\n在 2025年11月8日，上午8:12，客服 写道：\n> 您好",
        "Ticket #4711 opened 2025-11-08 08:30\nUser ID: ACCOUNT\npaid 98 on Nov 6 at 12:21 pm",
        "Paid 98 on Nov 6 at 12:21 pm, nothing. ACCOUNT\n\nOn Sat, Nov 8, 2025 at 8:12 AM Support <a@b.cn> wrote:\n> Please send the receipt of Nov 3.",
        "From: Li\nSent: Saturday, November 8, 2025 8:12 AM\n\nPaid 98 on Nov 6 at 12:21 pm. ACCOUNT",
        "付款时间 2025-11-06 12:21:05 98元 没到 ACCOUNT", "反馈时间 2025-11-07 10:00 昨天中午12点21充的98没到 ACCOUNT",
        "ACCOUNT\n\n> 前天中午12点21充的98没到", "98没到 ACCOUNT 订单创建时间：2025-11-06 12:21:05",
    ])
    func whenItWasWrittenIsNotWhenItWasPaid(text: String) throws {
        let desk = try TicketShop().desk
        let text = text.replacing("ACCOUNT", with: "u20000030")
        let page = try shown(desk, text)
        #expect(page.contains("Understood: 2025-11-06; 11:51 to 12:51; 98"), "\(page)")
        #expect(try first(desk, text) == "510001000000031")
    }

    /// The only time is the purchase's, though a label stands before it.
    @Test func withoutAnotherTimeItCounts() throws {
        let page = try shown(TicketShop().desk, "u20000030 98没到 游戏内记录：2025-11-06 12:21:05")
        #expect(page.contains("Understood: 2025-11-06; 11:51 to 12:51; 98"), "\(page)")
    }

    /// It was 17:05.
    @Test func anHourWithoutAPartOfTheDayMayBeInEitherHalf() throws {
        let desk = try TicketShop().desk
        for text in ["前天5点05充的6块没到", "前天5:05充的6块没到", "paid 6 yuan the day before yesterday at 5:05"] {
            #expect(try first(desk, text + " u20000017") == "510002000001033", "\(text)")
            #expect(
                try shown(desk, text + " u20000017").contains(
                    "Understood: 2025-11-06; 04:35 to 05:35, 16:35 to 17:35; 6 CNY."), "\(text)")
        }
        #expect(try first(desk, "前天五点充的6块没到 u20000017") == "510002000001033")
        for (text, said) in [
            ("前天05:05充的", "04:35 to 05:35."), ("前天5:05:12充的", "04:35 to 05:35."), ("前天早上5点05充的", "04:35 to 05:35."),
            ("前天晚上零点二十", "23:50 to 00:50 the next day."),
            ("前天晚上一点半", "13:00 to 14:00, 01:00 the next day to 02:00 the next day."),
            ("前天7.40 PM", "19:10 to 20:10."), ("前天下昼三點半", "15:00 to 16:00."), ("前天12点充的", "11:00 to 13:00."),
        ] {
            let page = try shown(desk, text + " u20000017")
            #expect(page.contains("Understood: 2025-11-06; \(said)"), "\(page)")
        }
        // The form shows both.
        let listed = try desk.look("前天5点05充的6块没到")["list"] as? [String: Any]
        let understood = listed?["understood"] as? [String: Any]
        #expect(understood?["around"] as? String == "05:05" && understood?["or_around"] as? String == "17:05")
        #expect((listed?["purchases"] as? [Any])?.count == 1, "\(listed ?? [:])")
    }

    /// The lunar year began on 2027-02-06.
    @Test func theNewYearIsADate() throws {
        let desk = try TicketShop().desk
        desk.now = Instant(strict: "2027-02-08T02:10:00Z")!
        for (text, said) in [
            ("除夕晚上9点充的68没到", "2027-02-05; 20:00 to 22:00; 68."), ("大年初一晚上9点充的68没到", "2027-02-06; 20:00 to 22:00; 68."),
            ("初一零点二十充的68没到", "2027-02-06; 00:00 to 00:50; 68."), ("春节充的68没到", "2027-02-05 to 2027-02-12; 68."),
            ("去年除夕买的68没到", "2026-02-16; 68."), ("去年买的68没到", "68."), ("孩子初一级，充的68没到", "68."),
        ] {
            let page = try shown(desk, text + " u20000028")
            #expect(page.contains("Understood: \(said)"), "\(page)")
        }
        desk.now = Instant(strict: "2026-02-08T02:10:00Z")!
        #expect(try shown(desk, "前年买的68没到 u20000028").contains("Understood: 2024-11-30 to 2024-12-31; 68."))
        desk.now = Instant(strict: "2025-11-08T01:00:00Z")!
        #expect(try shown(desk, "去年买的68没到 u20000028").contains("Purchases before 2025-11-01 are not in these records."))
        #expect(try shown(desk, "初一充的98没到 u20000028").contains("Understood: 98."))
    }
}
