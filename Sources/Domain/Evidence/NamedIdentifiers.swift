/// The identifiers that a piece of evidence holds or names, as its list of fields says. Reuses its memory from piece to
/// piece.
public struct NamedIdentifiers: EvidenceFields, Sendable {
    /// In the order of the fields. The id of an original transaction is left out where it is the transaction's own.
    public var ids: [(kind: IdentifierKind, id: Identifier)] = []
    public var token: Token?
    /// The content of a receipt without an id, which identifies it.
    public var content: Digest256?
    /// A device. Personal data: nothing is linked by it.
    public var device: Identifier?

    @inlinable public init() {}

    /// Replaces the identifiers by those of another piece of evidence.
    @inlinable public mutating func read(_ evidence: some DescribedEvidence) {
        ids.removeAll(keepingCapacity: true)
        (token, content, device) = (nil, nil, nil)
        var copy = evidence
        copy.listFields(in: &self)
        if ids.contains(where: { $0.kind == .receipt }) { content = nil }
    }

    @inlinable public mutating func id(
        _: StaticString, _ value: inout Identifier?, as use: IdentifierUse, isRequired _: Bool
    ) throws(Never) {
        guard let value else { return }
        switch use {
        case .original(value): break
        case .personal: device = value
        default: if let kind = use.kind { ids.append((kind, value)) }
        }
    }

    @inlinable public mutating func token(_: StaticString, _ value: inout Token?, isOfPurchase _: Bool) {
        token = value
    }
    @inlinable public mutating func digest(_: StaticString, _ value: inout Digest256) { content = value }

    @inlinable public mutating func source(_: inout Provenance) {}
    @inlinable public mutating func labels(_: inout LabelSet) {}
    @inlinable public mutating func instant(_: StaticString, _: inout Instant?, isRequired _: Bool) {}
    @inlinable public mutating func number<Value: FixedWidthInteger>(
        _: StaticString, _: inout Value?, in _: ClosedRange<Int64>, isRequired _: Bool
    ) {}
    @inlinable public mutating func amount(_: StaticString, _: inout Int64?, in _: inout Currency?) {}
    @inlinable public mutating func word<Value>(_: StaticString, _: inout Value, of _: CaseWords<Value>) {}
    @inlinable public mutating func code<Value>(_: StaticString, _: inout Value?, isRequired _: Bool) {}
    @inlinable public mutating func flag(_: StaticString, _: inout Bool?, isRequired _: Bool) {}
}
