/// What is not copied from a rejected row into ledger, logs and reports: people's data that no verdict rests on.
enum Redaction {
    /// Instead of a row that could not be divided, so that nobody knows where in it they stand.
    static let whole = Array("(not shown: it may hold a receipt or a device id; see the file)".utf8)

    private static let mark = Array("(withheld)".utf8)

    /// `row` with `(withheld)` in the places of these parts of it. One that is not in the row as it is written (it had
    /// escapes) has no place: then the whole row is withheld.
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
