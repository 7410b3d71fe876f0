/// A row of evidence, and a verdict, has the id case × 2^24 + its number in the case. So the rows of a case, and of a
/// range of cases, are a range of the table and need no index. All arithmetic with such ids is here.
extension CaseID {
    /// How many rows a case can have.
    static let rowsMax = 1 << 24

    /// The numbers that a case can have: the ids of its rows must fit into 63 bits.
    static let possible: Range<CaseID> = 1..<CaseID(1 << 38)

    /// The case of the row with this id.
    @inline(__always)
    init(ofRow id: Int64) { self.init(id >> 24) }

    /// The id of the case's row with this number, counted from 0.
    @inline(__always)
    func row(_ number: Int) -> Int64 { rawValue << 24 | Int64(number) }
}

extension Statement {
    /// Binds the parameters of `WHERE id >= ?1 AND id < ?2` to the rows of the case.
    mutating func bind(rowsOf caseID: CaseID) { bind(rowsOf: caseID..<caseID.advanced(by: 1)) }

    /// The same for the rows of all these cases.
    mutating func bind(rowsOf cases: Range<CaseID>) {
        bind(1, cases.lowerBound.row(0))
        bind(2, cases.upperBound.row(0))
    }
}
