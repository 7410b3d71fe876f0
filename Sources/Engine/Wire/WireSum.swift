/// How many lines there are, and the sum of their sums modulo 2^64. It does not depend on their order.
public struct WireSum: Codable, Hashable, Sendable {
    public var lines: Int
    public var sum: Int64

    public init(lines: Int = 0, sum: Int64 = 0) {
        self.lines = lines
        self.sum = sum
    }

    /// Adds a line by its sum.
    public mutating func add(_ sum: Int64) {
        lines += 1
        self.sum &+= sum
    }

    public static func + (left: WireSum, right: WireSum) -> WireSum {
        WireSum(lines: left.lines + right.lines, sum: left.sum &+ right.sum)
    }

    public static func += (left: inout WireSum, right: WireSum) { left = left + right }
}

/// The sum of a line: a 64-bit hash of everything that follows its first tab. It reveals damage, not forgery.
@inlinable
public func lineSum(_ bytes: UnsafeRawBufferPointer) -> Int64 { Int64(bitPattern: bytes.fingerprint()) }

/// What a part, or several, was judged from: for the proof that every line of evidence and every key was judged once.
public struct PartProof: Codable, Equatable, Sendable {
    /// The lines of evidence by delivery number.
    public var evidence: [String: WireSum] = [:]
    /// The different keys: their number and their sum. A key that two parts saw counts twice.
    public var keys = WireSum()
    /// The exceptions to follow.
    public var entries = WireSum()
    /// The lines on which the owners of tokens depend, and the lines that the stage `owners` read: one sum, unless some
    /// were lost on the way.
    public var ownerLines = WireSum()
    public var ownerLinesRead: Set<WireSum> = []

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
        ownerLines += other.ownerLines
        ownerLinesRead.formUnion(other.ownerLinesRead)
    }
}
