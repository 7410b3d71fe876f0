/// The words that a column may contain, and their meanings.
struct Vocabulary<Value: Sendable>: Sendable {
    private var entries: [(text: [UInt8], value: Value)]

    init(_ words: [(String, Value)]) { entries = words.map { (Array($0.0.utf8), $0.1) } }

    /// The value of a word, first as written, then in lower case; nil if unknown.
    func value(of text: UnsafeRawBufferPointer) -> Value? {
        if let exact = find(text) { return exact }
        return Array(String(decoding: text, as: UTF8.self).lowercased().utf8).withUnsafeBytes(find)
    }

    private func find(_ text: UnsafeRawBufferPointer) -> Value? {
        for entry in entries where entry.text.withUnsafeBytes({ $0.isEqual(to: text) }) { return entry.value }
        return nil
    }

    /// All words, for messages.
    var names: String { entries.map { String(decoding: $0.text, as: UTF8.self) }.joined(separator: ", ") }
}

extension Vocabulary where Value: CaseIterable & RawRepresentable<String> {
    fileprivate init() { self.init(Value.allCases.map { ($0.rawValue, $0) }) }
}

/// The words of each column that has a closed set of them.
enum Words {
    static let statuses = Vocabulary<OrderStatus>()
    static let kinds = Vocabulary<CreditKind>()
    static let origins = Vocabulary<CreditOrigin>()
    static let outcomes = Vocabulary<AckOutcome>()
    static let types = Vocabulary(ProductType.allCases.map { ($0.name, $0) })
    static let flags = Vocabulary([
        ("true", true), ("false", false), ("1", true), ("0", false), ("yes", true), ("no", false), ("t", true),
        ("f", false),
    ])
}
