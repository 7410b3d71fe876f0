import Testing

@testable import Domain

@Suite struct TokenTests {
    @Test func aTokenIsAUUIDWithoutRegardToCase() throws {
        let token = try #require(Token("6f9619ff-8b86-d011-b42d-00cf4fc964ff"))
        #expect(Token("6F9619FF-8B86-D011-B42D-00CF4FC964FF") == token)
        #expect(token.text == "6f9619ff-8b86-d011-b42d-00cf4fc964ff")
        #expect(token.high == 0x6f96_19ff_8b86_d011 && token.low == 0xb42d_00cf_4fc9_64ff)
    }

    @Test(arguments: [
        "", "6f9619ff8b86d011b42d00cf4fc964ff", "6f9619ff-8b86-d011-b42d-00cf4fc964f",
        "{6f9619ff-8b86-d011-b42d-00cf4fc964f}",
        "6f9619ff-8b86-d011-b42d-00cf4fc964fg", "6f9619ff-8b86-d011-b42d+00cf4fc964ff",
        "6f9619ff-8b86-d011-b42d-00cf4fc964f\u{E9}",
        "6f9619ff-8b86-d01１-b42d-00cf4fc964ff",
    ])
    func anythingElseIsNone(_ text: String) {
        #expect(Token(text) == nil)
    }

    @Test func tokensComeBackAndKeepTheirOrder() {
        var random = Random(seed: 7)
        let tokens = (0..<500).map { _ in Token(high: random.next(), low: random.next()) }
        #expect(tokens.allSatisfy { Token($0.text) == $0 })
        #expect(tokens.sorted().map(\.text) == tokens.map(\.text).sorted())
    }

    @Test func aDigestComesBackFromItsDigits() {
        let digest = Digest256(bytes: (0..<32).map { UInt8($0 * 8) })
        #expect(Digest256(hex: digest.hex) == digest && Digest256(hex: digest.hex.uppercased()) == digest)
        #expect(Digest256(bytes: digest.bytes) == digest)
        for text in ["", String(digest.hex.dropLast()), digest.hex + "0", String(digest.hex.dropLast()) + "g"] {
            #expect(Digest256(hex: text) == nil)
        }
    }
}
