public import Domain

/// What a part, or several, was judged from: for the proof that every line of evidence and every key was judged once.
public struct PartProof: Codable, Equatable, Sendable {
    /// The lines of evidence by delivery number.
    public var evidence: [String: WireSum] = [:]
    /// The different keys: their number and their sum. A key that two parts saw counts twice.
    public var keys = WireSum()
    /// The exceptions to follow.
    public var entries = WireSum()

    public init() {}

    /// Adds a line of evidence.
    public mutating func add(_ sum: Int64, of delivery: DeliveryID) {
        evidence["\(delivery)", default: WireSum()].add(sum)
    }

    /// Adds what other parts were judged from.
    public mutating func append(_ other: PartProof) {
        evidence.merge(other.evidence) { $0 + $1 }
        keys += other.keys
        entries += other.entries
    }
}
