/// Texts of a month's reports that do not correspond to a code, at `month.label.…` in the templates.
enum MonthLabel: String, TextName {
    case title, footer, provisional, closed, incomplete, recordsFrom, days, lastNight, allChecks, preparer, reviewer
    case bySetting, bySettings, noCause, gapAccepted, gapReopened, restatedOrDecided, otherPlace, noLonger, newly,
        asBefore
    case name, date, signature, money, line, figure, fromDetails, rollForward, byRows, controlTotals, purchases
    case refunds, refundReversals, net, credited, reversed, netCredited, difference, unexplained, estimated, booked
    case bookedPurchases, reasonsTotal, openingOwed, openingFree, closingOwed, closingFree, otherVersion
    case rollForwardEffects, registerTie, byMoney, items, byRegister, population, completeness
    case completenessOf, olderFiles, closingNet, totalOf, unpriced, unpricedWhat, nothing, exceptionsByWeek, week
    case newInWeek, openAfter, valueByVerdict, ledger, apple, units, value, noReport, reportFiles, cannotBeKnown
    case closedBy, approvedBy, approval, approvalElsewhere, samePerson, note, seal, acceptedUnexplained, restatedSince,
        earlierReport
    case earlierMissing, statedPeriod, byCurrency, values, counts, transit, transitUnits, opening
    case sold, reportedByApple, price, closing, inTransit, lost, late, partnerShare, forInformation, customerPrice
    case partner, kept, payout, payoutReported, earned, inputTax, adjustments, withholdingTax, owed, rate, proceeds
    case expected, paid, bridgeLine, bridgeDetail, payoutUntied, yearWhat, yearToDate, quarters, quarter, months
    case status, asClosed, changedSince, open, cohortsWhat, byPurchaseMonth, byRefundMonth, refundCount, refundShare
    case journalWhat, entries, entry, debit, creditSide, balances, account, restatedNothing, reported, now, change
    case bySubject, steady, journalNone, postedOn, follows, concerns, priorPeriod
    case knownIn, approvedOn, notApproved, chained, closedAs, summary, bridgeUnexplained, workWhat, daysToClear
    case daysMedian, daysMost, debitSum, creditSum, silentCountries, bridgeKnown, changeOf, changedLater, pair,
        priorYear, otherChanges, restatedOrSet, settingsSince, openingAsClosed, openingChanged, fiscalMonth,
        tolerated, noNewRow, restatedAlso, noNewRowWait, noNewRowGap, storefrontUnknown, accountChanged,
        gapOf, gapFilled, gapFilledBy, gapBegan, gapBeganOn, gapDropped, gapDroppedOn, noNewRowOf, noNewRowOneOf,
        productsChanged,
        fromDay, untilDay, unexplainedSince, acceptedProduct, paidNotReceived, receivedNotPaid, thresholds,
        salesInTransit,
        returnsInTransit, lateOfIt, lostReturn, undecided, undetermined, notChecked, grossWhat, rounded, withheld,
        otherReport, sameReport, otherBalance, bySums,
        amountOf,
        otherUnexplained, unsigned, notCompared, notSealed,
        quarterOf, app, closedByCalendar,
        closedByFiscal
}

/// The sheets of a month's workbook, in their order, with their names at `month.sheet.…` in the templates.
enum MonthSheet: String, TextName {
    case tieOut, charts, byApp, byProduct, byStorefront, bookings, refunds, open, cleared, work, aging, cutOff
    case differences, register, nights, bridge, inTransit, transitAging, partnerShare, restated, year, cohorts, journal,
        entryRows,
        sources, notes
}

/// What a closing or an approval says on the screen, at `month.closing.…` in the templates.
public enum ClosingLabel: String, TextName {
    case notOver, runNights, unexplained, acceptStep, notClosed, closeFirst, samePerson, otherPerson, notApproved
    case removeSigned, notSigned, already, nothingToAccept, incomplete, fileChanged, foreignFile
    case notBegun, nameBegun, between, closeBetween, lessEvidence, nameLater, settingsChanged, changed, unset
    case nextNight, nextNightNow, otherPeriod, namePeriod
}

extension Texts {
    public func closing(_ label: ClosingLabel, _ values: String...) -> String {
        filled(word("month.closing." + label.name), values)
    }

    public func clauses(_ list: [String]) -> String { list.joined(separator: label(.clauseSeparator)) }

    func month(_ label: MonthLabel, _ values: String...) -> String {
        filled(word("month.label." + label.name), values)
    }

    /// The currency's code; a dash where no price is known, because formulas cannot match an empty cell.
    func code(_ currency: Currency) -> String { currency == .absent ? label(.unpriced) : currency.text }

    func monthSheet(_ sheet: MonthSheet) -> String { word("month.sheet." + sheet.name) }

    /// The title of a difference's reason: its own text, or that of its verdict.
    func title(_ reason: DifferenceClass) -> String {
        if case .verdict(let verdict) = reason { return title(verdict) }
        return reason == .unexplained ? month(.unexplained) : word("month.reason." + reason.code)
    }

    /// The title of a figure beside the movements, by its word in `month.json`.
    func title(ofFigure word: String) -> String {
        if let reason = BookingReason(rawValue: word) { return title(reason) }
        if let reason = RegisterReason(rawValue: word) { return title(reason) }
        let reasons = DifferenceClass.explanations + [.unexplained]
        return reasons.first { $0.code == word }.map(title) ?? month(.booked)
    }

    func title(_ reason: BookingReason) -> String { word("month.booking." + reason.rawValue) }

    func title(_ reason: RegisterReason) -> String { word("month.register." + reason.rawValue) }

    func title(_ step: CompletenessStep) -> String { word("month.completeness." + step.rawValue) }

    func title(_ sum: PopulationSum) -> String {
        let kind = word("month.population." + sum.kind.rawValue)
        return sum.priceSource.map { month(.pair, kind, word("month.priced." + $0.rawValue)) } ?? kind
    }

    func title(_ step: BridgeStep) -> String { word("month.step." + step.rawValue) }

    func title(_ kind: BridgeLine.Kind) -> String { word("month.kind." + kind.rawValue) }

    /// The sheet of notes, in order: terms and their meanings.
    var monthNotes: [(term: String, meaning: String)] {
        let sheets = MonthSheet.allCases.filter { $0 != .notes }.map {
            (monthSheet($0), word("month.note.sheet." + $0.name))
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

extension Texts {
    /// The month's title, with calendar and days unless they are the ordinary ones.
    func title(of report: MonthReport) -> String {
        month(.title) + " " + report.period
            + (report.isFiscal ? " · " + month(.fiscalMonth, report.first.text, report.last.text) : "")
    }

    /// The apps whose month it is, and the environment.
    func apps(of report: MonthReport) -> [String] { report.bundles + [report.environment] }

    /// That the ledger's months are closed by the other calendar, and where to look. Nil where they are not.
    func otherCalendar(_ report: MonthReport) -> String? {
        guard let first = report.closedByOther.first, let last = report.closedByOther.last else { return nil }
        return month(
            report.isFiscal ? .closedByCalendar : .closedByFiscal, first == last ? first : first + " – " + last,
            report.period)
    }

    /// The line's country, or that it is about all of them.
    func country(of line: BridgeLine) -> String {
        line.country.isEmpty && !line.product.isEmpty ? month(.storefrontUnknown) : line.country
    }

    /// The settings and products that changed since a month was closed last. Up to `most` of them, and how many more; many
    /// products are one then.
    func settingsSince(_ report: MonthReport, most: Int = 10) -> [String] {
        let all = report.settingsChanged
        let products = all.filter { $0.product != nil }
        let isShort = most < .max && products.count > 3
        var changes = all.filter { !isShort || $0.product == nil }.map(brief)
        if isShort { changes.append(month(.productsChanged, String(products.count), monthSheet(.restated))) }
        if changes.count <= most { return changes }
        return changes.prefix(most - 1) + [label(.more, String(changes.count - most + 1))]
    }

    /// A changed setting. Of a list, such as a product's prices, only what differs.
    private func brief(_ change: SettingChange) -> String {
        let (old, new) = change.product != nil ? prices(change) : (terms(change.old), terms(change.new))
        if max(old.count, new.count) < 2 {
            return label(
                .settingChanged, setting(change.setting), old.first ?? label(.notSet), new.first ?? label(.notSet))
        }
        var parts: [String] = []
        for (label, own, other) in [(MonthLabel.noLonger, old, new), (.newly, new, old)] {
            let only = own.filter { !other.contains($0) }
            if !only.isEmpty { parts.append(month(label, only.joined(separator: self.label(.listSeparator)))) }
        }
        let same = old.count { new.contains($0) }
        if same > 0 { parts.append(month(.asBefore, String(same))) }
        return month(.pair, setting(change.setting), parts.joined(separator: label(.clauseSeparator)))
    }

    /// What finance calls a setting, with its name in the configuration; the name alone where there is no text.
    private func setting(_ name: String) -> String {
        guard let product = SettingChange.product(of: name) else { return word(.setting, name) }
        return month(.pair, word(.setting, SettingChange.products), product)
    }

    private func terms(_ value: String?) -> [String] { (value ?? "").split(separator: "; ").map { String($0) } }

    /// What the list said and says of a product, as people say it. Its kind only where it is not always the same.
    private func prices(_ change: SettingChange) -> ([String], [String]) {
        let both = [change.old, change.new].map(terms)
        let kinds = Set(both.joined().map { $0.prefix { $0 != " " } })
        let said = both.map { terms in
            terms.map { term in
                var fields = term.split(separator: " ").map { String($0) }
                if kinds.count == 1, fields.count > 1, Int(fields[0].prefix(1)) == nil { fields.removeFirst() }
                if let days = fields.last, days.hasSuffix("–") {
                    fields[fields.count - 1] = month(.fromDay, String(days.dropLast()))
                } else if let days = fields.last, days.hasPrefix("–") {
                    fields[fields.count - 1] = month(.untilDay, String(days.dropFirst()))
                }
                return fields.joined(separator: " ")
            }
        }
        return (said[0], said[1])
    }

    /// A feed that people decided about: its kind, where no other feed is meant by it; else its name.
    func feed(of gap: GapDecision, _ report: MonthReport) -> String {
        report.feedKinds[gap.feed].map { word(.feed, $0.rawValue) } ?? gap.feed
    }

    /// The gaps of closed months' days that began or ended since a month was closed last, and what is known of it. What a
    /// person decided is among the decisions.
    func gapLines(_ report: MonthReport) -> [String] {
        report.gapChanges.filter { !$0.isDecided && $0.date < report.first }.map { gap in
            let night = gap.night?.text ?? report.lastNight.text
            let (label, what): (MonthLabel, String) =
                gap.hasBegun
                ? (.gapBegan, month(.gapBeganOn, night))
                : gap.file.map { (.gapFilled, month(.gapFilledBy, display($0), night)) }
                    ?? (.gapDropped, month(.gapDroppedOn, night))
            return month(.pair, month(label), month(.gapOf, word(.feed, gap.feed.rawValue), gap.date.text, what))
        }
    }

    /// That what changed without a new row changed by gaps, and by which; by one of several where it is not known. Nil where
    /// none changed.
    func changedGaps(_ report: MonthReport) -> String? {
        let changes = report.gapChanges
        if changes.isEmpty { return nil }
        let days = first(3, of: changes) { word(.feed, $0.feed.rawValue) + " " + $0.date.text }
        return month(
            changes.count == 1 ? .noNewRowOf : .noNewRowOneOf, days.joined(separator: label(.listSeparator)))
    }

    /// What people decided since a month was closed last about files that its days lack.
    func decisions(_ report: MonthReport) -> [(label: String, gap: GapDecision)] {
        report.gapDecisions.map { (month($0.isAccepted ? .gapAccepted : .gapReopened), $0) }
    }

    /// The changed settings that moved a subject's figure, where they are known; else all of them. Nil without one.
    func changedSettings(_ report: MonthReport, of subject: RestatedSubject, _ figure: String) -> String? {
        guard let known = subject.settings[figure] else { return nil }
        if known.isEmpty { return changedSettings(report) ?? month(.bySetting, SettingChange.products) }
        return month(.bySetting, known.map(setting).joined(separator: label(.listSeparator)))
    }

    /// The changed settings, where it is not known what each of them changed. Nil if there are none.
    private func changedSettings(_ report: MonthReport) -> String? {
        let names = report.changedSettings
        if names.isEmpty { return nil }
        let list = names.map(setting).joined(separator: label(.listSeparator))
        return month(names.count == 1 ? .bySetting : .bySettings, list)
    }

    /// What changed a closed month where no purchase explains it.
    func cause(ofRestOf report: MonthReport) -> String {
        let rules = report.hasSameRules == true ? nil : month(.otherVersion)
        let causes = [rules, changedSettings(report)].compactMap(\.self)
        return causes.isEmpty ? month(.noCause) : causes.joined(separator: label(.clauseSeparator))
    }

    /// How many purchases of a closed month count for another product or storefront now. Nil without one.
    func moved(_ report: MonthReport, _ period: String, _ currency: String) -> String? {
        let own = report.restatedSubjects.filter {
            $0.storefront != nil && $0.period == period && $0.currency.text == currency
        }
        return own.isEmpty ? nil : month(.otherPlace, String(Set(own.map(\.subject)).count))
    }

    /// The settings that decided what counts as unexplained.
    func thresholds(_ report: MonthReport) -> String {
        let list = report.thresholds.ordered().map { key, value in
            let days = value.hasSuffix("d") ? Int(value.dropLast()) : nil
            return setting(key) + " "
                + (days.map { label(.daysOld, String($0)) } ?? (value.isEmpty ? label(.notSet) : value))
        }
        return month(.pair, month(.thresholds), list.joined(separator: label(.listSeparator)))
    }

    /// How many movements have no price, and which. Nil where all have one.
    func unpriced(_ report: MonthReport) -> String? {
        if report.unpriced.total == 0 { return nil }
        let parts = unpricedFigures(report).filter { $0.count > 0 }.map { month($0.label) + " \($0.count)" }
        return month(.unpricedWhat, String(report.unpriced.total), parts.joined(separator: label(.listSeparator)))
    }
}

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
