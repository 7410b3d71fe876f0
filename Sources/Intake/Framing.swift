/// Finds where records and fields end. CSV follows RFC 4180: a quoted field may contain line feeds.
struct Framing: Sendable {
    /// The maximum length of a record, including its line ending: 4 MiB. A longer one is rejected and never kept in
    /// memory.
    static let recordMax = 4 << 20
    static let lineFeed = UInt8(ascii: "\n")
    static let quote = UInt8(ascii: "\"")

    /// The byte between fields; nil for JSON.
    let delimiter: UInt8?
    /// Whether each JSON value is a record, whatever lines it spans.
    let isDocument: Bool
    /// Whether a backslash escapes what follows, and quotes mean themselves.
    let isEscaped: Bool

    init(_ format: FileFormat) {
        isDocument = format == .json
        isEscaped = format == .text
        delimiter =
            switch format {
            case .csv: UInt8(ascii: ",")
            case .tsv, .text: UInt8(ascii: "\t")
            case .jsonl, .json: nil
            }
    }

    init(delimiter: UInt8, isEscaped: Bool = false) {
        isDocument = false
        self.isEscaped = isEscaped
        self.delimiter = delimiter
    }

    /// Whether the quotes of a record or a field have a meaning.
    private func hasQuotes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        delimiter != nil && !isEscaped && bytes.position(of: Self.quote, from: 0) != nil
    }

    /// Whether the field that begins at `start` is quoted.
    func isQuoted(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Bool {
        start < bytes.count && bytes[start] == Self.quote && !isEscaped
    }

    struct Record {
        /// The index after its line ending.
        var end: Int
        var lines = 1
        /// Whether its quotes are unbalanced or it is too long. Such a record is a single line.
        var isBroken = false
    }

    /// The record that begins at `start`. Nil if `bytes` end before the record does and more may follow (`isLast` is
    /// false).
    ///
    /// A stray quote must not swallow the rows after it. A record with unbalanced quotes therefore ends with its first
    /// line, and the next line begins a new record. A record with a quoted line feed is found by reading field by field
    /// up to the first line feed outside of quotes.
    func record(_ bytes: UnsafeRawBufferPointer, from start: Int, isLast: Bool) -> Record? {
        if isDocument { return jsonRecord(bytes, from: start, isLast: isLast) }
        let lineEnd = bytes.position(of: Self.lineFeed, from: start).map { $0 + 1 }
        guard lineEnd != nil || isLast else { return nil }
        let line = Record(end: lineEnd ?? bytes.count)
        guard hasQuotes(bytes.part(start, line.end)) else { return line }
        var index = start
        while true {
            guard let fieldEnd = fieldEnd(bytes, from: index) else {
                let isTooLong = bytes.count - start > Self.recordMax
                return isLast || isTooLong ? Record(end: line.end, isBroken: true) : nil
            }
            guard fieldEnd.isSound, fieldEnd.index - start <= Self.recordMax else {
                return Record(end: line.end, isBroken: true)
            }
            let isAtEnd = fieldEnd.index == bytes.count
            if isAtEnd, !isLast { return nil }
            if isAtEnd || bytes[fieldEnd.index] == Self.lineFeed {
                let end = isAtEnd ? bytes.count : fieldEnd.index + 1
                return Record(end: end, lines: max(1, bytes.part(start, end).occurrences(of: Self.lineFeed)))
            }
            index = fieldEnd.index + 1
        }
    }

    /// The end of the field that begins at `start`: the index of a delimiter or line feed, or the end of `bytes`. Nil
    /// if a quote is not closed.
    ///
    /// The field is sound unless something follows its closing quote, or an unquoted field contains a quote.
    func fieldEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) -> (index: Int, isSound: Bool)? {
        var index = start
        let isQuoted = isQuoted(bytes, from: start)
        if isQuoted {
            repeat {
                guard let closing = bytes.position(of: Self.quote, from: index + 1) else { return nil }
                index = closing + 1
                // A doubled quote is part of the text.
            } while index < bytes.count && bytes[index] == Self.quote
        }
        var isSound = true
        while index < bytes.count, bytes[index] != delimiter, bytes[index] != Self.lineFeed {
            let isReturn = bytes[index] == UInt8(ascii: "\r")
            let endsLine = isReturn && (index + 1 == bytes.count || bytes[index + 1] == Self.lineFeed)
            if isQuoted ? !endsLine : bytes[index] == Self.quote && !isEscaped { isSound = false }
            index += 1
        }
        return (index, isSound)
    }

    func first(_ count: Int, of block: Block) -> Block {
        var (end, found) = (0, 0)
        block.bytes.withUnsafeBytes { bytes in
            while found < count, end < bytes.count, let record = record(bytes, from: end, isLast: true) {
                end = record.end
                found += 1
            }
        }
        return Block(bytes: Array(block.bytes[..<end]), firstLine: block.firstLine, isCutLine: block.isCutLine)
    }

    /// The end of the last whole record in `bytes`, when more bytes follow; 0 if no record ends.
    func lastRecordEnd(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard isDocument || hasQuotes(bytes) else {
            return bytes.lastIndex(of: Self.lineFeed).map { $0 + 1 } ?? 0
        }
        var end = 0
        while end < bytes.count, let record = record(bytes, from: end, isLast: false) { end = record.end }
        return end
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes without a trailing line feed, or carriage return and line feed.
    var withoutLineEnding: UnsafeRawBufferPointer {
        var end = count
        if end > 0, self[end - 1] == Framing.lineFeed { end -= 1 }
        if end > 0, self[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return part(0, end)
    }
}
