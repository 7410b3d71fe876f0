/// A line of the bridge. See docs/spec/interfaces.md#month-json.
func bridgeJSON(_ line: BridgeLine) -> JSON {
    let steps = BridgeStep.allCases.map { step in
        (step.rawValue, both(line.steps[step] ?? .zero, line.currency))
    }
    let aging = line.aging.map { part in
        JSON.object([
            "sold_until": .text(part.soldUntil.text), "late": .bool(part.isLate),
            "never_collected": .bool(part.isNeverCollected), "steady": .bool(part.isSteady),
            "units": .number(part.sum.units),
            "value": json(part.sum.minor, line.currency),
        ])
    }
    func named(_ parts: [InExcess]) -> JSON {
        .list(
            parts.map { part in
                var members: [String: JSON] = [
                    "sold_on": JSON(part.soldOn?.text), "price": json(part.price, line.currency),
                    "source": .text(part.source),
                    "units": .number(part.sum.units), "value": json(part.sum.minor, line.currency),
                ]
                members["before_first_report"] = part.isWithheld.map(JSON.bool)
                return .object(members)
            })
    }
    var members: [String: JSON] = [
        "product_id": .text(line.product), "country": .text(line.country), "currency": .text(line.currency.text),
        "sales_or_return": .text(line.kind.rawValue), "steps": .object(Dictionary(uniqueKeysWithValues: steps)),
        "aging": .list(aging), "in_excess": named(line.inExcess), "undecided": named(line.undecided),
    ]
    for (units, value, sum) in [
        ("ledger_units", "ledger_value", line.ledger), ("apple_units", "apple_value", line.apple),
        ("difference", "value_difference", line.difference), ("explained", "value_explained", line.explained),
        ("unexplained", "value_unexplained", line.unexplained),
    ] {
        members[units] = .number(sum.units)
        members[value] = json(sum.minor, line.currency)
    }
    return .object(members)
}

func reportJSON(_ file: AppleReportFile) -> JSON {
    .object([
        "name": .text(file.name), "digest": .text(file.digest), "rows": JSON(file.rows),
        "first": .text(file.first.text), "last": .text(file.last.text), "earlier": .bool(file.isEarlier),
        "remarks": .list(file.remarks.map { .text($0) }),
    ])
}

/// What a bridge has beside its lines and its reports.
func bridgeMembers(_ bridge: AppleBridge) -> [String: JSON] {
    var members: [String: JSON] = [
        "apple_period_stated": .bool(bridge.isPeriodStated), "apple_sums": .bool(bridge.isBySums),
        "apple_undetermined": .list(bridge.undetermined.map { .text($0.text) }),
        "apple_missing_before": JSON(bridge.earlierMissing?.text),
        "apple_ledger_night": JSON(bridge.ledgerNight?.text),
        "apple_roll_forward": .list(bridge.rollForward.map(transit)),
        "partner_share": .list(bridge.proceeds.map(proceeds)), "payout": bridge.payout.map(payout) ?? .null,
    ]
    members["apple_changes"] = listed(
        bridge.changes.map {
            .object(["other_file": .bool($0.isOtherFile), "closed": transit($0.then), "now": transit($0.now)])
        })
    members["apple_unsigned"] = listed(
        bridge.unsigned.map {
            .object(["first": .text($0.first.text), "last": .text($0.last.text), "line": bridgeJSON($0.line)])
        })
    return members
}

private func both(_ sum: UnitsAndValue, _ currency: Currency) -> JSON {
    .object(["units": .number(sum.units), "value": json(sum.minor, currency)])
}

private func transit(_ line: TransitLine) -> JSON {
    let members: [String: JSON] = [
        "first": .text(line.first.text), "last": .text(line.last.text), "currency": .text(line.currency.text),
        "sales_or_return": .text(line.kind.rawValue),
    ]
    let sums = transitFigures.map { ($0.name, both($0.sum(line), line.currency)) }
    return .object(members.merging(sums) { $1 })
}

private func proceeds(_ line: ProceedsLine) -> JSON {
    .object([
        "product_id": .text(line.product), "customer_currency": .text(line.customerCurrency.text),
        "partner_currency": .text(line.partnerCurrency.text), "units": .number(line.units),
        "customer_price": json(line.customer, line.customerCurrency),
        "partner_share": json(line.partner, line.partnerCurrency),
        "kept": line.kept.map { json($0, line.customerCurrency) } ?? .null,
    ])
}

private func payout(_ payout: Payout) -> JSON {
    let bank = payout.bankCurrency
    let lines = payout.lines.map { line in
        let amounts: [JSON] =
            line.fractions?.map { JSON.text(decimal($0, exponent: 4)) } ?? line.amounts.map { json($0, line.currency) }
        return JSON.object([
            "region": .text(line.region), "currency": .text(line.currency.text), "earned": amounts[0],
            "input_tax": amounts[1], "adjustments": amounts[2], "withholding_tax": amounts[3], "owed": amounts[4],
            "rate": .text(line.rate),
            "owed_difference": json(line.owedDifference, line.currency), "expected": json(line.expected, bank),
            "proceeds": json(line.proceeds, bank), "rate_difference": json(line.rateDifference, bank),
        ])
    }
    let earned = payout.earned.map { line in
        JSON.object([
            "currency": .text(line.currency.text), "reported": json(line.reported, line.currency),
            "earned": json(line.earned, line.currency), "difference": json(line.difference, line.currency),
            "rounding": json(line.rounding ?? 0, line.currency),
        ])
    }
    return .object([
        "file": .text(payout.file), "digest": .text(payout.digest), "month": .text(payout.month),
        "bank_currency": .text(bank.text), "lines": .list(lines), "earned": .list(earned),
        "paid": json(payout.paid, bank), "paid_difference": json(payout.paidDifference, bank),
        "tied": .bool(payout.isTied),
    ])
}
