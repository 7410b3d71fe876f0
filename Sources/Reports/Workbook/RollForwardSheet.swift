/// The columns of the roll-forward. In each line, opening + new + reopened + changed in − changed out − resolved −
/// waived = closing. See docs/spec/rules.md#roll-forward.
func rollForwardColumns(_ texts: Texts) -> [Column<RollForwardLine>] {
    let titles =
        [texts.label(.opening), texts.sheet(.new)]
        + [Label.reopened, .changedIn, .changedOut, .resolvedTonight, .waived, .closing].map { texts.label($0) }
    var columns: [Column<RollForwardLine>] = [
        Column("verdict") { texts.verdict($0.verdict) },
        Column("currency") { Cell($0.currency.text) },
    ]
    columns += zip(titles, rollForwardFigures).flatMap { pair($0, texts, currency: { $0.currency }, value: $1.value) }
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
