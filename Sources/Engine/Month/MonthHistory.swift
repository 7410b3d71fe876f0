public import Domain

/// What a month needs of a history besides what a night does.
public protocol MonthHistory: History {
    /// The history as a run left it: its coverage and arrivals. Products and facts are always the present ones.
    func head(asOf run: RunRecord) throws -> HistoryHead
    /// All runs up to that one, oldest first.
    func runs(through last: Int64) throws -> [RunRecord]
    /// What a run reported, without its exceptions, refunds, rejected rows and retry entries.
    func outline(of run: RunRecord) throws -> NightReport
    /// The exceptions that a run reported.
    func rows(shownBy run: RunRecord) throws -> [ExceptionRow]
    /// The exceptions that were resolved or waived in these runs, as they were then.
    func rowsCleared(from first: Int64, through last: Int64) throws -> [ExceptionRow]
    /// The number of the last delivery that came with a run or before it.
    func lastDelivery(through run: Int64) throws -> Int32
    /// Lends each token with each account whose current order carries it, in ascending order.
    func forEachTokenOwner(_ body: (Token, Identifier) -> Void) throws
    /// Opens another reader of the same history, for one thread's use.
    var openReader: @Sendable () throws -> any MonthHistory { get }
}

/// A closed month as a ledger keeps it.
public struct MonthSeal: Sendable {
    /// Movements by currency.
    public typealias Figures = [String: Movements]
    public var period: String
    public var isFiscal: Bool
    /// The run that it rests on.
    public var run: Int64
    public var sealedAt: Instant
    /// SHA-256 of the report, hexadecimal.
    public var digest: String
    /// Of every month of that calendar that was closed then, by its name; this one among them.
    public var known: [String: Figures]

    public init(
        period: String, isFiscal: Bool, run: Int64, sealedAt: Instant, digest: String, known: [String: Figures]
    ) {
        self.period = period
        self.isFiscal = isFiscal
        self.run = run
        self.sealedAt = sealedAt
        self.digest = digest
        self.known = known
    }
}
