import Domain
import Testing

@testable import Engine

/// What a message says of a purchase. Whole messages are in Tests/Fixtures/desk-messages.txt.
@Suite struct DescriptionReaderTests {
    private static let names = ["书币128 128 Beans", "会员月卡 Monthly", "会员年卡 Yearly", "终身会员 Lifetime", "赠礼月卡 Gift"]

    private func read(_ text: String) -> PurchaseDescription {
        let products = zip(["coins", "month", "year", "life", "gift"], Self.names).map {
            (id: Identifier($0), name: $1)
        }
        return DescriptionReader(
            today: BusinessDate("2026-11-27")!, minute: 600, zone: Zone("Asia/Shanghai")!,
            firstDay: BusinessDate("2026-11-01")!, products: products, prices: []
        ).read(text)
    }

    /// 会员 ends one name only, begins two others, and is a label of accounts.
    @Test(
        arguments: [
            ("昨晚开的会员 18块", []), ("会员号58210002 充128没到", []), ("会员:58210002 充128没到", []), ("终身会员没到", ["life"]),
            ("会员月卡没到", ["month"]),
            ("月卡没到", ["gift", "month"]), ("年卡没到", ["year"]), ("书币没到", []),
        ] as [(String, [Identifier])])
    func aWordThatSeveralProductsShareExcludesNoneOfThem(text: String, products: [Identifier]) {
        #expect(read(text).products == products)
    }

    @Test(arguments: ["I bought the 128 pack", "bought a 128-pack yesterday", "where is my 128 bundle?"])
    func aPackIsNamedByItsNumber(text: String) {
        func read(_ text: String, _ prices: [Money]) -> PurchaseDescription {
            DescriptionReader(
                today: BusinessDate("2026-11-27")!, minute: 600, zone: .utc, firstDay: BusinessDate("2026-11-01")!,
                products: [(id: "gems", name: "128 Gems")], prices: prices
            ).read(text)
        }
        #expect(read(text, []).products == ["gems"] && read(text, []).amounts.isEmpty)
        #expect(read(text, [Money(minor: 12_800, currency: "CNY")]).amounts == [128_000])
        #expect(read("128 packets, 128 days", []).products.isEmpty)
    }

    /// A name that means several zones, or another one in summer, leaves the time open, and the date may be the one beside it.
    @Test(arguments: [
        "paid $9.99 on Nov 25 around 11am LA time", "Nov 25 at 19:00 PT", "Nov 25, 7 p.m. (BST)", "11月25日美西时间上午11点",
        "11月25日当地时间19:00",
    ])
    func aTimeOfAnUnclearZoneIsUnknown(text: String) {
        let asked = read(text)
        #expect(asked.arounds.isEmpty && asked.days == BusinessDate("2026-11-24")!...BusinessDate("2026-11-26")!)
        let own = read("Nov 25 at 11am CST, the best time")
        #expect(own.arounds == [660] && own.days == BusinessDate("2026-11-25")!...BusinessDate("2026-11-25")!)
    }

    /// The shop's clock is not the customer's. A date before the time is of its zone; another one may be the shop's.
    @Test(
        arguments: [
            ("2026-11-25T15:57:03+08:00", [957], 25...25, 30), ("2026-11-25T23:57:03Z 没到", [477], 26...26, 30),
            ("2026-11-25 07:57:03 Etc/GMT", [957], 25...25, 30), ("11月25日 15:57 GMT+8 没到", [957], 25...25, 30),
            ("2026-11-24 23:57:03 -0800", [957], 25...25, 30), ("2026/11/25 13:27 UTC+5:30", [957], 25...25, 30),
            ("Nov 25, UTC 07:57", [957], 24...26, 30), ("Nov 25 at 19:00 UTC", [180], 25...27, 30),
            ("paid $9.99 on Nov 25 11am PST", [180], 25...27, 120), ("Nov 25, 7 p.m. (GMT+1)", [120], 25...27, 60),
            ("Nov 25 at 3:57 PM JST", [897], 24...26, 30), ("Nov 25, 2026 at 3:57:03 PM GMT+8", [957], 25...25, 30),
            ("Nov 25, 2026 at 11:57:03 PM UTC", [477], 26...26, 30),
            ("Wed, 25 Nov 2026 07:57:03 +0000", [957], 25...25, 30), ("Nov 25 at 3.57pm (GMT+8)", [957], 25...25, 30),
            ("11月25日凌晨零点二十（北京时间）", [20], 25...25, 30),
            ("北京时间11月25日晚上8点", [1200], 25...25, 60),
            ("11月25日(UTC+8) 15:57", [957], 25...25, 30), ("11月25日晚上8:10 GMT+8", [1210], 25...25, 30),
            ("11月25日09:30-10:30", [570], 25...25, 30), ("11月25日15:57 电话0755-0800", [957], 25...25, 30),
        ] as [(String, [Int], ClosedRange<Int>, Int)])
    func aTimeWithItsZoneIsReadByTheShopsClock(text: String, arounds: [Int], days: ClosedRange<Int>, within: Int) {
        let asked = read(text)
        #expect(asked.arounds == arounds && asked.within == within && asked.amounts.isEmpty == !text.contains("$"))
        let said = [days.lowerBound, days.upperBound].map { BusinessDate("2026-11-\($0)")! }
        #expect(asked.days == said[0]...said[1])
    }

    @Test(arguments: [
        ("双十一充的没到", "2026-11-11"), ("元旦充的没到", "2026-01-01"), ("618充的没到", "2026-06-18"), ("国庆充的没到", "2026-10-01"),
        ("11.26 20:33 没到", "2026-11-26"), ("11-26 没到", "2026-11-26"), ("11.26充的没到", "2026-11-26"),
        ("圣诞充的没到", "2025-12-25"), ("on Singles' Day", "2026-11-11"), ("充了11.26没到", nil), ("圣诞礼包没到", nil),
        ("元旦礼包没到", nil),
    ])
    func aSaleOrAFestivalIsADate(text: String, day: String?) {
        #expect(read(text).days == day.map { BusinessDate($0)!...BusinessDate($0)! })
    }

    /// Where one number alone may be the month, the day may stand first. No part of a date is an amount.
    @Test(arguments: [
        ("paid 25/11 at 20:14, 30 cny", "2026-11-25"), ("paid on 25.11.2026 20:14 30 cny", "2026-11-25"),
        ("25-11-2026 20:14 paid 30 cny", "2026-11-25"), ("paid 25/11/2026, 30 cny", "2026-11-25"),
        ("paid 30 cny on 25/11", "2026-11-25"), ("paid 11/25 30 cny", "2026-11-25"), ("paid 5/11 30 cny", "2026-05-11"),
        ("paid 5/11/2026 30 cny", nil), ("paid 5.11.2026 30 cny", nil), ("paid 30 cny, your 24/7 help is silent", nil),
        ("充了30元 30/68两档", nil),
    ])
    func aDayMayStandFirst(text: String, day: String?) {
        let asked = read(text)
        #expect(asked.days == day.map { BusinessDate($0)!...BusinessDate($0)! } && asked.amounts == [30_000])
    }

    /// None of two readings is in the future, and a date with two is not searched for.
    @Test func aDateOfTwoReadingsIsUnclear() {
        let dates = { (days: String...) in days.compactMap { BusinessDate($0) } }
        #expect(read("05/11/2026 充的98").unclearDates == dates("2026-05-11", "2026-11-05"))
        #expect(read("05/11/2026 充的98").days == nil)
        #expect(read("11/12/2026 充的98").days?.lowerBound == BusinessDate("2026-11-12"))
        for text in [
            "24/11/26", "24.11.26", "11/24/26", "26-11-24", "26年11月24日", "24 Nov 26", "Nov 24 26", "24 Nov '26",
            "20261124", "2026/24/11", "2026-24-11", "24th of November", "Nov 24, 2026",
        ] {
            let asked = read(text + " 充的98没到")
            #expect(asked.days == BusinessDate("2026-11-24")!...BusinessDate("2026-11-24")!, "\(text)")
            #expect(asked.amounts == [98_000], "\(text)")
        }
        #expect(read("05/11/26 充的98").unclearDates == dates("2026-05-11", "2026-11-05"))
        #expect(read("Nov 24 68 yuan").days?.lowerBound == BusinessDate("2026-11-24"))
        #expect(read("Nov 24 26 yuan").amounts == [26_000])
        for text in ["11/11/2026", "25/11/2026", "11/12/2026", "2026/05/11", "13/14/2026"] {
            #expect(read(text).unclearDates.isEmpty, "\(text)")
        }
    }

    /// A price rise is a complaint about a charge, and both months are meant.
    @Test(arguments: [
        "为什么这个月月卡扣28，上个月才25", "上个月会员25，这个月28", "月卡这个月28元上个月25元", "why is my plan 28 now, it was 25 last month",
        "my membership was 25 last month and is now 28", "vip 28 this month, last month 25",
    ])
    func twoPricesOfASubscriptionAreCompared(text: String) {
        let asked = read(text)
        #expect(Set(asked.amounts) == [25_000, 28_000] && comparedPrices(in: text)?.count == 2)
        #expect(asked.days == BusinessDate("2026-10-01")!...BusinessDate("2026-11-27")!)
    }

    @Test(arguments: [
        "这个月月卡28没到，上个月25的到了", "这个月28号买的月卡，上个月25号也买了", "会员这个月扣28，上个月扣28", "这个月充了30上个月充了68",
        "my plan: paid 28 this month, 25 last month, never got it", "上个月25号买的月卡",
    ])
    func noOtherTwoNumbersAre(text: String) {
        #expect(comparedPrices(in: text) == nil)
        #expect(read("上个月充的6元没到").days?.upperBound == BusinessDate("2026-10-31"))
    }

    @Test func aQuarterIsFifteenMinutes() {
        #expect(read("昨天晚上八点一刻").arounds == [1215] && read("昨天晚上8点三刻").arounds == [1245])
    }

    /// ¥ is the sign of two currencies. A time may stand behind the amount of a bill.
    @Test func aSignMeansTheCurrencyThatHasSuchAPrice() {
        let reader = DescriptionReader(
            today: BusinessDate("2026-11-27")!, minute: 600, zone: .utc, firstDay: BusinessDate("2026-11-01")!,
            products: [], prices: [Money(minor: 9800, currency: "CNY"), Money(minor: 120, currency: "JPY")])
        #expect(reader.read("¥98没到").currencies == ["CNY"] && reader.read("¥120没到").currencies == ["JPY"])
        #expect(reader.read("¥77没到").currencies == ["CNY", "JPY"])
        #expect(reader.read("金额98.00 2026年11月26日20:15:30").amounts == [98_000])
    }

    @Test(arguments: [
        "598没到,昨天找过客服", "598没到,昨天已联系客服", "昨天反馈过", "昨天上午9点半联系客服了", "昨天问过你们", "昨天你们说会补", "昨天又催了", "前天就反馈了",
        "598没到账 今天早上再查还是没有", "今天还没到账", "请今天18点前处理", "今晚8点前不处理就投诉", "昨天客服说24小时内到账", "投诉时间:11月28日 21:03", "昨天重装了app",
        "598 missing, i wrote to you yesterday", "emailed yesterday", "your agent told me yesterday to wait",
        "598 coins still missing today", "please reply today", "told on nov 27 it would be fixed",
        "yesterday i contacted support",
    ])
    func theDayOfTheComplaintIsNotThePayments(text: String) {
        let asked = read(withoutComplaintTimes(text))
        #expect(asked.days == nil && asked.arounds.isEmpty, "\(withoutComplaintTimes(text))")
    }

    @Test(arguments: [
        "昨天充的598没到", "昨天598没到请处理", "昨天598没到,客服不理", "昨晚8点前充的598", "昨天在你们这充了598", "昨天晚上8点598还没到", "昨天的98没到账请尽快处理",
        "反馈:昨天晚上8点598没到",
        "昨天早就充了,还没到", "订单问题 昨天598", "598 missing since yesterday", "paid yesterday, please help",
        "paid yesterday, contacted support", "bought on tuesday support said wait",
        "coins from yesterday missing pls reply",
        "yesterday's 598 coins are missing",
    ])
    func theDayOfThePaymentStays(text: String) {
        #expect(withoutComplaintTimes(text) == text)
    }

    @Test func onlyTheTimeOfTheComplaintGoes() {
        let asked = read(withoutComplaintTimes("23号充的598没到,昨天客服说24小时内到账"))
        #expect(asked.days == BusinessDate("2026-11-23")!...BusinessDate("2026-11-23")!)
        #expect(read(withoutComplaintTimes("昨天充的,今天还没到")).days?.upperBound.text == "2026-11-26")
    }

    @Test(arguments: [
        "小鱼 21:03\n598没到", "客服小李 2026-11-25 14:05:11\n598没到", "2026/11/25 21:03:11 小鱼\n598没到",
        "小鱼(123456789) 2026/11/25 21:03:11\n598没到", "[2026-11-25 21:03] 用户: 598没到", "[昨天 14:05]\n598没到",
        "[昨天 14:05] 用户: 598没到", "598没到\n11-25 21:03 来自iphone", "2026/11/25 21:03:11 小鱼: 598没到",
        "发件时间: 2026-11-25 21:03\n598没到",
    ])
    func theHeadOfAChatIsNoTimeOfAPayment(text: String) {
        let message = MessageTimes(text, goods: ["月卡", "60金币"])
        #expect(!message.text.contains("21:03") && !message.text.contains("14:05"), "\(message.text)")
        #expect(message.text.contains("598没到"))
    }

    @Test(arguments: [
        "598没到\n月卡 21:03", "没到账 21:03", "微信 21:03", "2026-11-25 21:03:11 苹果", "昨天 21:03\n598没到", "月卡 21:03",
    ])
    func withoutASpeakerTheOnlyTimeCounts(text: String) {
        #expect(MessageTimes(text, goods: ["尊享月卡"]).text.contains("21:03"))
    }

    /// A ticket is created when its customer writes, and a mail has the time at which it was sent.
    @Test func alipaysBillIsCreatedWhenTheCustomerPays() {
        let time = "创建时间 2026-11-26 20:03:41"
        #expect(MessageTimes("支付宝账单详情 -328.00 " + time).written == [])
        #expect(MessageTimes("工单 328没到 " + time).written == ["2026-11-26 20:03:41"])
        let mail = "fri, 27 nov 2026 01:00:00 +0000"
        #expect(MessageTimes("date: \(mail)\nmy beans never arrived").written == [mail])
    }
}
