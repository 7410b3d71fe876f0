extension WorkFigures {
    var json: JSON {
        .object([
            "opened": JSON(opened), "closed": JSON(closed), "open": JSON(open), "in_hand": JSON(inHand),
            "days_to_close": .list(
                lines.map { line in
                    .object([
                        "verdict": .text(line.verdict.rawValue), "cause": .text(line.cause.rawValue),
                        "closed": JSON(line.closed), "median": JSON(line.medianDays), "p90": JSON(line.p90Days),
                    ])
                }),
        ])
    }

    /// The figures in sentences. Empty if no exception was closed and none is in hand.
    func text(_ texts: Texts) -> [String] {
        if closed == 0, inHand == 0 { return [] }
        let figures = [opened, closed, open, inHand].map { String($0) }
        return [texts.label(.workFigures, figures[0], figures[1], figures[2], figures[3])]
            + lines.map { line in
                // The cause says more than the verdict, and one line is enough.
                let title = line.cause == .none ? texts.title(line.verdict) : texts.title(line.verdict, line.cause)
                let figures = [line.closed, line.medianDays, line.p90Days].map { String($0) }
                return texts.label(
                    .daysToClose, title, figures[0], figures[1], figures[2])
            }
    }
}
