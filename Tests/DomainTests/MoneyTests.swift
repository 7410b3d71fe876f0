import Testing

@testable import Domain

@Suite struct MoneyTests {
    @Test(
        arguments: [
            (600, "CNY", "6.00"), (0, "CNY", "0.00"), (-5, "CNY", "-0.05"), (230, "JPY", "230"), (-230, "JPY", "-230"),
            (1500, "KWD", "1.500"), (1, "CLF", "0.0001"), (Int64.max, "CNY", "92233720368547758.07"),
            (Int64.min, "KWD", "-9223372036854775.808"), (7, "XYZ", "0.07"),
        ] as [(Int64, String, String)])
    func amountsAreWrittenWithTheCurrencysDecimals(_ minor: Int64, _ currency: String, _ text: String) throws {
        #expect(Money(minor: minor, currency: try #require(Currency(currency))).text == text)
    }

    @Test(
        arguments: [
            (6000, "CNY", 600), (120_000, "JPY", 120), (1500, "KWD", 1500), (0, "USD", 0), (1, "CLF", 10),
            (5, "CNY", 1),
            (4, "CNY", 0), (-5, "CNY", -1), (499, "JPY", 0), (500, "JPY", 1), (1499, "JPY", 1),
        ] as [(Int64, String, Int64)])
    func applesThousandthsBecomeMinorUnits(_ thousandths: Int64, _ currency: String, _ minor: Int64) throws {
        let currency = try #require(Currency(currency))
        #expect(Price(thousandths: thousandths, currency: currency).money == Money(minor: minor, currency: currency))
    }

    @Test func aPriceMadeOfMoneyIsThatMoney() {
        for currency in ["JPY", "CNY", "KWD"] as [Currency] {
            for minor in [0, 1, 600, -7] as [Int64] {
                let money = Money(minor: minor, currency: currency)
                #expect(Price(money).money == money)
            }
        }
    }

    @Test(arguments: ["", "CN", "CNYX", "C1Y", "C Y", "元元元", "ＣＮＹ", "@@@", "```", "{{{"])
    func otherThanThreeLettersAreNoCurrency(_ text: String) {
        #expect(Currency(text) == nil)
    }

    @Test func everyCodeOfThreeLettersComesBack() {
        let letters = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(UnicodeScalar($0)) }
        for first in letters {
            for second in letters {
                for third in letters { #expect(Currency(first + second + third)?.text == first + second + third) }
            }
        }
        #expect(Currency("cny") == Currency("CNY"))
    }
}
