/// `month.json`: every figure of the month, with amounts as exact decimal texts.
/// See docs/spec/interfaces.md#month-json.
func monthJSON(_ report: MonthReport) -> JSON {
    var members: [String: JSON] = [
        "period": .text(report.period), "calendar": .text(report.isFiscal ? "apple_fiscal" : "business"),
        "first_date": .text(report.first.text), "last_date": .text(report.last.text),
        "time_zone": .text(report.timeZone), "as_of": .text(report.asOf.text), "run": .number(report.run.rawValue),
        "last_night": .text(report.lastNight.text), "version": .text(report.version),
        "status": .text(report.closedAt == nil ? "provisional" : "closed"), "closed_at": JSON(report.closedAt?.text),
        "complete": .bool(report.isComplete), "closing": report.closing.map(closing) ?? .null,
        "records_from": JSON(report.recordsFrom?.text), "blind_spots": .list(report.coverageGaps.map(\.json)),
        "money": .object(Dictionary(uniqueKeysWithValues: report.money.map { ($0.currency.text, money($0)) })),
        "exceptions": .list(report.rollForward.map(exceptions)), "fulfilment": fulfilmentJSON(report.fulfilment),
        "sales": .list(report.sales.map(sales)), "restated": .list(report.restated.map(restated)),
        "year": .list(report.year.map(year)), "prior_year": .list(report.priorYear.map(year)),
        "cohorts": .list(report.cohorts.map(cohort)),
        "journal": .list((report.subLedger?.entries ?? []).map(entry)),
        "accounts": .list((report.subLedger?.accounts ?? []).map(account)),
        "posted_on": JSON(report.subLedger?.postedOn.text),
        "population": .list(report.population.map(population)),
        "completeness": .list(report.completeness.map(completeness)),
        "register_differences": .list(report.register.map(register)),
        "apple": .list((report.apple?.lines ?? []).map(bridgeJSON)),
        "apple_reports": .list((report.apple?.files ?? []).map(reportJSON)),
    ]
    members["unpriced"] = .object(
        Dictionary(uniqueKeysWithValues: unpricedFigures(report).map { ($0.label.name, JSON($0.count)) }))
    members["restated_subjects"] = .list(
        report.restatedSubjects.map { line in
            var row: [String: JSON] = [
                "period": .text(line.period), "subject_id": .text(line.subject), "currency": .text(line.currency.text),
                "product_id": JSON(line.product), "storefront": JSON(line.storefront),
                "by_setting": .bool(line.bySetting),
                "change": .object(movements(line.change, line.currency)), "file": JSON(line.file),
                "line": line.line.map { JSON(Int($0)) } ?? .null, "night": JSON(line.night?.text),
                "figures": .object(line.figures.mapValues { json($0, line.currency) }),
                "also": .list(line.also.map(JSON.text)),
            ]
            if !line.settings.isEmpty {
                row["settings"] = .object(line.settings.mapValues { .list($0.map(JSON.text)) })
            }
            return .object(row)
        })
    members["restated_figures"] = .list(
        report.restatedFigures.map {
            .object([
                "period": .text($0.period), "currency": .text($0.currency.text), "figure": .text($0.figure),
                "reported": json($0.reported, $0.currency), "now": json($0.now, $0.currency),
                "change": json($0.change, $0.currency),
            ])
        })
    members.merge(lossMembers(report.loss)) { $1 }
    members.merge(whose(report)) { $1 }
    members["thresholds"] = .object(report.thresholds.mapValues { .text($0) })
    members["accepted_gaps"] = listed(report.acceptedGaps.map(json))
    members["settings_changed"] = listed(report.settingsChanged.map(json))
    members["gap_decisions"] = listed(
        report.gapDecisions.map { .object(["accepted": .bool($0.isAccepted), "gap": json($0)]) })
    members["gap_changes"] = listed(report.gapChanges.map(json))
    return .object(members.merging(report.apple.map(bridgeMembers) ?? [:]) { $1 })
}

func json(_ minor: Int64, _ currency: Currency) -> JSON { .text(decimalText(minor, currency)) }

/// Whose month it is, and whether the ledger closes others.
private func whose(_ report: MonthReport) -> [String: JSON] {
    let app = JSON.object([
        "bundle_ids": .list(report.bundles.map(JSON.text)), "environment": .text(report.environment),
    ])
    let others = listed(report.closedByOther.map(JSON.text))
    return ["app": app, "closed_by_other_calendar": others].compactMapValues(\.self)
}

private func json(_ gap: GapChange) -> JSON {
    .object([
        "feed": .text(gap.feed.rawValue), "date": .text(gap.date.text), "began": .bool(gap.hasBegun),
        "decided": .bool(gap.isDecided), "file": JSON(gap.file), "night": JSON(gap.night?.text),
    ])
}

private func population(_ sum: PopulationSum) -> JSON {
    .object([
        "kind": .text(sum.kind.rawValue), "currency": .text(sum.currency.text),
        "priced_by": JSON(sum.priceSource?.rawValue), "count": JSON(sum.count), "units": .number(sum.units),
        "amount": json(sum.minor, sum.currency),
    ])
}

private func completeness(_ line: CompletenessLine) -> JSON {
    .object([
        "feed": .text(line.feed.rawValue), "currency": .text(line.currency.text), "step": .text(line.step.rawValue),
        "count": line.count.map { JSON($0) } ?? .null, "amount": json(line.minor, line.currency),
    ])
}

private func register(_ line: RegisterLine) -> JSON {
    .object([
        "subject_id": .text(line.subject), "currency": .text(line.currency.text),
        "verdict": .text(line.verdict.rawValue), "reason": .text(line.reason.rawValue),
        "by_money": json(line.money, line.currency), "effect": json(line.effect, line.currency),
    ])
}

private func closing(_ closing: MonthClosing) -> JSON {
    .object([
        "by": .text(closing.by), "user": JSON(closing.user), "approver": JSON(closing.approver),
        "note": JSON(closing.note),
        "accepted_unexplained": JSON(closing.acceptedUnexplained), "accepted_amount": JSON(closing.acceptedAmount),
        "at": .text(closing.at.text),
        "tolerated": JSON(closing.tolerated), "seal": JSON(closing.seal), "segregated": .bool(closing.isSegregated),
    ])
}

private func money(_ line: MoneyLine) -> JSON {
    let amount = { (minor: Int64) in json(minor, line.currency) }
    let balance = { (balance: Balance) in
        JSON.object(["owed": amount(balance.owed), "given_free": amount(balance.givenFree)])
    }
    var members = movements(line.movements, line.currency)
    members["explained"] = .list(
        line.explained.map { .object(["verdict": .text($0.reason.code), "amount": amount($0.minor)]) })
    members["unexplained"] = amount(line.unexplained)
    members["estimated"] = amount(line.estimated)
    members["booked"] = amount(line.bookings.booked)
    members["booked_differences"] = .list(
        line.bookings.parts.map {
            .object([
                "reason": .text($0.reason.rawValue), "count": JSON($0.count), "amount": amount($0.minor),
            ])
        })
    members["opening"] = balance(line.opening)
    if let closed = line.openingAsClosed { members["opening_as_closed"] = balance(closed) }
    members["closing"] = balance(line.closing)
    return .object(members)
}

private func movements(_ movements: Movements, _ currency: Currency) -> [String: JSON] {
    Dictionary(uniqueKeysWithValues: movementLines.map { ($0.label.name, json($0.value(movements), currency)) })
}

/// The columns of the roll-forward, by name: opening, movements, closing.
let rollForwardFigures: [(name: String, value: @Sendable (RollForwardLine) -> CountAndAmount)] = [
    ("opening", { $0.opening }), ("new", { $0.new }), ("reopened", { $0.reopened }),
    ("changed_in", { $0.changedIn }), ("changed_out", { $0.changedOut }), ("resolved", { $0.resolved }),
    ("waived", { $0.waived }), ("closing", { $0.closing }),
]

private func exceptions(_ line: RollForwardLine) -> JSON {
    var members: [String: JSON] = ["verdict": .text(line.verdict.rawValue), "currency": .text(line.currency.text)]
    var (amounts, effects) = ([String: JSON](), [String: JSON]())
    for figure in rollForwardFigures {
        let value = figure.value(line)
        members[figure.name] = JSON(value.count)
        amounts[figure.name] = json(value.minor, line.currency)
        effects[figure.name] = json(value.effect, line.currency)
    }
    members["amounts"] = .object(amounts)
    members["effects"] = .object(effects)
    return .object(members)
}

private func sales(_ line: SalesLine) -> JSON {
    let members: [String: JSON] = [
        "product_id": .text(line.product), "storefront": .text(line.storefront), "bundle_id": .text(line.bundle),
        "currency": .text(line.currency.text), "units_sold": .number(line.unitsSold),
        "units_refunded": .number(line.unitsRefunded), "units_refund_reversed": .number(line.unitsRefundReversed),
    ]
    return .object(members.merging(movements(line.movements, line.currency)) { $1 })
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
        "known_in": .text(line.knownIn), "currency": .text(line.currency.text), "count": JSON(line.count),
        "amount": json(line.minor, line.currency),
        "purchases": line.purchases.map { json($0, line.currency) } ?? .null,
    ])
}

private func account(_ line: AccountLine) -> JSON {
    .object([
        "role": .text(line.role.rawValue), "account": .text(line.name), "currency": .text(line.currency.text),
        "opening": json(line.opening, line.currency), "closing": json(line.closing, line.currency),
    ])
}

private func entry(_ entry: JournalEntry) -> JSON {
    .object([
        "voucher": .text(entry.voucher), "concerns": .text(entry.concerns), "subject": .text(entry.subject),
        "currency": .text(entry.currency.text), "debit": .text(entry.debit.rawValue),
        "credit": .text(entry.credit.rawValue),
        "debit_account": .text(entry.debitAccount), "credit_account": .text(entry.creditAccount),
        "amount": json(entry.minor, entry.currency),
    ])
}
