import Testing

@testable import Engine

@Suite struct TypedTextTests {
    /// The search for an address begins at each sign, and a table has a thousand short numbers.
    @Test(arguments: [
        String(repeating: "aB3-", count: 16_000), String(repeating: "4-0-", count: 16_000) + "@",
        String(repeating: "2000\n", count: 12_000), String(repeating: "1/a", count: 20_000),
        String(repeating: "a@", count: 16_000),
    ])
    func aLongTextCostsNoMoreThanItsLength(text: String) {
        let typed = TypedText(text)
        let time = ContinuousClock().measure {
            _ = TypedText(text).broken(besides: [])
        }
        #expect(time < .seconds(5) && !typed.whole.isEmpty, "\(time)")
    }

    @Test func digitsInKeysAndCirclesAreDigits() {
        #expect(TypedText("2\u{FE0F}\u{20E3}0\u{20E3}①②③④⑤⑥⑦⑧").whole.contains("2012345678"))
    }

    @Test func anAccountWithBlanksIsNoOther() {
        for text in ["138 1288 0466 98没到", "138-1288-0466 98没到"] {
            #expect(TypedText(text).stray(like: "13812880466", besides: []) == nil)
        }
        #expect(TypedText("138 1288 0467 98没到").stray(like: "13812880466", besides: []) == "13812880467")
    }

    @Test func anAddressHoldsNoId() {
        #expect(TypedText("me2000000123@example.com 2000000999").runs.map { $0[0] } == ["2000000999"])
        #expect(TypedText("x@player2000000123 UserID301000105").runs.map { $0.last } == ["301000105"])
    }

    /// A search for a date would begin at each of many blanks, and at each blank behind it.
    @Test(arguments: ["a" + String(repeating: " ", count: 1900) + "b", String(repeating: "a@", count: 1000)])
    func manyBlanksCostNoMoreThanOne(text: String) {
        let time = ContinuousClock().measure {
            _ = MessageTimes(TypedText.beginning(of: text))
        }
        #expect(time < .seconds(5), "\(time)")
    }

    /// The searches for times, amounts and accounts start at each sign of a word: a receipt would take seconds.
    @Test func aPastedReceiptIsNotSearchedForWords() {
        let receipt = String(repeating: "MIIUVQYJKoZIhvcNAQcCoIIURjCC", count: 40)
        #expect(TypedText("昨天15:57 充值 \(receipt) 没到账").beginning == "昨天15:57 充值   没到账")
        let order = String(repeating: "7", count: 64)
        #expect(TypedText("order \(order)").beginning.hasSuffix(order))
    }

    @Test(
        arguments: [
            ("月费贵了5块", true), ("价格不对", true), ("会员怎么突然贵了", true), ("连续包月不是25吗怎么收30", true), ("说好25一个月的", true),
            ("首月优惠没给我", true), ("why was I charged 30 instead of 25", true), ("會員怎麼突然貴了", true),
            // Of goods, or of nothing that was charged.
            ("太贵了不想买了", false), ("说好今天到的", false), ("客服说好补98的", false), ("不是98吗怎么没到", false), ("怎么收不到", false),
            ("I got 60 coins instead of 300", false), ("首月优惠买的会员没到", false), ("不是300币吗怎么只有60", false),
            ("怎么收到60个币", false), ("说好25一个月的会员没到", false), ("价格不对，东西也没收到", false), ("到账金额不对", false),
        ])
    func questionsAboutPricesAreToldFromMissingGoods(text: String, isPrice: Bool) {
        #expect(isAboutPrice(statements(in: text)) == isPrice)
    }

    /// Who upgraded and still has the former plan misses goods, and complains of no charge.
    @Test(
        arguments: [
            ("I upgraded to the yearly plan, paid 268, still monthly", false, false), ("升级了年卡，会员还是月卡", false, false),
            ("升级后又扣我25", true, false), ("孩子偷偷充的68", true, true), ("bought w/o asking", true, true),
            ("my daughter paid 68 for stars", true, false),
            // The customer did not agree to the charge.
            ("25号自动扣25 我早取消订阅了", true, true), ("上个月就退订会员了，怎么还扣我25", true, true),
            ("訂閱早就取消了，為什麼還扣我25", true, true), ("续费我已经关了，今天还是扣款", true, true),
            ("I cancelled the subscription in May and was charged 25 again", true, true),
            ("charged 25, but I unsubscribed last week", true, true), ("没经过我同意就扣了68", true, true),
            ("我根本没订阅，怎么扣了68", true, true), ("上个月就退订了还扣", true, true), ("扣了25，可我早退订了", true, true),
            ("会员没订阅成功，扣了68", false, false),
            ("I never agreed to this charge of 68", true, true), ("上个月取消了会员，现在重新买的68没到", false, false),
            ("付了68订单还没确认，没到账", false, false), ("自动续费扣了25会员没到", true, false),
            // Somebody else paid, or by mistake.
            ("女儿拿我手机充了68，我不知道", true, true), ("小孩不懂事乱买的", true, true), ("兒子瞞著我充的68", true, true),
            ("有人偷偷用我的账号充了68", true, true), ("my son bought 600 stars without my permission", true, true),
            ("my kid paid 68 behind my back", true, true), ("I bought 600 stars by mistake", true, true),
            ("給孩子買的600星星，扣了68沒到", false, false), ("孩子的账号充了68没到", true, false),
            ("退錢", true, true), ("帳號被盜了", true, true), ("you gave me 60 coins by mistake", false, false),
            ("扣了25，会员订单显示已取消，没到", false, false), ("没收到，要不要取消会员再买一次", false, false),
            ("I was charged 68 but the order says cancelled", false, false),
        ])
    func complaintsOfChargesAreToldFromMissingGoods(text: String, isAboutCharge: Bool, isDisputed: Bool) {
        let message = statements(in: text)
        let isDispute = disputesPayment(message)
        #expect((isDispute || message.contains(complaintAboutCharge)) == isAboutCharge)
        #expect(isDispute == isDisputed)
    }

    /// A date and the amount behind it are not read as an account.
    @Test(arguments: [
        "20261124 68元没到", "20261124，68元没到", "20261124充了68没到", "2026 11 24 68元没到", "24 11 2026 68 missing",
    ])
    func aDateBesideAnAccountIsNoOtherAccount(message: String) {
        let account = "13900110034"
        #expect(TypedText(account + " " + message).stray(like: account, besides: [account]) == nil)
        #expect(TypedText(account + " 139001 10099").stray(like: account, besides: [account]) == "13900110099")
    }

    /// In a game, servers and codes have as many digits as accounts.
    @Test(arguments: ["区服100203 ", "serverid 100203 ", "验证码553201，", "QQ群号 884432 反馈，", "客服工号100203 ", "邮编100101 "])
    func aNumberOfSomethingElseIsNoOtherAccount(label: String) {
        #expect(TypedText(label + "uid204410，98没到").stray(like: "204410", besides: ["204410"]) == nil)
    }

    @Test(arguments: [
        ("260 318 420 98没到", ["260318420"]), ("2603 18420，98没到", ["260318420"]), ("260318\n420 没到", ["260318420"]),
        ("260 318 420 168没到", ["260318420"]), ("260-318-42", []), ("260.318.420", ["260318420"]),
        ("11 25 98没到", []), ("204 410 98没到", []), ("6001 1234 5678", []), ("139 1234 5678", []),
    ])
    func anAccountMayBeWrittenInGroups(message: String, accounts: [String]) {
        #expect(TypedText(message).grouped == accounts)
    }

    @Test(arguments: [
        "电话 139 1234 5678", "手机号139 1234 5678", "phone 139 1234 5678", "+86 139-1234-5678", "13912 345 678",
    ])
    func aMobileNumberIsNoAccountOfAnotherForm(phone: String) {
        let stray = TypedText("260318420 98没到 " + phone).stray(like: "260318420", besides: ["260318420"])
        #expect((stray == nil) == !phone.hasPrefix("13912 "))
    }

    /// Where accounts are mobile numbers, a number behind the label of one may be the customer's account.
    @Test(arguments: [
        ("我的手机号13900119999，T没到", true), ("手机号：13900119999 T", true), ("手机13900119999，T没到", true),
        ("电话 +86 139-0011-9999 T没到", true), ("注册手机号码是139 0011 9999 T", true), ("phone 13900119999 T", true),
        ("手机尾号9999，T没到", false), ("客服电话4006668800，T没到", false), ("手机系统26，T没到", false), ("微信13900119999 T", false),
    ])
    func aPhonesNumberIsAnAccountWhereAccountsAre(message: String, isStray: Bool) {
        let ids = ["2000000123456789"]
        let typed = TypedText(message.replacing("T", with: ids[0]))
        #expect(typed.stray(like: "13900110008", besides: ids) == (isStray ? "13900119999" : nil))
        #expect(typed.stray(like: "30900110008", besides: ids) == nil)
    }
}
