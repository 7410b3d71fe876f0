internal import Domain

/// The words for codes, looked up once, because the sheets of a night need them in every row.
struct WordTable {
    private let words: [Texts.Group: [String: String]]
    private let verdicts: [Verdict: String]
    private let causes: [Verdict: [Cause: String]]

    init(_ texts: Texts) {
        func group(_ group: Texts.Group, _ codes: [String]) -> [String: String] {
            Dictionary(uniqueKeysWithValues: codes.map { ($0, texts.word(group, $0)) })
        }
        words = [
            .state: group(.state, ExceptionState.allCases.map(\.rawValue)),
            .severity: group(.severity, Severity.allCases.map(\.rawValue)),
            .short: group(.short, [ShortParty.customer, .company].map(\.rawValue)),
            .flag: group(.flag, Flags.names.map(\.name)),
            .action: group(.action, Action.allCases.map(\.rawValue)),
            .feed: group(.feed, FeedKind.allCases.map(\.rawValue)),
            .refund: group(.refund, ["full", "partial", "family"]),
        ]
        verdicts = Dictionary(uniqueKeysWithValues: Verdict.allCases.map { ($0, texts.explanation($0).title) })
        causes = Dictionary(
            uniqueKeysWithValues: Verdict.allCases.map { verdict in
                let titles = Cause.allCases.map { ($0, texts.title(verdict, $0)) }
                return (verdict, Dictionary(uniqueKeysWithValues: titles))
            })
    }

    func word(_ group: Texts.Group, _ code: String) -> String { words[group]?[code] ?? code }

    /// The word for a code; empty for an empty code.
    func text(_ group: Texts.Group, _ code: String) -> Cell { code.isEmpty ? .empty : .text(word(group, code)) }

    func verdict(_ verdict: Verdict) -> Cell { .text(verdicts[verdict] ?? verdict.rawValue) }

    func cause(_ verdict: Verdict, _ cause: Cause) -> Cell {
        cause == .none ? .empty : .text(causes[verdict]?[cause] ?? cause.rawValue)
    }
}
