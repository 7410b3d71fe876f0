/// An open exception that somebody must see to. See docs/spec/interfaces.md#queue.
public struct QueueItem: Sendable {
    /// Why it is in the queue. The names are those of texts.
    public enum Reason: String, Sendable, CaseIterable {
        /// No machine acts on it.
        case person
        /// Its retry entry is held.
        case held
        /// The desk gave the goods, a night has run since, and no credit came.
        case given
        /// It is a purchase of an unknown account.
        case noOwner = "no_owner"
        /// A person took it in hand.
        case inHand = "in_hand"
        /// A decision about it needs a second person.
        case wish
        /// A second person confirmed that the goods are given by hand, and no night has run since.
        case confirmed
        /// The consumer of the retry manifest says that the goods were given, and no credit came.
        case applied
        /// The consumer was asked twice or more and never answered.
        case silent
    }
    public let exception: OpenException
    public let ageDays: Int
    /// In the order of `Reason`; not empty.
    public let reasons: [Reason]
    public let work: CaseWork
}

/// The open exceptions that somebody must see to, and what decides that.
public struct QueueItems: Sendable {
    public private(set) var items: [QueueItem] = []
    private let given: [String: HandOut]
    private let held: Set<ExceptionID>
    private let dead: Set<ExceptionID>
    private let asked: (done: Set<ExceptionID>, silent: Set<ExceptionID>)
    private let wishes: Set<String>
    private let decided: Set<String>
    private let horizon: Instant

    /// - Parameters:
    ///   - held: exceptions whose retry entry is held; likewise `dead`.
    ///   - asked: exceptions whose entry the consumer says it has done, and those to which it never answered.
    ///   - horizon: until when the last night knows everything.
    public init(
        given: [HandOut], held: Set<ExceptionID>, dead: Set<ExceptionID>,
        asked: (done: Set<ExceptionID>, silent: Set<ExceptionID>), decisions: [StandingDecision], horizon: Instant
    ) {
        self.given = Dictionary(given.map { ($0.transaction.text, $0) }) { first, _ in first }
        (self.held, self.dead, self.asked, self.horizon) = (held, dead, asked, horizon)
        wishes = Set(decisions.filter { $0.decidedAt == nil }.map(\.key))
        decided = Set(decisions.filter { $0.decidedAt != nil }.map(\.key))
    }

    /// Adds the exception if there is a reason to.
    public mutating func add(_ exception: OpenException, _ work: CaseWork?) {
        // With the credit on record, another verdict has taken over.
        let handOut =
            given.isEmpty || exception.verdict != .paidNotCredited
            ? nil : exception.transactions.compactMap { given[String($0)] }.first
        // Until a night has run, the credit is on its way.
        let isOnItsWay = handOut.map { $0.at >= horizon } ?? false
        var reasons: [QueueItem.Reason] = []
        if handOut == nil {
            if let reason = reason(exception) { reasons.append(reason) }
            if exception.account == nil, !exception.transactionLines.isEmpty { reasons.append(.noOwner) }
        } else if !isOnItsWay {
            reasons.append(.given)
        }
        if work?.assignee != nil { reasons.append(.inHand) }
        // Once it is waived, a request to give its goods is void.
        if !wishes.isEmpty, !decided.contains(exception.id.text) {
            let keys = [exception.id.text, exception.retryKey ?? ""] + exception.transactions.map { String($0) }
            if !wishes.isDisjoint(with: keys) { reasons.append(.wish) }
        }
        if isOnItsWay, handOut?.confirmedBy != nil { reasons.append(.confirmed) }
        if reasons.isEmpty { return }
        let ageDays = age(of: exception.eventAt, horizon: horizon)
        items.append(QueueItem(exception: exception, ageDays: ageDays, reasons: reasons, work: work ?? CaseWork()))
    }

    /// Why a person must act, unless the goods have been given by hand. Nil if a machine acts or there is nothing to do.
    private func reason(_ exception: OpenException) -> QueueItem.Reason? {
        // Waived or released; the next night brings it in.
        if !decided.isEmpty, decided.contains(exception.id.text) || exception.retryKey.map(decided.contains) == true {
            return nil
        }
        if held.contains(exception.id) { return .held }
        if exception.action != .wait, exception.action != .none,
            exception.retryKey == nil || dead.contains(exception.id)
        {
            return .person
        }
        return asked.done.contains(exception.id) ? .applied : asked.silent.contains(exception.id) ? .silent : nil
    }
}

/// What the look-up says of an item's purchase: whether its goods may be given by hand, without all else that it knows,
/// because a queue may have thousands of items.
public struct QueueAnswer: Sendable {
    let listed: LookupLabel
    let safety: LookupSafety
    private let verdict: Verdict
    private let cause: Cause
    private let isSentNext: Bool
    /// The reader was to give the goods, and the exception was waived.
    private let waiver: StandingDecision?
    private let reader: String?

    /// - Parameter reader: who looks, and may be the one who must give the goods.
    public init(_ subject: LookupSubject, isMasked: Bool, reader: String?) {
        listed = subject.isGiven(by: reader) ? .byYou : subject.listed
        let shown = isMasked ? subject.masked : subject
        (safety, waiver, self.reader) = (shown.safety, shown.waiver(ofHandOutBy: reader), reader)
        (verdict, cause, isSentNext) = (subject.facts.verdict, subject.facts.cause, subject.isSentNext)
    }

    /// Why they may not be given; empty if nothing speaks against it, or if nothing is missing.
    func reason(zone: Zone, _ texts: Texts) -> String {
        if isSentNext { return texts.lookup(.releasedSafety) }
        if let waiver { return waiver.saidOfHandOut(to: reader, texts) }
        return listed == .no ? safety.text(of: verdict, cause, zone: zone, texts) : ""
    }

    /// What can be given comes first, and equal reasons stand together.
    fileprivate var place: (Int, Int64, String) { (QueueFilter.answers.firstIndex(of: listed)!, 0, safety.code) }
}

/// An item with all that its exception says.
public struct QueueRow: Sendable {
    let item: QueueItem
    var row: ExceptionRow
    /// Nil if the purchase was not looked up.
    let answer: QueueAnswer?

    public init(_ item: QueueItem, _ row: ExceptionRow, _ answer: QueueAnswer?, isMasked: Bool) {
        (self.item, self.row, self.answer) = (item, row, answer)
        self.row.assignee = item.work.assignee
        self.row.ticket = item.work.ticket
        if isMasked { self.row.facts = row.facts.masked }
    }
}

/// What the queue's form asks for. Fields are empty where everything is wanted.
public struct QueueFilter: Sendable, Equatable {
    /// Whether the goods may be given by hand: `by_you`, `open_first`, `no` or `not_needed`.
    public var answer = ""
    /// A verdict, or `verdict/cause`.
    public var trouble = ""
    public var reason = ""
    public var action = ""
    /// At least this many days old.
    public var age = ""
    /// Worth at least this much, in major units of the currency.
    public var amount = ""
    public var currency = ""
    public var product = ""
    /// `name=value`, or a value of any label.
    public var label = ""
    /// `me`, `nobody`, `anybody`, or a user.
    public var assignee = ""
    public var ticket = ""
    /// A column, behind `-` for the other direction.
    public var sort = ""
    public var page = ""

    /// The fields by their names in the address, in the order of the form.
    public static var names: [(name: String, path: WritableKeyPath<QueueFilter, String>)] {
        [
            ("answer", \.answer), ("trouble", \.trouble), ("reason", \.reason), ("action", \.action),
            ("assignee", \.assignee),
            ("age", \.age),
            ("amount", \.amount), ("currency", \.currency), ("product", \.product), ("label", \.label),
            ("ticket", \.ticket), ("sort", \.sort), ("page", \.page),
        ]
    }

    public init() {}

    /// Everything is shown, in whatever order.
    var isEmpty: Bool {
        Self.names.allSatisfy { ["sort", "page"].contains($0.name) || self[keyPath: $0.path].isEmpty }
    }

    /// What `answer` may be, in the order of the column.
    static let answers: [LookupLabel] = [.byYou, .openFirst, .no, .notNeeded]

    /// All that the filter admits must be looked up.
    public var asksAnswers: Bool { !answer.isEmpty || ["answer", "-answer"].contains(sort) }

    /// What was asked, for a record; fields that are empty are left out.
    public var json: JSON {
        .object(
            Dictionary(uniqueKeysWithValues: Self.names.map { ($0.name, self[keyPath: $0.path]) }.filter { $0.1 != "" })
                .mapValues { .text($0) })
    }

    func admits(_ said: QueueAnswer?) -> Bool { answer.isEmpty || said?.listed.name == answer }

    /// Whether it is admitted, whatever its answer is.
    /// - Parameter user: whom `me` means.
    public func admits(_ item: QueueItem, for user: String?) -> Bool {
        let row = item.exception
        let verdict = row.verdict.rawValue
        guard trouble.isEmpty || trouble == verdict || trouble == verdict + "/" + row.cause.rawValue,
            reason.isEmpty || item.reasons.contains(where: { $0.rawValue == reason }),
            action.isEmpty || action == row.action.rawValue, age.isEmpty || item.ageDays >= Int(age) ?? .max,
            currency.isEmpty || row.amount?.currency.text == currency.uppercased(),
            contains(row.product?.text, product), contains(item.work.ticket, ticket), admits(row.amount),
            admits(row.labels)
        else { return false }
        switch assignee {
        case "": return true
        case "me": return user != nil && item.work.assignee == user
        case "nobody": return item.work.assignee == nil
        case "anybody": return item.work.assignee != nil
        default: return item.work.assignee == assignee
        }
    }

    private func contains(_ text: String?, _ part: String) -> Bool {
        part.isEmpty || text?.lowercased().contains(part.lowercased()) == true
    }

    private func admits(_ worth: Money?) -> Bool {
        guard !amount.isEmpty, let worth else { return amount.isEmpty }
        guard let least = PurchaseDescription.thousandths(amount) else { return false }
        let minorUnits = (0..<worth.currency.exponent).reduce(Int128(1)) { units, _ in units * 10 }
        return Int128(worth.minor) * 1000 >= Int128(least) * minorUnits
    }

    private func admits(_ labels: LabelSet?) -> Bool {
        if label.isEmpty { return true }
        return (labels?.values ?? []).contains { label == $0.name + "=" + $0.text.text || label == $0.text.text }
    }
}

/// The open work of one app, filtered and sorted.
public struct WorkQueue: Sendable {
    /// A column by which the queue can be sorted, as it is in the address.
    enum Column: String, CaseIterable {
        case answer, age, trouble, product, amount, account, reason, assignee, ticket
    }
    static let pageSize = 50

    public let filter: QueueFilter
    private let all: [QueueItem]
    /// The places in `all` of what the filter admits, in order. Items are large, so their places are sorted.
    private let order: [Int]
    /// What is shown, or is in the file.
    public var rows: [QueueRow] = []
    /// The verdicts, each with the causes that occur, the actions and the currencies of all items, for the form.
    let troubles: [(verdict: Verdict, causes: [Cause])]
    let actions: [Action]
    let currencies: [String]
    /// The names of the labels, for the file.
    let labels: [String]
    /// The last business date.
    let date: BusinessDate
    /// How many lines of the record of work could not be read.
    let damaged: Int

    /// The last night's coverage gaps, with what was decided about them.
    public var gaps: [(gap: CoverageGap, standing: StandingDecision?)] = []

    public var count: Int { order.count }
    /// How many of them are there for each reason, and what they are worth.
    private(set) var reasons: [QueueItem.Reason: Int] = [:]
    private(set) var worth = MoneySum()
    /// What the filter admits, in order.
    public var items: some RandomAccessCollection<QueueItem> { order.lazy.map { all[$0] } }

    /// - Parameters:
    ///   - answers: of all that the filter admits, if it asks for them.
    ///   - user: who looks.
    public init(
        _ all: [QueueItem], _ filter: QueueFilter, _ answers: [ExceptionID: QueueAnswer], for user: String?,
        labels: [String], date: BusinessDate, damaged: Int
    ) {
        self.all = all
        self.filter = filter
        self.labels = labels
        self.date = date
        self.damaged = damaged
        // Items are large, so their places are counted.
        var causes: [Verdict: Set<Cause>] = [:]
        var actions: Set<Action> = []
        var counts: [Currency: Int] = [:]
        for place in all.indices {
            causes[all[place].exception.verdict, default: []].insert(all[place].exception.cause)
            actions.insert(all[place].exception.action)
            if let currency = all[place].exception.amount?.currency { counts[currency, default: 0] += 1 }
        }
        troubles = causes.sorted { $0.key < $1.key }.map { verdict, causes in
            (verdict, verdict.causes.filter(causes.contains))
        }
        self.actions = Action.allCases.filter(actions.contains)
        let currencies = counts.keys.sorted { (counts[$1]!, $0.text) < (counts[$0]!, $1.text) }
        let rank = Dictionary(uniqueKeysWithValues: currencies.enumerated().map { ($1, $0) })
        self.currencies = currencies.map(\.text)
        // Amounts of different currencies cannot be compared. The currency of the most cases comes first.
        func weight(_ place: Int) -> (Int, Int64) {
            // Where only the order is missing, no money or goods are.
            guard all[place].exception.verdict != .orderMissing, let amount = all[place].exception.amount else {
                return (currencies.count, 0)
            }
            let worth = amount.minor.magnitude.multipliedReportingOverflow(by: UInt64(all[place].ageDays + 1))
            return (rank[amount.currency]!, -Int64(clamping: worth.overflow ? .max : worth.partialValue))
        }
        let weights = all.indices.map(weight)
        let isWhole = filter.isEmpty
        let admitted = all.indices.filter {
            isWhole || filter.admits(all[$0], for: user) && filter.admits(answers[all[$0].exception.id])
        }.sorted {
            (weights[$0].0, weights[$0].1, all[$0].exception.id) < (weights[$1].0, weights[$1].1, all[$1].exception.id)
        }
        order = Self.sorted(admitted, of: all, answers, by: filter.sort) { rank[$0]! }
        for place in order {
            for reason in all[place].reasons { reasons[reason, default: 0] += 1 }
            if let amount = all[place].exception.amount { worth.add(amount) }
        }
    }

    /// Sorts by one column; equal rows stay in their order, and rows without a value come last in either direction.
    private static func sorted(
        _ places: [Int], of all: [QueueItem], _ answers: [ExceptionID: QueueAnswer], by name: String,
        rank: (Currency) -> Int
    ) -> [Int] {
        guard let column = Column(rawValue: String(name.drop { $0 == "-" })) else { return places }
        typealias Value = (Int, Int64, String)
        func key(_ value: Value?) -> (isAbsent: Bool, value: Value) { (value == nil, value ?? (0, 0, "")) }
        let keys = places.map { place in
            let (item, row) = (all[place], all[place].exception)
            return switch column {
            case .answer: key(answers[row.id]?.place)
            case .age: key((0, -Int64(item.ageDays), ""))
            case .amount: key(row.amount.map { (rank($0.currency), -$0.minor, "") })
            case .trouble: key((0, 0, row.verdict.rawValue + "/" + row.cause.rawValue))
            case .product: key(row.product.map { (0, 0, $0.text) })
            case .account: key(row.account.map { (0, 0, $0) })
            case .reason: key((QueueItem.Reason.allCases.firstIndex(of: item.reasons[0])!, 0, ""))
            case .assignee: key(item.work.assignee.map { (0, 0, $0) })
            case .ticket: key(item.work.ticket.map { (0, 0, $0) })
            }
        }
        let isReversed = name.hasPrefix("-")
        return places.indices.sorted { left, right in
            let (mine, other) = (keys[left], keys[right])
            if mine.isAbsent != other.isAbsent { return other.isAbsent }
            return mine.value == other.value ? left < right : (mine.value < other.value) != isReversed
        }.map { places[$0] }
    }

    var pages: Int { max(1, (count + Self.pageSize - 1) / Self.pageSize) }
    /// The page that is shown, counted from 1.
    var page: Int { min(max(1, Int(filter.page) ?? 1), pages) }
    public var shown: some RandomAccessCollection<QueueItem> {
        items.dropFirst((page - 1) * Self.pageSize).prefix(Self.pageSize)
    }

    /// The rows as a CSV file.
    public func csv(zone: Zone, texts: Texts) -> [UInt8] {
        var csv = CSVWriter()
        let columns = fileColumns(labels: labels, zone: zone, texts)
        csv.header(columns)
        for row in rows { csv.row(row, of: columns) }
        return csv.bytes
    }

    /// The file's name, without its ending.
    public var fileName: String { "queue-\(date.text)" }
}

/// The columns of `exceptions.csv`, and whether the goods may be given by hand.
private func fileColumns(labels: [String], zone: Zone, _ texts: Texts) -> [Column<QueueRow>] {
    exceptionColumns(labels: labels).map { column in Column(column.name) { column.cell($0.row) } } + [
        Column("give_by_hand") { Cell($0.answer?.listed.name) },
        Column("give_by_hand_reason") { Cell($0.answer?.reason(zone: zone, texts)) },
    ]
}
