// The objects of the lines that travel with evidence. See docs/spec/cluster.md#wire.

extension MemberRecord where Self: DescribedEvidence {
    public mutating func describe(_ members: inout Members) { listFields(in: &members) }
}

extension Order: MemberRecord {}
extension Credit: MemberRecord {}
extension Receipt: MemberRecord {}

/// A transaction, and its place among those of its row.
struct PlacedTransaction: MemberRecord {
    var transaction: Transaction
    /// How many transactions of the row precede it; nil for none.
    var place: Int32?
    /// Other transactions of the row may be elsewhere.
    var isShared = false

    static var blank: Self { Self(transaction: .blank) }

    mutating func describe(_ members: inout Members) {
        transaction.listFields(in: &members)
        members.value("n", &place)
        members.flag("s", &isShared)
    }
}

/// A token, and the account that it belongs to.
struct OwnedToken: MemberRecord {
    var token = Token(high: 0, low: 0)
    var owner = TokenOwner.unknown
    /// The lines from which all owners were worked out.
    var read = WireSum()

    static var blank: Self { Self() }

    mutating func describe(_ members: inout Members) {
        var account: Identifier?
        if case .account(let owner) = owner { account = owner }
        var isSeveral = owner == .several
        members.value("account", &account)
        members.flag("is_several", &isSeveral)
        members.value("lines", &read.lines)
        members.value("sum", &read.sum)
        members.value("token", &token)
        owner = account.map { .account($0) } ?? (isSeveral ? .several : .unknown)
    }
}

extension FollowedException: MemberRecord {
    public static var blank: Self { Self(id: .least, keys: []) }

    public mutating func describe(_ members: inout Members) {
        members.value("exception", &id)
        members.value("keys", &keys)
    }
}

/// How lines have the fields of evidence: under the names of the columns. Of the source, `d` is the delivery, `f` the
/// file's date and `l` the line.
extension Members: EvidenceFields {
    public mutating func source(_ source: inout Provenance) throws(Never) {
        value("d", &source.delivery)
        check(source.delivery > .none, "d")
        value("f", &source.fileDate.day)
        check(-719_162...2_932_896 ~= source.fileDate.day, "f")
        value("l", &source.line)
        check(source.line >= 0, "l")
    }

    public mutating func id(
        _ name: StaticString, _ value: inout Identifier?, as _: IdentifierUse, isRequired: Bool
    ) { field(name, &value, isRequired: isRequired) }

    public mutating func token(_ name: StaticString, _ value: inout Token?, isOfPurchase: Bool) {
        self.value(name, &value)
    }

    public mutating func instant(_ name: StaticString, _ value: inout Instant?, isRequired: Bool) {
        field(name, &value, isRequired: isRequired)
    }

    public mutating func number<Value: FixedWidthInteger & Sendable>(
        _ name: StaticString, _ value: inout Value?, in range: ClosedRange<Int64>, isRequired: Bool
    ) {
        var wide = value.map { Int64($0) }
        field(name, &wide, isRequired: isRequired)
        value = wide.flatMap { Value(exactly: $0) }
        check(wide.map { range.contains($0) && value != nil } ?? true, name)
    }

    public mutating func amount(_ name: StaticString, _ value: inout Int64?, in currency: inout Currency?) {
        number(name, &value, in: -1_000_000_000_000_000...1_000_000_000_000_000)
        self.value("currency", &currency)
        check((value == nil) == (currency == nil), name)
    }

    public mutating func word<Value>(_ name: StaticString, _ value: inout Value, of words: CaseWords<Value>) {
        var word = words[value]
        self.value(name, &word)
        if let read = words.value(word) { value = read } else { check(false, name) }
    }

    public mutating func code<Value: RawRepresentable<UInt8> & Sendable>(
        _ name: StaticString, _ value: inout Value?, isRequired: Bool
    ) {
        var raw = value?.rawValue
        field(name, &raw, isRequired: isRequired)
        value = raw.flatMap(Value.init)
        check((raw == nil) == (value == nil), name)
    }

    public mutating func flag(_ name: StaticString, _ value: inout Bool?, isRequired: Bool) {
        var number: UInt8? = value.map { $0 ? 1 : 0 }
        field(name, &number, isRequired: isRequired)
        value = number.map { $0 == 1 }
        check(number ?? 0 <= 1, name)
    }

    public mutating func digest(_ name: StaticString, _ value: inout Digest256) { self.value(name, &value) }

    public mutating func labels(_ value: inout LabelSet) {
        var found = value.isEmpty ? nil : value
        self.value("labels", &found)
        value = found ?? .none
    }

    private mutating func field<Value: MemberValue>(
        _ name: StaticString, _ value: inout Value?, isRequired: Bool
    ) {
        guard isRequired, var present = value else { return self.value(name, &value) }
        self.value(name, &present)
        value = present
    }
}
