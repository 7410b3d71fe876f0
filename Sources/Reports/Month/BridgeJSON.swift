internal import Domain
internal import JSON
internal import ReportData

/// A line of the bridge. See docs/spec/interfaces.md#month-json.
func bridgeJSON(_ line: BridgeLine) -> JSON {
    let value = { (sum: UnitsAndValue) in JSON.text(decimalText(sum.minor, line.currency)) }
    let steps = BridgeStep.allCases.map { step in
        (step.rawValue, both(line.steps[step] ?? UnitsAndValue(), line.currency))
    }
    let aging = line.aging.map { part in
        JSON.object([
            "sold_until": .text(part.soldUntil.text), "late": .bool(part.isLate),
            "never_collected": .bool(part.isNeverCollected),
            "units": .number(part.sum.units), "value": value(part.sum),
        ])
    }
    return .object([
        "product_id": .text(line.product), "country": .text(line.country), "currency": .text(line.currency.text),
        "sales_or_return": .text(line.kind.rawValue), "ledger_units": .number(line.ledger.units),
        "apple_units": .number(line.apple.units), "difference": .number(line.difference.units),
        "explained": .number(line.explained.units), "unexplained": .number(line.unexplained.units),
        "ledger_value": value(line.ledger), "apple_value": value(line.apple),
        "value_difference": value(line.difference), "value_explained": value(line.explained),
        "value_unexplained": value(line.unexplained), "steps": .object(Dictionary(uniqueKeysWithValues: steps)),
        "aging": .list(aging),
    ])
}

/// One of the reports that were compared.
func reportJSON(_ file: AppleReportFile) -> JSON {
    .object([
        "name": .text(file.name), "digest": .text(file.digest), "rows": JSON(file.rows),
        "first": .text(file.first.text), "last": .text(file.last.text), "earlier": .bool(file.isEarlier),
        "remarks": .list(file.remarks.map { .text($0) }),
    ])
}

/// What a bridge has beside its lines and its reports.
func bridgeMembers(_ bridge: AppleBridge) -> [String: JSON] {
    [
        "apple_period_stated": .bool(bridge.isPeriodStated),
        "apple_missing_before": bridge.earlierMissing.map { .text($0.text) } ?? .null,
        "apple_roll_forward": .list(bridge.rollForward.map(transit)),
        "partner_share": .list(bridge.proceeds.map(proceeds)), "payout": bridge.payout.map(payout) ?? .null,
    ]
}

private func both(_ sum: UnitsAndValue, _ currency: Currency) -> JSON {
    .object(["units": .number(sum.units), "value": .text(decimalText(sum.minor, currency))])
}

private func transit(_ line: TransitLine) -> JSON {
    let sums = [
        ("opening", line.opening), ("sold", line.sold), ("reported", line.reported),
        ("unknown_product", line.unknownProduct), ("never_collected", line.neverCollected), ("price", line.price),
        ("unexplained", line.unexplained), ("closing", line.closing),
    ]
    var members = Dictionary(uniqueKeysWithValues: sums.map { ($0.0, both($0.1, line.currency)) })
    members["first"] = .text(line.first.text)
    members["last"] = .text(line.last.text)
    members["currency"] = .text(line.currency.text)
    members["sales_or_return"] = .text(line.kind.rawValue)
    return .object(members)
}

private func proceeds(_ line: ProceedsLine) -> JSON {
    .object([
        "product_id": .text(line.product), "customer_currency": .text(line.customerCurrency.text),
        "partner_currency": .text(line.partnerCurrency.text), "units": .number(line.units),
        "customer_price": .text(decimalText(line.customer, line.customerCurrency)),
        "partner_share": .text(decimalText(line.partner, line.partnerCurrency)),
        "kept": line.kept.map { .text(decimalText($0, line.customerCurrency)) } ?? .null,
    ])
}

private func payout(_ payout: Payout) -> JSON {
    let bank = payout.bankCurrency
    let lines = payout.lines.map { line in
        let amount = { (minor: Int64) in JSON.text(decimalText(minor, line.currency)) }
        return JSON.object([
            "region": .text(line.region), "currency": .text(line.currency.text), "earned": amount(line.earned),
            "input_tax": amount(line.inputTax), "adjustments": amount(line.adjustments),
            "withholding_tax": amount(line.withholdingTax), "owed": amount(line.owed), "rate": .text(line.rate),
            "owed_difference": amount(line.owedDifference), "expected": .text(decimalText(line.expected, bank)),
            "proceeds": .text(decimalText(line.proceeds, bank)),
            "rate_difference": .text(decimalText(line.rateDifference, bank)),
        ])
    }
    let earned = payout.earned.map { line in
        JSON.object([
            "currency": .text(line.currency.text), "reported": .text(decimalText(line.reported, line.currency)),
            "earned": .text(decimalText(line.earned, line.currency)),
            "difference": .text(decimalText(line.difference, line.currency)),
        ])
    }
    return .object([
        "file": .text(payout.file), "digest": .text(payout.digest), "month": .text(payout.month),
        "bank_currency": .text(bank.text), "lines": .list(lines), "earned": .list(earned),
        "paid": .text(decimalText(payout.paid, bank)),
        "paid_difference": .text(decimalText(payout.paidDifference, bank)), "tied": .bool(payout.isTied),
    ])
}
