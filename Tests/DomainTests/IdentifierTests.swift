import Reference
import Testing

@testable import Domain

/// Identifiers are texts that are compared byte by byte, however they are represented.
@Suite struct IdentifierTests {
    /// Pairs that are equal as numbers or in some other comparison.
    static let alike: [(String, String)] = [
        ("\u{E9}", "e\u{301}"), ("Or\u{E9}1234", "Ore\u{301}1234"), ("0001", "1"), ("ORD0001234", "ORD1234"),
        ("00000000000000", "0"), ("A1", "a1"), ("1", "１"), ("", "0"), ("10000000000000000", "1e16"),
        ("9007199254740993", "9007199254740992"), ("a\u{0}", "a"), ("ﬁ", "fi"), ("Å", "A\u{30A}"),
        (String(repeating: "9", count: 300), String(repeating: "9", count: 299)),
    ]

    @Test(arguments: alike) func onlyTheSameBytesAreTheSame(_ left: String, _ right: String) {
        #expect(Identifier(left) != Identifier(right))
        #expect(Identifier(left) == Identifier(left) && Identifier(right) == Identifier(right))
        #expect(Set([Identifier(left), Identifier(right)]).count == 2)
        #expect(Array(Identifier(left).text.utf8) == Array(left.utf8))
        #expect(Array(Identifier(right).text.utf8) == Array(right.utf8))
        let isLess = left.utf8.lexicographicallyPrecedes(right.utf8)
        #expect((Identifier(left) < Identifier(right)) == isLess)
    }

    /// What a person types, a Chinese keyboard, a spreadsheet or a web page puts around an id.
    @Test(arguments: [
        ("ACCT-1", "acct-1"), (" 00700002\t", "700002"), ("７００００２", "700002"), ("ａｃｃｔ－1", "acct-1"),
        ("'700002", "700002"), ("=\"00700002\"", "700002"), ("700,002", "700002"), ("700,002.0", "700002"),
        ("0700002.00", "700002"), ("7000\u{200B}02", "700002"), ("\u{FEFF}700002", "700002"), ("٧٠٠٠٠٢", "700002"),
        ("\u{3000}ord-7\u{A0}", "ord-7"), ("订单007", "订单007"), ("'玩家7", "玩家7"), ("=\"玩家7\"", "玩家7"), ("1.5", "1.5"),
        ("v1.0", "v1.0"), (".0", ".0"),
        ("1.0.0", "1.0.0"),
        ("", ""), ("000", ""), ("'", ""), ("0.0", ""),
    ])
    func plainSpellingIsWhatAllWritersMean(text: String, plain: String) {
        #expect(Identifier(text).plainSpelling == plain)
    }

    @Test(arguments: ["", "0", "7", "0007", "ORD", "ORD0", "123456789012345", "x00000000000000", "客户0012345", "-0001"])
    func textComesBack(_ text: String) {
        #expect(Identifier(text).text == text)
    }

    @Test func generatedTextsKeepTheirBytesAndTheirOrder() {
        var random = Random(seed: 42)
        let heads = ["", "ORD", "ord", "0", "00", "é", "e\u{301}", "客", "A-", "12x"]
        let texts = (0..<3000).map { _ in
            let digits = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                String(Int.random(in: 0...9, using: &random))
            }
            return heads.randomElement(using: &random)! + digits.joined()
        }
        let identifiers = texts.map { Identifier($0) }
        #expect(zip(identifiers, texts).allSatisfy { Array($0.text.utf8) == Array($1.utf8) })
        let sorted = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { Array($0.utf8) }
        #expect(identifiers.sorted().map { Array($0.text.utf8) } == sorted)
        #expect(Set(identifiers).count == Set(texts.map { Array($0.utf8) }).count)
    }

    /// Random hexadecimal ids would fill the table of prefixes. Beyond its limit, whole texts are interned.
    @Test func aTableOfPrefixesThatIsFullLosesNothing() {
        let table = IdentifierTable()
        func identifier(_ text: String) -> Identifier {
            var copy = text
            return copy.withUTF8 { table.identifier(of: UnsafeRawBufferPointer($0)) }
        }
        let texts = (0..<(IdentifierTable.prefixesMax + 5000)).map { "p\($0)x0042" }
        let first = texts.map(identifier)
        #expect(Set(first).count == texts.count)
        #expect(zip(first, texts).allSatisfy { table.text(of: $0) == $1 })
        #expect(texts.map(identifier) == first)
        #expect(first.last!.bits & IdentifierTable.internedBit != 0)
    }

    @Test func theLastDigitsAreThoseCountedOneByOne() {
        var random = Random(seed: 31)
        // Values next to the digits, with the same lower half, and with borrows and carries.
        let others: [UInt8] = [0x2F, 0x3A, 0x2D, 0x00, 0x7F, 0x80, 0xB0, 0xB9, 0xFF, 0x41, 0x20]
        for _ in 0..<Trials.count(15_000, long: 50_000) {
            let text = (0..<Int.random(in: 0...24, using: &random)).map { _ in
                Int.random(in: 0..<12, using: &random) == 0
                    ? others.randomElement(using: &random)! : UInt8.random(in: 0x30...0x39, using: &random)
            }
            let digits = text.suffix(IdentifierTable.digitsMax).reversed().prefix { 0x30...0x39 ~= $0 }.reversed()
            let value = digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1 - 0x30) }
            let found = text.withUnsafeBytes { IdentifierTable.trailingDigits(of: $0) }
            #expect(found == (text.count - digits.count, value), "seed 31: \(text)")
        }
    }

    /// Later processes search ledgers by this hash, whether or not they interned the text.
    @Test func theStableHashDependsOnTheTextAlone() {
        var reader = IdentifierReader()
        #expect(reader.stableHash(of: "2000000123456789") == Self.hash(of: "2000000123456789"))
        #expect(reader.stableHash(of: "ORD00042") == Self.hash(of: "ORD00042"))
        #expect(reader.stableHash(of: "x1") == Self.hash(of: "x1"))
        #expect(reader.stableHash(of: "ORD00042") == 5_656_453_989_961_789_256)
        #expect(reader.stableHash(of: Identifier("new\(1)")) == Self.hash(of: "new1"))
        #expect(reader.text(of: "ORD00042") == "ORD00042")
    }

    /// A night makes an identifier, reads it and makes the next one. The reader's copy of the table then lacks most of them.
    @Test func identifiersThatAreNewerThanTheCopyAreReadFromTheTable() {
        var reader = IdentifierReader()
        for number in 0..<2000 {
            let text = "newer-\(number)-than-the-copy-x"
            let identifier = Identifier(text)
            #expect(reader.text(of: identifier) == text && reader.stableHash(of: identifier) == Self.hash(of: text))
        }
    }

    /// Computed from the text's bytes, without a table.
    private static func hash(of text: String) -> UInt64 {
        var copy = text
        return copy.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            let (start, value) = IdentifierTable.trailingDigits(of: bytes)
            let head = StableHash.of(UnsafeRawBufferPointer(rebasing: bytes[..<start]))
            return StableHash.mix(head, digits: bytes.count - start, value: value)
        }
    }
}

/// Random numbers that can be repeated by their seed.
struct Random: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return StableHash.finish(state)
    }
}
