internal import Foundation

/// What the command line of `reconcile monthly` requests.
struct MonthlyRequest: Equatable {
    var period: Period
    var asOf: Instant?
    /// Paths of Apple's files for the month, as typed.
    var appleReports: [String]
    /// The period of Apple's reports, if the command line states it.
    var statedPeriod: ClosedRange<BusinessDate>?
    /// Who closes the month, and on what terms; nil to look at it only.
    var closing: MonthClosing?
    /// A second person approves the closed month.
    var isApproval: Bool

    /// - Parameter isFiscal: whether this ledger's months are Apple's; `--fiscal` always means so.
    init(_ invocation: Invocation, isFiscal: Bool = false) throws(Failure) {
        let name = invocation.operands[0]
        guard let period = Period.month(name, isFiscal: isFiscal || invocation.isSet(.fiscal)) else {
            throw invocation.usage("monthly takes a month as YYYY-MM, not \(quoted(name))")
        }
        self.period = period
        asOf = try invocation.instant(.asOf)
        appleReports = invocation.values(.appleReport)
        statedPeriod = try Self.days(invocation)
        isApproval = invocation.isSet(.approve)
        closing = try Self.closing(invocation)
    }

    /// `--period FIRST..LAST`.
    private static func days(_ invocation: Invocation) throws(Failure) -> ClosedRange<BusinessDate>? {
        guard let text = invocation.value(.period) else { return nil }
        let parts = text.components(separatedBy: "..").map { BusinessDate($0) }
        guard parts.count == 2, let first = parts[0], let last = parts[1], first <= last else {
            throw invocation.usage("--period takes two days as FIRST..LAST, not \(quoted(text))")
        }
        guard invocation.isSet(.appleReport) else { throw invocation.usage("--period needs --apple-report") }
        return first...last
    }

    /// Who closes the month, and on what terms. Nil without `--close`.
    /// - Throws: `Failure` with `usage` if `--by` is missing, or if an option is given that only `--close` gives a
    ///   meaning.
    private static func closing(_ invocation: Invocation) throws(Failure) -> MonthClosing? {
        guard invocation.isSet(.close) else {
            let others: [Option] = invocation.isSet(.approve) ? [] : [.by, .note]
            for option in others + [.approver, .acceptUnexplained] where invocation.isSet(option) {
                throw invocation.usage(
                    "\(option.dashed) needs \(others.contains(option) ? "--close or --approve" : "--close")")
            }
            return nil
        }
        if invocation.isSet(.approve) {
            throw invocation.usage("--approve is another person's act: leave out --close")
        }
        guard invocation.isSet(.by) else { throw invocation.usage("--close needs --by NAME") }
        func text(_ option: Option) throws(Failure) -> String? {
            invocation.isSet(option) ? try Decision.said(option, invocation) : nil
        }
        var closing = MonthClosing(by: try Decision.said(.by, invocation))
        closing.approver = try text(.approver)
        closing.note = try text(.note)
        closing.acceptedUnexplained = try text(.acceptUnexplained)
        return closing
    }
}
