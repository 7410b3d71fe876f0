internal import Domain
internal import Engine

/// Texts of a month's reports that do not correspond to a code, at `month.label.…` in the templates.
enum MonthLabel: String, CaseIterable {
    case title, footer, provisional, closed, incomplete, recordsFrom = "records_from", days, lastNight = "last_night",
        allChecks = "all_checks"
    case preparer, reviewer, name, date, signature
    case money, line, figure, fromDetails = "from_details", rollForward = "roll_forward"
    case byRows = "by_rows", controlTotals = "control_totals"
    case purchases, refunds, refundReversals = "refund_reversals", net, credited, reversed, netCredited =
        "net_credited", difference, unexplained
    case estimated, booked, bookedPurchases = "booked_purchases", reasonsTotal = "reasons_total"
    case openingOwed = "opening_owed", openingFree = "opening_free", closingOwed = "closing_owed", closingFree =
        "closing_free"
    case otherVersion = "other_version"
    case rollForwardEffects = "roll_forward_effects", registerTie = "register_tie", byMoney = "by_money", items,
        byRegister = "by_register"
    case population, populationFile = "population_file", completeness, completenessOf = "completeness_of"
    case olderFiles = "older_files"
    case closingNet = "closing_net", totalOf = "total_of"
    case unpriced, unpricedWhat = "unpriced_what", nothing
    case exceptionsByWeek = "exceptions_by_week", week, newInWeek = "new_in_week", openAfter = "open_after"
    case valueByVerdict = "value_by_verdict"
    case ledger, apple, units, value, noReport = "no_report", reportFiles = "report_files", cannotBeKnown =
        "cannot_be_known"
    case closedBy = "closed_by", approvedBy = "approved_by", noApprover = "no_approver", samePerson = "same_person"
    case note, seal, acceptedUnexplained = "accepted_unexplained", restatedSince = "restated_since"
    case earlierReport = "earlier_report", earlierMissing = "earlier_missing", statedPeriod = "stated_period",
        byCurrency = "by_currency", values, counts
    case transit, transitUnits = "transit_units", agingOfTransit = "aging_of_transit", opening, sold
    case reportedByApple = "reported_by_apple", price, closing, inTransit = "in_transit", lost, late
    case partnerShare = "partner_share", forInformation = "for_information", customerPrice = "customer_price", partner
    case kept, payout, payoutReported = "payout_reported", earned, inputTax = "input_tax", adjustments
    case withholdingTax = "withholding_tax", owed, rate, proceeds, expected, paid, bridgeLine = "bridge_line"
    case bridgeDetail = "bridge_detail", payoutUntied = "payout_untied"
    case yearWhat = "year_what", yearToDate = "year_to_date", quarters, quarter, months, status
    case asClosed = "as_closed", changedSince = "changed_since", open, cohortsWhat = "cohorts_what"
    case byPurchaseMonth = "by_purchase_month", byRefundMonth = "by_refund_month", refundCount = "refund_count"
    case refundShare = "refund_share", journalWhat = "journal_what", entries, entry, debit
    case creditSide = "credit_side", balances, account
    case restatedNothing = "restated_nothing", reported, now, change, bySubject = "by_subject"
}

/// The sheets of a month's workbook, in their order, with their names at `month.sheet.…` in the templates.
enum MonthSheet: String, CaseIterable {
    case tieOut = "tie_out", charts, byApp = "by_app", byProduct = "by_product", byStorefront = "by_storefront"
    case bookings, refunds
    case open, cleared, aging, cutOff = "cut_off", differences, register, nights, bridge, inTransit = "in_transit"
    case partnerShare = "partner_share", restated, year, cohorts, journal, sources, notes
}

extension Texts {
    func month(_ label: MonthLabel, _ values: String...) -> String {
        filled(word("month.label." + label.rawValue), values)
    }

    /// The currency's code; a dash where no price is known, because formulas cannot match an empty cell.
    func code(_ currency: Currency) -> String { currency == .absent ? label(.unpriced) : currency.text }

    func monthSheet(_ sheet: MonthSheet) -> String { word("month.sheet." + sheet.rawValue) }

    /// The title of a difference's reason: its own text, or that of its verdict.
    func title(_ reason: DifferenceClass) -> String {
        if case .verdict(let verdict) = reason { return explanation(verdict).title }
        return word("month.reason." + reason.code)
    }

    func title(_ reason: BookingReason) -> String { word("month.booking." + reason.rawValue) }

    func title(_ reason: RegisterReason) -> String { word("month.register." + reason.rawValue) }

    func title(_ step: CompletenessStep) -> String { word("month.completeness." + step.rawValue) }

    func title(_ sum: PopulationSum) -> String {
        let kind = word("month.population." + sum.kind.rawValue)
        return sum.priceSource.map { kind + ": " + word("month.priced." + $0.rawValue) } ?? kind
    }

    func title(_ step: BridgeStep) -> String { word("month.step." + step.rawValue) }

    func title(_ kind: MonthRefund.Kind) -> String { word("month.refund." + kind.rawValue) }

    /// The sheet of notes, in order: terms and their meanings.
    var monthNotes: [(term: String, meaning: String)] {
        let sheets = MonthSheet.allCases.filter { $0 != .notes }.map {
            (monthSheet($0), word("month.note.sheet." + $0.rawValue))
        }
        let lines = [
            "purchases", "refunds", "refund_reversals", "net", "credited", "reversed", "net_credited", "difference",
            "unexplained", "booked", "estimated", "closing_owed", "closing_free",
        ].map {
            (word("month.label." + $0), word("month.note.line." + $0))
        }
        let reasons = DifferenceClass.explanations.map { reason -> (String, String) in
            if case .verdict(let verdict) = reason { return (title(reason), explanation(verdict).meaning) }
            return (title(reason), word("month.note.reason." + reason.code))
        }
        let bookings = BookingReason.allCases.map { (title($0), word("month.note.booking." + $0.rawValue)) }
        let steps = BridgeStep.allCases.map { (title($0), word("month.note.step." + $0.rawValue)) }
        let rest = ["movements", "unpriced", "as_of", "closed", "apple", "rounding"].map {
            (word("month.note.term." + $0), word("month.note.text." + $0))
        }
        return sheets + lines + reasons + bookings + steps + rest
    }
}

/// The sums of the money tie-out, by their names in `month.json`.
let movementLines: [(label: MonthLabel, value: @Sendable (Movements) -> Int64)] = [
    (.purchases, { $0.purchases }), (.refunds, { $0.refunds }), (.refundReversals, { $0.refundReversals }),
    (.net, { $0.net }), (.credited, { $0.credited }),
    (.reversed, { $0.reversed }), (.netCredited, { $0.netCredited }), (.difference, { $0.difference }),
]

/// How many movements have no price, by their names in `month.json`.
func unpricedFigures(_ report: MonthReport) -> [(label: MonthLabel, count: Int)] {
    let counts = report.unpriced
    return [
        (.purchases, counts.purchases), (.refunds, counts.refunds), (.credited, counts.credited),
        (.reversed, counts.reversed),
    ]
}

/// The exact amount in that currency; without a currency, the number itself.
func decimalText(_ minor: Int64, _ currency: Currency) -> String {
    currency == .absent ? String(minor) : Money(minor: minor, currency: currency).text
}
