internal import Scan

/// How the records of a file are told apart.
struct Framing: Sendable {
    /// No record may be longer, its line ending included: what is longer is rejected and never held.
    static let recordMax = 4 << 20
    static let lineFeed = UInt8(ascii: "\n")
    static let quote = UInt8(ascii: "\"")

    /// What stands between fields; nil for JSON Lines, where a line is a record.
    let delimiter: UInt8?

    init(_ format: FileFormat) {
        delimiter =
            switch format {
            case .csv: UInt8(ascii: ",")
            case .tsv: UInt8(ascii: "\t")
            case .jsonl: nil
            }
    }

    struct Record {
        /// Behind its line ending.
        var end: Int
        var lines = 1
        /// Its quotes do not add up, or it is too long; then it is one line only.
        var isBroken = false
    }

    /// The record that begins at `start`; nil where `bytes` end before it does and more may follow.
    ///
    /// One stray quote must not swallow the rows behind it: a record whose quotes do not add up ends with its first
    /// line, and the next line begins a new one.
    func record(_ bytes: UnsafeRawBufferPointer, from start: Int, isLast: Bool) -> Record? {
        let lineEnd = bytes.position(of: Self.lineFeed, from: start).map { $0 + 1 }
        guard lineEnd != nil || isLast else { return nil }
        let line = Record(end: lineEnd ?? bytes.count)
        guard delimiter != nil, bytes.part(start, line.end).position(of: Self.quote, from: 0) != nil else {
            return line
        }
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

    /// Where the field that begins at `start` ends: at a delimiter, a line feed or the end. Nil where a quote stays open.
    ///
    /// Sound unless something stands between its closing quote and its end, or a quote in a field that began without.
    func fieldEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) -> (index: Int, isSound: Bool)? {
        var index = start
        let isQuoted = index < bytes.count && bytes[index] == Self.quote
        if isQuoted {
            repeat {
                guard let closing = bytes.position(of: Self.quote, from: index + 1) else { return nil }
                index = closing + 1
                // A quote doubled is one of the text.
            } while index < bytes.count && bytes[index] == Self.quote
        }
        var isSound = true
        while index < bytes.count, bytes[index] != delimiter, bytes[index] != Self.lineFeed {
            let isReturn = bytes[index] == UInt8(ascii: "\r")
            let endsLine = isReturn && (index + 1 == bytes.count || bytes[index + 1] == Self.lineFeed)
            if isQuoted ? !endsLine : bytes[index] == Self.quote { isSound = false }
            index += 1
        }
        return (index, isSound)
    }

    /// Where the last whole record in `bytes` ends, more being still to come; 0 where none does.
    func lastRecordEnd(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard delimiter != nil, bytes.position(of: Self.quote, from: 0) != nil else {
            return bytes.lastIndex(of: Self.lineFeed).map { $0 + 1 } ?? 0
        }
        var end = 0
        while end < bytes.count, let record = record(bytes, from: end, isLast: false) { end = record.end }
        return end
    }
}

extension UnsafeRawBufferPointer {
    /// Without the line feed, or carriage return and line feed, at their end.
    var withoutLineEnding: UnsafeRawBufferPointer {
        var end = count
        if end > 0, self[end - 1] == Framing.lineFeed { end -= 1 }
        if end > 0, self[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return part(0, end)
    }
}
