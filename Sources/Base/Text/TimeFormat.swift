/// How an export writes its times, if not in a standard form: `dd/MM/yyyy HH:mm`.
public struct TimeFormat: Hashable, Sendable {
    private enum Part: Hashable, Sendable {
        /// A part of the time, with the least and the largest number of digits.
        case number(Field, Int, Int)
        /// AM or PM.
        case half
        case sign(UInt8)
    }

    private enum Field: Int, Sendable {
        case year, month, day, hour, minute, second, fraction
    }

    private var parts: [Part] = []

    private static let words: [String: Part] = [
        "yyyy": .number(.year, 4, 4), "MM": .number(.month, 2, 2), "M": .number(.month, 1, 2),
        "dd": .number(.day, 2, 2), "d": .number(.day, 1, 2), "HH": .number(.hour, 2, 2), "H": .number(.hour, 1, 2),
        "hh": .number(.hour, 2, 2), "h": .number(.hour, 1, 2), "mm": .number(.minute, 2, 2),
        "ss": .number(.second, 2, 2), "SSS": .number(.fraction, 1, 9), "a": .half,
    ]

    /// From a pattern of `yyyy`, `MM` or `M`, `dd` or `d`, `HH` or `H` (or `hh` or `h` with `a` for AM and PM), `mm`, and
    /// perhaps `ss` and `SSS`, each once, with other signs between them.
    ///
    /// Nil for anything else: a time without its date, an unknown letter, a part twice.
    public init?(_ pattern: String) {
        var rest = Array(pattern.utf8)[...]
        while let first = rest.first {
            guard Self.isLetter(first) else {
                parts.append(.sign(rest.removeFirst()))
                continue
            }
            // ISO 8601 has a T between date and time.
            let word = String(decoding: rest.prefix { $0 == first }, as: UTF8.self)
            rest = rest.dropFirst(word.utf8.count)
            guard let part = word == "T" ? .sign(first) : Self.words[word] else { return nil }
            parts.append(part)
        }
        let numbers = parts.compactMap { if case .number(let field, _, _) = $0 { field } else { nil } }
        guard Set(numbers).count == numbers.count,
            Set(numbers).isSuperset(of: [.year, .month, .day, .hour, .minute] as [Field])
        else { return nil }
        // Hours up to 12 need AM or PM, and others have neither.
        guard parts.count(where: { $0 == .half }) == (pattern.contains("h") ? 1 : 0) else { return nil }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 }

    /// The instant of a text; nil unless the text has this form. After the time may stand an offset from UTC; without one
    /// it is a local time in `zone`.
    public func instant(_ bytes: UnsafeRawBufferPointer, zone: Zone) -> Instant? {
        // Fields that the format lacks are 0.
        var values = [0, 0, 0, 0, 0, 0, 0]
        var index = 0
        var isAfternoon: Bool?
        for part in parts {
            switch part {
            case .sign(let sign):
                guard index < bytes.count, bytes[index] == sign else { return nil }
                index += 1
            case .half:
                guard index + 2 <= bytes.count, bytes[index + 1] | 0x20 == UInt8(ascii: "m") else { return nil }
                switch bytes[index] | 0x20 {
                case UInt8(ascii: "a"): isAfternoon = false
                case UInt8(ascii: "p"): isAfternoon = true
                default: return nil
                }
                index += 2
            case .number(let field, let least, let most):
                let digits = bytes.part(index, min(bytes.count, index + most)).prefix { 0x30...0x39 ~= $0 }
                guard digits.count >= least else { return nil }
                index += digits.count
                let isFraction = field == .fraction
                let counted = isFraction ? Array((digits + [0x30, 0x30]).prefix(3)) : Array(digits)
                values[field.rawValue] = counted.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            }
        }
        if let isAfternoon {
            guard 1...12 ~= values[3] else { return nil }
            values[3] = values[3] % 12 + (isAfternoon ? 12 : 0)
        }
        guard let date = BusinessDate(year: values[0], month: values[1], day: values[2]), values[3] < 24,
            values[4] < 60, values[5] < 60
        else { return nil }
        let seconds = values[3] * 3600 + values[4] * 60 + values[5]
        let local = Int64(date.day) * 86_400_000 + Int64(seconds) * 1000 + Int64(values[6])
        return Parse.instant(local: local, followedBy: bytes.part(index, bytes.count), zone: zone)
    }
}
