/// What a part, or several, was judged from: for the proof that every line of evidence and every key was judged once.
public struct PartProof: Codable, Equatable, Sendable {
    /// The lines of evidence of one delivery.
    public struct Lines: Codable, Equatable, Sendable {
        public var lines: Int
        public var sum: Int64

        public init(lines: Int = 0, sum: Int64 = 0) {
            self.lines = lines
            self.sum = sum
        }

        mutating func add(_ other: Lines) {
            lines += other.lines
            sum &+= other.sum
        }
    }
    /// By delivery number.
    public var evidence: [String: Lines] = [:]
    /// The different keys: their number and their sum. A key that two parts saw counts twice.
    public var keys = Lines()
    /// The exceptions to follow.
    public var entries = Lines()

    public init() {}

    /// Adds a line of evidence.
    public mutating func add(_ sum: Int64, of delivery: Int32) {
        evidence["\(delivery)", default: Lines()].add(Lines(lines: 1, sum: sum))
    }

    /// Adds what other parts were judged from.
    public mutating func append(_ other: PartProof) {
        for (delivery, lines) in other.evidence { evidence[delivery, default: Lines()].add(lines) }
        keys.add(other.keys)
        entries.add(other.entries)
    }
}
