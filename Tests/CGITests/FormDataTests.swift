import CGI
import Testing

/// Fields of forms, as browsers encode them.
@Suite struct FormDataTests {
    @Test(arguments: [
        ("id=2000000870004170", "2000000870004170"),
        ("id=%E8%AE%A2%E5%8D%95%EF%BC%9A1001", "订单：1001"),
        ("id=a+b%2Bc%26d%3De", "a b+c&d=e"),
        ("other=1&id=x", "x"),
        ("id", ""),
        ("id=&id=second", ""),
        ("id=100%", "100%"),
        ("id=%4", "%4"),
        ("id=%zz%41", "%zzA"),
        ("id=a=b", "a=b"),
    ])
    func aFieldIsDecoded(encoded: String, value: String) {
        #expect(FormData(encoded.utf8).first("id") == value)
    }

    @Test func aMissingFieldIsNil() {
        #expect(FormData("a=1&&b=2".utf8).first("id") == nil)
        #expect(FormData("a=1&&b=2".utf8).fields.count == 2)
    }

    @Test func bytesThatAreNotUTF8AreReplaced() {
        #expect(FormData("id=%FF1".utf8).first("id") == "\u{FFFD}1")
    }
}
