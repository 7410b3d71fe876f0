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

    /// Who upgraded and still has the former plan misses goods, and complains of no charge.
    @Test(
        arguments: [
            ("I upgraded to the yearly plan, paid 268, still monthly", false, false), ("升级了年卡，会员还是月卡", false, false),
            ("升级后又扣我25", true, false), ("孩子偷偷充的68", true, true), ("bought w/o asking", false, true),
            ("my daughter paid 68 for stars", true, false),
        ])
    func complaintsOfChargesAreToldFromMissingGoods(text: String, isAboutCharge: Bool, isDisputed: Bool) {
        let message = text.replacing(plainQuestion, with: "")
        #expect(message.contains(complaintAboutCharge) == isAboutCharge)
        #expect(message.contains(disputeOfPayment) == isDisputed)
    }
}
