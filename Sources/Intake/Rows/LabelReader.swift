internal import Glibc

/// Turns the texts of labels into sets. See docs/spec/why.md#labels.
///
/// The rows of a file have few different sets. A set is known by the bytes of its values, so that most rows need neither
/// memory nor the lock of the table of sets.
struct LabelReader: Sendable {
    /// The labels with their slots, by name.
    private let labels: [(slot: Int, name: String)]
    /// The values of the current row, in the first `keySize` bytes: for each, the place of its label, its length and its bytes.
    private var key: [UInt8]
    private var keySize = 0
    /// The sets read last, by the hash of their keys. A key takes the place of another with the same hash, so that values
    /// chosen for that cost no more than others.
    private var known: [(key: [UInt8], set: LabelSet)] = []
    private static let knownMax = 1 << 15
    /// How many values were cut.
    private(set) var cut = 0
    /// The labels of which a row had a value, by place: one bit each.
    private(set) var seen: UInt64 = 0

    init(_ plan: RowPlan) {
        labels = plan.labels
        key = Array(repeating: 0, count: labels.count * (2 + LabelSet.textMax))
    }

    @inline(__always)
    var isEmpty: Bool { labels.isEmpty }

    /// The set of the row whose slots have these texts.
    mutating func set(_ fields: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>) -> LabelSet {
        keySize = 0
        for (place, label) in labels.enumerated() {
            let text = Self.trimmed(fields[label.slot])
            if RowReader.isNull(text) { continue }
            seen |= 1 << UInt64(place)
            let end = Self.end(of: text)
            if end < text.count { cut += 1 }
            key.withUnsafeMutableBytes { key in
                key[keySize] = UInt8(place)
                key[keySize + 1] = UInt8(end)
                key.baseAddress!.advanced(by: keySize + 2).copyMemory(from: text.baseAddress!, byteCount: end)
            }
            keySize += 2 + end
        }
        if keySize == 0 { return .none }
        if known.isEmpty { known = Array(repeating: ([], .none), count: Self.knownMax) }
        let place = key.withUnsafeBytes {
            Int(truncatingIfNeeded: $0.part(0, keySize).fingerprint()) & (Self.knownMax - 1)
        }
        if !isKey(known[place].key) { known[place] = (Array(key[..<keySize]), made()) }
        return known[place].set
    }

    private func isKey(_ bytes: [UInt8]) -> Bool {
        bytes.count == keySize
            && bytes.withUnsafeBytes { bytes in
                key.withUnsafeBytes { memcmp(bytes.baseAddress!, $0.baseAddress!, keySize) == 0 }
            }
    }

    /// The set that the key stands for.
    private func made() -> LabelSet {
        var values: [LabelSet.Value] = []
        var start = 0
        while start < keySize {
            let (name, end) = (labels[Int(key[start])].name, start + 2 + Int(key[start + 1]))
            // Control characters within it become blanks.
            let text = key[(start + 2)..<end].map { Self.isBlank($0) ? 0x20 : $0 }.withUnsafeBytes {
                Identifier(bytes: $0)
            }
            values.append(LabelSet.Value(name: name, text: text))
            start = end
        }
        return LabelSet(values)
    }

    /// The number of values cut since the last call.
    mutating func takeCut() -> Int {
        defer { cut = 0 }
        return cut
    }

    /// Without blanks and control characters at both ends.
    private static func trimmed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard let first = text.first, let last = text.last, isBlank(first) || isBlank(last) else { return text }
        guard let start = text.firstIndex(where: { !isBlank($0) }), let end = text.lastIndex(where: { !isBlank($0) })
        else { return text.part(0, 0) }
        return text.part(start, end + 1)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x7F }

    /// How many bytes of the text count: no character is divided.
    private static func end(of text: UnsafeRawBufferPointer) -> Int {
        guard text.count > LabelSet.textMax else { return text.count }
        var end = LabelSet.textMax
        while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
        return end
    }
}

extension RowReader {
    /// The labels of the current row.
    @inline(__always)
    mutating func labelSet() -> LabelSet { labels.isEmpty ? .none : labels.set(fields) }

    /// The labels in a JSON object that other code reads. It may be anything else.
    mutating func labelSet(in row: UnsafeRawBufferPointer) -> LabelSet {
        guard !labels.isEmpty, row.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { return .none }
        do throws(RowFault) { try readJSON(row) } catch { return .none }
        return labels.set(fields)
    }
}
