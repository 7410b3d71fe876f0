public import Domain

extension Instant {
    /// Parses `YYYY-MM-DDThh:mm:ss`, an optional fraction of up to three digits, then `Z` or `±hh:mm`, and nothing
    /// else.
    ///
    /// Nil also for dates and times that do not exist. Strict, because this decides what a night may see.
    public init?(strict text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, let date = BusinessDate(String(decoding: bytes[..<10], as: UTF8.self)),
            bytes[10] == UInt8(ascii: "T"), let clock = Self.clock(bytes[11..<19])
        else { return nil }
        var rest = bytes[19...]
        guard let fraction = Self.takeFraction(&rest), let offset = Self.offset(rest) else { return nil }
        self.init(milliseconds: Int64(date.day) * 86_400_000 + Int64(clock * 1000 + fraction - offset * 60_000))
    }

    /// `hh:mm:ss` in seconds since midnight.
    private static func clock(_ bytes: ArraySlice<UInt8>) -> Int? {
        let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(twoDigits)
        guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
            hour < 24, minute < 60, second < 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// A fraction such as `.5` or `.250` in milliseconds; 0 if absent.
    private static func takeFraction(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard rest.first == UInt8(ascii: ".") else { return 0 }
        let digits = rest.dropFirst().prefix { $0 >= 0x30 && $0 <= 0x39 }
        guard (1...3).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count + 1)
        return (0..<3).reduce(0) { $0 * 10 + ($1 < digits.count ? Int(digits[digits.startIndex + $1] - 0x30) : 0) }
    }

    /// The offset from UTC in minutes, positive to the east.
    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
        if bytes.elementsEqual("Z".utf8) { return 0 }
        guard bytes.count == 6, let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
            return nil
        }
        let parts = bytes.dropFirst().split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(
            twoDigits)
        guard parts.count == 2, let hours = parts[0], let minutes = parts[1], hours < 15, minutes < 60 else {
            return nil
        }
        return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
    }

    private static func twoDigits(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count == 2, bytes.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return bytes.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
