public import Domain
public import Exceptions
public import Matching
public import ReportData

/// What judging a set of whole cases finds. A night's report and register are made from findings alone, so the cases may
/// be judged together or in parts.
///
/// Findings of sets that share no case add up: `append` is associative, and empty findings change nothing. Only the
/// order of lists depends on the order of the parts. What is made from the lists does not depend on it, apart from the
/// rules of `ExceptionRegister.play` for subjects with the same alias; such subjects are in one part.
public struct Findings: Sendable {
    /// How many cases were judged. Each had a verdict.
    public var cases = 0
    /// How many subjects were judged.
    public var subjects = 0
    /// How many of them belong to cases that contain tonight's evidence, or that the next night judges again. This does
    /// not depend on which other cases were judged with them.
    public var judged = 0
    /// How many of these have each set of flags, without those of suggestions. Subjects without flags are left out.
    public var flags: [Flags: Int] = [:]
    /// What became of the subjects, and what they are worth.
    public var tally = Tally()
    /// How the purchases reached the customers.
    public var purchases = PurchaseTally()
    /// What the exception register must see: exceptions, and every subject of a case with a known exception. Without
    /// suggestions.
    public var observations: [Observation] = []
    /// Refunds that tonight's evidence reported.
    public var refunds: [RefundLine] = []
    /// Purchases that nothing links to an order.
    public var unlinkedPurchases: [UnlinkedPurchase] = []
    /// Orders that are linked to no purchase.
    public var unlinkedOrders: [UnlinkedOrder] = []
    /// What the guard compares, by date of purchase.
    public var dates: [BusinessDate: DateCounts] = [:]
    /// What became of the rows of tonight's files.
    public var rows = RowOutcomes()
    /// Tonight's credits of the desk that name no transaction.
    public var deskCredits: [UnnamedDeskCredit] = []
    /// How many cases rely on an implicit credit of a day whose credits file is missing or not yet due.
    public var awaitingCredits = 0
    /// Orders that receipts name for a proven purchase of one case, and that belong to a proven purchase of another.
    public var takenOrders: Set<Identifier> = []
    /// Tokens per order that too many orders carry.
    public var crowdedTokens: Set<Token> = []
    /// For a part judged in memory: the keys of all evidence of each observed subject's case, by the subject's key. A
    /// later night finds the case of an exception by them.
    public var caseKeys: [SubjectKey: [SubjectKey]] = [:]

    public init() {}

    /// Appends what judging other cases found.
    public mutating func append(_ other: Findings) {
        cases += other.cases
        subjects += other.subjects
        judged += other.judged
        flags.merge(other.flags, uniquingKeysWith: +)
        for (key, sum) in other.tally.entries { tally.add(sum, to: key) }
        purchases.add(other.purchases)
        observations += other.observations
        refunds += other.refunds
        unlinkedPurchases += other.unlinkedPurchases
        unlinkedOrders += other.unlinkedOrders
        dates.merge(other.dates, uniquingKeysWith: +)
        rows.append(other.rows)
        deskCredits += other.deskCredits
        awaitingCredits += other.awaitingCredits
        takenOrders.formUnion(other.takenOrders)
        crowdedTokens.formUnion(other.crowdedTokens)
        caseKeys.merge(other.caseKeys) { first, _ in first }
    }
}

/// What the guard compares for one date of purchase.
public struct DateCounts: Hashable, Sendable {
    /// Purchases without any credit.
    public var uncredited = 0
    /// Subjects whose purchase is of another app.
    public var invalid = 0
    /// Current transactions of our apps, proven or vouched for.
    public var proven = 0
    /// Current transactions of other apps.
    public var foreign = 0

    public init(uncredited: Int = 0, invalid: Int = 0, proven: Int = 0, foreign: Int = 0) {
        self.uncredited = uncredited
        self.invalid = invalid
        self.proven = proven
        self.foreign = foreign
    }

    public static func + (left: DateCounts, right: DateCounts) -> DateCounts {
        DateCounts(
            uncredited: left.uncredited + right.uncredited, invalid: left.invalid + right.invalid,
            proven: left.proven + right.proven, foreign: left.foreign + right.foreign)
    }
}

/// What became of the rows of orders, credits, transactions and receipts that tonight's files delivered.
public struct RowOutcomes: Hashable, Sendable {
    /// By delivery number: rows with some new evidence.
    public var accepted: [DeliveryID: Int] = [:]
    /// By delivery number: rows without anything new.
    public var duplicates: [DeliveryID: Int] = [:]
    /// Rows whose transactions may belong to cases of several parts: whether any of them is new. They are in neither
    /// count.
    public var shared: [Provenance: Bool] = [:]

    public init() {}

    /// Appends the rows of other cases.
    public mutating func append(_ other: RowOutcomes) {
        accepted.merge(other.accepted, uniquingKeysWith: +)
        duplicates.merge(other.duplicates, uniquingKeysWith: +)
        shared.merge(other.shared) { $0 || $1 }
    }
}

/// A credit that the desk gave without naming a transaction.
public struct UnnamedDeskCredit: Hashable, Sendable {
    public var id: Identifier
    public var account: Identifier
    public var source: Provenance

    public init(id: Identifier, account: Identifier, source: Provenance) {
        self.id = id
        self.account = account
        self.source = source
    }
}
