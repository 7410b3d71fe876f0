/// All texts of the reports in one language, and the layout of the workbook.
///
/// The built-in texts are the files in `templates/`, compiled in. A folder of the user's own may replace any of them.
public struct Texts: Sendable {
    public let language: Language
    var layout: Layout { ownLayout ?? .builtIn }
    private let ownLayout: Layout?
    /// The texts by path: `verdict.closed.title`, `label.headline`.
    let words: [String: String]
    /// The titles of verdicts, with cause `none`, and of causes: the sheets of a night need them in every row.
    private let titles: [Verdict: [Cause: String]]
    /// All texts with their paths, sorted by path.
    var all: [(path: String, text: String)] { words.ordered().map { ($0.key, $0.value) } }

    /// For the log, and for files whose wording no template of the user's may change.
    public static let english = {
        do { return try Texts(language: .english) } catch { preconditionFailure("\(error)") }
    }()

    /// Loads the texts.
    ///
    /// - Parameter folder: may contain `en.json`, `zh-Hans.json` and `layout.json` with the entries to replace; nil for
    ///   none.
    /// - Throws: `TextsError` if a file there cannot be used.
    public init(language: Language, folder: String? = nil) throws(TextsError) {
        self.language = language
        if let folder { try requireFolder(folder) }
        let words = try loadWords(language, folder: folder)
        self.words = words
        titles = Dictionary(
            uniqueKeysWithValues: Verdict.allCases.map { verdict in
                let causes = verdict.causes.map { ($0, words[Self.path(verdict, $0) + ".title"] ?? $0.rawValue) }
                let own = (Cause.none, words["verdict.\(verdict.rawValue).title"]!)
                return (verdict, Dictionary([own] + causes) { own, _ in own })
            })
        ownLayout = try Layout.load(folder: folder)
        // Built-in texts are checked by tests; a look-up must be fast.
        if let folder { try check(folder) }
    }

    /// Throws unless all sheets have distinct names that Excel accepts, with room for ` (12)`, and all columns exist.
    private func check(_ folder: String) throws(TextsError) {
        let night = SheetKind.allCases.map { sheet($0) } + Verdict.allCases.map { title($0) }
        let kinds = [
            (kind: "a sheet", names: night, suffix: " (12)", lengthMax: 26),
            ("a month's sheet", MonthSheet.allCases.map(monthSheet), "", 31),
        ]
        for (kind, names, suffix, lengthMax) in kinds {
            for name in names
            where !isSheetName(name + suffix) || names.count(where: { $0.lowercased() == name.lowercased() }) > 1 {
                let problem =
                    "“\(name)” is the name of \(kind): use at most \(lengthMax) characters, none of []:*?/\\, and each"
                    + " name only once"
                throw TextsError(file: folder + "/" + language.rawValue + ".json", problem: problem)
            }
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
                    "unknown column “\(column.column)”; use one of \(names.ordered().joined(separator: ", "))"
                throw TextsError(file: folder + "/layout.json", problem: problem)
            }
        }
    }

    /// The explanation of a verdict, or of one of its causes.
    public struct Explanation: Sendable, Equatable {
        /// The name, in a few words.
        public var title: String
        /// The meaning, in one sentence.
        public var meaning: String
        /// What the support desk tells the customer.
        public var customer: String
        public var next: String
        public var approval: String
    }

    /// The explanation of a verdict, or of one of its causes. Where a cause has no text of its own, the verdict's is used.
    public func explanation(_ verdict: Verdict, _ cause: Cause = .none) -> Explanation {
        func text(_ field: String) -> String {
            let own = cause == .none ? nil : words[Self.path(verdict, cause) + "." + field]
            return own ?? word("verdict.\(verdict.rawValue).\(field)")
        }
        return Explanation(
            title: cause == .none ? text("title") : title(verdict, cause), meaning: text("meaning"),
            customer: text("customer"), next: text("next"), approval: text("approval"))
    }

    func title(_ verdict: Verdict) -> String { titles[verdict]![.none]! }

    func title(_ verdict: Verdict, _ cause: Cause) -> String { titles[verdict]?[cause] ?? cause.rawValue }

    private static func path(_ verdict: Verdict, _ cause: Cause) -> String {
        "cause." + verdict.rawValue + "/" + cause.rawValue
    }

    /// Sets of codes that have words, at the path of the same name in the templates.
    public enum Group: String, Sendable, CaseIterable {
        case state, severity, short, flag, action, feed, refund, event, setting
    }

    /// The word for a code; the code itself if absent.
    public func word(_ group: Group, _ code: String) -> String { words[group.rawValue + "." + code] ?? code }

    /// The word for a code in a table; empty for an empty code.
    func cell(_ group: Group, _ code: String) -> Cell { code.isEmpty ? .empty : .text(word(group, code)) }

    func verdict(_ verdict: Verdict) -> Cell { .text(title(verdict)) }

    func cause(_ verdict: Verdict, _ cause: Cause) -> Cell { cause == .none ? .empty : .text(title(verdict, cause)) }

    /// The title of a column; its name if absent. A label has the shop's own name.
    public func column(_ name: String) -> String {
        if let known = words["column." + name] { return known }
        return name.hasPrefix("label_") ? filled(word("column.label"), [String(name.dropFirst(6))]) : name
    }

    /// The label with `{0}`, `{1}`, … replaced.
    func label(_ label: Label, _ values: String...) -> String { filled(word("label." + label.name), values) }

    /// The first items, each as a text, and how many more there are.
    func first<Item>(_ most: Int, of items: [Item], _ text: (Item) -> String) -> [String] {
        items.prefix(most).map(text) + (items.count > most ? [label(.more, String(items.count - most))] : [])
    }

    /// The text with `{0}`, `{1}`, … replaced, and `{0|day|days}` by the first word if value 0 is `1`, else by the
    /// second. Braces in the values are not replaced again.
    func filled(_ text: String, _ values: [String]) -> String {
        var result = ""
        var rest = text[...]
        while let brace = rest.firstIndex(of: "{") {
            result += rest[..<brace]
            rest = rest[brace...]
            let end = rest.firstIndex(of: "}")
            if let end, let text = Self.replacement(of: rest[rest.index(after: brace)..<end], values) {
                result += text
                rest = rest[rest.index(after: end)...]
            } else {
                result += "{"
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }

    /// The text for what stands between braces. Nil if it is not a placeholder.
    private static func replacement(of placeholder: Substring, _ values: [String]) -> String? {
        let parts = placeholder.split(separator: "|", omittingEmptySubsequences: false)
        guard let number = Int(parts[0]), values.indices.contains(number), String(number) == parts[0] else {
            return nil
        }
        switch parts.count {
        case 1: return values[number]
        case 3: return String(values[number] == "1" ? parts[1] : parts[2])
        default: return nil
        }
    }

    func sheet(_ sheet: SheetKind) -> String { word("sheet." + sheet.name) }

    /// The text at `path`, which must be one of the built-in paths.
    func word(_ path: String) -> String {
        guard let text = words[path] else { preconditionFailure("the built-in texts lack \(path)") }
        return text
    }
}

/// The texts at one place in the templates, each by the name of its case: `closing_owed` for `closingOwed`.
protocol TextName: RawRepresentable<String>, CaseIterable {}

extension TextName {
    /// The name in the templates.
    var name: String { snakeCased(rawValue) }
}

/// The workbook's sheets other than those of the verdicts.
enum SheetKind: String, TextName {
    case summary, new, resolved, aging, rollForward, refunds, rejects, sources, lostOrders, common
}

/// Texts of the reports that do not correspond to a code, at `label.…` in the templates.
enum Label: String, TextName {
    case title, headlineNew, headlineNone, headlineHeld, headlineSettings, headlineClosed, headlineUnrequired,
        headlineRemoved, headlineColumns, headlinePrices, headlineBreak, headlineRow, headlineRenewals,
        headlineWithheld, headlineRejected,
        headlineRetry, headlineStopped, headlineUnanswered, headlineIneffective, headlineWorth, moreCurrencies,
        unpriced,
        complete
    case missingData, more, moreNamed, guarded, guardedInput, guardAdvice, guardUndo, settingsRemedy, listSeparator,
        nameSeparator
    case clauseSeparator, businessDate, asOf, horizon, timeZone, run, localTime
    case carriedOver, subjects, flags, exceptions, exceptionsByVerdict, allSubjects, controlTotals
    case coverageGaps = "blind_spots", noCoverageGaps = "no_blind_spots", retry, selfTest, selfTestResult, count, none
    case daysOld, check, total, retryEmitted, retryWaiting, retryHeld, retryReason, retryWithheld, retryDead,
        filesSkipped, missing
    case refused, uncollected, because, gapRemedy, acceptedGaps, acceptedGap, settingsChanged, settingChanged, notSet,
        footer
    case amount, opening, reopened, changedIn, changedOut, closing, lostOrders, lostOrdersMeaning, lostOrderLine
    case lostOrderLineOpen, lostOrdersOpen, meaning, next, resolvedTonight, waived, work, workFigures,
        daysToClose, causesOf, programRun, statusOnly, statusOnlyMeaning, withholdingRow, retryNoCredits
    case lostColumns, lostColumn, doubtfulPrices, doubtfulPrice, goodsBreak, goodsBreakMeaning
}
