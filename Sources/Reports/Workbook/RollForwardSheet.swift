internal import Domain
internal import ReportData

/// The columns of the roll-forward. In each line, opening + new + reopened + changed in − changed out − resolved −
/// waived = closing. See docs/spec/rules.md#roll-forward.
func rollForwardColumns(_ texts: Texts) -> [Column<RollForwardLine>] {
    let words = WordTable(texts)
    let movements: [(String, @Sendable (RollForwardLine) -> CountAndAmount)] = [
        (texts.label(.opening), { $0.opening }), (texts.sheet(.new), { $0.new }),
        (texts.label(.reopened), { $0.reopened }), (texts.label(.changedIn), { $0.changedIn }),
        (texts.label(.changedOut), { $0.changedOut }), (texts.label(.resolvedTonight), { $0.resolved }),
        (texts.label(.waived), { $0.waived }), (texts.label(.closing), { $0.closing }),
    ]
    var columns: [Column<RollForwardLine>] = [
        Column("verdict") { words.verdict($0.verdict) },
        Column("currency") { Cell($0.currency.text) },
    ]
    columns += movements.flatMap { title, value in pair(title, texts, { $0.currency }, value) }
    columns += [
        Column(texts.label(.check), figure: { Cell($0.difference.count) }),
        Column(
            texts.label(.check) + " " + texts.label(.amount),
            figure: {
                $0.currency == .absent ? .empty : .money(Money(minor: $0.difference.minor, currency: $0.currency))
            }
        ),
        Column("verdict_code") { .text($0.verdict.rawValue) },
    ]
    return columns
}

extension RollForwardLine {
    /// Opening and movements less closing: zero in an intact ledger.
    var difference: CountAndAmount {
        [opening, new, reopened, changedIn].reduce(CountAndAmount(), +)
            - [changedOut, resolved, waived, closing].reduce(CountAndAmount(), +)
    }
}
