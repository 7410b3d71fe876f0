/// What goes through the fields of a piece of evidence: it writes them, reads them into the value, or asks what they are.
///
/// `DescribedEvidence.listFields` is the only list of the fields. The ledger's tables and views, the lines of the cluster
/// form, the canonical content and the identifiers by which evidence is found follow from it.
public protocol EvidenceFields: ~Copyable {
    associatedtype Failure: Error

    /// The file and line of the row.
    mutating func source(_ source: inout Provenance) throws(Failure)
    mutating func id(
        _ name: StaticString, _ value: inout Identifier?, as use: IdentifierUse, isRequired: Bool) throws(Failure)
    /// - Parameter isOfPurchase: in an order, where it should be that of the purchase.
    mutating func token(_ name: StaticString, _ value: inout Token?, isOfPurchase: Bool) throws(Failure)
    mutating func instant(_ name: StaticString, _ value: inout Instant?, isRequired: Bool) throws(Failure)
    mutating func number<Value: FixedWidthInteger & Sendable>(
        _ name: StaticString, _ value: inout Value?, in range: ClosedRange<Int64>, isRequired: Bool) throws(Failure)
    /// The amount of a single row, in minor units or thousandths, and the field `currency`. Both are nil, or neither is.
    mutating func amount(_ name: StaticString, _ value: inout Int64?, in currency: inout Currency?) throws(Failure)
    /// A word of the feed.
    mutating func word<Value>(
        _ name: StaticString, _ value: inout Value, of words: CaseWords<Value>) throws(Failure)
    /// A value that stands for itself as a small number.
    mutating func code<Value: RawRepresentable<UInt8> & Sendable>(
        _ name: StaticString, _ value: inout Value?, isRequired: Bool) throws(Failure)
    mutating func flag(_ name: StaticString, _ value: inout Bool?, isRequired: Bool) throws(Failure)
    mutating func digest(_ name: StaticString, _ value: inout Digest256) throws(Failure)
    /// The values of the shop's own columns. They are not content: nothing is decided by them.
    mutating func labels(_ value: inout LabelSet) throws(Failure)
    /// Notes whether the fields around `name` fit together.
    mutating func check(_ isRight: Bool, _ name: StaticString)
}

extension EvidenceFields where Self: ~Copyable {
    @inlinable
    public mutating func check(_ isRight: Bool, _ name: StaticString) {}
}

/// What an identifier of a row is for.
public enum IdentifierUse: Equatable, Sendable {
    /// It is the row's own, as a rule.
    case own(IdentifierKind)
    /// It is one of few, such as a product's.
    case word
    /// It should be that of the order, the account or the transaction of the case.
    case order, account, transaction
    /// It is this transaction's own id, as a rule.
    case original(of: Identifier)
    /// It is personal data, and not content: it decides nothing.
    case personal

    /// What the identifier names. Nil if it identifies nothing that evidence is found by.
    @inlinable public var kind: IdentifierKind? {
        switch self {
        case .own(let kind): kind
        case .order: .order
        case .account: .account
        case .transaction, .original: .transaction
        case .word, .personal: nil
        }
    }
}

/// Evidence whose fields are listed once.
public protocol DescribedEvidence: Equatable, Sendable {
    /// What reading begins with.
    static var blank: Self { get }
    var source: Provenance { get set }
    var labels: LabelSet { get set }
    /// Calls `fields` with each field: the source, the content in the order of docs/spec/rules.md#version-precedence, and
    /// what is not content.
    mutating func listFields<Fields: EvidenceFields & ~Copyable>(in fields: inout Fields) throws(Fields.Failure)
}

/// The words of an enumeration's cases, as identifiers. The search is linear: comparing a few cases is faster than hashing
/// one text.
public final class CaseWords<Case: Equatable & Sendable>: Sendable {
    @usableFromInline let cases: [Case]
    @usableFromInline let words: [Identifier]

    public init(_ cases: [Case], _ word: (Case) -> String) {
        self.cases = cases
        words = cases.map { Identifier(word($0)) }
    }

    @inlinable public subscript(value: Case) -> Identifier { words[cases.firstIndex(of: value)!] }

    @inlinable public func value(_ word: Identifier) -> Case? { words.firstIndex(of: word).map { cases[$0] } }
}

// Fields that every row has.
extension EvidenceFields where Self: ~Copyable {
    @inlinable @inline(__always)
    public mutating func id(
        _ name: StaticString, _ value: inout Identifier, as use: IdentifierUse
    ) throws(Failure) {
        var found: Identifier? = value
        try id(name, &found, as: use, isRequired: true)
        if let found { value = found }
    }

    @inlinable @inline(__always)
    public mutating func id(
        _ name: StaticString, _ value: inout Identifier?, as use: IdentifierUse
    ) throws(Failure) {
        try id(name, &value, as: use, isRequired: false)
    }

    @inlinable @inline(__always)
    public mutating func instant(_ name: StaticString, _ value: inout Instant) throws(Failure) {
        var found: Instant? = value
        try instant(name, &found, isRequired: true)
        if let found { value = found }
    }

    @inlinable @inline(__always)
    public mutating func instant(_ name: StaticString, _ value: inout Instant?) throws(Failure) {
        try instant(name, &value, isRequired: false)
    }

    /// How many pieces.
    @inlinable @inline(__always)
    public mutating func quantity(_ value: inout Int32) throws(Failure) {
        var found: Int32? = value
        try number("quantity", &found, in: 1...1_000_000, isRequired: true)
        if let found { value = found }
    }

    @inlinable @inline(__always)
    public mutating func number<Value: FixedWidthInteger & Sendable>(
        _ name: StaticString, _ value: inout Value?, in range: ClosedRange<Int64> = .min ... .max
    ) throws(Failure) {
        try number(name, &value, in: range, isRequired: false)
    }

    @inlinable @inline(__always)
    public mutating func code<Value: RawRepresentable<UInt8> & Sendable>(
        _ name: StaticString, _ value: inout Value
    ) throws(Failure) {
        var found: Value? = value
        try code(name, &found, isRequired: true)
        if let found { value = found }
    }

    @inlinable @inline(__always)
    public mutating func code<Value: RawRepresentable<UInt8> & Sendable>(
        _ name: StaticString, _ value: inout Value?
    ) throws(Failure) {
        try code(name, &value, isRequired: false)
    }

    @inlinable @inline(__always)
    public mutating func flag(_ name: StaticString, _ value: inout Bool) throws(Failure) {
        var found: Bool? = value
        try flag(name, &found, isRequired: true)
        if let found { value = found }
    }
}
