public import Domain
internal import Exceptions

/// What a look-up needs of a history besides what a night does.
public protocol InquiryHistory: History {
    func lastRun() throws -> RunRecord?
    /// The history as a run left it.
    func head(asOf run: RunRecord) throws -> HistoryHead
    /// Cases that may hold one of these texts as an identifier. Whether the evidence really holds it, the caller checks.
    func cases(knowing texts: [String]) throws -> Set<Int64>
    /// Those of the cases that hold one of the texts, the open ones first, then the newest.
    func exactCases(_ cases: Set<Int64>, holding texts: [String]) throws -> ExactCases
    /// The cases, the open ones first, then the newest.
    func inOrderOfNeed(_ cases: Set<Int64>) throws -> [Int64]
    /// Tokens that current orders of that account carry, in these cases.
    func ownTokens(of account: String, in cases: [Int64]) throws -> Set<Token>
    /// At most `count` accounts of each of these tokens.
    func owners(of tokens: Set<Token>, atMost count: Int64) throws -> [Token: TokenAccounts]
    /// Those of the texts that are the id of an exception or of an order confirmed by e-mail.
    func exceptionsAndEmails(among texts: [String]) throws -> [NearIdentifier]
    /// At most `count` identifiers of the newest `casesMax` cases that begin with `prefix`.
    func identifiers(startingWith prefix: String, casesMax: Int64, count: Int64) throws -> [NearIdentifier]
    /// The transactions that Apple named for an order id from an e-mail.
    func transactions(ofEmailedOrder id: String) throws -> [Identifier]
    /// The file names of these deliveries.
    func names(of deliveries: Set<Int32>) throws -> [Int32: String]
    /// What happened to an exception, oldest first.
    func history(ofException id: String) throws -> [HistoryStep]
    /// Whether the consumer ever acknowledged under one of these keys that it gave the goods.
    func wasApplied(_ keys: Set<String>) throws -> Bool
    /// Why the last run is guarded; empty where it is not, or a person has released it.
    func guardFindings(of run: RunRecord) throws -> [GuardFinding]
}

/// Which cases hold an identifier, byte by byte.
public struct ExactCases: Sendable {
    /// Cases in which a record of the backend or of Apple holds it, in the order to look at them.
    public var recorded: [Int64] = []
    /// Cases in which only receipts hold it, which clients send.
    public var claimed: [Int64] = []

    public init() {}
}

/// One step of an exception's history.
public struct HistoryStep: Sendable {
    /// The business date of its night, `YYYY-MM-DD`.
    public var date: String
    public var state: ExceptionState
    public var verdict: Verdict
    public var cause: Cause
    public var amount: Money?
    /// Who did it, and when; nil where the night did.
    public var by: String?
    public var at: Instant?
    public var note: String?

    public init(
        date: String, state: ExceptionState, verdict: Verdict, cause: Cause, amount: Money?, by: String?, at: Instant?,
        note: String?
    ) {
        self.date = date
        self.state = state
        self.verdict = verdict
        self.cause = cause
        self.amount = amount
        self.by = by
        self.at = at
        self.note = note
    }
}
