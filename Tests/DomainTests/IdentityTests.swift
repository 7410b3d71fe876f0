import Domain
import Testing

/// Ids that the ledger assigns.
@Suite struct IdentityTests {
    @Test(arguments: [0, 1, 0x0123_4567_89AB_CDEF, UInt64.max])
    func anExceptionsIDIsReadBackFromItsText(bits: UInt64) {
        let id = ExceptionID(bits: bits)
        #expect(id.text.utf8.count == 17)
        #expect(ExceptionID(id.text) == id)
    }

    @Test func anExceptionsIDIsSpelledAsItsDigits() {
        #expect(ExceptionID(bits: 0x0123_4567_89AB_CDEF).text == "E0123456789abcdef")
    }

    @Test(arguments: ["", "E1", "E0123456789ABCDEF", "e0123456789abcdef", "E0123456789abcdeg", "E0123456789abcdef0"])
    func otherTextIsNoExceptionsID(text: String) {
        #expect(ExceptionID(text) == nil)
    }

    @Test func idsSortAsTheirTexts() {
        let ids = [0x10, 0x9, 0xA, 1 << 60, .max, 0].map { ExceptionID(bits: $0) }
        #expect(ids.sorted().map(\.text) == ids.map(\.text).sorted())
    }

    @Test(arguments: ["0001-01-01", "0999-12-31", "2024-02-29", "9999-12-31"])
    func aDateIsSpelledWithAllItsDigits(text: String) throws {
        #expect(try #require(BusinessDate(text)).text == text)
    }

    @Test func noCurrencyIsSpelledAsAnEmptyText() {
        #expect(Currency.absent.text.isEmpty)
        #expect(Currency.absent < "AAA" && Currency("AAA").text == "AAA")
    }
}
