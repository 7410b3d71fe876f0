/// What the values of a column look like.
struct Profile {
    let name: String
    /// The name, without a word that the names of the file have in common.
    var title: String
    /// One for each row; nil for no value.
    let values: [String?]
    let present: [String]
    /// How often each value occurs.
    let counts: [String: Int]

    init(_ column: TableSample.Column) {
        name = column.name
        title = name
        values = column.values
        present = values.compactMap { $0 }
        counts = present.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// The values, the most frequent first.
    var words: [(value: String, count: Int)] { present.counts }
    /// The most frequent values, for people.
    var shown: String { Array(words.prefix(3)).shown }
    /// How many words a column of words may have.
    static let wordsMax = 30
    var isUnique: Bool { counts.count * 20 >= present.count * 19 && !present.isEmpty }
    /// Whether its values are a few words that repeat.
    var isWords: Bool {
        !counts.isEmpty && counts.count <= Self.wordsMax && (counts.count <= 2 || counts.count * 2 <= present.count)
            && counts.keys.allSatisfy { $0.utf8.count <= 64 }
    }

    /// Whether nearly all values are so, and there are some.
    func isMostly(_ test: (String) -> Bool) -> Bool {
        let some = present.prefix(2000)
        return !some.isEmpty && some.count { test($0) } * 20 >= some.count * 19
    }

    var isInteger: Bool { isMostly(Self.isFigures) }
    /// Digits of Apple's transaction ids. A date at the beginning makes it an order number.
    var isAppleID: Bool {
        isMostly { text in
            15...17 ~= text.utf8.count && Self.isFigures(text) && !text.hasPrefix("-") && Int(text.prefix(2)) != 0
                && Self.date(of: text) == nil
        }
    }
    var isUUID: Bool { isMostly { Token($0) != nil } }
    var isCurrency: Bool { isMostly { Currency($0)?.isCurrent == true || Names.all.word($0, of: "currency") != nil } }
    /// Whether the name may say how an attempt ended.
    var isOutcome: Bool {
        let title = Feed.plain(title)
        return Names.all.outcomes.contains { title.contains(Feed.plain($0)) }
    }
    var isFlag: Bool { isMostly { value in Names.all.flags.values.contains { $0.contains(value.lowercased()) } } }
    /// A signed record of Apple's, or the base64 of a receipt.
    var isReceipt: Bool {
        isMostly { text in
            text.hasPrefix("eyJ") && text.count { $0 == "." } == 2
                || text.utf8.count >= 64 && (text.hasPrefix("MI") || text.hasPrefix("ew"))
        }
    }
    /// JSON with members, which are what a column may have.
    var isObject: Bool { isMostly { $0.hasPrefix("{") } }
    /// Apple's records as JSON, in one column of a table.
    var isAppleText: Bool {
        isMostly { text in
            text.hasPrefix("{") && ["signedPayload", "transactionId", "transaction_id"].contains(where: text.contains)
        }
    }
    var isVerifyStatus: Bool { isMostly { Int($0).map { $0 == 0 || 21_000...21_199 ~= $0 } ?? false } }

    /// Digits alone, perhaps with a sign.
    static func isFigures(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        return !digits.isEmpty && digits.utf8.allSatisfy { 0x30...0x39 ~= $0 }
    }

    /// The date that a text begins with, written without separators.
    static func date(of text: some StringProtocol) -> BusinessDate? {
        guard text.utf8.count >= 8, text.utf8.prefix(8).allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        let digits = Array(text.prefix(8))
        let date = BusinessDate(
            [String(digits[0..<4]), String(digits[4..<6]), String(digits[6..<8])].joined(separator: "-"))
        return date.flatMap { $0.text >= "2008" && $0.text < "2100" ? $0 : nil }
    }
}

/// How the times of a column are written.
struct TimeShape: Equatable {
    /// What the feed's `timeFormat` may be; empty for the standard forms. Two if the first number may be the day or the month.
    var patterns: [String] = []
    /// Whether the times have no offset.
    var isLocal = false

    /// Nil if the column does not hold times.
    init?(_ profile: Profile) {
        let isStandard = profile.isMostly { Self.instant($0, nil, zone: .utc) != nil }
        if !isStandard {
            let fitting = Self.patterns(like: profile.present.first ?? "").filter { pattern in
                let format = TimeFormat(pattern)
                return profile.isMostly { Self.instant($0, format, zone: .utc) != nil }
            }
            guard !fitting.isEmpty else { return nil }
            patterns = fitting
        }
        let format = patterns.first.flatMap { TimeFormat($0) }
        let shanghai = Zone("Asia/Shanghai")!
        isLocal = profile.present.prefix(2000).contains {
            Self.instant($0, format, zone: .utc) != Self.instant($0, format, zone: shanghai)
        }
    }

    /// The instant of a text, unless a small number or an id only looks like one.
    static func instant(_ text: String, _ format: TimeFormat?, zone: Zone) -> Instant? {
        let bytes = Array(text.utf8)
        if let format { return bytes.withUnsafeBytes { format.instant($0, zone: zone) } }
        let isFigures = Profile.isFigures(text)
        if isFigures, bytes.count != 10, bytes.count != 13 { return nil }
        // Ten digits from 2033 on are a date, such as `2026110500` and `2611050011`.
        let end: Int64 = isFigures ? 2_000_000_000_000 : .max
        return bytes.withUnsafeBytes { Parse.instant($0, zone: zone) }.flatMap {
            1_200_000_000_000..<end ~= $0.milliseconds ? $0 : nil
        }
    }

    /// The patterns that a time may be written in, by one of them.
    private static func patterns(like text: String) -> [String] {
        if text.utf8.count == 14, Profile.date(of: text) != nil { return ["yyyyMMddHHmmss"] }
        if let match = text.wholeMatch(of: /\d{4}(年|\.)\d{1,2}(月|\.)\d{1,2}日?( ?)(\d{1,2}):\d\d(:\d\d)?/) {
            let end = match.1 == "年" ? "日" : ""
            return ["yyyy\(match.1)M\(match.2)d\(end)\(match.3)H:mm" + (match.5 == nil ? "" : ":ss")]
        }
        guard
            let match = text.wholeMatch(of: /\d{1,2}([\/.\-])\d{1,2}[\/.\-]\d{4}( |T)\d{1,2}:\d\d(:\d\d)?( ?[AP]M)?.*/)
        else {
            return []
        }
        let hour = match.4 == nil ? "H" : "h"
        let half = match.4.map { $0.hasPrefix(" ") ? " a" : "a" } ?? ""
        let clock = "\(match.2)\(hour):mm" + (match.3 == nil ? "" : ":ss") + half
        return ["d\(match.1)M\(match.1)yyyy" + clock, "M\(match.1)d\(match.1)yyyy" + clock]
    }
}
