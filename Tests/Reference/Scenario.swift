package import Domain

/// A judge: the reference, or the product.
package typealias Judge = @Sendable (Evidence, Policy, Horizon) -> [ReferenceVerdict]

/// One line of a scenario table: a sentence, its evidence in the notation of NOTATION.md, and every verdict it leads
/// to.
package struct Scenario: Sendable, CustomStringConvertible {
    package var sentence: String
    package var evidence = Evidence()
    package var policy = ScenarioWorld.policy
    package var horizon = ScenarioWorld.horizon
    /// The expectation for each subject, by the subject's notation.
    package var expected: [String: Expectation] = [:]

    package var description: String { sentence }

    /// The scenarios of a table with the columns sentence, evidence, expectation.
    ///
    /// A line that begins with `|` continues the expectation of the scenario above it. Blank lines, and lines that
    /// begin with `#`, are ignored.
    package static func table(_ text: String) -> [Scenario] {
        var rows: [[String]] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(trimmed)
            if cells[0].isEmpty {
                precondition(cells.count == 2 && !rows.isEmpty, "nothing to go on with: \(line)")
                rows[rows.count - 1].append(cells[1])
            } else {
                rows.append(cells)
            }
        }
        return rows.map { Scenario(sentence: $0[0], evidence: $0[1], expectation: $0[2...].joined(separator: " ")) }
    }

    private init(sentence: String, evidence: String, expectation: String) {
        self.sentence = sentence
        for piece in pieces(evidence) where piece[0] == "set" { piece.dropFirst().forEach { set($0) } }
        for piece in pieces(evidence) where piece[0] != "set" { add(piece) }
        for piece in pieces(expectation) {
            precondition(expected[piece[0]] == nil, "\(sentence): \(piece[0]) is expected twice")
            expected[piece[0]] = Expectation(Array(piece.dropFirst()))
        }
    }

    /// The differences from the expectation, for a person. Empty if absent.
    package func differences(_ verdicts: [ReferenceVerdict]) -> [String] {
        var found: [String: ReferenceVerdict] = [:]
        for verdict in verdicts { found[verdict.subject.notation] = verdict }
        let unexpected = found.keys.filter { expected[$0] == nil }.sorted().map { "unexpected: \(found[$0]!.notation)" }
        return unexpected
            + expected.keys.sorted().compactMap { key in
                guard let verdict = found[key] else { return "missing: \(key)" }
                let differing = expected[key]!.differences(verdict, in: self)
                return differing.isEmpty ? nil : "\(verdict.notation): expected \(differing.joined(separator: ", "))"
            }
    }
}

/// What a table expects of one subject.
package struct Expectation: Sendable {
    /// Verdict and cause, as in `paid_not_credited/no_order`.
    package var ruling: String
    package var flags: [String] = []
    /// `action=credit` and the like. Only what is named is compared.
    var details: [(name: String, value: String)] = []

    init(_ words: [String]) {
        precondition(!words.isEmpty, "a subject needs a verdict")
        ruling = words[0]
        for word in words.dropFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if parts.count == 1 {
                flags.append(word)
            } else {
                details.append((parts[0], parts[0] == "anchor" ? String(offset(parts[1]).count) : parts[1]))
            }
        }
    }

    func differences(_ verdict: ReferenceVerdict, in scenario: Scenario) -> [String] {
        var result: [String] = []
        if verdict.ruling != ruling { result.append(ruling) }
        if verdict.flags.names.sorted() != flags.sorted() { result.append("flags \(flags.sorted())") }
        for (name, value) in details {
            let found = verdict.detail(name, in: scenario)
            // Compared by bytes, because two spellings of é are two ids.
            if !found.utf8.elementsEqual(value.utf8) { result.append("\(name)=\(value), not \(found)") }
        }
        return result
    }
}

extension ReferenceVerdict {
    var ruling: String { cause == .none ? verdict.rawValue : verdict.rawValue + "/" + cause.rawValue }

    /// In the notation of a table.
    var notation: String { ([subject.notation, ruling] + flags.names).joined(separator: " ") }

    fileprivate func detail(_ name: String, in scenario: Scenario) -> String {
        func joined(_ ids: [Identifier]) -> String { ids.isEmpty ? "-" : ids.map(\.text).joined(separator: ",") }
        switch name {
        case "action": return action.rawValue
        case "short": return short == .nobody ? "-" : short.rawValue
        case "effect": return effect.map { $0.text + $0.currency.text } ?? "-"
        case "amount": return amount.map { $0.text + $0.currency.text } ?? "-"
        case "owner": return owner?.text ?? "-"
        case "suggests": return suggestedOrder?.text ?? "-"
        case "anchor":
            return String((anchor - ScenarioWorld.now(scenario.policy)).count)
        case "orders": return joined(orders)
        case "credits": return joined(credits)
        case "transactions": return joined(transactions)
        case "receipts": return joined(receipts)
        default: preconditionFailure("there is no detail called \(name)")
        }
    }
}

extension SubjectKey {
    /// `T1`, `O1`, `R1`, `C1`: ids in tables begin with their kind.
    var notation: String { idWithoutAccount.text }
}

private func trimmed(_ text: some StringProtocol) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
}

/// `a b; c` as [[a, b], [c]].
private func pieces(_ text: String) -> [[String]] {
    text.split(separator: ";").map { $0.split(separator: " ").map(String.init) }.filter { !$0.isEmpty }
}
