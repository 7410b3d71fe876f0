internal import Domain
internal import Scan

/// Single values of Apple's records. Ids, dates and numbers may come as JSON strings or numbers; null, an empty
/// string and an absent field are one.
///
/// What decides something and cannot be read throws a `LineReject`; what only describes is left out.
struct FieldReader {
    private var identifiers = IdentifierCache()
    /// By the place of a record.
    var orders = Record.Place.allCases.map { _ in MemberOrder<PayloadField?>() }
    /// Xcode's first transaction. No id to a night, yet `verify` shows it.
    static let zero = Identifier("0")

    /// The bytes that spell a string or a number, nil where there is no value.
    @inline(__always)
    static func withText<Result>(
        _ value: JSONValue, _ column: StaticString, _ body: (UnsafeRawBufferPointer) throws -> Result?
    ) throws -> Result? {
        switch value {
        case .string(let text): return text.raw.isEmpty ? nil : try text.withUnescaped(body)
        case .number(let digits): return try body(digits)
        case .null: return nil
        case .bool, .object, .array: throw LineReject(column: "\(column)", reason: "expected a string or a number")
        }
    }

    @inline(__always)
    mutating func identifier(
        _ value: JSONValue, _ column: StaticString, _ field: PayloadField
    ) throws -> Identifier? {
        try Self.withText(value, column) { bytes in
            do throws(IdentifierCache.Fault) {
                return try identifiers.identifier(bytes, of: field.rawValue)
                    ?? (bytes.isEqual(to: "0") ? Self.zero : nil)
            } catch {
                throw LineReject(
                    column: "\(column)", reason: "an id has at most 256 bytes and no control characters")
            }
        }
    }

    /// Milliseconds since 1970, a fraction (Xcode's) cut off.
    @inline(__always)
    static func instant(_ value: JSONValue, _ column: StaticString) throws -> Instant? {
        try withText(value, column) { bytes in
            if let instant = Parse.epoch(bytes) { return instant }
            let point = bytes.firstIndex(of: UInt8(ascii: "."))
            let fraction = bytes.dropFirst((point ?? bytes.count) + 1)
            let isNumber = point.map { $0 < bytes.count - 1 && fraction.allSatisfy { 0x30...0x39 ~= $0 } } ?? true
            let whole = isNumber ? bytes.part(0, point ?? bytes.count) : bytes
            if let instant = Parse.instant(whole, zone: .utc) { return instant }
            throw LineReject(
                column: "\(column)", reason: "expected milliseconds since 1970, of the years 1970 to 2200")
        }
    }

    /// A whole number, written with zeros after the point (`1990.0`) or without.
    static func number(_ value: JSONValue, _ column: StaticString) throws -> Int64? {
        try withText(value, column) { bytes in
            if let number = Parse.decimal(bytes, exponent: 0) { return number }
            throw LineReject(column: "\(column)", reason: "expected a whole number")
        }
    }

    /// As `number`, for what only describes: nil also where it is none or does not lie in `range`.
    static func detail(_ value: JSONValue, in range: ClosedRange<Int64>) -> Int32? {
        guard let number = try? number(value, ""), range ~= number else { return nil }
        return Int32(number)
    }

    /// What `body` makes of a string; nil for anything else.
    @inline(__always)
    static func word<Result>(_ value: JSONValue, _ body: (UnsafeRawBufferPointer) -> Result?) -> Result? {
        guard case .string(let text) = value, !text.raw.isEmpty else { return nil }
        return text.withUnescaped(body)
    }
}

/// Apple's words for what a field may say. Words that this version does not know are never an error. APPLE §1.
enum Vocabulary {
    static func environment(_ bytes: UnsafeRawBufferPointer) -> AppEnvironment {
        if bytes.isEqual(to: "Production") { return .production }
        if bytes.isEqual(to: "Sandbox") { return .sandbox }
        if bytes.isEqual(to: "Xcode") { return .xcode }
        return bytes.isEqual(to: "LocalTesting") ? .localTesting : .other
    }

    /// Of a receipt's type, which tells volume purchases apart too.
    static func receiptType(_ bytes: UnsafeRawBufferPointer) -> AppEnvironment {
        if bytes.isEqual(to: "ProductionVPP") { return .production }
        let isSandbox = bytes.isEqual(to: "ProductionSandbox") || bytes.isEqual(to: "ProductionVPPSandbox")
        return isSandbox ? .sandbox : environment(bytes)
    }

    static func type(_ bytes: UnsafeRawBufferPointer) -> ProductType? {
        if bytes.isEqual(to: "Consumable") { return .consumable }
        if bytes.isEqual(to: "Non-Consumable") { return .nonConsumable }
        if bytes.isEqual(to: "Auto-Renewable Subscription") { return .autoRenewable }
        return bytes.isEqual(to: "Non-Renewing Subscription") ? .nonRenewing : nil
    }

    static func ownership(_ bytes: UnsafeRawBufferPointer) -> Ownership {
        if bytes.isEqual(to: "PURCHASED") { return .purchased }
        return bytes.isEqual(to: "FAMILY_SHARED") ? .familyShared : .other
    }

    static func revocationType(_ bytes: UnsafeRawBufferPointer) -> RevocationType {
        if bytes.isEqual(to: "REFUND_FULL") { return .refundFull }
        if bytes.isEqual(to: "REFUND_PRORATED") { return .refundProrated }
        return bytes.isEqual(to: "FAMILY_REVOKE") ? .familyRevoke : .other
    }
}
