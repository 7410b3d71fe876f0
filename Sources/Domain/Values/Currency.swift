/// An ISO 4217 currency, its three letters packed into two bytes. Code zero means that the currency is absent.
@frozen
public struct Currency: Hashable, Sendable {
    /// Five bits for each letter, A = 1, first letter highest.
    public let code: UInt16

    @inlinable
    public init(code: UInt16) { self.code = code }

    /// From three letters; lower case is accepted (`cny`). Nil for anything else.
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

    /// Three upper-case letters; empty without a currency.
    public var text: String {
        if self == .absent { return "" }
        return String(unsafeUninitializedCapacity: 3) { memory in
            write(into: UnsafeMutableRawBufferPointer(memory))
            return 3
        }
    }

    /// Writes the letters into three bytes of memory.
    public func write(into memory: UnsafeMutableRawBufferPointer) {
        for place in 0..<3 { memory[place] = UInt8(code >> UInt16(10 - 5 * place) & 31) + 0x40 }
    }

    /// The number of decimals of the minor unit (ISO 4217, 2024): JPY 0, CNY 2, KWD 3. Two where the standard does not
    /// say.
    public var exponent: Int { Int(Self.exponents[Int(code)]) }

    /// Whether ISO 4217 lists the currency as in use. `RMB` is not: the renminbi is `CNY`.
    public var isCurrent: Bool { Self.current[Int(code)] }

    /// By code. A table, because every amount needs it.
    private static let current: [Bool] = {
        let codes = """
            AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF
            CLF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD
            HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD
            MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN
            PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY
            TTD TWD TZS UAH UGX USD UYI UYU UYW UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
            ANG BOV CHE CHW COU CUC HRK MXV SLL USN ZWL
            """
        var table = [Bool](repeating: false, count: Int(UInt16.max) + 1)
        for code in codes.split(whereSeparator: \.isWhitespace) { table[Int(Currency(code)!.code)] = true }
        return table
    }()

    /// By code. A table, because every amount needs it.
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

extension Currency: HasSentinel {
    /// No currency: that of a worth which is not known.
    @inlinable public static var absent: Currency { Currency(code: 0) }
}

/// As its three letters; an empty text without a currency.
extension Currency: TextCodable {
    public init?(text: String) {
        guard let currency = text.isEmpty ? .absent : Currency(bytes: text.utf8) else { return nil }
        self = currency
    }
}

/// As a key of a JSON object.
extension Currency: CodingKeyRepresentable {
    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    public var codingKey: any CodingKey { Key(stringValue: text) }
    public init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }
}

extension Currency: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        guard let currency = Currency(value) else { preconditionFailure("\(value) is not a currency code") }
        self = currency
    }
}
