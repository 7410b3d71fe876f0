internal import Domain
import Engine
internal import Reference
import Testing

@testable import Ledger
@testable import Reconcile

/// Labels decide nothing, and of copies of a row the one read last has those that count. See docs/spec/why.md#labels.
@Suite struct LabelProperties {
    @Test(arguments: 0..<8) func labelsChangeNothingElse(_ block: Int) throws {
        try search(inBlock: block) { seed in
            let plain = try Campaign(seed: seed).played()
            let labelled = try Campaign(seed: seed).labelled.played()
            var troubles: [String] = []
            for (night, (one, other)) in zip(plain.nights, labelled.nights).enumerated() {
                var report = other.report
                for place in report.exceptions.indices { report.exceptions[place].facts.labels = nil }
                // Labels are dimensions of their own, and with them more is tried as an explanation.
                report.loss?.values.removeAll(where: \.isLabel)
                report.loss?.explanations = one.report.loss?.explanations ?? []
                if report != one.report { troubles.append("night \(night): another report") }
                if other.retries.map(\.key) != one.retries.map(\.key) { troubles.append("night \(night): other keys") }
                if other.warnings.map(\.text) != one.warnings.map(\.text) {
                    troubles.append("night \(night): warnings")
                }
            }
            if try subjects(of: labelled.ledger) != subjects(of: plain.ledger) { troubles.append("other verdicts") }
            if try rows(labelled.ledger).map(\.content) != rows(plain.ledger).map(\.content) {
                troubles.append("other evidence")
            }
            return troubles
        }
    }

    @Test(arguments: 0..<8) func theLabelsReadLastAreOnRecord(_ block: Int) throws {
        try search(inBlock: block) { seed in
            let campaign = Campaign(seed: seed).tellable.labelled
            let player = try campaign.played()
            var expected: [String: LabelSet] = [:]
            for row in campaign.moments.indices.flatMap({ campaign.files(of: $0) }).flatMap(\.evidence.labelledRows) {
                expected[row.content] = row.labels.filled(from: expected[row.content] ?? .none)
            }
            let wrong = try rows(player.ledger).filter { expected[$0.content] != $0.labels }
            return wrong.map { "\($0.labels.values), not \(expected[$0.content]?.values ?? []): \($0.content)" }
                + (try player.ledger.checksumProblems())
        }
    }

    /// The row of an open exception has the labels that its evidence has tonight, and the look-up says the same.
    @Test func exceptionsShowTheLabelsOfTheirEvidence() throws {
        var seen = 0
        for seed in 7000..<7000 + UInt64(Trials.count(30, long: 400)) {
            let campaign = Campaign(seed: seed).tellable.labelled
            let player = try campaign.played()
            let last = player.nights.last!
            let inquiry = try #require(
                try Inquiry(player.ledger, player.configuration.nightSettings, now: last.report.asOf))
            for row in last.report.exceptions where row.state != .resolved && row.state != .waived {
                let answers = try inquiry.answer(row.id.text).subjects
                let answer = try #require(answers.first { $0.exception?.id == row.id }, "\(campaign.description)")
                #expect(row.labels == answer.facts.labels, "\(campaign.description)")
                if row.labels != nil { seen += 1 }
            }
        }
        #expect(seen > 10)
    }

    private func rows(_ ledger: Ledger) throws -> [(content: String, labels: LabelSet)] {
        try ledger.load(cases: 1..<ledger.nextCase(), through: .max).evidence.labelledRows.sorted {
            $0.content < $1.content
        }
    }
}

extension Evidence {
    /// Each row's content, and its labels.
    fileprivate var labelledRows: [(content: String, labels: LabelSet)] {
        func rows<Row: DescribedEvidence>(_ rows: [Row], _ strip: (inout Row) -> Void) -> [(String, LabelSet)] {
            rows.map { row in
                var content = row
                (content.source, content.labels) = (.none, .none)
                strip(&content)
                // Such ids of a world name nothing, and the ledger reads them as absent.
                return ("\(content)".replacing(/\(stored: (null|0)\)/, with: "(stored: )"), row.labels)
            }
        }
        return rows(orders) { $0.marks = [] } + rows(credits) { $0.marks = [] } + rows(transactions) { $0.marks = [] }
            + rows(receipts) { ($0.marks, $0.device) = ([], nil) }
    }
}

extension Campaign {
    /// The same campaign, whose rows have labels at random.
    var labelled: Campaign {
        var (copy, random) = (self, SplitMix64(seed: world.seed ^ 0x1ABE1))
        func labels() -> LabelSet {
            let names = ["server", "version"].filter { _ in Bool.random(using: &random) }
            return LabelSet(names.map { .init(name: $0, text: Identifier("\(Int.random(in: 1...3, using: &random))")) })
        }
        for file in copy.world.files.indices {
            for row in copy.world.files[file].evidence.orders.indices {
                copy.world.files[file].evidence.orders[row].labels = labels()
            }
            for row in copy.world.files[file].evidence.credits.indices {
                copy.world.files[file].evidence.credits[row].labels = labels()
            }
            for row in copy.world.files[file].evidence.transactions.indices {
                copy.world.files[file].evidence.transactions[row].labels = labels()
            }
            for row in copy.world.files[file].evidence.receipts.indices {
                copy.world.files[file].evidence.receipts[row].labels = labels()
            }
        }
        return copy
    }
}
