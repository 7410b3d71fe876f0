import Testing

@testable import Engine

@Suite struct TypedTextTests {
    /// The searches for times, amounts and accounts start at each sign of a word: a receipt would take seconds.
    @Test func aPastedReceiptIsNotSearchedForWords() {
        let receipt = String(repeating: "MIIUVQYJKoZIhvcNAQcCoIIURjCC", count: 40)
        #expect(TypedText("昨天15:57 充值 \(receipt) 没到账").beginning == "昨天15:57 充值   没到账")
        let order = String(repeating: "7", count: 64)
        #expect(TypedText("order \(order)").beginning.hasSuffix(order))
    }
}
