public import Domain

/// What a look-up needs from a history beyond what a night needs.
public protocol InquiryHistory: History, CaseSearch, OwnerSearch, RepairHistory {
    /// The last run. Nil before the first night.
    func lastRun() throws -> RunRecord?
    /// The history as a run left it: its coverage and arrivals. Products and facts are always the present ones.
    func head(asOf run: RunRecord) throws -> HistoryHead
    /// The state of an open exception after the last night, or after a person's decision since then.
    func state(ofOpenException id: ExceptionID) throws -> ExceptionState
    /// The file names of these deliveries.
    func names(of deliveries: Set<DeliveryID>) throws -> [DeliveryID: String]
    /// The guard's findings of the run. Empty once a person has released them.
    func guardFindings(of run: RunRecord) throws -> [GuardFinding]
}
