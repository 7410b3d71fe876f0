/// Hides personal data that no verdict depends on (receipt data, device ids) when a rejected row is copied into the
/// ledger, logs and reports.
enum Redaction {
    /// Shown in place of a row that could not be divided into columns, because the data may be anywhere in it.
    static let whole = Array("(not shown: it may contain a receipt or a device id; see the file)".utf8)

    private static let mark = Array("(withheld)".utf8)

    /// `row` with each of `values`, which must be parts of it, replaced by `(withheld)`. If a value is not a part of
    /// the row (it had escapes and was copied), the whole row is withheld.
    static func hide(_ values: [UnsafeRawBufferPointer], in row: UnsafeRawBufferPointer) -> [UInt8] {
        guard let base = row.baseAddress else { return [] }
        var shown: [UInt8] = []
        var start = 0
        let present = values.filter { !$0.isEmpty }.map { ($0.baseAddress! - base, $0.count) }.sorted { $0.0 < $1.0 }
        for (place, count) in present {
            guard place >= start, place + count <= row.count else { return whole }
            shown += row[start..<place] + mark
            start = place + count
        }
        return shown + row[start...]
    }
}
