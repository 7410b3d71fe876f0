/// How an export writes amounts, if not as plain decimals: `1.006,00`, `¥1,006.00`, `1 006,00 €`.
public struct AmountFormat: Hashable, Sendable {
    /// The decimal separator.
    public var decimal: Character = "."
    /// The thousands separator, or nil if amounts have none. A space also matches no-break spaces.
    public var grouping: Character?

    public init() {}

    /// Whether plain decimals are read as they are: no other reading is possible.
    @inlinable
    public var isPlain: Bool { decimal == "." }

    /// What people write for currencies. One sign may be that of several.
    private static let signs: [(text: String, currencies: Set<String>)] = [
        ("US$", ["USD"]), ("HK$", ["HKD"]), ("NT$", ["TWD"]), ("R$", ["BRL"]),
        ("$", ["USD", "AUD", "CAD", "CLP", "COP", "HKD", "MXN", "NZD", "SGD", "TWD"]),
        ("¥", ["CNY", "JPY"]), ("￥", ["CNY", "JPY"]), ("元", ["CNY"]), ("円", ["JPY"]), ("€", ["EUR"]), ("£", ["GBP"]),
        ("₩", ["KRW"]), ("₽", ["RUB"]), ("₹", ["INR"]), ("฿", ["THB"]), ("₫", ["VND"]), ("₺", ["TRY"]), ("₱", ["PHP"]),
        ("zł", ["PLN"]), ("RM", ["MYR"]), ("Rp", ["IDR"]), ("kr", ["DKK", "ISK", "NOK", "SEK"]),
        ("TL", ["TRY"]), ("Kč", ["CZK"]), ("руб.", ["RUB"]), ("руб", ["RUB"]), ("Euro", ["EUR"]),
    ]

    /// The number in units of 10^−`exponent`, exact. Nil if it is not written in this form.
    ///
    /// - Parameter currency: the only currency whose sign or code may stand before or after the number; nil allows any.
    public func number(_ bytes: UnsafeRawBufferPointer, exponent: Int, currency: Currency?) -> Int64? {
        var text = Substring(String(decoding: bytes, as: UTF8.self))
        var isNegative = text.takeSign()
        if let sign = Self.sign(of: currency, in: text) {
            text = (text.hasPrefix(sign) ? text.dropFirst(sign.count) : text.dropLast(sign.count)).trimmingBlanks
            if !isNegative { isNegative = text.takeSign() }
        }
        let sides = text.split(separator: decimal, maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = whole(sides[0]) else { return nil }
        let plain = sides.count > 1 ? whole + "." + sides[1] : whole
        guard whole.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Parse.decimal((isNegative ? "-" : "") + plain, exponent: exponent)
    }

    private static func sign(of currency: Currency?, in text: Substring) -> String? {
        var own = signs.filter { sign in currency.map { sign.currencies.contains($0.text) } ?? true }.map(\.text)
        if let currency {
            own.append(currency.text)
        } else {
            own += [text.prefix(3), text.suffix(3)].filter { $0.allSatisfy { "A"..."Z" ~= $0 } }.map { String($0) }
        }
        return own.first { text.hasPrefix($0) || text.hasSuffix($0) }
    }

    /// The digits before the decimal separator, without thousands separators. Nil if a group does not have three digits.
    private func whole(_ digits: Substring) -> String? {
        guard let grouping else { return String(digits) }
        let groups = digits.split(omittingEmptySubsequences: false) {
            $0 == grouping || grouping == " " && ($0 == "\u{A0}" || $0 == "\u{202F}") || grouping == "'" && $0 == "’"
        }
        guard groups.count == 1 || 1...3 ~= groups[0].count && groups.dropFirst().allSatisfy({ $0.count == 3 }) else {
            return nil
        }
        return groups.joined()
    }
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        let start = drop { $0.isWhitespace }
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
    }

    /// Removes a leading minus sign. Returns whether there was one.
    fileprivate mutating func takeSign() -> Bool {
        guard first == "-" else { return false }
        removeFirst()
        return true
    }
}
