/// Appends one JSON document to a buffer, value by value, and builds no tree.
///
/// Equal calls always write equal bytes: nothing depends on locale or hash seed. The caller chooses the order of
/// members; the documents of this program have their keys in ascending order. Commas, colons and line breaks are the
/// writer's business; that keys are distinct, and that a member has both a key and a value, is the caller's.
public struct JSONWriter: Sendable {
    /// Which characters of keys and texts are written as escapes.
    public enum Escaping: Sendable {
        /// What JSON requires: quotes, backslashes and control characters below U+0020, the latter as `\u00…`.
        case required
        /// Also what controls a terminal or deceives a reader (`Unicode.Scalar.isDeceptive`), so that the document can
        /// be shown as it is.
        case visible
        /// Also `<`, so that no text can end the `<script>` element that the document stands in.
        case script
    }

    /// The document so far, in UTF-8.
    public private(set) var bytes: [UInt8] = []
    private let escaping: Escaping
    private let isIndented: Bool
    /// The number of objects and lists that are not closed yet.
    private var level = 0
    /// Whether the innermost of them is empty so far.
    private var isFirst = true
    /// Whether a key was written whose value is still missing.
    private var hasKey = false
    private var startsLine = false

    /// A writer with an empty buffer. `isIndented`: each element begins a line, indented by two blanks a level.
    public init(escaping: Escaping, isIndented: Bool = false) {
        self.escaping = escaping
        self.isIndented = isIndented
    }

    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Removes and returns the bytes so far, so that a long document need not be in memory as a whole.
    public mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// Removes what was written, to begin another document.
    public mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        isFirst = true
    }

    /// Writes an object; `members` writes its keys and values.
    @inlinable
    public mutating func object<Failure>(_ members: (inout Self) throws(Failure) -> Void) throws(Failure) {
        open(UInt8(ascii: "{"))
        try members(&self)
        close(UInt8(ascii: "}"))
    }

    /// Writes a list; `elements` writes its values.
    @inlinable
    public mutating func list<Failure>(_ elements: (inout Self) throws(Failure) -> Void) throws(Failure) {
        open(UInt8(ascii: "["))
        try elements(&self)
        close(UInt8(ascii: "]"))
    }

    /// Writes the key of an object's next member. Its value must follow.
    public mutating func key(_ key: String) {
        separate()
        quote(key)
        endKey()
    }

    /// Writes the key of an object's next member, like `key(_: String)`. `key` must need no escapes.
    public mutating func key(_ key: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        endKey()
    }

    public mutating func write(_ text: String) {
        separate()
        quote(text)
    }

    /// Writes a text that is given in UTF-8.
    public mutating func write(utf8 text: UnsafeRawBufferPointer) {
        let mayNeedEscapes = { (byte: UInt8) in
            byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
                || byte == UInt8(ascii: "<")
        }
        if text.contains(where: mayNeedEscapes) { return write(String(decoding: text, as: UTF8.self)) }
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: text)
        bytes.append(UInt8(ascii: "\""))
    }

    public mutating func write(_ number: Int64) {
        separate()
        bytes.append(decimal: number)
    }

    /// Writes `number` × 10^−`exponent` with that many decimals.
    public mutating func write(_ number: Int64, exponent: Int) {
        separate()
        bytes.append(contentsOf: decimal(number, exponent: exponent).utf8)
    }

    public mutating func write(_ flag: Bool) {
        separate()
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    public mutating func writeNull() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Lets the next element begin a line, for a document that is not indented but whose rows should be lines.
    public mutating func breakLine() { startsLine = true }
}

/// Members whose keys are constants. Those without a value are left out.
extension JSONWriter {
    public mutating func add(_ key: StaticString, _ text: String?) {
        guard let text else { return }
        self.key(key)
        write(text)
    }

    @inlinable
    public mutating func add(_ key: StaticString, _ number: (some FixedWidthInteger)?) {
        guard let number else { return }
        self.key(key)
        write(Int64(number))
    }

    /// Adds a list of texts, which may be empty.
    public mutating func add(_ key: StaticString, _ texts: [String]) {
        self.key(key)
        list { list in for text in texts { list.write(text) } }
    }

    /// Adds an object; `members` writes its members.
    @inlinable
    public mutating func add<Failure>(
        _ key: StaticString, _ members: (inout Self) throws(Failure) -> Void
    ) throws(Failure) {
        self.key(key)
        try object(members)
    }
}

extension JSONWriter {
    @usableFromInline
    mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        level += 1
        isFirst = true
    }

    @usableFromInline
    mutating func close(_ bracket: UInt8) {
        level -= 1
        if isIndented, !isFirst { beginLine() }
        bytes.append(bracket)
        isFirst = false
    }

    /// Writes what stands between the next key or value and the one before it.
    private mutating func separate() {
        if hasKey {
            hasKey = false
            return
        }
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        if startsLine || isIndented && level > 0 { beginLine() }
        isFirst = false
    }

    private mutating func beginLine() {
        bytes.append(UInt8(ascii: "\n"))
        if isIndented { bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level)) }
        startsLine = false
    }

    private mutating func endKey() {
        bytes.append(UInt8(ascii: ":"))
        if isIndented { bytes.append(UInt8(ascii: " ")) }
        hasKey = true
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        // Nearly all texts are ids and codes, which need no escapes.
        if isPlain(text) { bytes.append(contentsOf: text.utf8) } else { escape(text) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether each byte is, or is part of, a character that is surely not escaped.
    private func isPlain(_ text: String) -> Bool {
        let isRequired: (UInt8) -> Bool = { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        return switch escaping {
        case .required: !text.hasByte(where: isRequired)
        case .visible: !text.hasByte { isRequired($0) || $0 >= 0x7F }
        case .script: !text.hasByte { isRequired($0) || $0 >= 0x7F || $0 == UInt8(ascii: "<") }
        }
    }

    private mutating func escape(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
            // The ledger compares texts byte by byte with those of earlier versions, which wrote `\u000a`.
            case "\n" where escaping != .required: bytes.append(contentsOf: "\\n".utf8)
            case _ where isEscaped(scalar): for unit in UTF16.encode(scalar)! { escape(unit) }
            default: bytes.append(contentsOf: UTF8.encode(scalar)!)
            }
        }
    }

    private func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch escaping {
        case .required: scalar.value < 0x20
        case .visible: scalar.isDeceptive
        case .script: scalar.isDeceptive || scalar == "<"
        }
    }

    /// Appends `\u` and four digits.
    private mutating func escape(_ unit: UInt16) {
        let digits = String(unit, radix: 16)
        bytes.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8)
    }
}
