/// The keys of one object seen so far, by fingerprint. Most objects have few enough keys to need no heap memory.
///
/// Two different keys have the same fingerprint with a probability of about 2⁻⁶⁴; the object would be refused.
@usableFromInline
struct KeySet {
    /// As many as fit in 1 KiB of the stack.
    @usableFromInline static var smallCount: Int { 128 }
    /// The first `smallCount` fingerprints.
    @usableFromInline let small: UnsafeMutableBufferPointer<UInt64>
    /// The number of keys.
    @usableFromInline var count = 0
    /// Further fingerprints.
    @usableFromInline var large: Set<UInt64> = []

    /// An empty set that uses `small`, which is uninitialized.
    @inlinable
    init(small: UnsafeMutableBufferPointer<UInt64>) { self.small = small }

    /// Lends an empty set to `body`.
    @inlinable
    static func withEmptySet(_ body: (inout KeySet) throws -> Void) throws {
        try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: smallCount) { buffer in
            var keys = KeySet(small: buffer)
            try body(&keys)
        }
    }

    /// Adds a key; false if it is already there.
    @inlinable
    mutating func insert(_ key: JSONText) -> Bool {
        insert(print: key.hasEscapes ? key.withUnescaped { $0.fingerprint() } : key.raw.fingerprint())
    }

    /// Adds the fingerprint of a key; false if it is already there.
    @inlinable @discardableResult
    mutating func insert(print: UInt64) -> Bool {
        for index in 0..<min(count, Self.smallCount) where small[index] == print { return false }
        if count >= Self.smallCount {
            guard large.insert(print).inserted else { return false }
        } else {
            small.initializeElement(at: count, to: print)
        }
        count += 1
        return true
    }
}
