/// The rows of a feed's files of one date.
public struct RowCount: Hashable, Sendable {
    /// Rows that could be read.
    public var usable = 0
    /// Those that said something that no earlier row had said.
    public var new = 0
    /// The new rows of each file, by its name without the date. A corrected file has the name of the first one.
    var files: [String: Int] = [:]

    public init(usable: Int = 0, new: Int = 0) { (self.usable, self.new) = (usable, new) }

    mutating func add(_ other: RowCount, of file: String) {
        usable += other.usable
        new += other.new
        files[file, default: 0] += other.new
    }
}

extension Delivery {
    var rowCount: RowCount { RowCount(usable: totals.rows - totals.rejected, new: accepted) }
}

extension Array where Element: BinaryInteger {
    /// Of sorted numbers; of an even count, the smaller of the middle two. Zero without numbers.
    var lowerMedian: Element { isEmpty ? 0 : self[(count - 1) / 2] }
}
