/// What a look-up needs from a history beyond what a night needs.
public protocol InquiryHistory: History {
    /// The last run. Nil before the first night.
    func lastRun() throws -> RunRecord?
    /// The last run of the business date. Nil if there is none.
    func run(of date: BusinessDate) throws -> RunRecord?
    /// The history as a run left it: its coverage and arrivals. Products and facts are always the present ones.
    func head(asOf run: RunRecord) throws -> HistoryHead
    /// The state of an open exception after the last night, or after a person's decision since then.
    func state(ofOpenException id: ExceptionID) throws -> ExceptionState
    /// The files of these deliveries.
    func files(of deliveries: Set<DeliveryID>) throws -> [DeliveryID: NamedFile]
    /// When a backup was last put in the place of a history. Nil without one.
    func lastRestored() throws -> Instant?
    /// The guard's findings of the run. Empty once a person has released them.
    func guardFindings(of run: RunRecord) throws -> [GuardFinding]

    /// The given cases that contain one of the texts byte for byte, open cases first, then the newest. `recorded`: a record of the
    /// backend or of Apple contains it. `claimed`: only a receipt does, which a client sent.
    func exactCases(
        _ cases: Set<CaseID>, holding texts: [String]
    ) throws -> (recorded: [CaseID], claimed: [CaseID])
    /// The cases with an order of the product that names no transaction and was placed in that time, among the `casesMax` cases
    /// on either side of `caseID`.
    func cases(
        ofOrdersFor product: Identifier, in span: ClosedRange<Instant>, near caseID: CaseID, casesMax: Int
    ) throws -> Set<CaseID>
    /// Whether one of the cases really contains the text.
    func isKnown(_ text: String, in cases: Set<CaseID>) throws -> Bool
    /// Whether an order, a credit or a receipt of one of the cases names the account.
    func isAccount(_ text: String, in cases: Set<CaseID>) throws -> Bool
    /// The cases with a receipt from one of these devices, among the newest `casesMax` cases.
    func cases(ofDevices devices: [String], casesMax: Int) throws -> Set<CaseID>
    /// The open cases, then the others. Within both, the newest first.
    func inOrderOfNeed(_ cases: Set<CaseID>) throws -> [CaseID]
    /// The given texts that are ids of exceptions or of e-mailed orders.
    func exceptionsAndEmails(among texts: [String]) throws -> [NearIdentifier]
    /// Identifiers that begin with `prefix`, at most `countMax` of each kind, from the newest `casesMax` cases.
    func identifiers(startingWith prefix: String, casesMax: Int, countMax: Int) throws -> [NearIdentifier]
    /// The accounts of orders, credits and receipts of the newest `casesMax` cases that differ from one of the texts in
    /// nothing but the case of ASCII letters.
    func accounts(inAnyCaseOf texts: [String], casesMax: Int) throws -> [String]
    /// The accounts of orders, credits and receipts of the newest `casesMax` cases that end so, at most `countMax`.
    func accounts(endingIn text: String, casesMax: Int, countMax: Int) throws -> [String]
    /// Ids of transactions, orders and e-mailed orders that have this part, from the newest `casesMax` cases; at most
    /// `countMax` of each kind.
    func identifiers(
        with part: PartOfIdentifier, casesMax: Int, countMax: Int
    ) throws -> [(found: NearIdentifier, caseID: CaseID)]
    /// Those of these cases, in their order, that have a purchase made within one of the spans, an id with the end that is
    /// asked for, and an order of an account that begins so or no order.
    func cases(
        _ cases: [CaseID], fitting asked: PurchaseDescription, in spans: [Range<Instant>]
    ) throws -> [CaseID]
    /// The ids of the newest orders, at most `countMax`.
    func newestOrders(_ countMax: Int) throws -> [String]
    /// The rows that were rejected last, at most `countMax`.
    func newestRejects(_ countMax: Int) throws -> [RejectLine]
    /// The transactions that Apple named for an order id from an e-mail.
    func transactions(ofEmailedOrder id: String) throws -> [Identifier]
    /// Whether Apple answered that this order id from an e-mail names no order of the app.
    func isUnknownToApple(emailedOrder id: String) throws -> Bool

    /// The tokens that orders of these cases carry for the account and that no other account's order carries.
    func ownTokens(of account: String, in cases: [CaseID]) throws -> Set<Token>
    /// How many current orders of each account carry each of these tokens, for at most `countMax` accounts of each token.
    func owners(of tokens: Set<Token>, atMost countMax: Int) throws -> [Token: TokenAccounts]

    /// The events of an exception, oldest first.
    func history(ofException id: ExceptionID) throws -> [LookupException.Step]
}
