internal import Scan

/// Half an export must never pass for a whole one: where a file breaks off in the middle of a line, it is refused.
extension FileDefect {
    static let empty = FileDefect(
        "it is empty; the export has failed, most likely. A day without rows is a header alone, or in JSON Lines one "
            + "empty line; deliver it again")

    static func cut(at line: Int) -> FileDefect {
        FileDefect(
            "it breaks off in line \(line), which has no end; the export was cut short; deliver it again, complete")
    }
}

extension BlockParser {
    /// No line ending closes the record: it is the file's last.
    @inline(__always)
    func endsFile(_ record: Framing.Record, _ bytes: UnsafeRawBufferPointer) -> Bool {
        record.end == bytes.count && bytes[bytes.count - 1] != Framing.lineFeed
    }

    /// Whether the last line, rejected for `fault`, is the beginning of one: too few fields, an open quote, unfinished JSON.
    ///
    /// Of receipts as CSV never: an export that does not quote puts there whatever a client sends.
    func isCut(_ row: UnsafeRawBufferPointer, _ fault: RowFault, isBroken: Bool) -> Bool {
        guard framing.delimiter != nil else { return row.isUnfinishedJSON }
        return rows.feed.kind != .receipts && (isBroken || fault.lacksFields)
    }

    /// Whether the last line is a JWS whose signature is not all there; that of ES256 has 86 characters.
    func isCutSignature(_ row: UnsafeRawBufferPointer) -> Bool {
        guard rows.feed.kind == .transactions, row.starts(with: "eyJ".utf8) else { return false }
        let parts = row.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count < 3 || parts.count == 3 && parts[2].count < 86
    }
}

extension UnsafeRawBufferPointer {
    /// A string, an object or an array in it is still open at its end.
    fileprivate var isUnfinishedJSON: Bool {
        var depth = 0
        var isInString = false
        var isEscaped = false
        for byte in self {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else {
                    isEscaped = byte == UInt8(ascii: "\\")
                    isInString = byte != UInt8(ascii: "\"")
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        return isInString || depth > 0
    }
}
