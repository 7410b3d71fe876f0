extension Instant {
    /// Parses `YYYY-MM-DDThh:mm:ss`, an optional fraction of up to three digits, then `Z` or `±hh:mm`, and nothing
    /// else.
    ///
    /// Nil also for dates and times that do not exist. Strict, because this decides what a night may see.
    public init?(strict text: String) {
        let form = /(.{10})T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,3}))?(?:Z|([+-])(\d\d):(\d\d))/
            .asciiOnlyDigits().matchingSemantics(.unicodeScalar)
        guard let parts = text.wholeMatch(of: form)?.output, let date = BusinessDate(String(parts.1)) else {
            return nil
        }
        let clock = [parts.2, parts.3, parts.4, parts.7 ?? "0", parts.8 ?? "0"].compactMap { Int64($0) }
        guard zip(clock, [24, 60, 60, 15, 60]).allSatisfy({ $0 < $1 }) else { return nil }
        let fraction = Int64(((parts.5 ?? "") + "000").prefix(3)) ?? 0
        let offset = (parts.6 == "-" ? -1 : 1) * (clock[3] * 60 + clock[4])
        let minutes = (Int64(date.day) * 24 + clock[0]) * 60 + clock[1] - offset
        self.init(milliseconds: (minutes * 60 + clock[2]) * 1000 + fraction)
    }
}
