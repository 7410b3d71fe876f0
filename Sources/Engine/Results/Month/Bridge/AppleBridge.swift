/// A month's ledger figures side by side with Apple's financial reports.
public struct AppleBridge: Hashable, Sendable, Codable {
    /// The reports that were read: those of the month, and earlier ones that lead up to it.
    public var files: [AppleReportFile]
    /// Sorted by product, country, currency and kind.
    public var lines: [BridgeLine]
    /// A person said that this period is to be compared, although it is not the month's.
    public var isPeriodStated = false
    /// The currencies of the rows of the month's report that state no day.
    public var summed: [Currency] = []
    /// The first day of the first period that is known, where the report before it is missing: what was in transit then is
    /// not known. Nil if the reports go back far enough.
    public var earlierMissing: BusinessDate?
    /// What Apple has not reported yet, period by period. Sorted by period, currency and kind.
    public var rollForward: [TransitLine] = []
    /// Apple's share of the customer price, by product and currencies.
    public var proceeds: [ProceedsLine] = []
    /// What Apple pays for the month, as its summary of payments says. Nil without one.
    public var payout: Payout?
    /// Earlier periods that a closed month has otherwise.
    @OmittedIfEmpty public var changes: [BridgeChange] = []
    /// What earlier periods of closed months leave and no signed page has.
    @OmittedIfEmpty public var unsigned: [UnsignedLine] = []
    /// The last night that the bridge knows, where it was made after the month had been closed; else nil.
    public var ledgerNight: BusinessDate?

    /// Rows of the month's report state no day.
    public var isBySums: Bool { !summed.isEmpty }
    /// All lines that somebody has to accept: its own, and those of earlier periods.
    public var accountable: [BridgeLine] { lines + unsigned.map(\.line) }

    /// The currencies without anything unexplained, although sums cannot tell: a missing sale may be hidden by one in transit.
    public var undetermined: [Currency] {
        summed.filter { own in !lines.contains { $0.currency == own && $0.unexplained.minor != 0 } }
    }

    /// The sums of all lines of a currency and kind, without product and country. Sorted by currency and kind.
    public var totals: [BridgeLine] {
        Set(lines.map(\.currency)).ordered().flatMap { currency in
            BridgeLine.Kind.allCases.compactMap { kind in
                let own = lines.filter { $0.currency == currency && $0.kind == kind }
                if own.isEmpty { return nil }
                return own.reduce(into: BridgeLine(product: "", country: "", currency: currency, kind: kind)) {
                    $0.ledger += $1.ledger
                    $0.apple += $1.apple
                    $0.steps.merge($1.steps, uniquingKeysWith: +)
                }
            }
        }
    }
}

/// One period of Apple's: what was sold and reported, and what is in transit before and after it. Returns are negative.
public struct TransitLine: Hashable, Sendable, Codable {
    public var first: BusinessDate
    /// The last day of Apple's period, included.
    public var last: BusinessDate
    public var currency: Currency
    public var kind: BridgeLine.Kind
    /// In transit from earlier periods. For the first period known, no more than Apple reported in excess.
    public var opening = UnitsAndValue()
    /// Sold within the period, with refunds that Apple took back.
    public var sold = UnitsAndValue()
    public var reported = UnitsAndValue()
    /// What Apple reported of products that never occurred in the ledger, as a negative sum.
    public var unknownProduct = UnitsAndValue()
    public var neverCollected = UnitsAndValue()
    /// Differences of prices, with rounding.
    public var price = UnitsAndValue()
    public var unexplained = UnitsAndValue()
    public var closing = UnitsAndValue()

    /// Opening + sold − reported − all that is explained otherwise − closing. It is 0.
    public var rest: UnitsAndValue {
        opening + sold - reported - unknownProduct - neverCollected - price - unexplained - closing
    }
}

/// An earlier period of Apple's, as a closed month has it and as it is known now.
public struct BridgeChange: Hashable, Sendable, Codable {
    public var then: TransitLine
    public var now: TransitLine
    /// Apple's report is another file than at the closing.
    public var isOtherFile: Bool

    public var isReportChanged: Bool { then.reported != now.reported }
    public var isBalanceChanged: Bool { then.closing != now.closing }
    public var isUnexplainedChanged: Bool { then.unexplained != now.unexplained }
}

/// A line's differences in an earlier period of Apple's that no closed month shows. Nobody has accepted them.
public struct UnsignedLine: Hashable, Sendable, Codable {
    public var first: BusinessDate
    public var last: BusinessDate
    /// Only what is unexplained, never collected, of another price, or of a product that the ledger does not have.
    public var line: BridgeLine
}

/// A part of what is in transit, or was never collected, by the time of its sale.
public struct InTransit: Hashable, Sendable, Codable {
    /// It was sold no later than this day.
    public var soldUntil: BusinessDate
    /// It is older than Apple's time to collect.
    public var isNeverCollected = false
    /// It was not sold in the last days of Apple's period, so Apple should have reported it.
    public var isLate = false
    /// More than the usual delay explains was in transit at every closing for 90 days: it may never arrive.
    public var isSteady = false
    public var sum: UnitsAndValue
}

/// Units of one price that Apple reported and the ledger has no sale or refund for.
public struct InExcess: Hashable, Sendable, Codable {
    /// Only where Apple's report states it.
    public var soldOn: BusinessDate?
    /// The customer price of one piece, in minor units.
    public var price: Int64
    /// File and line of the first row of this day and price.
    public var source: String
    /// Negative for returns.
    public var sum: UnitsAndValue
    /// It was in transit, or the ledger lacks it; true where sales before the first report had its price. Nil of others.
    public var isWithheld: Bool?
}

/// What Apple's report says about its own share of one product's sales less returns. For information.
public struct ProceedsLine: Hashable, Sendable, Codable {
    public var product: String
    public var customerCurrency: Currency
    public var partnerCurrency: Currency
    public var units: Int64 = 0
    /// Customer price × quantity, in minor units of the customer's currency.
    public var customer: Int64 = 0
    /// The extended partner share, in minor units of its currency.
    public var partner: Int64 = 0

    /// What Apple keeps, and the taxes that it pays. Nil where the two currencies differ.
    public var kept: Int64? { customerCurrency == partnerCurrency ? customer &- partner : nil }
}

/// Apple's summary of payments, `financial_report.csv`, tied to the financial reports.
public struct Payout: Hashable, Sendable, Codable {
    /// One region's row. Amounts are minor units of `currency`, unless something else is said.
    public struct Line: Hashable, Sendable, Codable {
        public var region: String
        public var currency: Currency
        public var earned: Int64
        public var inputTax: Int64
        public var adjustments: Int64
        public var withholdingTax: Int64
        public var owed: Int64
        /// As the file writes it; bank currency per unit of `currency`.
        public var rate: String
        /// In minor units of the bank's currency.
        public var proceeds: Int64
        /// What `owed` comes to at `rate`, in minor units of the bank's currency.
        public var expected: Int64
        /// `amounts` in ten-thousandths of `currency`. Nil if all of them are whole minor units. Apple pays fractions of a
        /// yen.
        public var fractions: [Int64]?
        /// Half a unit of the file's last decimal, in minor units of `currency`. Nil if the file has all of its decimals.
        public var rounding: Int64?
        /// The same at the rate, in minor units of the bank's currency.
        public var bankRounding: Int64?

        public var amounts: [Int64] { [earned, inputTax, adjustments, withholdingTax, owed] }
        /// Total owed less what its parts come to, where that is more than rounding.
        public var owedDifference: Int64 {
            let rest = { (amounts: [Int64]) in amounts.dropLast().reduce(amounts[4], &-) }
            let difference = fractions.map { rest($0).inMinorUnits(of: currency) } ?? rest(amounts)
            let most = (rounding ?? 0) * Int64(amounts.count { $0 != 0 } - 1)
            return abs(difference) <= most ? 0 : difference
        }
        /// Proceeds less what was owed at the rate, where that is more than rounding.
        public var rateDifference: Int64 {
            let difference = proceeds &- expected
            return abs(difference) <= 1 + (bankRounding ?? 0) ? 0 : difference
        }
    }
    /// A currency's partner share by the financial reports, and what the summary says was earned.
    public struct Earned: Hashable, Sendable, Codable {
        public var currency: Currency
        /// The sum of the reports' extended partner shares.
        public var reported: Int64
        /// The sum of the summary's rows.
        public var earned: Int64
        /// The `rounding` of these rows together. Nil if the file has all decimals of the currency.
        public var rounding: Int64?

        public var difference: Int64 { earned &- reported }
        public var isTied: Bool { abs(difference) <= rounding ?? 0 }
    }
    public var file: String
    /// SHA-256, hexadecimal.
    public var digest: String
    /// The month that the file names: `September, 2014`.
    public var month: String
    public var bankCurrency: Currency
    public var lines: [Line]
    public var earned: [Earned]
    /// What the file says was paid to the bank, in minor units of the bank's currency.
    public var paid: Int64

    /// What was paid less the proceeds of all regions.
    public var paidDifference: Int64 { paid &- lines.reduce(0) { $0 &+ $1.proceeds } }
    /// Whether report, owed, rate and payment lead to each other.
    public var isTied: Bool {
        paidDifference == 0 && earned.allSatisfy(\.isTied)
            && lines.allSatisfy { $0.owedDifference == 0 && $0.rateDifference == 0 }
    }
}
