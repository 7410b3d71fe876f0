/// An ISO 4217 currency by its three letters, in two bytes. Zero is no currency.
@frozen
public struct Currency: Hashable, Sendable {
    /// Five bits a letter, A = 1.
    public let code: UInt16

    @inlinable
    public init(code: UInt16) { self.code = code }

    /// Nil unless three letters; lower case is accepted (`cny`).
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 3 else { return nil }
        var code: UInt16 = 0
        for byte in bytes {
            let letter = byte & 0xDF
            guard letter >= 0x41, letter <= 0x5A, byte >= 0x41 else { return nil }
            code = code << 5 | UInt16(letter - 0x40)
        }
        self.init(code: code)
    }

    public init?(_ text: some StringProtocol) { self.init(bytes: Array(text.utf8)) }

    public var text: String {
        String(unsafeUninitializedCapacity: 3) { memory in
            write(into: UnsafeMutableRawBufferPointer(memory))
            return 3
        }
    }

    /// The letters into memory of three bytes.
    public func write(into memory: UnsafeMutableRawBufferPointer) {
        for place in 0..<3 { memory[place] = UInt8(code >> UInt16(10 - 5 * place) & 31) + 0x40 }
    }

    /// How many decimals its minor unit has (ISO 4217, 2024): JPY 0, CNY 2, KWD 3. Two where the standard names none.
    public var exponent: Int { Int(Self.exponents[Int(code)]) }

    /// By code: asked for of every amount.
    private static let exponents: [UInt8] = {
        let groups: [(UInt8, String)] = [
            (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
            (3, "BHD IQD JOD KWD LYD OMR TND"),
            (4, "CLF UYW"),
        ]
        var table = [UInt8](repeating: 2, count: Int(UInt16.max) + 1)
        for (exponent, codes) in groups {
            for code in codes.split(separator: " ") { table[Int(Currency(code)!.code)] = exponent }
        }
        return table
    }()
}

extension Currency: Comparable {
    @inlinable
    public static func < (left: Currency, right: Currency) -> Bool { left.code < right.code }
}

extension Currency: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        guard let currency = Currency(value) else { preconditionFailure("\(value) is no currency code") }
        self = currency
    }
}

extension Currency: CustomStringConvertible {
    public var description: String { text }
}

/// An exact amount: a count of the currency's minor unit. Never a binary fraction, never a sum across currencies.
@frozen
public struct Money: Hashable, Sendable {
    public var minor: Int64
    public var currency: Currency

    @inlinable
    public init(minor: Int64, currency: Currency) {
        self.minor = minor
        self.currency = currency
    }

    /// In major units with the currency's own decimals: `6.00`, `-230`, `1.500`.
    public var text: String { decimal(minor, exponent: currency.exponent) }
}

extension Money: HasSentinel {
    @inlinable public static var absent: Money { Money(minor: 0, currency: Currency(code: 0)) }
}

extension Money: CustomStringConvertible {
    public var description: String { text + " " + currency.text }
}

/// `value` × 10^−`exponent` in decimal, exact: (600, 2) is `6.00`.
public func decimal(_ value: Int64, exponent: Int) -> String {
    guard exponent > 0 else { return String(value) }
    let digits = String(value.magnitude)
    let whole = digits.utf8.count > exponent ? String(digits.dropLast(exponent)) : "0"
    let fraction = digits.suffix(exponent)
    let zeros = String(repeating: "0", count: exponent - fraction.utf8.count)
    return (value < 0 ? "-" : "") + whole + "." + zeros + fraction
}

/// A price as Apple writes it: thousandths of the currency's unit whatever its exponent, the total for the quantity bought.
@frozen
public struct Price: Hashable, Sendable {
    public var thousandths: Int64
    public var currency: Currency

    @inlinable
    public init(thousandths: Int64, currency: Currency) {
        self.thousandths = thousandths
        self.currency = currency
    }

    public init(_ money: Money) {
        let exponent = money.currency.exponent
        self.init(
            thousandths: exponent <= 3 ? money.minor * powerOfTen(3 - exponent) : money.minor / 10,
            currency: money.currency)
    }

    /// In minor units; what is finer than those is rounded half away from zero (averages per seat only).
    public var money: Money {
        let exponent = currency.exponent
        if exponent >= 3 { return Money(minor: thousandths * powerOfTen(exponent - 3), currency: currency) }
        let divisor = powerOfTen(3 - exponent)
        let half = thousandths < 0 ? -divisor / 2 : divisor / 2
        return Money(minor: (thousandths + half) / divisor, currency: currency)
    }
}

extension Price: HasSentinel {
    @inlinable public static var absent: Price { Price(thousandths: 0, currency: Currency(code: 0)) }
}

public func powerOfTen(_ exponent: Int) -> Int64 {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
}
