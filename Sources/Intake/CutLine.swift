/// A truncated export must never pass for a complete one, so a file that ends in the middle of a line is refused.
extension FileDefect {
    static func empty(_ kind: FeedKind?) -> FileDefect {
        FileDefect(
            "it is empty; the export has probably failed; deliver it again"
                + (kind == .products
                    ? ""
                    : ". For a day without rows, deliver the header alone or, in JSON Lines and in files without a header, one "
                        + "empty line"))
    }

    /// A JSON value is too long to be a row.
    static let valueTooLong = FileDefect(
        "one of its JSON values is longer than 4 MiB; deliver one JSON object for each row")

    static let unbalancedList = FileDefect(
        "the brackets of its list do not match, so it is incomplete; deliver the complete file again")

    /// No row has the value that a condition compares.
    static func withoutCondition(_ name: String) -> FileDefect {
        FileDefect("no row has \(Header.shown(name)), which where names; correct the name, or export it")
    }

    /// The file ends in the middle of this line.
    static func cut(at line: Int) -> FileDefect {
        FileDefect(
            "it ends in the middle of line \(line), so the export is incomplete; deliver the complete file again")
    }
}

extension BlockParser {
    /// Whether the record is the last of the file and has no line ending. A JSON value needs none.
    @inline(__always)
    func endsFile(_ record: Framing.Record, _ bytes: UnsafeRawBufferPointer) -> Bool {
        record.end == bytes.count && (framing.isDocument || bytes[bytes.count - 1] != Framing.lineFeed)
    }

    /// Whether the last line, which was rejected, is truncated: in CSV any rejected line, in JSON Lines one with
    /// unfinished JSON, or with the zeros that a loss of power leaves at the end of a file.
    ///
    /// Never true for receipts in CSV: an export that does not quote fields contains there whatever a client sent.
    func isCut(_ row: UnsafeRawBufferPointer) -> Bool {
        framing.delimiter == nil ? row.isUnfinishedJSON || row.isZeroed : rows.feed.kind != .receipts
    }

    /// Whether the last line of transactions is truncated, used or not: unfinished JSON, or a JWS with a truncated
    /// signature. An ES256 signature has 86 characters in base64url.
    func isCutTransaction(_ row: UnsafeRawBufferPointer) -> Bool {
        guard rows.feed.kind == .transactions else { return false }
        guard row.starts(with: "eyJ".utf8) else { return row.isUnfinishedJSON || row.isZeroed }
        let parts = row.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count < 3 || parts.count == 3 && parts[2].count < 86
    }
}

extension UnsafeRawBufferPointer {
    /// Whether it contains zero bytes. A record that is too long is a fault of its own.
    fileprivate var isZeroed: Bool { count <= Framing.recordMax && contains(0) }

    /// Whether a string, an object or an array is still open at the end.
    var isUnfinishedJSON: Bool { Framing.brackets(self, from: 0, untilClosed: false).map { $0.depth > 0 } ?? true }
}
