public import Matching

/// The ledger's number of each of tonight's cases, and which cases have to be written again.
///
/// Tonight's evidence may merge cases of the ledger, and a changed identifier may split one. A case keeps a number that
/// its evidence had before. A part that was split off, and a case without stored evidence, gets a new number.
///
/// How it works:
///
/// 1. For each of tonight's cases, collect the *old numbers*: the ledger's numbers of its stored versions, superseded
///    and replaced ones included.
/// 2. In the order of tonight's cases, each case takes its lowest old number that no earlier case has taken. If none is
///    left, it takes the next unused number.
/// 3. A case is *dirty* if it has new evidence, if another version is current than before, if a version has other labels,
///    or if its old numbers are anything but the one number it has now (it was merged or split).
/// 4. The ledger replaces rows by whole case number. All old numbers of dirty cases are therefore *cleared*: their rows
///    are deleted first. If a clean case has a cleared number (a dirty case was split off from it), it loses its rows
///    as well, so it becomes dirty, too. The loop repeats until no case is added. Every number that holds rows of a
///    dirty case is then cleared, and every case with rows under a cleared number is written again: no row is lost, and
///    none is stored twice.
public struct CaseNumbering: Sendable {
    /// The ledger's case number, by the index of tonight's case.
    public private(set) var numbers: [CaseID]
    /// The indices of the cases to write, because the ledger does not hold their rows in the present form; in ascending
    /// order of their numbers.
    public private(set) var dirty: [Int32] = []
    /// The ledger's case numbers whose rows must be deleted before the dirty cases are written.
    public private(set) var cleared: Set<CaseID> = []
    /// By the index of tonight's case. Empty where no stored evidence was loaded.
    private var olds: [OldNumbers] = []

    public init() { numbers = [] }

    /// Numbers tonight's cases.
    ///
    /// - Parameters:
    ///   - stored: the stored evidence that was loaded; it comes before tonight's in `caseSet`.
    ///   - next: the lowest number that no case of the ledger has.
    init(_ caseSet: CaseSet, stored: StoredEvidence, next: CaseID) {
        numbers = Array(repeating: 0, count: caseSet.count)
        var next = next
        guard !stored.isEmpty else {
            for number in numbers.indices { numbers[number] = next.advanced(by: number) }
            dirty = numbers.indices.map(Int32.init)
            return
        }
        olds = OldNumbers.all(in: caseSet, stored: stored)
        var taken = Set<CaseID>()
        for number in numbers.indices {
            if let old = olds[number].numbers.ordered().first(where: { taken.insert($0).inserted }) {
                numbers[number] = old
            } else {
                numbers[number] = next
                next = next.advanced(by: 1)
            }
        }
        var isDirty = numbers.indices.map { number in
            olds[number].hasNews || olds[number].numbers != [numbers[number]]
        }
        // Clearing a number deletes all its rows, so every case with rows under that number must be written again.
        var hasGrown = true
        while hasGrown {
            hasGrown = false
            for number in numbers.indices where isDirty[number] { cleared.formUnion(olds[number].numbers) }
            for number in numbers.indices where !isDirty[number] && !cleared.isDisjoint(with: olds[number].numbers) {
                isDirty[number] = true
                hasGrown = true
            }
        }
        let changed = numbers.indices.filter { isDirty[$0] }.ordered { numbers[$0] < numbers[$1] }
        dirty = changed.map(Int32.init)
    }

    /// Numbers cases whose evidence is all stored and which contain nothing new. Each gets the number it has; no case
    /// is dirty. For cases that are judged apart from tonight's.
    public init(of cases: CaseSet, stored: StoredEvidence) {
        numbers = OldNumbers.all(in: cases, stored: stored).map { $0.numbers.min() ?? 0 }
    }

    /// Appends cases that were judged apart, with the numbers they have.
    mutating func append(_ other: CaseNumbering) {
        numbers += other.numbers
        olds += other.numbers.map { OldNumbers(numbers: [$0]) }
    }

    /// The indices of tonight's cases with evidence, current or not, from any of these cases of the ledger.
    func cases(holdingAnyOf wanted: Set<CaseID>) -> Set<Int32> {
        Set(olds.indices.filter { !olds[$0].numbers.isDisjoint(with: wanted) }.map(Int32.init))
    }
}

/// The ledger's case numbers that the evidence of one of tonight's cases had.
private struct OldNumbers: Sendable {
    var numbers: Set<CaseID> = []
    /// The case has evidence that is not stored, or its stored rows have other labels or name another current version.
    var hasNews = false

    init(numbers: Set<CaseID>) { self.numbers = numbers }

    /// By the index of tonight's case.
    static func all(in caseSet: CaseSet, stored: StoredEvidence) -> [OldNumbers] {
        let (groups, cases) = (caseSet.groups.all, stored.cases.all)
        return (0..<caseSet.count).map { number in
            var old = OldNumbers(numbers: [])
            for kind in groups.indices {
                old.add(number, of: groups[kind], cases: cases[kind])
                if groups[kind].isRelabelled(number) { old.hasNews = true }
            }
            old.note(number, of: caseSet.groups.transactions, wereCurrent: stored.transactions.wasCurrent)
            return old
        }
    }

    private mutating func add(_ number: Int, of groups: CaseGroups, cases: [CaseID]) {
        for position in groups[number] { add(Int(position), cases) }
        for position in groups.superseded(in: number) { add(Int(position), cases) }
        for position in groups.replaced(in: number) { add(Int(position), cases) }
    }

    /// Notes whether another version of a transaction is current than before, as happens when the configured
    /// environment changes. The stored rows say which version is current, so they must be written again.
    private mutating func note(_ number: Int, of groups: CaseGroups, wereCurrent: [Bool]) {
        let isOther = { (position: Int, isCurrent: Bool) in
            position < wereCurrent.count && wereCurrent[position] != isCurrent
        }
        hasNews =
            hasNews || groups[number].contains { isOther(Int($0), true) }
            || groups.superseded(in: number).contains { isOther(Int($0), false) }
    }

    private mutating func add(_ position: Int, _ cases: [CaseID]) {
        if position < cases.count { numbers.insert(cases[position]) } else { hasNews = true }
    }
}
