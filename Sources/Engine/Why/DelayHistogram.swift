/// How long customers of one date waited from payment to goods. See docs/spec/why.md#delay.
///
/// 24 buckets: the first below a second, each other twice as long as the one before it, the last from 2^22 seconds
/// (48 days) on.
public struct DelayHistogram: Hashable, Sendable {
    /// The number of buckets.
    public static let size = 24
    private var counts = Array(repeating: 0, count: size)
    /// Of milliseconds, modulo 2^64: what was added can be taken out again.
    private var sums = Array(repeating: Int64(0), count: size)

    public init() {}

    /// The bucket of a delay. Goods that came before the payment came at once.
    public static func bucket(of delay: Milliseconds) -> Int {
        min(Int64.bitWidth - max(0, delay.count / 1000).leadingZeroBitCount, size - 1)
    }

    /// Where a bucket begins.
    static func start(of bucket: Int) -> Milliseconds { Milliseconds(bucket == 0 ? 0 : 1000 << Int64(bucket - 1)) }

    public mutating func add(_ delay: Milliseconds) { add(delay, times: 1) }

    /// Takes out a delay that was added.
    public mutating func remove(_ delay: Milliseconds) { add(delay, times: -1) }

    private mutating func add(_ delay: Milliseconds, times: Int) {
        let bucket = Self.bucket(of: delay)
        counts[bucket] += times
        sums[bucket] &+= max(0, delay.count) &* Int64(times)
    }

    /// Adds what another histogram counts.
    public mutating func add(_ other: DelayHistogram) {
        for bucket in counts.indices {
            counts[bucket] += other.counts[bucket]
            sums[bucket] &+= other.sums[bucket]
        }
    }

    public var count: Int { counts.reduce(0, +) }

    /// The exact mean; nil without a delay.
    public var mean: Milliseconds? {
        count > 0 ? Milliseconds(sums.reduce(0, &+) / Int64(count)) : nil
    }

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

    /// For each bucket its count, then its sum where there is a count: one form for each histogram.
    /// - Throws: `EngineError` if more was taken out than was added.
    public func encode() throws -> [UInt8] {
        var writer = PackedWriter()
        for bucket in counts.indices {
            guard counts[bucket] > 0 || counts[bucket] == 0 && sums[bucket] == 0 else {
                throw EngineError.unproven("delays were taken out that were not counted")
            }
            writer.write(UInt64(counts[bucket]))
            if counts[bucket] > 0 { writer.write(sums[bucket]) }
        }
        return writer.bytes
    }

    /// - Throws: `DamagedBytes` for anything that `encode` does not write.
    public init(decoding bytes: [UInt8]) throws(DamagedBytes) {
        var reader = PackedReader(bytes)
        for bucket in counts.indices {
            guard let count = Int32(exactly: try reader.number()) else { throw DamagedBytes() }
            counts[bucket] = Int(count)
            if count > 0 { sums[bucket] = try reader.signed() }
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
        func counts(_ day: DelayHistogram) -> Bool { RateLimits.Day(purchases: day.count, lost: 0).counts }
        let known = before.suffix(RateLimits.span).filter(counts).compactMap { $0.percentile(90) }.sorted()
        guard counts(day), known.count >= RateLimits.fewestDates, let p90 = day.percentile(90) else { return nil }
        self.p90 = p90
        usual = known[(known.count - 1) / 2]
        limit = max(Milliseconds(2 * usual.count), .minutes(1))
    }
}
