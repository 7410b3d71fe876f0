extension Page {
    /// The sub-ledger: each account's balance when a month was closed last, what the entries move, and its balance now.
    ///
    /// - Parameters:
    ///   - closingNet: the cells of the tie-out that the accounts of each currency come to.
    ///   - ranges: the detail sheets, to which entries lead.
    init(
        journal report: MonthReport, closingNet: [Currency: Formula], ranges: [MonthSheet: DetailRange], _ texts: Texts
    ) {
        self.init(title: texts.monthSheet(.journal), widths: [46, 9, 11, 34, 40, 40, 16, 12], texts)
        add([.text(texts.month(.journalWhat))])
        guard let ledger = report.subLedger else {
            add([.label(texts.otherCalendar(report) ?? texts.month(.journalNone))])
            return
        }
        addTotal(of: texts.month(.allChecks), column: 7)
        add([.label(texts.month(.postedOn)), .text(""), .cell(.date(ledger.postedOn))])
        add([.label(texts.month(.follows)), .text(""), .text(ledger.follows ?? texts.label(.none))])
        // Entries stand below the accounts: a heading, a header and an empty row before each, and the ties of the currencies.
        let isTied = ledger.postedOn == report.last
        let ties = isTied ? ledger.books.filter { closingNet[$0.currency] != nil } : []
        let first = next + 3 + ledger.accounts.count + ties.count + 3
        addAccounts(ledger, ties: ties, closingNet, entries: first...(first + max(0, ledger.entries.count - 1)))
        addEntries(ledger, of: report.period, ranges)
    }

    private mutating func addAccounts(
        _ ledger: SubLedger, ties: [Book], _ closingNet: [Currency: Formula], entries: ClosedRange<Int>
    ) {
        addHeading(
            texts.month(.balances), texts: [texts.month(.account), texts.column("currency"), ""],
            figures: [MonthLabel.opening, .debitSum, .creditSum, .closing].map { texts.month($0) } + [
                texts.label(.check)
            ]
        )
        for line in ledger.accounts {
            let row = next
            let own = { (column: Int) in Formula.cell(row: row, column: column) }
            let sum = { (side: Int) in
                Formula.sumProduct(entries, column: 6, where: [(1, own(1)), (side, own(0))])
            }
            let currency = line.currency
            add([
                .text(texts.account(line.role, line.name)), .text(currency.text), .text(""),
                .money(line.opening, currency), .formula(sum(4), currency), .formula(sum(5), currency),
                .money(line.closing, currency), .check(own(3) + own(4) - own(5) - own(6), currency),
            ])
        }
        // What customers are short of less what they have too much is what the tie-out says.
        let rows = next - ledger.accounts.count..<next
        for book in ties {
            let roles: [AccountRole] = [.obligation, .owed, .givenFree, .suspense]
            let cells = zip(rows, ledger.accounts).filter {
                $1.currency == book.currency && roles.contains($1.role)
            }.map { Formula.cell(row: $0.0, column: 6) }
            let sum = cells.dropFirst().reduce(cells.first ?? .number(0), +)
            let own = Formula.cell(row: next, column: 6)
            add([
                .label(texts.month(.closingNet)), .text(book.currency.text), .text(""), .text(""), .text(""), .text(""),
                .formula(.number(0) - .bracket(sum), book.currency),
                .check(own - .bracket(closingNet[book.currency] ?? .number(0)), book.currency),
            ])
        }
    }

    private mutating func addEntries(
        _ ledger: SubLedger, of period: String, _ ranges: [MonthSheet: DetailRange]
    ) {
        addHeading(
            texts.month(.entries),
            texts: [
                texts.month(.entry), texts.column("currency"), texts.month(.concerns), texts.month(.line),
                texts.month(.debit), texts.month(.creditSide),
            ], figures: [texts.column("amount"), texts.label(.check)])
        for entry in ledger.entries {
            add(
                [
                    .text(entry.voucher), .text(entry.currency.text), .text(entry.concerns),
                    link(entry, of: period, ranges), .text(texts.account(entry.debit, entry.debitAccount)),
                    .text(texts.account(entry.credit, entry.creditAccount)), .money(entry.minor, entry.currency),
                ] + (ledger.rows == nil ? [] : [check(entry, ranges)]))
        }
    }

    /// The line that an entry books, which leads to its rows.
    private func link(_ entry: JournalEntry, of period: String, _ ranges: [MonthSheet: DetailRange]) -> Entry {
        let title = texts.journalTitle(entry.subject)
        guard let sheet = entry.rowsSheet(in: period) else { return .text(title) }
        guard let range = ranges[sheet] else { return .link(title, sheet: texts.monthSheet(sheet)) }
        return range.link(title, to: entry.currency, entry.reasonCode)
    }

    /// The rows of an entry of a reason come to its amount.
    private func check(_ entry: JournalEntry, _ ranges: [MonthSheet: DetailRange]) -> Entry {
        guard let code = entry.reasonCode, let range = ranges[.entryRows] else { return .text("") }
        let rows = range.sum(
            "amount", where: [("currency", .word(entry.currency.text)), ("explanation_code", .word(code))])
        let amount = Formula.cell(row: next, column: 6)
        return .check(entry.debit == .obligation ? amount + rows : amount - rows, entry.currency)
    }
}

extension JournalEntry {
    /// The code of its rows where it books a reason.
    fileprivate var reasonCode: String? { isShort.map { EntryRow.code(subject, isShort: $0) } }

    /// Its rows in the list of purchases. Nil if they are not there.
    fileprivate func purchaseKind(in period: String) -> PurchaseRow.Kind? {
        guard concerns == period else { return nil }
        let kinds: [String: PurchaseRow.Kind] = [
            "purchases": .purchase, "refunds": .refund, "refund_reversals": .refundReversal, "credited": .credited,
            "reversed": .reversed,
        ]
        return kinds[subject]
    }

    /// The sheet with its rows. Nil for what was brought forward.
    fileprivate func rowsSheet(in period: String) -> MonthSheet? {
        if reasonCode != nil { return .entryRows }
        if concerns != period { return .restated }
        switch subject {
        case "purchases", "credited", "reversed": return .byProduct
        case "refunds", "refund_reversals": return .refunds
        default: return nil
        }
    }
}

extension Texts {
    /// The name of an account's role, after its name where one is configured.
    func account(_ role: AccountRole, _ name: String) -> String {
        let title = word("month.account." + role.rawValue)
        return name == role.rawValue ? title : name + " · " + title
    }

    /// The title of what an entry books: a line of the tie-out, or a reason.
    func journalTitle(_ subject: String) -> String {
        if let label = MonthLabel.allCases.first(where: { $0.name == subject }) { return month(label) }
        let reason = (DifferenceClass.explanations + [.unexplained]).first { $0.code == subject }
        return reason.map { title($0) } ?? subject
    }

    /// Where the rows of an entry are: in the list of purchases, or on a sheet of the workbook.
    fileprivate func rows(of entry: JournalEntry, in period: String) -> String {
        if let kind = entry.purchaseKind(in: period) { return "month-purchases.csv.gz kind=" + kind.rawValue }
        return entry.rowsSheet(in: period).map { "month.xlsx " + monthSheet($0) } ?? ""
    }

    /// What an entry says in the books.
    func journalText(_ entry: JournalEntry, of period: String) -> String {
        let title = journalTitle(entry.subject)
        return entry.concerns == period ? title : month(.priorPeriod, entry.concerns, title)
    }
}

/// One side of an entry.
private struct Posting {
    var entry: JournalEntry
    var day: BusinessDate
    var period: String
    var text: String
    /// Where the rows are that it consists of.
    var rows: String
    var isDebit: Bool

    var amount: Cell { Cell(Money(minor: entry.minor, currency: entry.currency)) }
}

private let columns: [Column<Posting>] = [
    Column("voucher") { Cell($0.entry.voucher) },
    Column("posting_date") { .date($0.day) },
    Column("period") { Cell($0.period) },
    Column("account") { Cell($0.isDebit ? $0.entry.debitAccount : $0.entry.creditAccount) },
    Column("debit") { $0.isDebit ? $0.amount : .empty },
    Column("credit") { $0.isDebit ? .empty : $0.amount },
    Column("currency") { Cell($0.entry.currency.text) },
    Column("text") { .text($0.text) },
    Column("class") { .text($0.entry.subject) },
    Column("concerns") { Cell($0.entry.concerns) },
    Column("rows") { Cell($0.rows) },
]

/// `month-journal.csv`: the suggested entries, two rows each: debit, then credit.
func journalCSV(_ report: MonthReport, _ texts: Texts) -> [UInt8] {
    var csv = CSVWriter()
    csv.header(columns)
    guard let ledger = report.subLedger else { return csv.take() }
    for entry in ledger.entries {
        for isDebit in [true, false] {
            csv.row(
                Posting(
                    entry: entry, day: ledger.postedOn, period: report.period,
                    text: texts.journalText(entry, of: report.period), rows: texts.rows(of: entry, in: report.period),
                    isDebit: isDebit), of: columns)
        }
    }
    return csv.take()
}

/// The entries of all closed months and of this one as plain-text accounting, with every balance asserted at each closing.
struct JournalText {
    /// The dialects differ in how accounts are opened and balances asserted.
    enum Dialect { case ledger, beancount }
    private let dialect: Dialect
    private let texts: Texts
    private var text = ""
    private var accounts: Set<String> = []

    /// - Parameter reports: in the order of closing; this month's last.
    static func bytes(_ reports: [MonthReport], in dialect: Dialect, _ texts: Texts) -> [UInt8] {
        let books = reports.compactMap { report in report.subLedger.map { (report.period, $0) } }
        var journal = JournalText(dialect: dialect, texts: texts)
        for (index, (period, ledger)) in books.enumerated() {
            journal.add(ledger, of: period)
            // Where an earlier month is closed later, entries of two closings have the same day.
            let isLast = index + 1 == books.count || books[index + 1].1.postedOn != ledger.postedOn
            if isLast { journal.addBalances(ledger) }
        }
        return Array(journal.text.utf8)
    }

    private init(dialect: Dialect, texts: Texts) { (self.dialect, self.texts) = (dialect, texts) }

    private mutating func add(_ ledger: SubLedger, of period: String) {
        for line in ledger.accounts {
            let name = Self.name(line.role, line.name)
            guard accounts.insert(name).inserted else { continue }
            text += dialect == .ledger ? "account \(name)\n" : "\(ledger.postedOn) open \(name)\n"
        }
        for entry in ledger.entries {
            let amount = Money(minor: entry.minor, currency: entry.currency)
            let said = texts.journalText(entry, of: period).replacing("\"", with: "'")
            text += "\n\(ledger.postedOn) * \"\(entry.voucher)\" \"\(said)\"\n"
            text += "  \(Self.name(entry.debit, entry.debitAccount))  \(amount.text) \(entry.currency)\n"
            text += "  \(Self.name(entry.credit, entry.creditAccount))  -\(amount.text) \(entry.currency)\n"
        }
    }

    private mutating func addBalances(_ ledger: SubLedger) {
        // The balance of a day in beancount is that of its beginning.
        let next = ledger.postedOn.advanced(by: 1)
        text += dialect == .ledger ? "\n\(ledger.postedOn) * \(texts.month(.balances))\n" : "\n"
        for (index, line) in ledger.accounts.enumerated() {
            let name = Self.name(line.role, line.name)
            // Two names that read the same here are one account: the second has its balance.
            let isFormer = ledger.accounts.dropFirst(index + 1).contains {
                $0.currency == line.currency && Self.name($0.role, $0.name) == name
            }
            if isFormer { continue }
            let (code, amount) = (line.currency, decimalText(line.closing, line.currency))
            text +=
                dialect == .ledger
                ? "  \(name)  \(decimalText(0, code)) \(code) = \(amount) \(code)\n"
                : "\(next) balance \(name)  \(amount) \(code)\n"
        }
        text += "\n"
    }

    /// An account's name as both dialects accept it: `Assets:Receivable:1122`.
    private static func name(_ role: AccountRole, _ name: String) -> String {
        let root =
            switch role {
            case .receivable: "Assets:Receivable"
            case .obligation: "Liabilities:Obligation"
            case .revenue: "Income:Revenue"
            case .givenFree: "Expenses:GivenFree"
            case .owed: "Liabilities:Owed"
            case .suspense: "Assets:Suspense"
            case .opening: "Equity:Opening"
            }
        if name == role.rawValue { return root }
        let plain = name.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.joined(separator: "-")
        return plain.isEmpty ? root : root + ":" + plain.prefix(1).uppercased() + plain.dropFirst()
    }
}
