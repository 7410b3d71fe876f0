internal import Base
internal import Console
internal import Domain
internal import Engine
internal import Foundation

/// What the command line of `reconcile monthly` requests.
struct MonthlyRequest: Equatable {
    var period: Period
    var asOf: Instant?
    /// Paths of Apple's files for the month, as typed.
    var appleReports: [String]
    /// The period of Apple's reports, if the command line states it.
    var statedPeriod: ClosedRange<BusinessDate>?
    /// Whether to close the month, and on what terms.
    var closing: ClosingTerms?

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
        closing = try ClosingTerms(invocation)
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
}

/// Who closes a month, and on what terms.
struct ClosingTerms: Equatable {
    var by: String
    var approver: String?
    var note: String?
    var acceptedUnexplained: String?

    /// Nil without `--close`.
    /// - Throws: `Failure` with `usage` if `--by` is missing, or if an option is given that only `--close` gives a
    ///   meaning.
    init?(_ invocation: Invocation) throws(Failure) {
        let options = [Option.by, .approver, .note, .acceptUnexplained]
        guard invocation.isSet(.close) else {
            for option in options where invocation.isSet(option) {
                throw invocation.usage("\(option.dashed) needs --close")
            }
            return nil
        }
        by = try Decision.said(.by, invocation)
        approver = try Self.text(.approver, invocation)
        note = try Self.text(.note, invocation)
        acceptedUnexplained = try Self.text(.acceptUnexplained, invocation)
    }

    private static func text(_ option: Option, _ invocation: Invocation) throws(Failure) -> String? {
        invocation.isSet(option) ? try Decision.said(option, invocation) : nil
    }
}
