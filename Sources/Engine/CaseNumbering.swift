internal import Domain
public import Matching

/// Which of the ledger's numbers each of tonight's cases has, and which of them must be written anew.
///
/// A case keeps a number that its evidence had; what comes apart or is new gets a number of its own.
public struct CaseNumbering: Sendable {
    /// By tonight's case.
    public private(set) var numbers: [Int64]
    /// Cases whose rows the ledger does not hold as they are now, by number ascending.
    public private(set) var dirty: [Int32] = []
    /// Ledger numbers whose rows are to be removed first.
    public private(set) var cleared: Set<Int64> = []
    /// By tonight's case; empty where nothing was recalled.
    private var olds: [OldNumbers] = []

    public init() { numbers = [] }

    init(_ book: CaseSet, stored: StoredEvidence, next: Int64) {
        numbers = Array(repeating: 0, count: book.count)
        var next = next
        guard !stored.isEmpty else {
            for number in numbers.indices { numbers[number] = next + Int64(number) }
            dirty = numbers.indices.map(Int32.init)
            return
        }
        olds = (0..<book.count).map { OldNumbers(of: $0, in: book, stored: stored) }
        var taken = Set<Int64>()
        for number in numbers.indices {
            if let old = olds[number].numbers.sorted().first(where: { taken.insert($0).inserted }) {
                numbers[number] = old
            } else {
                numbers[number] = next
                next += 1
            }
        }
        var isDirty = numbers.indices.map { number in
            olds[number].hasNews || olds[number].numbers != [numbers[number]]
        }
        // A number that is cleared takes all its rows along: whoever holds some of them is written anew, too.
        var hasGrown = true
        while hasGrown {
            hasGrown = false
            for number in numbers.indices where isDirty[number] { cleared.formUnion(olds[number].numbers) }
            for number in numbers.indices where !isDirty[number] && !cleared.isDisjoint(with: olds[number].numbers) {
                isDirty[number] = true
                hasGrown = true
            }
        }
        let changed = numbers.indices.filter { isDirty[$0] }.sorted { numbers[$0] < numbers[$1] }
        dirty = changed.map(Int32.init)
    }

    /// Cases of which all evidence is stored and nothing is new, each under its number; for cases judged apart.
    public init(of cases: CaseSet, stored: StoredEvidence) {
        numbers = (0..<cases.count).map { number in
            OldNumbers(of: number, in: cases, stored: stored).numbers.min() ?? 0
        }
    }

    /// Appends cases that were judged apart, under the numbers that they have.
    mutating func append(_ other: CaseNumbering) {
        numbers += other.numbers
        olds += other.numbers.map { OldNumbers(numbers: [$0]) }
    }

    /// Tonight's cases that hold evidence, be it superseded by now, of one of these of the ledger's.
    func cases(holdingAnyOf wanted: Set<Int64>) -> Set<Int32> {
        Set(olds.indices.filter { !olds[$0].numbers.isDisjoint(with: wanted) }.map(Int32.init))
    }
}

/// The ledger's numbers that a case's evidence had.
private struct OldNumbers: Sendable {
    var numbers: Set<Int64> = []
    var hasNews = false

    init(numbers: Set<Int64>) { self.numbers = numbers }

    init(of number: Int, in book: CaseSet, stored: StoredEvidence) {
        add(book.orderGroups, number, stored.orderCases)
        add(book.creditGroups, number, stored.creditCases)
        add(book.transactionGroups, number, stored.transactionCases)
        note(book.transactionGroups, number, wereCurrent: stored.transactionWasCurrent)
        add(book.receiptGroups, number, stored.receiptCases)
    }

    private mutating func add(_ groups: CaseGroups, _ number: Int, _ cases: [Int64]) {
        for position in groups[number] { add(Int(position), cases) }
        for position in groups.superseded(in: number) { add(Int(position), cases) }
        for position in groups.replaced(in: number) { add(Int(position), cases) }
    }

    /// Another environment, and another copy counts: the rows must say so.
    private mutating func note(_ groups: CaseGroups, _ number: Int, wereCurrent: [Bool]) {
        let isOther = { (position: Int, isCurrent: Bool) in
            position < wereCurrent.count && wereCurrent[position] != isCurrent
        }
        hasNews =
            hasNews || groups[number].contains { isOther(Int($0), true) }
            || groups.superseded(in: number).contains { isOther(Int($0), false) }
    }

    private mutating func add(_ position: Int, _ cases: [Int64]) {
        if position < cases.count { numbers.insert(cases[position]) } else { hasNews = true }
    }
}
