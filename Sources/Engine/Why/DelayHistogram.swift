/// How long customers of one date waited from payment to goods. See docs/spec/why.md#delay.
///
/// 24 buckets: the first below a second, each other twice as long as the one before it, the last from 2^22 seconds
/// (48 days) on.
public struct DelayHistogram: Hashable, Sendable {
    /// The number of buckets.
    public static let size = 24
    private var counts = Array(repeating: 0, count: size)

    public init() {}

    /// - Parameter buckets: one for each customer whose goods came.
    public init(buckets: some Sequence<Int>) {
        for bucket in buckets { counts[bucket] += 1 }
    }

    /// The bucket of a delay. Goods that came before the payment came at once.
    public static func bucket(of delay: Milliseconds) -> Int {
        min(Int64.bitWidth - max(0, delay.count / 1000).leadingZeroBitCount, size - 1)
    }

    /// Where a bucket begins.
    static func start(of bucket: Int) -> Milliseconds { Milliseconds(bucket == 0 ? 0 : 1000 << Int64(bucket - 1)) }

    /// Adds what another histogram counts.
    public mutating func add(_ other: DelayHistogram) {
        for bucket in counts.indices { counts[bucket] += other.counts[bucket] }
    }

    public var count: Int { counts.reduce(0, +) }

    /// The delay that `percent` of a hundred customers did not exceed: the one with this rank, as if those in its bucket
    /// were spread evenly over it. Nil without a delay.
    public func percentile(_ percent: Int) -> Milliseconds? {
        place(of: percent).map { bucket, rank in
            let start = Self.start(of: bucket).count
            let width = Self.start(of: bucket + 1).count - start
            return Milliseconds(start + width * Int64(rank) / Int64(counts[bucket]))
        }
    }

    /// The bucket in which this percentile lies; nil without a delay.
    public func bucket(ofPercentile percent: Int) -> Int? { place(of: percent)?.bucket }

    /// The bucket of the customer with this rank of a hundred, and his rank in it, from 1 on.
    private func place(of percent: Int) -> (bucket: Int, rank: Int)? {
        var rank = max(1, (count * percent + 99) / 100)
        for bucket in counts.indices where counts[bucket] > 0 {
            if rank <= counts[bucket] { return (bucket, rank) }
            rank -= counts[bucket]
        }
        return nil
    }

    /// The count of each bucket.
    public func encode() -> [UInt8] {
        var writer = PackedWriter()
        for count in counts { writer.write(UInt64(count)) }
        return writer.bytes
    }

    /// - Throws: `DamagedBytes` for anything that `encode` does not write.
    public init(decoding bytes: [UInt8]) throws(DamagedBytes) {
        var reader = PackedReader(bytes)
        for bucket in counts.indices {
            guard let count = Int32(exactly: try reader.number()) else { throw DamagedBytes() }
            counts[bucket] = Int(count)
        }
        try reader.end()
    }
}

/// Whether customers of a date waited much longer than usual. See docs/spec/why.md#delay.
public struct DelayLimit: Hashable, Sendable {
    /// What 90 of a hundred customers of the date did not wait longer than.
    public let p90: Milliseconds
    /// The median of the dates before it.
    public let usual: Milliseconds
    /// Twice the usual, and at least a minute.
    public let limit: Milliseconds
    public var isAbove: Bool { p90 >= limit }

    /// Nil if too few goods were given on the date, or on too many of the dates before it: as `RateLimits`.
    /// - Parameter before: the settled dates before it, ascending; the last 28 of them count.
    public init?(of day: DelayHistogram, before: [DelayHistogram]) {
        let known = before.suffix(RateLimits.span).filter(RateLimits.counts).compactMap { $0.percentile(90) }.ordered()
        guard RateLimits.counts(day), known.count >= RateLimits.fewestDates, let p90 = day.percentile(90) else {
            return nil
        }
        self.p90 = p90
        usual = known[(known.count - 1) / 2]
        limit = max(Milliseconds(2 * usual.count), .minutes(1))
    }
}
