extension Instant {
    /// A date as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7). Nil for any other form.
    init?(httpDate text: String) {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]), let year = Int(parts[3]),
            (1970...9999).contains(year),
            let month = months.firstIndex(of: String(parts[2])),
            let date = BusinessDate(year: year, month: month + 1, day: day)
        else { return nil }
        let clock = parts[4].split(separator: ":").compactMap { Int64($0) }
        guard clock.count == 3, zip(clock, [24, 60, 61]).allSatisfy({ $0 >= 0 && $0 < $1 }) else { return nil }
        self.init(milliseconds: ((Int64(date.day) * 24 + clock[0]) * 60 + clock[1]) * 60_000 + clock[2] * 1000)
    }
}
