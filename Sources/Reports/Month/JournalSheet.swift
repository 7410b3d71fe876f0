extension Page {
    /// Suggested journal entries, and what they come to by account.
    init(journal report: MonthReport, _ texts: Texts) {
        self.init(title: texts.monthSheet(.journal), widths: [8, 9, 34, 24, 24, 16, 10], texts)
        add([.text(texts.month(.journalWhat))])
        addTotal(of: texts.month(.allChecks), column: 5)
        let first = next + 3
        addEntries(report.journal)
        addBalances(report, over: first...(first + max(0, report.journal.count - 1)))
    }

    private mutating func addEntries(_ entries: [JournalEntry]) {
        addHeading(
            texts.month(.entries),
            texts: [
                texts.month(.entry), texts.column("currency"), texts.month(.line), texts.month(.debit),
                texts.month(.creditSide),
            ], figures: [texts.column("amount")])
        for (index, entry) in entries.enumerated() {
            add([
                .text(String(index + 1)), .text(entry.currency.text), .text(texts.journalTitle(entry.subject)),
                .text(texts.account(entry.debitAccount)), .text(texts.account(entry.creditAccount)),
                .money(entry.minor, entry.currency),
            ])
        }
    }

    /// What each account comes to, debit less credit. What stays with the obligation is the month's cut-off.
    private mutating func addBalances(_ report: MonthReport, over range: ClosedRange<Int>) {
        addHeading(
            texts.month(.balances), texts: ["", texts.column("currency"), texts.month(.account), "", ""],
            figures: [texts.column("amount"), texts.label(.check)])
        for line in report.money {
            for account in Self.accounts(report.journal.filter { $0.currency == line.currency }) {
                let row = next
                let (currency, name) = (Formula.cell(row: row, column: 1), Formula.cell(row: row, column: 2))
                let sum = { (side: Int) in
                    Formula.sumProduct(range, column: 5, where: [(1, currency), (side, name)])
                }
                add(
                    [
                        .text(""), .text(line.currency.text), .text(texts.account(account.name)), .text(""), .text(""),
                        .formula(sum(3) - sum(4), line.currency),
                    ] + (account.isObligation ? [obligationCheck(line, row)] : []))
            }
        }
    }

    /// The obligation must be left with the cut-off.
    private func obligationCheck(_ line: MoneyLine, _ row: Int) -> Entry {
        let cutOff = line.explained.first { $0.reason == .cutOff }?.minor ?? 0
        return .check(.cell(row: row, column: 5) + .bracket(.money(cutOff, line.currency)), line.currency)
    }

    /// The accounts of the entries, in the order of their roles, and whether each is for the obligation to customers alone.
    private static func accounts(_ entries: [JournalEntry]) -> [(name: String, isObligation: Bool)] {
        var roles: [String: Set<AccountRole>] = [:]
        for entry in entries {
            roles[entry.debitAccount, default: []].insert(entry.debit)
            roles[entry.creditAccount, default: []].insert(entry.credit)
        }
        return roles.sorted { ($0.value.min()!, $0.key) < ($1.value.min()!, $1.key) }.map {
            ($0.key, $0.value == [.obligation])
        }
    }
}

extension Texts {
    /// The name of an account; the role's own name where no account is configured.
    func account(_ name: String) -> String {
        AccountRole(rawValue: name).map { word("month.account." + $0.rawValue) } ?? name
    }

    /// The title of what an entry books: a line of the tie-out, or a reason.
    func journalTitle(_ subject: String) -> String {
        if let label = MonthLabel.allCases.first(where: { $0.name == subject }) { return month(label) }
        let reason = DifferenceClass.explanations.first { $0.code == subject }
        return reason.map { title($0) } ?? subject
    }
}

private let columns: [Column<(number: Int, entry: JournalEntry)>] = [
    Column("entry") { Cell($0.number) },
    Column("currency") { Cell($0.entry.currency.text) },
    Column("subject") { .text($0.entry.subject) },
    Column("debit_account") { Cell($0.entry.debitAccount) },
    Column("credit_account") { Cell($0.entry.creditAccount) },
    Column("amount") { Cell(Money(minor: $0.entry.minor, currency: $0.entry.currency)) },
]

/// `month-journal.csv`: the suggested entries, one per row.
func journalCSV(_ report: MonthReport) -> [UInt8] {
    var csv = CSVWriter()
    csv.header(columns)
    for (index, entry) in report.journal.enumerated() { csv.row((index + 1, entry), of: columns) }
    return csv.take()
}
