/// What a night is judged by, apart from its evidence: known before a case is matched.
public struct NightPlan: Sendable {
    public let run: RunRecord
    /// What every case is judged by. Its facts are those of the last night.
    public internal(set) var basis: Basis
    /// The number of tonight's first delivery.
    public let firstDelivery: DeliveryID
    /// All files of the history and of tonight, by delivery number.
    public let files: [DeliveryID: NamedFile]
    /// What the last night left behind.
    let head: HistoryHead
    let time: RunTime
    let settings: NightSettings
    /// How the basis differs from the last night's.
    private(set) var change: BasisChange

    /// - Parameter delivered: tonight's files; of the rows, only those of the product list matter.
    public init(_ delivered: Delivered, at time: RunTime, by settings: NightSettings, after head: HistoryHead) {
        self.head = head
        self.time = time
        basis = Basis(settings, after: head, delivered: delivered, at: time)
        var settings = settings
        settings.policy.formerBundles = basis.policy.formerBundles
        self.settings = settings
        run = RunRecord(
            id: head.lastRun?.id.next ?? 1, businessDate: time.businessDate, asOf: time.asOf,
            horizon: basis.horizon.instant, policy: basis.policyText, version: settings.version)
        firstDelivery = delivered.firstDelivery
        files = head.files.merging(delivered.deliveries.map { ($0.number, $0.file) }) { $1 }
        change = BasisChange(from: head, to: basis)
    }

    /// Takes tonight's evidence into account.
    mutating func note(_ news: Evidence) {
        let firstDate = head.arrivals.values.compactMap { $0.min() }.min()
        let (known, breaks) = (basis.policy.recordsFrom(firstDate), basis.policy.breaks(firstDate))
        let hasNewTokens = basis.policy.facts.note(news)
        let (policy, first) = (basis.policy, basis.horizon.coverage.firstDate)
        if hasNewTokens || policy.recordsFrom(first) != known || policy.breaks(first) != breaks {
            // Orders say more about the use of tokens than those of earlier nights, or the records begin on another date, or
            // cover another part of a break.
            change.isForAll = change.isForAll || head.lastRun != nil
        }
    }

    /// Turns the verdicts of cases into observations.
    ///
    /// - Parameters:
    ///   - numbers: the case number by case index; empty means that all numbers are 0.
    ///   - followed: the indices of cases with a known exception.
    func observer(of numbers: [CaseID], followed: Set<Int32>) -> Observer {
        Observer(numbers: numbers, followed: followed, files: files, firstDelivery: firstDelivery)
    }
}

/// What all stages of a night share.
struct NightContext {
    let plan: NightPlan
    let history: any History
    /// The number of cores to use.
    let threads: Int
    let timer: any StageTimer
}

/// How tonight's basis differs from the last night's.
struct BasisChange {
    /// Every case must be judged again.
    fileprivate(set) var isForAll: Bool
    /// A day of Apple's transactions that counted as covered now has a gap.
    let hasNewTransactionGap: Bool
    init(from head: HistoryHead, to basis: Basis) {
        let known = head.coverageGaps
        isForAll =
            head.lastRun.map { last in
                last.policy != basis.policyText
                    || basis.hasNewGap(in: .credits, upTo: last.businessDate, except: known)
            } ?? false
        hasNewTransactionGap = basis.hasNewGap(in: .transactions, upTo: basis.horizon.businessDate, except: known)
    }
}
