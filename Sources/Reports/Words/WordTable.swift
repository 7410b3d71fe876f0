internal import Domain

/// The words for codes. The titles are looked up once, because the sheets of a night need them in every row.
struct WordTable {
    private let texts: Texts
    private let verdicts: [Verdict: String]
    private let causes: [Verdict: [Cause: String]]

    init(_ texts: Texts) {
        self.texts = texts
        verdicts = Dictionary(uniqueKeysWithValues: Verdict.allCases.map { ($0, texts.explanation($0).title) })
        causes = Dictionary(
            uniqueKeysWithValues: Verdict.allCases.map { verdict in
                let titles = verdict.causes.map { ($0, texts.title(verdict, $0)) }
                return (verdict, Dictionary(uniqueKeysWithValues: titles))
            })
    }

    func word(_ group: Texts.Group, _ code: String) -> String { texts.word(group, code) }

    /// The word for a code; empty for an empty code.
    func text(_ group: Texts.Group, _ code: String) -> Cell { code.isEmpty ? .empty : .text(word(group, code)) }

    func verdict(_ verdict: Verdict) -> Cell { .text(verdicts[verdict] ?? verdict.rawValue) }

    func cause(_ verdict: Verdict, _ cause: Cause) -> Cell {
        cause == .none ? .empty : .text(causes[verdict]?[cause] ?? cause.rawValue)
    }
}
