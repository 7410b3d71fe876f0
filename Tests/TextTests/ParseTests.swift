import Base
import Domain
import Foundation
import Testing

@Suite struct ParseTests {
    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("007", 7), ("9223372036854775807", .max), ("-9223372036854775808", .min), ("42", 42),
        ] as [(String, Int64)])
    func wholeNumbersAreRead(_ text: String, _ value: Int64) {
        #expect(bytes(text, Parse.integer) == value)
    }

    @Test(arguments: [
        "", "-", "+5", " 5", "5 ", "5.0", "1e3", "0x5", "9223372036854775808", "-9223372036854775809", "５", "1_000",
        "--1",
        "99999999999999999999999999",
    ])
    func whatIsNoWholeNumberIsNil(_ text: String) {
        #expect(bytes(text, Parse.integer) == nil)
    }

    @Test(
        arguments: [
            ("6.00", 2, 600), ("6", 2, 600), ("6.5", 2, 650), ("-0.5", 2, -50), ("0.01", 2, 1), ("6.0000000", 2, 600),
            ("230", 0, 230),
            ("230.00", 0, 230), ("1.234", 3, 1234), ("0", 2, 0), ("-0.00", 2, 0),
            ("10000000000000.00", 2, 1_000_000_000_000_000),
            ("-1000000000000000", 0, -1_000_000_000_000_000), ("1.2345", 4, 12345),
            ("100000000000", 4, 1_000_000_000_000_000),
            ("000000000000000000000000001", 2, 100),
        ] as [(String, Int, Int64)])
    func amountsAreExact(_ text: String, _ exponent: Int, _ minor: Int64) {
        #expect(bytes(text) { Parse.decimal($0, exponent: exponent) } == minor)
    }

    @Test(
        arguments: [
            ("", 2), ("-", 2), ("+6", 2), ("6.", 2), (".5", 2), ("6.005", 2), ("230.5", 0), ("1,5", 2), ("1 000", 2),
            ("1e3", 2),
            ("12abc", 2), ("6.0.0", 2), ("10000000000000.01", 2), ("10000000000001", 2), ("1000000000000001", 0),
            ("nan", 2),
            ("99999999999999999999", 2), ("６.00", 2), ("6.00 ", 2), ("0.00000000000000001", 2), ("6-", 2), ("6.-5", 2),
            // Found by fuzzing: it ended the program.
            ("973450434350466", 4), ("100000000001", 4), ("999999999999999", 3), ("999999999999.9", 4),
        ] as [(String, Int)])
    func whatIsNoAmountIsNil(_ text: String, _ exponent: Int) {
        #expect(bytes(text) { Parse.decimal($0, exponent: exponent) } == nil)
    }

    @Test func amountsSurviveWritingAndReading() {
        var random = SplitMix64(seed: 11)
        for _ in 0..<5000 {
            let exponent = Int.random(in: 0...4, using: &random)
            let minor =
                Int64.random(in: -Parse.minorMax...Parse.minorMax, using: &random)
                >> Int64.random(in: 0..<50, using: &random)
            let text = decimal(minor, exponent: exponent)
            #expect(bytes(text) { Parse.decimal($0, exponent: exponent) } == minor, "seed 11: \(text)")
        }
    }

    @Test(
        arguments: [
            ("2025-11-18T03:04:05Z", "2025-11-18T03:04:05Z"), ("2025-11-18 03:04:05.25Z", "2025-11-18T03:04:05.250Z"),
            ("2025-11-18T03:04:05.123999+08:00", "2025-11-17T19:04:05.123Z"),
            ("2025-11-18 03:04:05-0330", "2025-11-18T06:34:05Z"),
            ("2025-11-18T03:04+00", "2025-11-18T03:04:00Z"), ("2025-11-18 03:04:05", "2025-11-17T19:04:05Z"),
            ("2025-11-18 03:04", "2025-11-17T19:04:00Z"), ("2025-11-18T03:04:05.1", "2025-11-17T19:04:05.100Z"),
            ("1763435045", "2025-11-18T03:04:05Z"), ("1763435045123", "2025-11-18T03:04:05.123Z"),
            ("0", "1970-01-01T00:00:00Z"),
            ("99999999999", nil), ("100000000000", "1973-03-03T09:46:40Z"), ("7289654399", "2200-12-31T23:59:59Z"),
            ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"), ("2200-12-31T23:59:59.999Z", "2200-12-31T23:59:59.999Z"),
        ] as [(String, String?)])
    func instantsAreReadInTheirZone(_ text: String, _ instant: String?) throws {
        let shanghai = try #require(Zone("Asia/Shanghai"))
        #expect(bytes(text) { Parse.instant($0, zone: shanghai) }?.text == instant)
    }

    @Test(arguments: [
        "", "2025-11-18", "2025-02-30T00:00:00Z", "2025-02-29 00:00:00", "2025-13-01T00:00:00Z", "2025-00-10T00:00:00Z",
        "2025-11-00T00:00:00Z", "2025-11-18T24:00:00Z", "2025-11-18T23:60:00Z", "2025-11-18T23:59:60Z",
        "2025-11-18T03:04:05z",
        "1969-12-31T23:59:59Z", "2201-01-01T00:00:00Z", "-5", "7289654400000", "2025-11-18T03:04:05.Z",
        "2025-11-18T03:04:05+8",
        "2025-11-18T03:04:05+08:60", "2025-11-18T03:04:05+24:00", "2025-11-18T03:04:05 ", "2025-11-18t03:04:05Z",
        "1e12",
        "2025-11-18T03", "2025-11-18T03:0", "2025/11/18", "2025/11/18T03:04", "2025/13/1 3:04",
        "2025/1/1 3:4", "2025/1/1  3:04", "2025/001/1 3:04", "18/11/2025 03:04", "2025/11/18 24:00", "18.11.2025 03:04",
        "2025-11-18T03:04:05,5Z",
        "yesterday",
        "2025-11-18T03:04:5Z", "20251118T030405Z", "2025-11-18T03:04:05ZZ", "2025-11-18T03:04:05+080", "1763435045.5",
        "+1763435045",
    ])
    func whatIsNoInstantIsNil(_ text: String) {
        #expect(bytes(text) { Parse.instant($0, zone: .utc) } == nil)
    }

    @Test func instantsSurviveWritingAndReading() {
        var random = SplitMix64(seed: 12)
        for _ in 0..<5000 {
            let instant = Instant(milliseconds: Int64.random(in: 0...7_289_654_399_999, using: &random))
            #expect(bytes(instant.text) { Parse.instant($0, zone: .utc) } == instant, "seed 12: \(instant)")
        }
    }

    @Test func base64IsReadAsWritten() {
        var random = SplitMix64(seed: 13)
        for count in 0..<300 {
            let content = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let text = Data(content).base64EncodedString()
            let unpadded = text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            #expect(bytes(text, Parse.base64) == content, "seed 13, \(count) bytes")
            #expect(bytes(unpadded, Parse.base64url) == content, "seed 13, \(count) bytes")
        }
    }

    @Test(arguments: [
        "QUJ=", "QUJD=", "QUJD====", "Q", "QQ", "QQ=", "QR==", "QUI", "QU I=", "QUI=\n", "QUI-", "=", "==", "===",
        "Q=Q=", "QQ==QQ==",
    ])
    func looseBase64IsNil(_ text: String) {
        #expect(bytes(text, Parse.base64) == nil)
    }

    @Test(arguments: ["QUI=", "QQ==", "Q", "QR", "QUJ", "QUI+", "Q/Q", "QU I", "é"])
    func looseBase64URLIsNil(_ text: String) {
        #expect(bytes(text, Parse.base64url) == nil)
    }

    @Test func writingsOfNoIdentifierAreNil() {
        for text in ["", "0", "null", "NULL"] { #expect(bytes(text, Parse.identifier) == nil) }
        for text in ["00", "nil", "Null0", " ", "a"] { #expect(bytes(text, Parse.identifier)?.text == text) }
    }

    @Test func whatNoIdentifierCanBeIsAFaultHoweverOftenItComes() throws {
        var cache = IdentifierCache()
        for _ in 0..<3 {
            for text in ["a\u{0}1234", "ORD\u{1F}", "\u{7F}12", "a\nb", "x234567\t"] {
                #expect(throws: IdentifierCache.Fault.holdsControls) {
                    try bytes(text) { try cache.identifier($0, of: 0) }
                }
            }
            let long = String(repeating: "a", count: 243) + "12345678901234"
            #expect(throws: IdentifierCache.Fault.tooLong) { try bytes(long) { try cache.identifier($0, of: 0) } }
            #expect(try bytes(String(long.dropFirst())) { try cache.identifier($0, of: 0) } != nil)
        }
    }

    @Test func rememberedIdentifiersAreThoseOfTheTable() throws {
        var random = SplitMix64(seed: 14)
        var cache = IdentifierCache()
        let heads = [
            "", "ORD", "com.example.pack", "é", "e\u{301}", "ORD-00", String(repeating: "x", count: 47),
            String(repeating: "y", count: 60),
        ]
        for _ in 0..<20_000 {
            let digits = Int.random(in: 0...16, using: &random)
            // Those of a column have the same text before their digits, and often as many of them.
            let column = Int.random(in: heads.indices, using: &random)
            let text = heads[column] + String((0..<digits).map { _ in "0129".randomElement(using: &random)! })
            let isSame = try bytes(text) { try cache.identifier($0, of: column) } == bytes(text, Parse.identifier)
            #expect(isSame, "seed 14: \(text)")
            let read = try bytes(text) { try cache.identifier($0, of: column) }?.text ?? "none"
            let expected = ["", "0"].contains(text) ? "none" : text
            #expect(Array(read.utf8) == Array(expected.utf8), "seed 14: \(text)")
        }
    }

    /// As keys of a JSON object: `2` and `12` once had the same fingerprint.
    @Test func shortTextsHaveDifferentFingerprints() {
        let texts = (0...99_999).map(String.init)
        let prints = Set(texts.map { text in Array(text.utf8).withUnsafeBytes { $0.fingerprint() } })
        #expect(prints.count == texts.count)
    }

    @Test func bytesAreComparedOneByOne() {
        #expect(bytes("order_id") { $0.isEqual(to: "order_id") })
        #expect(!bytes("order_ie") { $0.isEqual(to: "order_id") })
        #expect(!bytes("é") { $0.isEqual(to: "e\u{301}") })
        #expect(bytes("") { $0.isEqual(to: "") })
        // Wherever one of them differs, however many there are.
        for count in 1...40 {
            let text = [UInt8](repeating: 0x61, count: count)
            for place in 0..<count {
                var other = text
                other[place] = 0x62
                text.withUnsafeBytes { left in
                    other.withUnsafeBytes { right in
                        #expect(!left.isEqual(to: right), "\(place) of \(count)")
                        #expect(left.fingerprint() != right.fingerprint(), "\(place) of \(count)")
                    }
                }
                other[place] = 0x07
                #expect(other.withUnsafeBytes { $0.hasControls }, "\(place) of \(count)")
                other[place] = 0x80
                #expect(!other.withUnsafeBytes { $0.hasControls || $0.isPlain }, "\(place) of \(count)")
            }
            #expect(text.withUnsafeBytes { !$0.hasControls && $0.isPlain && $0.isEqual(to: $0) })
        }
    }
}
