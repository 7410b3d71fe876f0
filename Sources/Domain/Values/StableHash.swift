/// A 64-bit hash that is the same in every process, for look-ups in ledgers.
public enum StableHash {
    /// The FNV-1a hash of the bytes.
    public static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }

    /// Combines the hash of a text's head with the number and value of the digits that follow it.
    public static func mix(_ head: UInt64, digits: Int, value: UInt64) -> UInt64 {
        finish((head ^ UInt64(digits)) &* 0x9E37_79B9_7F4A_7C15 ^ value)
    }

    /// Spreads every bit over the whole word (the finalizer of MurmurHash3).
    public static func finish(_ bits: UInt64) -> UInt64 {
        var hash = bits
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ hash >> 33
    }
}
