public import Base

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
