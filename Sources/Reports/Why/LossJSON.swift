/// `reconcile why --json`. See docs/spec/interfaces.md#why-json.
///
/// - Parameters:
///   - dates: those that were asked for.
///   - dimension: the one whose values are listed; nil for all.
public func lossJSON(_ report: LossReport, of dates: ClosedRange<BusinessDate>, by dimension: String?) -> JSON {
    let values = report.values.filter { dimension == nil || $0.dimension == dimension }
    let members: [String: JSON] = [
        "schema": .text("reconcile.why/1"), "from": .text(dates.lowerBound.text), "to": .text(dates.upperBound.text),
        "days": .list(report.days.map(json)), "values": .list(values.map(json)), "rate": .null, "delay": .null,
    ]
    return .object(members.merging(lossMembers(report)) { $1 })
}

/// What `summary.json` and `month.json` say: `explanations`, and `rate` and `delay` where enough is known to compare them.
func lossMembers(_ report: LossReport?) -> [String: JSON] {
    guard let report else { return [:] }
    var members: [String: JSON] = ["explanations": .list(report.explanations.map(json))]
    if let rate = report.rate {
        members["rate"] = .object([
            "date": .text(rate.date.text), "rate": share(rate.rate), "usual": share(rate.usual),
            "limit": share(rate.limit), "above": JSON(rate.rule?.rawValue),
        ])
    }
    if let delay = report.delay {
        let day = report.days.first { $0.date == delay.date }
        members["delay"] = .object([
            "date": .text(delay.date.text), "p50": seconds(day?.p50), "p90": seconds(delay.p90),
            "p99": seconds(day?.p99),
            "usual_p90": seconds(delay.usual), "limit_p90": seconds(delay.limit), "above": .bool(delay.isAbove),
        ])
    }
    return members
}

private func json(_ line: ExplanationLine) -> JSON {
    .object([
        "of": .text(line.of.rawValue), "period": .text(line.span.rawValue),
        "values": .object(Dictionary(line.values.map { ($0.dimension, .text($0.value)) }) { $1 }),
        "count": JSON(line.count), "of_count": JSON(line.ofCount), "purchases": JSON(line.purchases),
        "support": .decimal(whole(line.support * 10_000), exponent: 4), "rate": share(line.rate),
        "rate_elsewhere": share(line.rateElsewhere),
        "risk_ratio": .decimal(whole(line.riskRatio * 100), exponent: 2),
    ])
}

private func json(_ day: LossDay) -> JSON {
    .object([
        "date": .text(day.date.text), "purchases": JSON(day.purchases), "lost_orders": JSON(day.lost),
        "settled": .bool(day.isSettled), "rate": share(day.rate), "usual": share(day.usual), "limit": share(day.limit),
        "p50": seconds(day.p50), "p90": seconds(day.p90), "p99": seconds(day.p99),
    ])
}

private func json(_ line: ValueLine) -> JSON {
    .object([
        "dimension": .text(line.dimension), "label": .bool(line.isLabel), "value": JSON(line.value),
        "purchases": JSON(line.purchases), "later": JSON(line.later), "by_hand": JSON(line.byHand),
        "lost": JSON(line.notGiven), "lost_orders": JSON(line.lost), "rate": share(line.rate),
        "lost_amounts": json(line.lostAmounts),
    ])
}

private func share(_ share: Double?) -> JSON { share.map { .decimal(whole($0 * 1_000_000), exponent: 6) } ?? .null }

private func seconds(_ delay: Milliseconds?) -> JSON { delay.map { .decimal($0.count, exponent: 3) } ?? .null }
