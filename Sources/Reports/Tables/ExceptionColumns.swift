/// The columns of `exceptions.csv`, in order, with those of the labels. See docs/spec/interfaces.md#exceptions-csv.
func exceptionColumns(labels: [String] = []) -> [Column<ExceptionRow>] {
    ownColumns[""]! + ExceptionFields.list.flatMap { $0.columns(labels: labels) + (ownColumns[$0.name] ?? []) }
}

/// The columns that are not fields of the exception, by the field behind which they stand; `""`: before all. `assignee` and
/// `ticket` come from the desk's record.
private let ownColumns: [String: [Column<ExceptionRow>]] = [
    "": [Column("exception_id") { .text($0.id.text) }, Column("state") { .text($0.state.rawValue) }],
    "severity": [Column("first_seen") { .date($0.firstSeen) }, Column("last_seen") { .date($0.lastSeen) }],
    "event_at": [Column("age_days", figure: { Cell($0.ageDays) })],
    "quantity": [Column("currency") { Cell(($0.amount ?? $0.effect)?.currency.text) }],
    "evidence": [Column("note") { Cell($0.note) }],
    "labels": [Column("assignee") { Cell($0.assignee) }, Column("ticket") { Cell($0.ticket) }],
]

extension ExceptionField {
    fileprivate func columns(labels: [String]) -> [Column<ExceptionRow>] {
        var column = Column<ExceptionRow>(name) { Cell(shown($0.facts)) }
        switch shown(.blank) {
        case .labels: return labelColumns(labels)
        case .instant: column.isInstant = true
        case .number, .money: column.isFigure = true
        default: break
        }
        return [column]
    }
}

extension Cell {
    fileprivate init(_ shown: ExceptionField.Shown) {
        switch shown {
        case .code(let text): self.init(text)
        case .id(let text), .text(let text): self.init(text)
        case .ids(let texts), .texts(let texts): self = .list(texts)
        case .number(let number): self.init(number.map(Int.init))
        case .money(let amount): self.init(amount)
        case .instant(let instant): self = .instant(instant)
        case .differences(let differences): self.init(differences.map(\.rawValue).joined(separator: "; "))
        case .labels: self = .empty
        }
    }
}

/// A column for each label, in the order of the names.
func labelColumns(_ names: [String]) -> [Column<ExceptionRow>] {
    names.map { name in Column("label_" + name) { Cell($0.labels?[name]?.text) } }
}

/// The columns that a layout may use on the workbook's exception sheets, by name: those of `exceptions.csv` with words
/// in place of codes, the codes themselves, and columns that the CSV file does not have.
func exceptionCatalogue(_ texts: Texts) -> [String: Column<ExceptionRow>] {
    var catalogue = Dictionary(uniqueKeysWithValues: exceptionColumns().map { ($0.name, $0) })
    for field in ExceptionFields.list where field.isCode {
        catalogue[field.name] = Column(field.name) { Cell(texts.word(field, of: $0.facts)) }
    }
    let separator = texts.label(.clauseSeparator)
    let worded: [Column<ExceptionRow>] = [
        Column("state") { texts.cell(.state, $0.state.rawValue) },
        Column("verdict_code") { .text($0.verdict.rawValue) },
        Column("cause_code") { Cell($0.cause.rawValue) },
        Column("severity") { .severity(texts.word(.severity, $0.severity.rawValue), $0.severity) },
        Column("flags") { row in .list(row.flags.map { texts.word(.flag, $0) }) },
        Column("differs") { row in
            Cell(row.differences.map(texts.sentence).joined(separator: separator))
        },
        Column("last_step") { row in
            Cell(row.lastEvent.map { texts.step(row.state, $0) })
        },
    ]
    for column in worded { catalogue[column.name] = column }
    return catalogue
}

extension Texts {
    /// The word for a coded field, at the field's name in the templates; empty for an empty code.
    func word(_ field: ExceptionField, of facts: ExceptionFacts) -> String {
        switch field.shown(facts) {
        case .code(let code) where code.isEmpty: ""
        case .code where field.name == "verdict": title(facts.verdict)
        case .code where field.name == "cause": title(facts.verdict, facts.cause)
        case .code(let code): words[field.name + "." + code] ?? code
        default: ""
        }
    }
}

/// The same for pages, where the amount stands with its currency.
func pageColumns(_ texts: Texts) -> [String: Column<ExceptionRow>] {
    var catalogue = exceptionCatalogue(texts)
    catalogue["amount"] = Column("amount", figure: { Cell($0.amount?.description) })
    return catalogue
}
