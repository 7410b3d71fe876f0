internal import Foundation

/// One line of a stream. It is valid during the call that lends it.
public struct WireLine {
    /// The line's number in the stream; the header is line 1.
    public let number: Int
    /// The sum of the columns that follow.
    public let sum: Int64
    public let kind: UnsafeRawBufferPointer
    /// 64-bit numbers separated by commas, and after a semicolon the key of the line's token. Both may be absent.
    public let keys: UnsafeRawBufferPointer
    /// The object, one line of JSON.
    public let object: UnsafeRawBufferPointer

    /// The owners of tokens depend on the line: it is an order, or it has a token.
    public var decidesOwners: Bool { kind.isEqual(to: "order") || keys.position(of: UInt8(ascii: ";")) != nil }

    /// Calls `body` with each key, and says whether it is that of the line's token.
    public func forEachKey(_ body: (_ key: Int64, _ isToken: Bool) -> Void) throws(WireError) {
        let border = keys.position(of: UInt8(ascii: ";")) ?? keys.count
        var start = 0
        while start < border {
            let end = keys.part(0, border).position(of: UInt8(ascii: ","), from: start) ?? border
            body(try key(start, end), false)
            start = end + 1
        }
        if border < keys.count { body(try key(border + 1, keys.count), true) }
    }

    private func key(_ start: Int, _ end: Int) throws(WireError) -> Int64 {
        guard let key = Parse.integer(keys.part(start, end)) else { throw fault("a key is not a 64-bit number") }
        return key
    }

    /// Reads an object that was written by `LineWriter.line(_:encoding:)`.
    public func decoded<Value: Codable>() throws(WireError) -> Value {
        let value: Value
        let length: Int
        do {
            value = try JSONDecoder().decode(Value.self, from: Data(object))
            length = try JSONEncoder.exact.encode(value).count
        } catch { throw fault("its object is not one that this program writes") }
        // The decoder passes over members that it does not know. The entries of tables may be in another order, so only
        // the length can be compared.
        guard length == object.count else { throw fault("it has an unknown member, or one twice") }
        return value
    }

    /// The error for a line that this program never writes.
    public func fault(_ reason: String) -> WireError { .misspelled(line: number, reason: reason) }
}

/// Reads a stream strictly: the header must be of this wire, stage and plan; every line must agree with its sum; and the
/// last line must agree with all lines before it.
public struct LineReader: ~Copyable {
    private let read: (UnsafeMutableRawBufferPointer) throws -> Int
    private var memory: UnsafeMutableRawBufferPointer
    /// The part of `memory` that was read and not used yet.
    private var rest = 0..<0
    private var number = 0
    /// The lines read so far.
    public private(set) var total = WireSum()
    /// This program writes no longer lines.
    private static let lineMax = 1 << 26

    /// - Parameters:
    ///   - plan: the SHA-256 that the header must name, hexadecimal.
    ///   - read: fills the buffer from the stream and returns the number of bytes; 0 at the end.
    /// - Throws: `WireError.foreign` for the header of another wire, stage or plan; whatever `read` throws.
    public init(
        _ stage: WireStage, plan: String, bufferBytes: Int = 1 << 20,
        read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws {
        self.read = read
        memory = .allocate(byteCount: bufferBytes, alignment: 16)
        guard let header = try nextLine() else { throw WireError.cut("it has no header") }
        let (found, expected) = (String(decoding: header.prefix(120), as: UTF8.self), wireHeader(stage, plan: plan))
        guard found == expected else {
            throw WireError.foreign(
                "the stream is of another plan, stage or program: it begins with “\(found)”, not with “\(expected)”")
        }
    }

    deinit { memory.deallocate() }

    /// Calls `body` with every line, then checks the end.
    public mutating func forEachLine(_ body: (WireLine) throws -> Void) throws {
        while let bytes = try nextLine() {
            if let line = try split(bytes) {
                total.add(line.sum)
                try body(line)
                continue
            }
            let words = bytes.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
            guard words.count == 3, let lines = Parse.integer(UnsafeRawBufferPointer(rebasing: words[1])),
                let sum = Parse.integer(UnsafeRawBufferPointer(rebasing: words[2]))
            else { throw WireError.misspelled(line: number, reason: "the last line is misspelled") }
            guard lines == total.lines else {
                throw WireError.cut("its last line counts \(lines) lines, and \(total.lines) came")
            }
            guard sum == total.sum else { throw WireError.cut("the sum of its last line does not agree") }
            guard try nextLine() == nil else {
                throw WireError.misspelled(line: number, reason: "something follows the last line")
            }
            return
        }
        throw WireError.cut("its last line is missing")
    }

    /// Nil for the last line.
    private func split(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> WireLine? {
        guard let first = bytes.position(of: UInt8(ascii: "\t")) else {
            throw .misspelled(line: number, reason: "it has no columns")
        }
        if bytes.part(0, first).isEqual(to: "end") { return nil }
        guard let sum = Parse.integer(bytes.part(0, first)), sum == lineSum(bytes.part(first + 1, bytes.count)) else {
            throw .altered(line: number)
        }
        guard let second = bytes.position(of: UInt8(ascii: "\t"), from: first + 1),
            let third = bytes.position(of: UInt8(ascii: "\t"), from: second + 1)
        else { throw .misspelled(line: number, reason: "it has too few columns") }
        return WireLine(
            number: number, sum: sum, kind: bytes.part(first + 1, second), keys: bytes.part(second + 1, third),
            object: bytes.part(third + 1, bytes.count))
    }

    /// The next line without its line feed; nil at the end of the stream. It is valid until the next call.
    private mutating func nextLine() throws -> UnsafeRawBufferPointer? {
        var searched = rest.lowerBound
        while true {
            let filled = UnsafeRawBufferPointer(rebasing: memory[..<rest.upperBound])
            if let end = filled.position(of: UInt8(ascii: "\n"), from: searched) {
                defer { rest = end + 1..<rest.upperBound }
                number += 1
                return filled.part(rest.lowerBound, end)
            }
            searched = rest.upperBound
            let unused = rest.count
            if rest.lowerBound > 0 {
                memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[rest]))
                searched -= rest.lowerBound
                rest = 0..<unused
            }
            if unused == memory.count {
                guard unused < Self.lineMax else {
                    throw WireError.misspelled(line: number + 1, reason: "it is too long")
                }
                let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: unused * 2, alignment: 16)
                larger.copyMemory(from: UnsafeRawBufferPointer(memory))
                memory.deallocate()
                memory = larger
            }
            let count = try read(UnsafeMutableRawBufferPointer(rebasing: memory[unused...]))
            if count == 0 {
                if unused > 0 { throw WireError.cut("its last line has no end") }
                return nil
            }
            rest = 0..<unused + count
        }
    }
}

extension Members {
    /// Reads the object of a line.
    mutating func read<Record: MemberRecord>(_ line: WireLine) throws(WireError) -> Record {
        do throws(RecordError) { return try read(line.object, strictly: true) } catch { throw line.fault(error.text) }
    }
}
