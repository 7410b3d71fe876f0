/// The accounts that follow from the closed months and the report's own: what they stand at, what they stood at when a month was
/// closed last, and the entries between the two. Posting every month's entries thus leads to the present balances.
public struct SubLedger: Hashable, Sendable, Codable {
    /// The day on which the entries are posted: the last day of the latest month.
    public var postedOn: BusinessDate
    /// The period of the report that the entries join on to: the month that was closed last. Nil for the first one.
    public var follows: String?
    /// Sorted by currency.
    public var books: [Book]
    /// Sorted by currency and role.
    public var accounts: [AccountLine] = []
    public var entries: [JournalEntry] = []
    /// The rows of the entries of reasons, by currency and voucher. Nil in a month that was closed before there were any.
    public var rows: [EntryRow]?

    /// How the configured accounts differ from those that its balances stand in, role by role.
    ///
    /// - Parameter configured: the names of accounts.
    public func accountChanges(to configured: [AccountRole: String]) -> [SettingChange] {
        AccountRole.allCases.compactMap { role in
            guard let old = accounts.last(where: { $0.role == role })?.name, old != configured[role] ?? role.rawValue
            else { return nil }
            return SettingChange(
                setting: SettingChange.ofAccount + role.rawValue, old: old == role.rawValue ? nil : old,
                new: configured[role])
        }
    }
}

/// What the accounts of one currency rest on, at the day of posting, in minor units.
public struct Book: Hashable, Sendable, Codable {
    /// What subjects are out of balance by, for one reason. Subjects are never netted with each other.
    public struct Part: Hashable, Sendable, Codable {
        public var reason: DifferenceClass
        public var balance: Balance
    }
    public var currency: Currency
    /// Paid for and not given before the first closed month; below 0 where more was given.
    public var brought: Int64 = 0
    /// Paid for in one month and given in a later one: what the obligation is left with.
    public var cutOff: Int64 = 0
    /// In the order of `DifferenceClass.explanations`; what is unexplained is last.
    public var parts: [Part] = []
}

/// An account's balance in one currency, debit less credit, in minor units.
public struct AccountLine: Hashable, Sendable, Codable {
    public var role: AccountRole
    /// The account's name; the role where none is configured.
    public var name: String
    public var currency: Currency
    /// When a month was closed last.
    public var opening: Int64
    /// Now, as computed without the entries.
    public var closing: Int64
}

/// A suggested entry: one amount from one account to another.
public struct JournalEntry: Hashable, Sendable, Codable {
    /// `2026-02-001`: the period in which it is posted, and a number.
    public var voucher: String
    /// The month whose figures it changes: the period itself, or a closed month that later evidence changed.
    public var concerns: String
    /// What is booked: a line of the tie-out (`purchases`), the code of a reason (`credited_twice`), or `account_changed`: a
    /// balance that goes from a role's former account to its present one.
    public var subject: String
    public var currency: Currency
    /// The account that is debited, and its role.
    public var debit: AccountRole
    public var credit: AccountRole
    /// The names of the accounts; the roles where none is configured.
    public var debitAccount: String
    public var creditAccount: String
    /// In minor units, above 0.
    public var minor: Int64
    /// For a reason: whether it is what customers lack, rather than have too much. Nil for a line of the tie-out.
    public var isShort: Bool?
}

/// A row of an entry of a reason: by how much a subject changed the reason's account since a month was closed last.
public struct EntryRow: Hashable, Sendable, Codable {
    /// The entry's number. Empty if the rows of the reason add up to 0, because there is no entry then.
    public var voucher = ""
    /// What the customer lacks, rather than has too much.
    public var isShort: Bool
    /// Its amount is debit less credit of the account. The subject is empty for what no subject explains.
    public var line: DifferenceLine

    /// The account whose balance it changed.
    public var role: AccountRole { isShort ? line.reason.accounts.short : line.reason.accounts.long }

    /// What a reason's rows are found by: its code, and which side of it they are.
    public static func code(_ reason: String, isShort: Bool) -> String { reason + (isShort ? "_short" : "_long") }
}
