/// Settings of the month. See docs/spec/interfaces.md#configuration-keys.
public struct FinanceSettings: Sendable, Equatable {
    /// The calendar that this ledger's months are closed by.
    public enum Calendar: String, Sendable, CaseIterable {
        /// The months of the calendar, in the business time zone.
        case calendar
        /// Apple's fiscal months.
        case fiscal
    }
    /// One choice for a ledger: months of both calendars would overlap.
    public var calendar = Calendar.calendar
    /// How long Apple may take to collect the money of a sale. What is older counts as never collected.
    public var collectDays = 40
    /// How much may stay unexplained without a note, in minor units; 0 for a currency that is not listed.
    public var tolerance: [Currency: Int64] = [:]
    /// Products of other apps in Apple's reports, as `match` reads them.
    public var otherProducts: [String] = []
    /// The accounts of the suggested journal entries, by their role.
    public var accounts: [AccountRole: String] = [:]

    /// What may stay unexplained in that currency, in minor units.
    public func tolerance(_ currency: Currency) -> Int64 { tolerance[currency] ?? 0 }
}
