/// The ledger as the engine reads it.
extension Ledger: MonthHistory, VerifiableHistory, InquiryHistory {
    /// What the next night starts from: this ledger, or the empty history if it has no run.
    public var history: any History {
        get throws { try isEmpty ? EmptyHistory() : self }
    }

    public func head() throws -> HistoryHead {
        guard let last = try lastRun() else { return HistoryHead() }
        var head = try head(asOf: last)
        head.gapDecisions = try gapDecisions(before: last.id.next)
        head.nextCase = try nextCase()
        head.files = try files()
        head.retryTotals = try retryTotals(ofLast: 7)
        head.notes = try personsNotes(before: last.id.next)
        return head
    }

    public func head(asOf run: RunRecord) throws -> HistoryHead {
        let outline = try outline(of: run)
        var head = HistoryHead()
        head.lastRun = run
        head.coverageGaps = outline.coverageGaps
        head.feeds = outline.feeds
        head.watched = outline.watched
        head.columnRuns = outline.columnRuns
        head.goodsBreak = outline.goodsBreak
        head.renewalDoubts = outline.renewalDoubts
        head.kindRuns = outline.kindRuns
        head.doubtfulPrices = outline.doubtfulPrices
        head.gapDecisions = try gapDecisions(before: run.id)
        head.guarded = outline.guarded
        head.statusOnly = outline.statusOnlyOnRecord ?? 0
        head.statusOnlyAwaited = outline.statusOnlyAwaited ?? 0
        head.arrivals = try arrivals(through: run.id)
        head.products = try products()
        head.facts = try facts()
        head.bundles = try bundlesRead()
        head.releasedFindings = try releasedFindings()
        return head
    }

    public var openReader: @Sendable () throws -> any MonthHistory {
        { [path] in try Ledger.reading(path: path) }
    }
}
