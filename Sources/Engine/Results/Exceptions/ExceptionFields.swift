/// What an exception says about its subject. It is handed on by one reference.
public typealias ExceptionFacts = Shared<ExceptionFields>

extension ExceptionFacts {
    public init(verdict: Verdict, cause: Cause, severity: Severity, eventAt: Instant) {
        self.init(fields: ExceptionFields(verdict: verdict, cause: cause, severity: severity, eventAt: eventAt))
    }
}

/// The fields of `ExceptionFacts`. Lists are sorted by their UTF-8 bytes. `list` describes each of them.
public struct ExceptionFields: Hashable, Sendable, Codable {
    /// Tonight's verdict; for a resolved exception the last one that was open.
    public var verdict: Verdict
    public var cause: Cause
    /// Derived from verdict and cause.
    public var severity: Severity
    /// The instant from which age counts.
    public var eventAt: Instant
    /// Accounts named by the evidence.
    public var accounts: [String] = []
    /// Order ids of the subject's orders and credits.
    public var orders: [String] = []
    /// Ids of the subject's records; where it has none, the ids that its receipts, credits and orders name.
    public var transactions: [String] = []
    /// The original transaction ids of those transactions.
    public var originals: [String] = []
    public var receipts: [String] = []
    /// Ids of credits and reversals of the subject.
    public var credits: [String] = []
    public var product: String?
    /// Pieces bought; nil if unknown.
    public var quantity: Int32?
    /// What the subject is worth; nil if unknown.
    public var amount: Money?
    /// The effect: value credited less value owed. Nil if unknown.
    public var effect: Money?
    /// Who has less than is owed.
    public var short: ShortParty = .nobody
    public var differences: [Difference] = []
    public var flags: [String] = []
    /// An order that the purchase probably belongs to; nil without one.
    public var suggestedOrder: String?
    public var action: Action = .none
    /// The key of its retry entry; nil if no entry asks for anything.
    public var retryKey: String?
    /// `file:line` of each piece of evidence.
    public var evidence: [String] = []
    /// The shop's own columns; nil without any.
    public var labels: LabelSet?
}

/// One of the `ExceptionFields`. The columns of reports and of the desk's queue, the search of the night's page, the
/// look-up, the texts in the ledger and the end of waivers follow from it.
public struct ExceptionField: Sendable {
    /// The name of its column, for machines.
    public let name: String
    /// What it says of an exception.
    public let shown: @Sendable (ExceptionFacts) -> Shown
    let waiver: Waiver
    /// Its name in the ledger's texts.
    let stored: StaticString
    let describe: @Sendable (inout Members, inout ExceptionFields) -> Void

    public var isID: Bool {
        switch shown(.blank) {
        case .id, .ids: true
        default: false
        }
    }

    public var isCode: Bool { if case .code = shown(.blank) { true } else { false } }

    /// A value by the kind of its column.
    public enum Shown: Hashable, Sendable {
        case code(String)
        case ids([String])
        case id(String?)
        case texts([String])
        case text(String?)
        case number(Int32?)
        case money(Money?)
        case instant(Instant)
        case differences([Difference])
        case labels(LabelSet?)
    }

    /// Whether a waiver stands where the field has changed. It stands where the field is not a fact about the subject, or
    /// is one that a receipt alone can change, because any client can send a receipt. For a lost purchase, it also stands
    /// where orders, cause or worth change: the decision was about the payment, and a credit or a refund changes the verdict.
    /// A restore gives the payment a further id, but it stays the same payment.
    enum Waiver {
        case ends, stands, standsIfLost
        /// It stands if the purchase is lost, or if receipts alone may have made the change.
        case standsIfLostOrByReceipts
    }

    fileprivate typealias Path<Value> = any WritableKeyPath<ExceptionFields, Value> & Sendable

    /// - Parameters:
    ///   - stored: nil if it is `name`.
    ///   - shown: reads the field by its name. Reports show thousands, and a key path would copy all fields for each.
    fileprivate init<Value: Sendable>(
        _ name: StaticString, _ path: Path<Value>, stored: StaticString? = nil,
        as shown: @escaping @Sendable (ExceptionFacts) -> Shown, waiver: Waiver,
        describe: @escaping @Sendable (inout Members, StaticString, inout Value) -> Void
    ) {
        let stored = stored ?? name
        (self.name, self.stored, self.shown, self.waiver) = ("\(name)", stored, shown, waiver)
        self.describe = { describe(&$0, stored, &$1[keyPath: path]) }
    }

    fileprivate init<Value: MemberValue & Sendable>(
        _ name: StaticString, _ path: Path<Value>, stored: StaticString? = nil,
        as shown: @escaping @Sendable (ExceptionFacts) -> Shown, waiver: Waiver
    ) {
        self.init(name, path, stored: stored, as: shown, waiver: waiver) { $0.value($1, &$2) }
    }

    fileprivate init<Value: MemberValue & Sendable>(
        _ name: StaticString, _ path: Path<Value?>, stored: StaticString? = nil,
        as shown: @escaping @Sendable (ExceptionFacts) -> Shown, waiver: Waiver
    ) {
        self.init(name, path, stored: stored, as: shown, waiver: waiver) { $0.value($1, &$2) }
    }

    fileprivate init<Code: RawRepresentable<String> & Sendable>(
        _ name: StaticString, code path: Path<Code>, as shown: @escaping @Sendable (ExceptionFacts) -> Shown,
        waiver: Waiver
    ) {
        self.init(name, path, as: shown, waiver: waiver) { $0.value($1, &$2) }
    }
}

extension ExceptionFields {
    /// In the order of the columns of `exceptions.csv`.
    public static let list: [ExceptionField] = [
        .init("verdict", code: \.verdict, as: { .code($0.verdict.rawValue) }, waiver: .ends),
        .init("cause", code: \.cause, as: { .code($0.cause.rawValue) }, waiver: .standsIfLostOrByReceipts),
        .init("severity", code: \.severity, as: { .code($0.severity.rawValue) }, waiver: .standsIfLostOrByReceipts),
        .init("event_at", \.eventAt, stored: "eventAt", as: { .instant($0.eventAt) }, waiver: .standsIfLost),
        .init("account_id", \.accounts, stored: "accounts", as: { .ids($0.accounts) }, waiver: .stands),
        .init("order_id", \.orders, stored: "orders", as: { .ids($0.orders) }, waiver: .standsIfLost),
        .init(
            "transaction_id", \.transactions, stored: "transactions", as: { .ids($0.transactions) },
            waiver: .standsIfLost),
        .init(
            "original_transaction_id", \.originals, stored: "originals", as: { .ids($0.originals) },
            waiver: .standsIfLost),
        .init("receipt_id", \.receipts, stored: "receipts", as: { .ids($0.receipts) }, waiver: .stands),
        .init("credit_id", \.credits, stored: "credits", as: { .ids($0.credits) }, waiver: .ends),
        .init("product_id", \.product, stored: "product", as: { .text($0.product) }, waiver: .ends),
        .init("quantity", \.quantity, as: { .number($0.quantity) }, waiver: .ends),
        .init("amount", \.amount, as: { .money($0.amount) }, waiver: .standsIfLost),
        .init("effect", \.effect, as: { .money($0.effect) }, waiver: .standsIfLost),
        .init("short", code: \.short, as: { .code($0.short.rawValue) }, waiver: .ends),
        .init("differs", \.differences, stored: "differences", as: { .differences($0.differences) }, waiver: .ends) {
            $0.value($1, &$2)
        },
        .init("flags", \.flags, as: { .texts($0.flags) }, waiver: .stands),
        .init(
            "suggested_order_id", \.suggestedOrder, stored: "suggestedOrder", as: { .id($0.suggestedOrder) },
            waiver: .standsIfLost),
        .init("action", code: \.action, as: { .code($0.action.rawValue) }, waiver: .stands),
        .init("retry_key", \.retryKey, stored: "retryKey", as: { .id($0.retryKey) }, waiver: .stands),
        .init("evidence", \.evidence, as: { .texts($0.evidence) }, waiver: .stands),
        .init("labels", \.labels, as: { .labels($0.labels) }, waiver: .stands),
    ]
    /// The fields behind the labels. Their columns are the last ones, because a release adds columns at the end alone. Look-up
    /// and month's sheets show all of these, and some of the others.
    public static var later: ArraySlice<ExceptionField> { list.drop { $0.name != "labels" }.dropFirst() }
}
