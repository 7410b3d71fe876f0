internal import Domain
internal import JSON
internal import ReportData

/// `month.json`: every figure of the month, with amounts as exact decimal texts.
/// See docs/spec/interfaces.md#month-json.
func monthJSON(_ report: MonthReport) -> JSON {
    let instant = { (instant: Instant) in JSON.text(instant.text) }
    var members: [String: JSON] = [
        "period": .text(report.period), "calendar": .text(report.isFiscal ? "apple_fiscal" : "business"),
        "first_date": .text(report.first.text), "last_date": .text(report.last.text),
        "time_zone": .text(report.timeZone),
        "as_of": instant(report.asOf), "run": .number(report.run.rawValue), "last_night": .text(report.lastNight.text),
        "version": .text(report.version), "status": .text(report.closedAt == nil ? "provisional" : "closed"),
        "closed_at": report.closedAt.map(instant) ?? .null, "complete": .bool(report.isComplete),
    ]
    members["closing"] = report.closing.map(closing) ?? .null
    members["records_from"] = report.recordsFrom.map { .text($0.text) } ?? .null
    members["blind_spots"] = .list(report.coverageGaps.map(\.json))
    members["money"] = .object(Dictionary(uniqueKeysWithValues: report.money.map { ($0.currency.text, money($0)) }))
    members["unpriced"] = .object([
        "purchases": JSON(report.unpriced.purchases), "refunds": JSON(report.unpriced.refunds),
        "credited": JSON(report.unpriced.credited), "reversed": JSON(report.unpriced.reversed),
    ])
    members["exceptions"] = .list(report.rollForward.map(exceptions))
    members["apple"] = .list((report.apple?.lines ?? []).map(bridgeJSON))
    if let apple = report.apple { members.merge(bridgeMembers(apple)) { $1 } }
    members["apple_reports"] = .list((report.apple?.files ?? []).map(reportJSON))
    members["population"] = .list(
        report.population.map {
            .object([
                "kind": .text($0.kind.rawValue), "currency": .text($0.currency.text),
                "priced_by": JSON($0.priceSource?.rawValue), "count": JSON($0.count), "units": .number($0.units),
                "amount": .text(decimalText($0.minor, $0.currency)),
            ])
        })
    members["completeness"] = .list(
        report.completeness.map {
            .object([
                "feed": .text($0.feed.rawValue), "currency": .text($0.currency.text), "step": .text($0.step.rawValue),
                "count": $0.count.map { JSON($0) } ?? .null, "amount": .text(decimalText($0.minor, $0.currency)),
            ])
        })
    members["register_differences"] = .list(
        report.register.map {
            .object([
                "subject_id": .text($0.subject), "currency": .text($0.currency.text),
                "verdict": .text($0.verdict.rawValue), "reason": .text($0.reason.rawValue),
                "by_money": .text(decimalText($0.money, $0.currency)),
                "effect": .text(decimalText($0.effect, $0.currency)),
            ])
        })
    (members["fulfilment"], members["sales"]) = (fulfilmentJSON(report.fulfilment), .list(report.sales.map(sales)))
    members["restated"] = .list(report.restated.map(restated))
    members["restated_subjects"] = .list(
        report.restatedSubjects.map {
            .object([
                "period": .text($0.period), "subject_id": .text($0.subject), "currency": .text($0.currency.text),
                "change": .object(movements($0.change, $0.currency)),
            ])
        })
    members["year"] = .list(report.year.map(year))
    members["cohorts"] = .list(report.cohorts.map(cohort))
    members["journal"] = .list(report.journal.map(entry))
    return .object(members)
}

private func closing(_ closing: MonthClosing) -> JSON {
    .object([
        "by": .text(closing.by), "approver": JSON(closing.approver), "note": JSON(closing.note),
        "accepted_unexplained": JSON(closing.acceptedUnexplained), "at": .text(closing.at.text),
        "seal": JSON(closing.seal), "segregated": .bool(closing.isSegregated),
    ])
}

private func money(_ line: MoneyLine) -> JSON {
    var members = movements(line.movements, line.currency)
    members["explained"] = .list(
        line.explained.map {
            .object(["verdict": .text($0.reason.code), "amount": .text(decimalText($0.minor, line.currency))])
        })
    members["unexplained"] = .text(decimalText(line.unexplained, line.currency))
    members["estimated"] = .text(decimalText(line.estimated, line.currency))
    members["booked"] = .text(decimalText(line.bookings.booked, line.currency))
    members["booked_differences"] = .list(
        line.bookings.parts.map {
            .object([
                "reason": .text($0.reason.rawValue), "count": JSON($0.count),
                "amount": .text(decimalText($0.minor, line.currency)),
            ])
        })
    for (name, balance) in [("opening", line.opening), ("closing", line.closing)] {
        members[name] = .object([
            "owed": .text(decimalText(balance.owed, line.currency)),
            "given_free": .text(decimalText(balance.givenFree, line.currency)),
        ])
    }
    return .object(members)
}

private func movements(_ movements: Movements, _ currency: Currency) -> [String: JSON] {
    Dictionary(
        uniqueKeysWithValues: movementLines.map {
            ($0.label.rawValue, .text(decimalText($0.value(movements), currency)))
        })
}

/// The columns of the roll-forward, by name: opening, movements, closing.
let rollForwardFigures: [(name: String, label: Label, value: @Sendable (RollForwardLine) -> CountAndAmount)] = [
    ("opening", .opening, { $0.opening }), ("new", .count, { $0.new }), ("reopened", .reopened, { $0.reopened }),
    ("changed_in", .changedIn, { $0.changedIn }), ("changed_out", .changedOut, { $0.changedOut }),
    ("resolved", .resolvedTonight, { $0.resolved }), ("waived", .waived, { $0.waived }),
    ("closing", .closing, { $0.closing }),
]

private func exceptions(_ line: RollForwardLine) -> JSON {
    var members: [String: JSON] = ["verdict": .text(line.verdict.rawValue), "currency": .text(line.currency.text)]
    var (amounts, effects) = ([String: JSON](), [String: JSON]())
    for figure in rollForwardFigures {
        let value = figure.value(line)
        members[figure.name] = JSON(value.count)
        amounts[figure.name] = .text(decimalText(value.minor, line.currency))
        effects[figure.name] = .text(decimalText(value.effect, line.currency))
    }
    members["amounts"] = .object(amounts)
    members["effects"] = .object(effects)
    return .object(members)
}

private func sales(_ line: SalesLine) -> JSON {
    var members = movements(line.movements, line.currency)
    members["product_id"] = .text(line.product)
    members["storefront"] = .text(line.storefront)
    members["currency"] = .text(line.currency.text)
    members["units_sold"] = .number(line.unitsSold)
    members["units_refunded"] = .number(line.unitsRefunded)
    members["units_refund_reversed"] = .number(line.unitsRefundReversed)
    members["bundle_id"] = .text(line.bundle)
    return .object(members)
}

private func restated(_ line: RestatedLine) -> JSON {
    .object([
        "period": .text(line.period), "currency": .text(line.currency.text),
        "reported": .object(movements(line.reported, line.currency)),
        "now": .object(movements(line.now, line.currency)),
        "change": .object(movements(line.change, line.currency)),
    ])
}

private func year(_ line: YearLine) -> JSON {
    .object([
        "period": .text(line.period), "quarter": JSON(line.quarter), "closed": .bool(line.isClosed),
        "currency": .text(line.currency.text), "reported": .object(movements(line.reported, line.currency)),
        "change": .object(movements(line.change, line.currency)),
    ])
}

private func cohort(_ line: RefundCohort) -> JSON {
    .object([
        "purchase_month": .text(line.purchaseMonth), "refund_month": .text(line.refundMonth),
        "currency": .text(line.currency.text), "count": JSON(line.count),
        "amount": .text(decimalText(line.minor, line.currency)),
        "purchases": line.purchases.map { .text(decimalText($0, line.currency)) } ?? .null,
    ])
}

private func entry(_ entry: JournalEntry) -> JSON {
    .object([
        "subject": .text(entry.subject), "currency": .text(entry.currency.text),
        "debit": .text(entry.debit.rawValue), "credit": .text(entry.credit.rawValue),
        "debit_account": .text(entry.debitAccount), "credit_account": .text(entry.creditAccount),
        "amount": .text(decimalText(entry.minor, entry.currency)),
    ])
}
