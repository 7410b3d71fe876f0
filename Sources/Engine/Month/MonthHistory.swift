/// What a month needs from a history beyond what a night needs.
public protocol MonthHistory: History {
    /// The history as a run left it: its coverage and arrivals. Products and facts are always the present ones.
    func head(asOf run: RunRecord) throws -> HistoryHead
    /// All runs up to number `last`, oldest first.
    func runs(through last: RunID) throws -> [RunRecord]
    /// A run's report without exceptions, refunds, rejected rows and retry entries.
    func outline(of run: RunRecord) throws -> NightReport
    func rows(shownBy run: RunRecord) throws -> [ExceptionRow]
    /// The exceptions that runs `first` to `last`, both included, resolved or that were waived, as they were reported then.
    func rowsCleared(from first: RunID, through last: RunID) throws -> [ExceptionRow]
    /// The last decision that a person recorded about an exception: who, when and why. Nil if absent.
    func lastDecision(on exception: ExceptionID) throws -> (by: String, at: Instant, note: String)?
    /// The number of the last delivery that a run, or a run before it, imported. 0 if absent.
    func lastDelivery(through run: RunID) throws -> DeliveryID
    /// The names and digests of files, by delivery.
    func files(of deliveries: Set<DeliveryID>) throws -> [DeliveryID: NamedFile]
    /// Calls `body` with each token and each account whose current order carries it, in ascending order.
    func forEachTokenOwner(_ body: (Token, Identifier) -> Void) throws
    /// Opens another reader of the same history, for use by one thread.
    var openReader: @Sendable () throws -> any MonthHistory { get }
}

/// A closed month as a ledger keeps it.
public struct MonthSeal: Sendable {
    public typealias Figures = [Currency: Movements]
    /// The month's name, `YYYY-MM`.
    public var period: String
    /// It is a month of Apple's fiscal calendar; otherwise a calendar month.
    public var isFiscal: Bool
    /// The last run that counts for it.
    public var run: RunID
    /// When it was closed, by the real clock.
    public var sealedAt: Instant
    /// SHA-256 of the report, hexadecimal.
    public var digest: String
    /// The figures of every month of that calendar that was closed by then, this one included, by the month's name.
    public var known: [String: Figures]
    /// The folder of its files in the output folder: `.nights/2025-11-1`. Empty before they are written.
    public var folder = ""
    /// SHA-256 of that folder's SHA256SUMS, hexadecimal.
    public var folderDigest = ""
    public var language = ""

    public init(
        period: String, isFiscal: Bool, run: RunID, sealedAt: Instant, digest: String, known: [String: Figures]
    ) {
        self.period = period
        self.isFiscal = isFiscal
        self.run = run
        self.sealedAt = sealedAt
        self.digest = digest
        self.known = known
    }
}

extension [MonthSeal] {
    /// One digest of all closed months in the order of closing: SHA-256, of the line before, the month and its seal. Written down
    /// outside, it shows any later change of any of them. Empty without a closed month.
    public var chained: String {
        reduce("") { SHA256.digest(of: $0 + " " + $1.period + " " + $1.digest).hex }
    }

    /// The figures of all closed months as they were reported last, by the month's name.
    var known: [String: MonthSeal.Figures] { reduce(into: [:]) { $0.merge($1.known) { $1 } } }

    /// How the months that were closed after a closed month changed it, for each currency.
    public func changes(of period: String) -> [(currency: Currency, change: Movements)] {
        let closed = first { $0.period == period }?.known[period] ?? [:]
        let now = known[period] ?? [:]
        return Set(closed.keys).union(now.keys).ordered().map { currency in
            (currency, (now[currency] ?? Movements()) - (closed[currency] ?? Movements()))
        }.filter { $0.change != Movements() }
    }
}

extension MonthSeal {
    /// Its days. Nil for a name that is not a month's.
    public var month: Period? { Period.month(period, isFiscal: isFiscal) }
}

/// What months that were closed later changed in a closed month apart from its movements, in one currency.
public struct LaterChange {
    /// By the figure's word; without those that came to nothing.
    public var figures: [String: Int64] = [:]
    /// How many purchases count for another product or storefront.
    public var moved = 0
}

extension [MonthReport] {
    /// The same for each currency, by the reports of the months that were closed after it.
    public func changes(of period: String) -> [Currency: LaterChange] {
        var figures: [Currency: [String: Int64]] = [:]
        var places: [Currency: [String: [[String]: Movements]]] = [:]
        for report in self {
            for line in report.restatedFigures where line.period == period {
                figures[line.currency, default: [:]][line.figure, default: 0] &+= line.change
            }
            for line in report.restatedSubjects where line.period == period && line.storefront != nil {
                places[line.currency, default: [:]][line.subject, default: [:]][
                    [line.product ?? "", line.storefront ?? ""], default: Movements()] += line.change
            }
        }
        let changes = Set(figures.keys).union(places.keys).map { currency in
            let left = (figures[currency] ?? [:]).filter { $0.value != 0 }
            let moved = (places[currency] ?? [:]).values.count { $0.values.contains { $0 != Movements() } }
            return (currency, LaterChange(figures: left, moved: moved))
        }
        return Dictionary(uniqueKeysWithValues: changes.filter { !$0.1.figures.isEmpty || $0.1.moved > 0 })
    }
}
