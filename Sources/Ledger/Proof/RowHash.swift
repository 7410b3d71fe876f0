/// A 64-bit hash of a row: of each value, its type and its contents, in the order of the columns.
///
/// It reveals accidental damage and edits by hand. It does not stop an attacker who computes it again; nothing within
/// the same file could. (Each night's `summary.json` prints the chain's link, outside the file.)
struct RowHash {
    private var state: UInt64 = 0x6A09_E667_F3BC_C908

    /// The hash of the values added so far.
    var value: UInt64 { StableHash.finish(state) }

    @inline(__always)
    private mutating func mix(_ bits: UInt64) {
        state = (state ^ bits) &* 0x9E37_79B9_7F4A_7C15
        state ^= state >> 32
    }

    @inline(__always)
    mutating func addNull() { mix(0xBB67_AE85_84CA_A73B) }

    @inline(__always)
    mutating func add(_ value: Int64) { mix(UInt64(bitPattern: value) ^ 0x3C6E_F372_FE94_F82B) }

    /// Adds a text or a blob. Its length is added first, so that the border between two values matters.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        mix(UInt64(bytes.count) ^ 0xA54F_F53A_5F1D_36F1)
        var index = 0
        while index + 8 <= bytes.count {
            mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
            index += 8
        }
        if index == bytes.count { return }
        var rest: UInt64 = 0
        while index < bytes.count {
            rest = rest << 8 | UInt64(bytes[index])
            index += 1
        }
        mix(rest)
    }
}

/// The number of rows of a table, and the sum of their hashes modulo 2^64. It does not depend on their order, so rows
/// can be added and removed in any order.
struct TableSum: Equatable {
    var rows: Int64 = 0
    var sum: UInt64 = 0

    mutating func add(_ row: RowHash) {
        rows += 1
        sum &+= row.value
    }

    mutating func remove(_ row: RowHash) { remove(row.value) }

    /// Removes the row with this hash.
    mutating func remove(_ hash: UInt64) {
        rows -= 1
        sum &-= hash
    }

    static func += (left: inout TableSum, right: TableSum) {
        left.rows += right.rows
        left.sum &+= right.sum
    }
}

extension RowHash {
    /// The hash of these texts.
    init(of texts: [String]) {
        for text in texts { Array(text.utf8).withUnsafeBytes { add($0) } }
    }

    /// The hash of all columns of a statement's current row.
    init(_ row: borrowing Statement) {
        for column in 0..<row.columns {
            switch row.kind(column) {
            case .null: addNull()
            case .integer: add(row.integer(column))
            case .other: row.withBytes(column) { add($0) }
            }
        }
    }
}
