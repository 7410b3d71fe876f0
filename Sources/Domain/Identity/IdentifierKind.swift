/// What an identifier names. The same text in another role is another identifier.
public enum IdentifierKind: UInt64, CaseIterable, Sendable {
    case order = 1
    case transaction, line, token, account, credit, receipt

    /// The index key for an identifier without digits at its end.
    public func hash(_ bits: UInt64) -> Int64 {
        Int64(bitPattern: StableHash.finish(bits &+ rawValue &* 0x9E37_79B9_7F4A_7C15))
    }

    /// The index key for an identifier that ends in four digits or more. Their value is in the lower 47 bits, so that
    /// consecutive numbers get neighbouring keys, and a night's new numbers come last.
    public func key(head: UInt64, digits: Int, value: UInt64) -> Int64 {
        let place = UInt64(bitPattern: hash(StableHash.mix(head, digits: digits, value: 0))) >> 47
        return Int64(bitPattern: place << 47 | value)
    }
}

extension IdentifierReader {
    /// The index key of an identifier in this role.
    public mutating func key(_ kind: IdentifierKind, _ id: Identifier) -> Int64 {
        let parts = hashedParts(of: id)
        return parts.digits < 4
            ? kind.hash(StableHash.mix(parts.head, digits: parts.digits, value: parts.value))
            : kind.key(head: parts.head, digits: parts.digits, value: parts.value)
    }

    public static func key(of token: Token) -> Int64 {
        IdentifierKind.token.hash(StableHash.finish(token.high) ^ token.low)
    }
}
