/// Reads single values of Apple's records. Ids, dates and numbers may be JSON strings or JSON numbers; null, an empty
/// string and an absent field all mean "no value".
///
/// A value that decides something throws a `LineReject` if it cannot be read; a value that only describes becomes nil.
struct FieldReader {
    private var identifiers = IdentifierCache()
    /// The member order learned so far, one for each `Record.Place`.
    var orders = Record.Place.allCases.map { _ in MemberOrder<PayloadField?>() }
    /// The id of Xcode's first transaction. A nightly run does not accept it as an id; `verify` shows it.
    static let zero = Identifier("0")

    /// Calls `body` with the text of a string or a number; nil if the value is absent.
    @inline(__always)
    static func withText<Result>(
        _ value: JSONValue, of column: StaticString, _ body: (UnsafeRawBufferPointer) throws -> Result?
    ) throws -> Result? {
        switch value {
        case .string(let text): return text.raw.isEmpty ? nil : try text.withUnescaped(body)
        case .number(let digits): return try body(digits)
        case .null: return nil
        case .bool, .object, .array: throw LineReject(column: "\(column)", reason: "expected a string or a number")
        }
    }

    /// An id; nil if absent. `0` gives `zero`.
    @inline(__always)
    mutating func identifier(
        _ value: JSONValue, named column: StaticString, of field: PayloadField
    ) throws -> Identifier? {
        try Self.withText(value, of: column) { bytes in
            do throws(IdentifierCache.Fault) {
                return try identifiers.identifier(bytes, of: field.rawValue)
                    ?? (bytes.isEqual(to: "0") ? Self.zero : nil)
            } catch {
                throw LineReject(
                    column: "\(column)", reason: "an id has at most 256 bytes and no control characters")
            }
        }
    }

    /// Refuses a transaction id that another program spelled as a number (`2.0e15`, `0200…`): it would be a payment of its own.
    static func requireAppleSpelling(_ value: JSONValue) throws {
        _ = try withText(value, of: "transactionId") { bytes in
            let isSpelled = bytes.allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20
                    || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }
            guard isSpelled, bytes.count == 1 || bytes.first != UInt8(ascii: "0") else {
                throw LineReject(
                    column: "transactionId",
                    reason:
                        "expected the id as Apple writes it, without leading zeros, decimals or signs; export it as text"
                )
            }
            return true
        }
    }

    /// Milliseconds since 1970. Xcode writes a fraction, which is cut off.
    @inline(__always)
    static func instant(_ value: JSONValue, _ column: StaticString) throws -> Instant? {
        try withText(value, of: column) { bytes in
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

    /// A whole number, with or without zeros after the decimal point (`1990.0`).
    static func number(_ value: JSONValue, _ column: StaticString) throws -> Int64? {
        try withText(value, of: column) { bytes in
            if let number = Parse.decimal(bytes, exponent: 0) { return number }
            throw LineReject(column: "\(column)", reason: "expected a whole number")
        }
    }

    /// Like `number`, for a descriptive field: nil also if the value cannot be read or is outside `range`.
    static func detail(_ value: JSONValue, in range: ClosedRange<Int64>) -> Int32? {
        guard let number = try? number(value, ""), range ~= number else { return nil }
        return Int32(number)
    }

    /// The result of `body` for a non-empty string; nil for any other value.
    @inline(__always)
    static func word<Result>(_ value: JSONValue, _ body: (UnsafeRawBufferPointer) -> Result?) -> Result? {
        guard case .string(let text) = value, !text.raw.isEmpty else { return nil }
        return text.withUnescaped(body)
    }
}

/// Apple's enumerated field values. A value that this version does not know is never an error.
/// See docs/spec/app-store.md#transaction-fields.
enum Vocabulary {
    /// The value of `environment`, or the name that Apple's Java library has for it; `.other` if it is not known.
    static func environment(_ bytes: UnsafeRawBufferPointer) -> AppEnvironment {
        if bytes.isEqual(to: "Production") || bytes.isEqual(to: "PRODUCTION") { return .production }
        if bytes.isEqual(to: "Sandbox") || bytes.isEqual(to: "SANDBOX") { return .sandbox }
        if bytes.isEqual(to: "Xcode") || bytes.isEqual(to: "XCODE") { return .xcode }
        let isLocal = bytes.isEqual(to: "LocalTesting") || bytes.isEqual(to: "LOCAL_TESTING")
        return isLocal ? .localTesting : .other
    }

    /// The environment that a receipt's type implies. Receipts also have types for volume purchases (VPP).
    static func receiptType(_ bytes: UnsafeRawBufferPointer) -> AppEnvironment {
        if bytes.isEqual(to: "ProductionVPP") { return .production }
        let isSandbox = bytes.isEqual(to: "ProductionSandbox") || bytes.isEqual(to: "ProductionVPPSandbox")
        return isSandbox ? .sandbox : environment(bytes)
    }

    /// The value of `type`; nil if it is not known.
    static func type(_ bytes: UnsafeRawBufferPointer) -> ProductType? {
        if bytes.isEqual(to: "Consumable") { return .consumable }
        if bytes.isEqual(to: "Non-Consumable") { return .nonConsumable }
        if bytes.isEqual(to: "Auto-Renewable Subscription") { return .autoRenewable }
        return bytes.isEqual(to: "Non-Renewing Subscription") ? .nonRenewing : nil
    }

    /// The value of `inAppOwnershipType`; `.other` if it is not known.
    static func ownership(_ bytes: UnsafeRawBufferPointer) -> Ownership {
        if bytes.isEqual(to: "PURCHASED") { return .purchased }
        return bytes.isEqual(to: "FAMILY_SHARED") ? .familyShared : .other
    }

    /// The value of `transactionReason`; nil if it is not known.
    static func reason(_ bytes: UnsafeRawBufferPointer) -> TransactionReason? {
        if bytes.isEqual(to: "PURCHASE") { return .purchase }
        return bytes.isEqual(to: "RENEWAL") ? .renewal : nil
    }

    /// The value of `revocationType`; `.other` if it is not known.
    static func revocationType(_ bytes: UnsafeRawBufferPointer) -> RevocationType {
        if bytes.isEqual(to: "REFUND_FULL") { return .refundFull }
        if bytes.isEqual(to: "REFUND_PRORATED") { return .refundProrated }
        return bytes.isEqual(to: "FAMILY_REVOKE") ? .familyRevoke : .other
    }
}
