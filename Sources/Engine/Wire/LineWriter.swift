internal import Foundation

/// What the lines of a stream are, as its header says.
public enum WireStage: String, Sendable, CaseIterable {
    /// Evidence, and the lines that travel with it: owners and entries.
    case evidence
    /// What judging found.
    case findings
}

/// The version of the wire. A program reads no other.
public let wireVersion = 6

/// The first line of a stream.
func wireHeader(_ stage: WireStage, plan: String) -> String {
    "reconcile-wire \(wireVersion) \(stage.rawValue) \(plan)"
}

/// Writes the lines of a stream: its header, lines of four columns separated by tabs, and its end.
///
/// The columns of a line are its sum, its kind, its keys (64-bit numbers separated by commas; after a semicolon the key
/// of its token) and a JSON object. See docs/spec/cluster.md#wire.
public struct LineWriter {
    /// What was written. Whoever passes it on removes it.
    public var bytes: [UInt8] = []
    /// The columns of a line after its sum.
    private var columns: [UInt8] = []
    private var members = Members()
    public private(set) var total = WireSum()

    /// Begins a stream.
    /// - Parameter plan: the SHA-256 of the plan, hexadecimal.
    public init(_ stage: WireStage, plan: String) {
        bytes.reserveCapacity(1 << 17)
        bytes += (wireHeader(stage, plan: plan) + "\n").utf8
    }

    /// Ends the stream. Nothing may follow.
    public mutating func end() { bytes += "end\t\(total.lines)\t\(total.sum)\n".utf8 }

    mutating func line(_ kind: StaticString, keys: [Int64] = [], token: Token? = nil, _ record: some MemberRecord) {
        members.write(record)
        line(kind, keys: keys, token: token, object: members.bytes)
        members.clear()
    }

    /// Writes a line of a kind that is rare, without keys.
    public mutating func line(_ kind: StaticString, encoding value: some Encodable) throws {
        line(kind, keys: [], token: nil, object: try JSONEncoder.exact.encode(value))
    }

    private mutating func line(_ kind: StaticString, keys: [Int64], token: Token?, object: some Collection<UInt8>) {
        columns.removeAll(keepingCapacity: true)
        columns.append(contentsOf: UnsafeBufferPointer(start: kind.utf8Start, count: kind.utf8CodeUnitCount))
        columns.append(UInt8(ascii: "\t"))
        for (position, key) in keys.enumerated() {
            if position > 0 { columns.append(UInt8(ascii: ",")) }
            columns.append(decimal: key)
        }
        if let token {
            columns.append(UInt8(ascii: ";"))
            columns.append(decimal: IdentifierReader.key(of: token))
        }
        columns.append(UInt8(ascii: "\t"))
        columns += object
        let sum = columns.withUnsafeBytes { lineSum($0) }
        bytes.append(decimal: sum)
        bytes.append(UInt8(ascii: "\t"))
        bytes += columns
        bytes.append(UInt8(ascii: "\n"))
        total.add(sum)
    }
}
