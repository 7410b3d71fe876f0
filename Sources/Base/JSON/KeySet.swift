/// The keys of one object seen so far, by fingerprint. Most objects have few enough keys to need no heap memory.
///
/// Two different keys have the same fingerprint with a probability of about 2⁻⁶⁴; the object would be refused.
@usableFromInline
struct KeySet {
    /// The first fingerprints, as many as fit in 1 KiB of the stack.
    @usableFromInline var small = InlineArray<128, UInt64>(repeating: 0)
    @usableFromInline var count = 0
    /// Further fingerprints.
    @usableFromInline var large: Set<UInt64> = []

    @inlinable
    init() {}

    /// Adds a key; false if it is already there.
    @inlinable
    mutating func insert(_ key: JSONText) -> Bool {
        insert(print: key.hasEscapes ? key.withUnescaped { $0.fingerprint() } : key.raw.fingerprint())
    }

    /// Adds the fingerprint of a key; false if it is already there.
    @inlinable @discardableResult
    mutating func insert(print: UInt64) -> Bool {
        for index in 0..<min(count, small.count) where small[index] == print { return false }
        if count < small.count {
            small[count] = print
        } else {
            guard large.insert(print).inserted else { return false }
        }
        count += 1
        return true
    }
}
