internal import Base

/// The constants, words and prefixes of a plan, in memory that does not move: rows point into it.
struct PlanTexts: ~Copyable {
    private(set) var constants: [(slot: Int, text: UnsafeRawBufferPointer)] = []
    private(set) var words: [(slot: Int, pairs: [(own: UnsafeRawBufferPointer, standard: UnsafeRawBufferPointer)])] = []
    private(set) var prefixes: [(slot: Int, text: UnsafeRawBufferPointer)] = []
    /// The length of all prefixes together.
    private(set) var prefixBytes = 0
    private var memory: [UnsafeMutableRawBufferPointer] = []

    init(_ plan: RowPlan) {
        for constant in plan.constants { constants.append((constant.slot, keep(constant.text))) }
        for column in plan.words {
            words.append((column.slot, column.pairs.map { (keep($0.own), keep($0.standard)) }))
        }
        for prefix in plan.prefixes {
            prefixes.append((prefix.slot, keep(prefix.text)))
            prefixBytes += prefix.text.count
        }
    }

    deinit { for text in memory { text.deallocate() } }

    private mutating func keep(_ text: [UInt8]) -> UnsafeRawBufferPointer {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
        copy.copyBytes(from: text)
        memory.append(copy)
        return UnsafeRawBufferPointer(copy)
    }
}
