import Ledger
import Testing

/// A value as SQLite shows it (type, and bytes in hexadecimal), and as the module reads it back from a table.
private struct Seen: Equatable {
    var shown = ""
    var kind = Statement.Kind.null
    var integer: Int64?
    var text: String?
    var textBytes: [UInt8] = []
    var bytes: [UInt8] = []
    var blob: [UInt8] = []

    /// `bind` sets the first parameter.
    init(_ bind: (inout Statement) -> Void) throws {
        let connection = try memory("CREATE TABLE t (value)")
        var insert = try connection.prepare("INSERT INTO t VALUES (?1)")
        bind(&insert)
        try insert.run()
        shown = try connection.text("SELECT typeof(value) || ' ' || hex(value) FROM t") ?? ""
        var row = try connection.prepare("SELECT value FROM t")
        guard try row.step() else { return }
        kind = row.kind(0)
        integer = row.optionalInteger(0)
        bytes = row.withBytes(0) { Array($0) }
        blob = row.blob(0)
        text = row.optionalText(0)
        textBytes = row.withText(0) { Array($0) }
        #expect(row.isNull(0) == (kind == .null))
        #expect(row.integer(0) == integer ?? 0 && row.text(0) == text ?? "")
    }
}

private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined().uppercased()
}

/// Values are stored and read back unchanged: bound by the program, shown by SQLite itself, and read by the program.
@Suite struct ValueTests {
    @Test(arguments: [Int64.min, Int64.min + 1, -4_294_967_296, -1, 0, 1, 2_147_483_648, Int64.max - 1, Int64.max])
    func integersOf64Bits(_ value: Int64) throws {
        let plain = try Seen { $0.bind(1, value) }
        #expect(plain.integer == value && plain.kind == .integer)
        #expect(plain.shown == "integer " + hex(Array(String(value).utf8)))
        let optional = try Seen { $0.start(Optional(value)) }
        #expect(optional == plain)
    }

    @Test func nullIsNoValueOfAnyType() throws {
        let null = try Seen { $0.bindNull(1) }
        #expect(null.shown == "null " && null.kind == .null && null.integer == nil && null.text == nil)
        #expect(null.textBytes.isEmpty && null.bytes.isEmpty && null.blob.isEmpty)
        let integer = try Seen { $0.start(Int64?.none) }
        let text = try Seen { $0.start(String?.none) }
        let never = try Seen { _ in }
        #expect(integer == null && text == null && never == null)
    }

    @Test(arguments: ["", "a", "\u{0}", "before\u{0}behind", "e\u{301}", "月卡", "\u{10FFFF}", "'; DROP TABLE t; --"])
    func texts(_ text: String) throws {
        let bytes = Array(text.utf8)
        let plain = try Seen { $0.bind(1, text) }
        #expect(plain.shown == "text " + hex(bytes) && plain.kind == .other)
        // Swift compares strings by their characters, so the bytes are compared here.
        #expect(plain.text.map { Array($0.utf8) } == bytes && plain.textBytes == bytes && plain.bytes == bytes)
        let optional = try Seen { $0.start(Optional(text)) }
        #expect(optional == plain)
        let lent = try bytes.withUnsafeBytes { buffer in try Seen { $0.bind(1, lent: buffer) } }
        #expect(lent == plain)
    }

    /// SQLite stores bytes as they are. `withText` and `withBytes` return them; `text` repairs them for people to read.
    @Test func textThatIsNotUTF8KeepsItsBytes() throws {
        let bytes: [UInt8] = [0x61, 0xFF, 0x00, 0xC3, 0x28, 0xED, 0xA0, 0x80]
        let seen = try bytes.withUnsafeBytes { buffer in try Seen { $0.bind(1, lent: buffer) } }
        #expect(seen.shown == "text " + hex(bytes) && seen.textBytes == bytes && seen.bytes == bytes)
        #expect(seen.text == "a\u{FFFD}\u{0}\u{FFFD}(\u{FFFD}\u{FFFD}\u{FFFD}")
    }

    @Test(arguments: [0, 1, 2, 255, 256, 70_000])
    func blobs(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let plain = try Seen { $0.bind(1, blob: bytes) }
        #expect(plain.blob == bytes && plain.bytes == bytes && plain.kind == .other)
        #expect(plain.shown.hasPrefix("blob ") && plain.shown.utf8.count == 5 + 2 * count)
        let lent = try bytes.withUnsafeBytes { buffer in try Seen { $0.bind(1, lentBlob: buffer) } }
        #expect(lent.shown == plain.shown && lent.blob == bytes)
    }

    /// An empty buffer may have no address, which SQLite takes for null.
    @Test func emptyValuesAreNotNull() throws {
        let nowhere = UnsafeRawBufferPointer(start: nil, count: 0)
        #expect(try Seen { $0.bind(1, lent: nowhere) }.shown == "text ")
        #expect(try Seen { $0.bind(1, lentBlob: nowhere) }.shown == "blob ")
        #expect(try Seen { $0.bind(1, blob: []) }.shown == "blob ")
        #expect(try Seen { $0.bind(1, "") }.shown == "text ")
    }

    /// Copied values may be freed before the statement runs. Lent values are read when it runs.
    @Test func aCopiedValueOutlivesItsSource() throws {
        var statement = try memory().prepare("SELECT ?1, ?2, ?3")
        func bindForAMoment() {
            statement.bind(1, String(repeating: "text ", count: 1000))
            statement.bind(2, blob: [UInt8](repeating: 7, count: 5000))
        }
        bindForAMoment()
        let lent = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 1)
        defer { lent.deallocate() }
        lent.copyBytes(from: "old.".utf8)
        statement.bind(3, lent: UnsafeRawBufferPointer(lent))
        lent.copyBytes(from: "new.".utf8)
        let isRow = try statement.step()
        let (text, blob, last) = (statement.text(0), statement.blob(1), statement.text(2))
        #expect(isRow && text == String(repeating: "text ", count: 1000) && blob == [UInt8](repeating: 7, count: 5000))
        #expect(last == "new.")
    }

    @Test func whatIsNeitherIntegerNorNullIsOther() throws {
        var statement = try memory().prepare("SELECT 1, 'x', x'00', 1.5, NULL")
        _ = try statement.step()
        var kinds: [Statement.Kind] = []
        for column in 0..<statement.columns { kinds.append(statement.kind(column)) }
        #expect(kinds == [.integer, .other, .other, .other, .null])
    }
}
