internal import Domain
internal import Text

/// Writes the lines of a stream: its header, lines of four columns separated by tabs, and its end.
///
/// The columns of a line are its sum, its kind, its keys (64-bit numbers separated by commas; after a semicolon the key
/// of its token) and a JSON object. See docs/spec/cluster.md#wire.
public struct LineWriter {
    private var bytes: [UInt8] = []
    /// Where the line that is being written begins, and where its second column does.
    private var columns = 0
    private var reader = IdentifierReader()
    private var isFirst = true
    /// The lines so far.
    public private(set) var total = WireSum()

    /// Begins a stream.
    /// - Parameter plan: the SHA-256 of the plan, hexadecimal.
    public init(_ stage: WireStage, plan: String) {
        bytes.reserveCapacity(1 << 17)
        bytes += "reconcile-wire \(wireVersion) \(stage.rawValue) \(plan)\n".utf8
    }

    /// How many bytes are waiting to be taken.
    public var count: Int { bytes.count }

    /// Removes and returns what was written so far.
    public mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// Ends the stream. Nothing may follow.
    public mutating func end() { bytes += "end\t\(total.lines)\t\(total.sum)\n".utf8 }

    /// Writes a line. `body` writes the members of its object in ascending order of their names.
    @inline(__always)
    mutating func line(
        _ kind: StaticString, keys: [Int64], token: Token? = nil, _ body: (inout LineWriter) -> Void
    ) {
        let start = open(kind, keys, token)
        bytes.append(UInt8(ascii: "{"))
        isFirst = true
        body(&self)
        bytes.append(UInt8(ascii: "}"))
        close(from: start)
    }

    /// Writes a line whose object exists already.
    public mutating func line(_ kind: StaticString, keys: [Int64], object: [UInt8]) {
        let start = open(kind, keys, nil)
        bytes += object
        close(from: start)
    }

    /// Writes the columns before the object. Returns where the line begins.
    @inline(__always)
    private mutating func open(_ kind: StaticString, _ keys: [Int64], _ token: Token?) -> Int {
        let start = bytes.count
        // Room for the sum, which is known only at the end of the line: 20 characters and a tab.
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 21))
        columns = bytes.count
        append(kind)
        bytes.append(UInt8(ascii: "\t"))
        for (position, key) in keys.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            append(key)
        }
        if let token {
            bytes.append(UInt8(ascii: ";"))
            append(IdentifierReader.key(of: token))
        }
        bytes.append(UInt8(ascii: "\t"))
        return start
    }

    private mutating func close(from start: Int) {
        let sum = bytes.withUnsafeBytes { lineSum($0.part(columns, $0.count)) }
        let digits = Array(String(sum).utf8)
        bytes.replaceSubrange(start..<columns, with: digits + [UInt8(ascii: "\t")])
        bytes.append(UInt8(ascii: "\n"))
        total.add(sum)
    }
}

/// Members of the object that is being written.
extension LineWriter {
    @inline(__always)
    private mutating func name(_ name: StaticString) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        bytes.append(UInt8(ascii: "\""))
        append(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    @inline(__always)
    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inline(__always)
    private mutating func append(_ number: Int64) {
        var rest = number.magnitude
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { memory in
            var place = 20
            repeat {
                place -= 1
                memory[place] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: memory[place...]))
        }
    }

    @inline(__always)
    mutating func add(_ name: StaticString, _ number: Int64?) {
        guard let number else { return }
        self.name(name)
        append(number)
    }

    /// Writes `true`; leaves the member out if it is false.
    mutating func add(_ name: StaticString, flag: Bool) {
        if !flag { return }
        self.name(name)
        append("true")
    }

    @inline(__always)
    mutating func add(_ name: StaticString, word: StaticString) {
        self.name(name)
        bytes.append(UInt8(ascii: "\""))
        append(word)
        bytes.append(UInt8(ascii: "\""))
    }

    @inline(__always)
    mutating func add(_ name: StaticString, _ id: Identifier?) {
        guard let id else { return }
        self.name(name)
        bytes.append(UInt8(ascii: "\""))
        let start = bytes.count
        // Identifiers are short, as a rule.
        let count = withUnsafeTemporaryAllocation(byteCount: 320, alignment: 1) { memory -> Int? in
            guard let count = reader.write(id, into: memory) else { return nil }
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: memory[..<count]))
            return count
        }
        if count == nil { bytes += reader.text(of: id).utf8 }
        if bytes[start...].contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) { escape(from: start) }
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func add(_ name: StaticString, text: String) {
        self.name(name)
        quote(text)
    }

    /// Writes a list of subjects, each as its text.
    mutating func add(_ name: StaticString, _ subjects: [SubjectKey]) {
        self.name(name)
        bytes.append(UInt8(ascii: "["))
        for (position, subject) in subjects.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            quote(subject.text)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        let start = bytes.count
        bytes += text.utf8
        if bytes[start...].contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) { escape(from: start) }
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func add(_ name: StaticString, _ token: Token?) {
        guard let token else { return }
        self.name(name)
        quote(36) { token.write(into: $0) }
    }

    mutating func add(_ name: StaticString, _ currency: Currency?) {
        guard let currency else { return }
        self.name(name)
        quote(3) { currency.write(into: $0) }
    }

    mutating func add(_ name: StaticString, _ digest: Digest256) {
        self.name(name)
        bytes.append(UInt8(ascii: "\""))
        bytes += digest.hex.utf8
        bytes.append(UInt8(ascii: "\""))
    }

    @inline(__always)
    private mutating func quote(_ count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void) {
        bytes.append(UInt8(ascii: "\""))
        withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { memory in
            write(memory)
            bytes.append(contentsOf: UnsafeRawBufferPointer(memory))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Escapes the text that was written from `start` on.
    private mutating func escape(from start: Int) {
        let text = Array(bytes[start...])
        bytes.removeSubrange(start...)
        for byte in text {
            switch byte {
            case 0x22, 0x5C: bytes += [0x5C, byte]
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                bytes += ("\\u00" + (digits.utf8.count == 1 ? "0" : "") + digits).utf8
            default: bytes.append(byte)
            }
        }
    }

    /// The reader of identifiers, for the keys of a line.
    mutating func withIdentifiers<Result>(_ body: (inout IdentifierReader) -> Result) -> Result { body(&reader) }
}
