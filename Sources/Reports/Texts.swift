public import Domain
internal import Xlsx

/// Everything that a person reads in the reports, in one language, and the columns that the workbook shows.
///
/// The built-in texts are the files of `templates/`, compiled in. A folder of own texts may hold any part of them.
public struct Texts: Sendable {
    public let language: Language
    var layout: Layout { ownLayout ?? .builtIn }
    private let ownLayout: Layout?
    /// By path: `verdict.closed.title`, `label.headline`.
    private let words: [String: String]

    /// - Parameter folder: of own `en.json`, `zh-Hans.json` and `layout.json`, each with what it wants to say otherwise.
    public init(language: Language, folder: String? = nil) throws(TextsError) {
        self.language = language
        words = try loadWords(language, folder: folder)
        ownLayout = try Layout.load(folder: folder)
        // What is built in is held by tests, and a look-up has no time for it.
        if let folder { try check(folder) }
    }

    /// Sheets need names of their own that Excel takes, with room for ` (12)`, and columns that there are.
    private func check(_ folder: String) throws(TextsError) {
        let names = SheetKind.allCases.map { sheet($0) } + Verdict.allCases.map { explanation($0).title }
        for name in names
        where !isSheetName(name + " (12)") || names.count(where: { $0.lowercased() == name.lowercased() }) > 1 {
            let problem = "“\(name)” names a sheet: 26 characters at most, none of []:*?/\\, and no other of that name"
            throw TextsError(file: folder + "/" + language.rawValue + ".json", problem: problem)
        }
        let months = MonthSheet.allCases.map(monthSheet)
        for name in months
        where !isSheetName(name) || months.count(where: { $0.lowercased() == name.lowercased() }) > 1 {
            let problem =
                "“\(name)” names a month's sheet: 31 characters at most, none of []:*?/\\, and no other of that name"
            throw TextsError(file: folder + "/" + language.rawValue + ".json", problem: problem)
        }
        let known: [(Layout.Sheet, [String])] = [
            (layout.new, Array(exceptionCatalogue(self).keys)),
            (layout.exceptions, Array(exceptionCatalogue(self).keys)),
            (layout.refunds, refundCatalogue(self).map(\.name)), (layout.rejects, rejectCatalogue.map(\.name)),
            (layout.sources, sourceCatalogue(self).map(\.name)),
        ]
        for (sheet, names) in known {
            for column in sheet.columns where !names.contains(column.column) {
                let problem =
                    "there is no column “\(column.column)”; known are \(names.sorted().joined(separator: ", "))"
                throw TextsError(file: folder + "/layout.json", problem: problem)
            }
        }
    }

    /// How one verdict, or one cause of it, is explained to people.
    public struct Explanation: Sendable, Equatable {
        /// A few words.
        public var title: String
        /// What it means, in one sentence.
        public var meaning: String
        /// What the desk tells the customer.
        public var customer: String
        /// What to do next.
        public var next: String
        /// Who must approve it.
        public var approval: String
    }

    public func explanation(_ verdict: Verdict) -> Explanation {
        let path = "verdict." + verdict.rawValue
        return Explanation(
            title: word(path + ".title"), meaning: word(path + ".meaning"), customer: word(path + ".customer"),
            next: word(path + ".next"), approval: word(path + ".approval"))
    }

    /// Where a cause has nothing of its own to say to the customer or to do, the verdict's words hold.
    public func explanation(_ verdict: Verdict, _ cause: Cause) -> Explanation {
        let general = explanation(verdict)
        guard cause != .none else { return general }
        let path = Self.path(verdict, cause)
        return Explanation(
            title: title(verdict, cause), meaning: words[path + ".meaning"] ?? general.meaning,
            customer: words[path + ".customer"] ?? general.customer, next: words[path + ".next"] ?? general.next,
            approval: words[path + ".approval"] ?? general.approval)
    }

    func title(_ verdict: Verdict, _ cause: Cause) -> String {
        words[Self.path(verdict, cause) + ".title"] ?? cause.rawValue
    }

    private static func path(_ verdict: Verdict, _ cause: Cause) -> String {
        "cause." + verdict.rawValue + "/" + cause.rawValue
    }

    /// Words that stand for one of a closed set of codes.
    public enum Group: String, Sendable, CaseIterable {
        case state, severity, short, flag, action, feed, refund
    }

    /// The code itself where no word is known for it.
    public func word(_ group: Group, _ code: String) -> String { words["\(group.rawValue).\(code)"] ?? code }

    /// A column's title; its name where none is known.
    func column(_ name: String) -> String { words["column." + name] ?? name }

    func label(_ label: Label) -> String { word("label." + label.rawValue) }

    /// The label with `{0}`, `{1}`, … replaced.
    func label(_ label: Label, _ values: String...) -> String {
        filled(self.label(label), values)
    }

    /// The text with `{0}`, `{1}`, … replaced; what the values hold stays as it is.
    func filled(_ text: String, _ values: [String]) -> String {
        var result = ""
        var rest = text[...]
        while let brace = rest.firstIndex(of: "{") {
            result += rest[..<brace]
            rest = rest[brace...]
            let place = values.indices.first { rest.hasPrefix("{\($0)}") }
            result += place.map { values[$0] } ?? "{"
            rest = rest.dropFirst(place.map { "{\($0)}".count } ?? 1)
        }
        return result + rest
    }

    func sheet(_ sheet: SheetKind) -> String { word("sheet." + sheet.rawValue) }

    /// The text at `path`, which is one of those built in.
    func word(_ path: String) -> String {
        guard let text = words[path] else { preconditionFailure("the built-in texts lack \(path)") }
        return text
    }
}

/// The workbook's sheets besides those of the verdicts.
enum SheetKind: String, CaseIterable {
    case summary, new, resolved, aging, rollForward = "roll_forward", refunds, rejects, sources
}

/// Words and sentences of the reports that stand for no code.
enum Label: String, CaseIterable {
    case title, headlineNew = "headline_new", headlineNone = "headline_none"
    case headlineWorth = "headline_worth", moreCurrencies = "more_currencies", unpriced, complete, blind, more,
        guarded, guardedInput = "guarded_input", guardRows = "guard_rows", guardUncredited = "guard_uncredited",
        guardInvalid = "guard_invalid",
        listSeparator = "list_separator", clauseSeparator = "clause_separator"
    case businessDate = "business_date", asOf = "as_of", horizon, timeZone = "time_zone", run
    case exceptions, exceptionsByVerdict = "exceptions_by_verdict", allSubjects = "all_subjects"
    case controlTotals = "control_totals", coverageGaps = "blind_spots", noBlindSpots = "no_blind_spots", retry
    case selfTest = "self_test", selfTestResult = "self_test_result", count, none, daysOld = "days_old", check, total
    case retryEmitted = "retry_emitted", retryWaiting = "retry_waiting", retryHeld = "retry_held", retryReason =
        "retry_reason"
    case retryDead = "retry_dead", filesSkipped = "files_skipped", missing
    case footer, amount, opening, reopened, changedIn = "changed_in", changedOut = "changed_out", closing
    case meaning, next, resolvedTonight = "resolved_tonight", waived
}
