/// The text of the progress line: `read 43 %, 12 s left, 1,234,567 rows, 310,000 rows/s, 472 of 1,097 MB`.
struct ProgressLine {
    let stage: String
    /// What the stage counts: `rows`, `cases`.
    let unit: String
    /// When the stage began, on the monotonic clock, in milliseconds.
    let start: Int64
    /// A rate is shown only after this time, in milliseconds; before that it is meaningless.
    private static let paceAfter: Int64 = 1000

    /// The text in at most `columns` columns. The least important parts are left out if they do not fit.
    func text(of done: WorkAmount, now: Int64, columns: Int) -> String {
        let elapsed = max(0, now - start)
        var parts = [stage + " " + (done.part.map { "\(Int($0 * 100)) %" } ?? Self.duration(elapsed))]
        let hasPace = elapsed >= Self.paceAfter
        if hasPace, let part = done.part, part > 0, part < 1 {
            parts.append(Self.duration(Int64(Double(elapsed) * (1 - part) / part)) + " left")
        }
        if done.rows > 0 {
            parts.append(Self.number(Int64(done.rows)) + " " + unit)
            if hasPace { parts.append(Self.number(Int64(done.rows) * 1000 / elapsed) + " " + unit + "/s") }
        }
        if done.bytes > 0 {
            let all = done.bytesExpected > 0 ? " of " + Self.number(done.bytesExpected / 1_000_000) : ""
            parts.append(Self.number(done.bytes / 1_000_000) + all + " MB")
        }
        var text = parts[0]
        for part in parts.dropFirst() where text.utf8.count + 2 + part.utf8.count <= columns { text += ", " + part }
        return String(text.prefix(max(0, columns)))
    }

    /// `7 s`, `2 min 05 s`, `1 h 02 min`
    private static func duration(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1000
        if seconds < 60 { return "\(seconds) s" }
        let (large, small) = seconds < 3600 ? ("min", "s") : ("h", "min")
        let rest = seconds < 3600 ? seconds : seconds / 60
        return "\(rest / 60) \(large) " + (rest % 60 < 10 ? "0" : "") + "\(rest % 60) \(small)"
    }

    /// `1,234,567`
    private static func number(_ value: Int64) -> String {
        value < 1000 ? String(value) : number(value / 1000) + "," + String(1000 + value % 1000).dropFirst()
    }
}
