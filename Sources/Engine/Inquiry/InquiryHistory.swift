public import Domain
internal import Exceptions
public import ReportData

/// What a look-up needs from a history beyond what a night needs.
public protocol InquiryHistory: History, CaseSearch, OwnerSearch, RepairHistory {
    /// The last run. Nil before the first night.
    func lastRun() throws -> RunRecord?
    /// The history as a run left it: its coverage and arrivals. Products and facts are always the present ones.
    func head(asOf run: RunRecord) throws -> HistoryHead
    /// The file names of these deliveries.
    func names(of deliveries: Set<DeliveryID>) throws -> [DeliveryID: String]
    /// The guard's findings of the run. Empty once a person has released them.
    func guardFindings(of run: RunRecord) throws -> [GuardFinding]
}

/// Finds the cases that a text means, and the identifiers that resemble it.
public protocol CaseSearch {
    /// Cases that may contain one of these texts as an identifier. The caller checks whether the evidence really does.
    func cases(knowing texts: [String]) throws -> Set<CaseID>
    /// Those of the cases that contain one of the texts: open cases first, then the newest.
    func exactCases(_ cases: Set<CaseID>, holding texts: [String]) throws -> ExactCases
    /// Whether one of the cases really contains the text.
    func isKnown(_ text: String, in cases: Set<CaseID>) throws -> Bool
    /// Those of the newest `casesMax` cases that have a receipt from one of these devices.
    func cases(ofDevices devices: [String], casesMax: Int) throws -> Set<CaseID>
    /// The cases that every night judges, then the others. Within both, the newest first.
    func inOrderOfNeed(_ cases: Set<CaseID>) throws -> [CaseID]
    /// Those of the texts that are the id of an exception or of an e-mailed order.
    func exceptionsAndEmails(among texts: [String]) throws -> [NearIdentifier]
    /// Identifiers that begin with `prefix`, at most `countMax` of each kind, from the newest `casesMax` cases.
    func identifiers(startingWith prefix: String, casesMax: Int, countMax: Int) throws -> [NearIdentifier]
    /// The ids of the newest orders, at most `countMax`.
    func newestOrders(_ countMax: Int) throws -> [String]
    /// The transactions that Apple named for an order id from an e-mail.
    func transactions(ofEmailedOrder id: String) throws -> [Identifier]
    /// Whether Apple answered that this order id from an e-mail names no order of the app.
    func isUnknownToApple(emailedOrder id: String) throws -> Bool
}

/// Finds the accounts that tokens belong to.
public protocol OwnerSearch {
    /// The tokens that orders of these cases carry for the account and that no other account's order carries.
    func ownTokens(of account: String, in cases: [CaseID]) throws -> Set<Token>
    /// How many current orders of each account carry each of these tokens, for at most `countMax` accounts of each token.
    func owners(of tokens: Set<Token>, atMost countMax: Int) throws -> [Token: TokenAccounts]
}

/// What was done about an exception: by nights, by people and by the consumer of the retry manifest.
public protocol RepairHistory {
    /// The events of an exception, oldest first.
    func history(ofException id: ExceptionID) throws -> [HistoryStep]
    /// Whether the consumer ever acknowledged under one of these keys that it gave the goods.
    func wasApplied(_ keys: Set<String>) throws -> Bool
    /// Whether the consumer ever acknowledged one of these keys.
    func wasAnswered(_ keys: Set<String>) throws -> Bool
}

/// The cases that contain an identifier byte for byte.
public struct ExactCases: Sendable {
    /// Cases in which a record of the backend or of Apple contains it, the most relevant first.
    public var recorded: [CaseID] = []
    /// Cases in which only receipts contain it, that is, data that a client sent.
    public var claimed: [CaseID] = []

    public init() {}
}

/// One event in the history of an exception.
public struct HistoryStep: Sendable {
    /// The business date of its run.
    public var date: BusinessDate
    public var state: ExceptionState
    public var verdict: Verdict
    public var cause: Cause
    /// What the subject was worth. Nil if no price was known.
    public var amount: Money?
    /// What the night did. Nil if a person caused it.
    public var event: ExceptionEvent?
    /// The person who caused it. Nil if the night did.
    public var by: String?
    /// When that person did. Nil if the night caused it.
    public var at: Instant?
    /// That person's note. Nil if the night caused it.
    public var note: String?

    /// A step of which neither the event nor the person is set yet.
    public init(date: BusinessDate, state: ExceptionState, verdict: Verdict, cause: Cause, amount: Money?) {
        self.date = date
        self.state = state
        self.verdict = verdict
        self.cause = cause
        self.amount = amount
    }
}
