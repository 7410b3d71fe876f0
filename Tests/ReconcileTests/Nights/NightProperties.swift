import Console
internal import Domain
import Engine
internal import Reference
import Testing

@testable import Ledger
@testable import Reconcile

/// docs/spec/rules.md#order-independence and docs/spec/rules.md#recall: however the evidence is distributed over
/// nights, the result is the same.
@Suite struct NightProperties {
    @Test(arguments: 0..<16) func nightsEndWhereTheReferenceDoes(_ block: Int) throws {
        for seed in Trials.seeds(inBlock: block, 6, long: 125) {
            try expectNone(of: troubles, Campaign(seed: seed))
        }
    }

    /// What the records cover changes from night to night. What a machine withholds is no part of the reference's verdicts.
    @Test(arguments: 0..<4) func lateAndOddDatesLeaveNoVerdictBehind(_ block: Int) throws {
        for seed in Trials.seeds(inBlock: block, 20, long: 250) {
            try expectNone(of: verdictTroubles, Campaign.oddlyDated(seed: seed))
        }
    }

    private func expectNone(of troubles: (Campaign) throws -> [String], _ campaign: Campaign) throws {
        if try troubles(campaign) == [] { return }
        let small = campaign.shrunk { (try? troubles($0)) != [] }
        Issue.record("\(small.description)\n\((try? troubles(small)) ?? ["it failed"])")
    }

    /// What is wrong with the verdicts after each night.
    private func verdictTroubles(_ campaign: Campaign) throws -> [String] {
        var player = try campaign.player
        return try campaign.moments.indices.flatMap { night in
            try campaign.play(night, on: &player)
            return try recordTroubles(player)
        } + differences(subjects(of: player.ledger), campaign.reference(player.nights.last!.basis.horizon), "nights")
    }

    /// Everything is judged again: without a reason, for another policy, and for the first policy again.
    @Test func judgingEverythingAgainChangesNothing() throws {
        for seed in 5000..<5000 + UInt64(Trials.count(12, long: 150)) {
            let campaign = Campaign(seed: seed)
            var player = try campaign.played()
            let before = try (subjects(of: player.ledger), kept(player.ledger), openFacts(player.ledger))
            let moment = campaign.moments.last!
            let policy = player.configuration.policy
            // A product that was never bought.
            try player.play([], products: [Product(id: "unsold")], at: moment)
            let news = player.nights.last!.transitions.filter(\.isNews)
            #expect(news.isEmpty && player.nights.last!.records.isRebuilt, "\(campaign.description)")
            let changes: [(inout Policy) -> Void] = [
                { _ in }, { $0.environment = $0.environment == .production ? .sandbox : .production },
                { $0.tokenUse = $0.tokenUse == .account ? .order : .account }, { $0.graceApple = .hours(1) },
            ]
            for (number, change) in changes.enumerated() {
                change(&player.configuration.policy)
                try player.play([], at: moment)
                player.configuration.policy = policy
                try player.play([], at: moment)
                let after = try (subjects(of: player.ledger), kept(player.ledger), openFacts(player.ledger))
                #expect(after.0 == before.0, "seed \(seed), change \(number)")
                #expect(after.1 == before.1, "seed \(seed), change \(number)")
                #expect(after.2 == before.2, "seed \(seed), change \(number)")
                #expect(rollForwardTroubles(player.nights) == [], "seed \(seed), change \(number)")
            }
        }
    }

    private func openFacts(_ ledger: Ledger) throws -> [String: ExceptionFacts] {
        let exceptions = try ledger.unresolvedExceptions().filter(\.isOpen)
        let judged = try subjects(of: ledger)
        let standing = exceptions.filter { entry in
            judged[Identifier(entry.subject.text)].flatMap { Verdict(rawValue: $0.verdict) }?.isException == true
        }
        return Dictionary(uniqueKeysWithValues: standing.map { ($0.subject.text, $0.facts) })
    }

    /// docs/spec/rules.md#exception-lifecycle: the row of an open exception, its look-up and the workbook, which shows the
    /// row, agree on every column. A row whose subject waits has the verdict behind.
    @Test func theRowShowsWhatTheLookUpSays() throws {
        var waiting = 0
        for seed in 7000..<7000 + UInt64(Trials.count(100, long: 600)) {
            let campaign = Campaign(seed: seed)
            let player = try campaign.played()
            let last = player.nights.last!
            let inquiry = try #require(
                try Inquiry(player.ledger, player.configuration.nightSettings, now: last.report.asOf))
            for row in last.report.exceptions where row.state != .resolved && row.state != .waived {
                let answers = try inquiry.answer(row.id.text).subjects
                let answer = try #require(answers.first { $0.exception?.id == row.id }, "\(campaign.description)")
                var (shown, said) = (row.facts, answer.facts)
                shown.retryKey = nil
                if !said.verdict.isException {
                    waiting += 1
                    (said.verdict, said.cause, said.severity) = (shown.verdict, shown.cause, shown.severity)
                }
                #expect(shown == said, "\(campaign.description)")
            }
        }
        #expect(waiting > 3)
    }

    /// The row of an open exception says only `open`: the view takes what the last night made of it from its events.
    @Test func theViewShowsTheStatesThatTheLastNightReported() throws {
        var seen = Set<String>()
        for seed in 6000..<6000 + UInt64(Trials.count(60, long: 300)) {
            let campaign = Campaign(seed: seed)
            let player = try campaign.played()
            let reported = player.nights.last!.report.exceptions.filter { $0.state != .resolved && $0.state != .waived }
            var shown: [String: String] = [:]
            var row = try player.ledger.connection.prepare("SELECT id, state FROM v_exception_open")
            while try row.step() { shown[row.text(0)] = row.text(1) }
            let states = Dictionary(uniqueKeysWithValues: reported.map { ($0.id.text, $0.state.rawValue) })
            #expect(shown == states, "\(campaign.description)")
            seen.formUnion(shown.values)
        }
        #expect(seen.isSuperset(of: ["new", "open", "changed"]))
    }

    @Test func nightsOfRealFilesEndThereToo() throws {
        for seed in Trials.seeds(inBlock: 0, 5, long: 16) {
            let campaign = Campaign(seed: seed).tellable
            let (folder, outcomes) = try campaign.playedFromFiles()
            #expect(outcomes.allSatisfy { $0.code == .done || $0.code == .look }, "seed \(seed): \(outcomes)")
            let configuration = try Configuration.read(folder.folder.path + "/reconcile.json", shownAs: "it")
            let ledger = try folder.ledger()
            let run = try #require(try ledger.lastRun())
            let horizon = Basis(configuration.nightSettings, try ledger.head(), of: run).horizon
            let differences = try differences(subjects(of: ledger), campaign.reference(horizon), "files")
            #expect(differences == [], "\(campaign.description)")
        }
    }

    /// What is wrong after the last night.
    private func troubles(_ campaign: Campaign) throws -> [String] {
        let player = try campaign.played()
        let last = player.nights.last!
        let expected = campaign.reference(last.basis.horizon)
        let once = try campaign.playedAtOnce()
        var troubles: [String] = []
        if once.nights[0].basis.horizon.coverage != last.basis.horizon.coverage { troubles.append("coverage differs") }
        troubles += try differences(subjects(of: player.ledger), expected, "nights")
        troubles += try differences(subjects(of: once.ledger), expected, "at once")
        let everyDate = BusinessDate(day: 0)
        let purchases = try [player.ledger, once.ledger].map { try $0.purchases(since: everyDate).entries }
        if purchases[0] != purchases[1] { troubles.append("purchases are counted otherwise") }
        if try kept(player.ledger) != kept(once.ledger) { troubles.append("other evidence is kept") }
        troubles += try bookTroubles(player, expected)
        troubles += tallyTroubles(last.tally, expected)
        troubles += rollForwardTroubles(player.nights)
        troubles += try recordTroubles(player)
        return troubles
    }

    /// What `check` would report about rows and derived indexes.
    private func recordTroubles(_ player: NightPlayer) throws -> [String] {
        let ledger = player.ledger
        let run = try #require(try ledger.lastRun())
        let basis = Basis(player.configuration.nightSettings, try ledger.head(), of: run)
        let check = try Verification(ledger, basis)
        return try ledger.checksumProblems() + ledger.conservationProblems() + check.wrongSubjects
            + check.derivedIndexProblems
    }

    /// The evidence on record and its keys, whatever files and cases it came in.
    private func kept(_ ledger: Ledger) throws -> [String] {
        var rows: [String] = []
        for table in ["backend_order", "backend_credit", "apple_transaction", "client_receipt", "token_owner"] {
            var row = try ledger.connection.prepare("SELECT * FROM \(table)")
            let columns = try ledger.connection.integer("SELECT count(*) FROM pragma_table_info('\(table)')")!
            while try row.step() {
                let values = (0..<Int32(columns)).map { [0, 2, 3].contains($0) && columns > 3 ? "" : row.text($0) }
                rows.append(table + values.joined(separator: "|"))
            }
        }
        return try rows.sorted() + unfound(ledger)
    }

    /// Evidence that a look-up by one of its identifiers does not find.
    private func unfound(_ ledger: Ledger) throws -> [String] {
        let all = try ledger.load(cases: 1..<ledger.nextCase(), through: .max)
        var reader = IdentifierReader()
        var names = NamedIdentifiers()
        var keys: [(key: Int64, caseID: CaseID)] = []
        func add<Row: DescribedEvidence>(_ rows: [Row], _ cases: [CaseID]) {
            for (row, number) in zip(rows, cases) {
                names.read(row)
                for (kind, id) in names.ids { keys.append((reader.key(kind, id), number)) }
                if let token = names.token { keys.append((IdentifierReader.key(of: token), number)) }
                if let content = names.content { keys.append((IdentifierKind.receipt.hash(content.words.0), number)) }
            }
        }
        add(all.orders.values, all.orders.cases)
        add(all.credits.values, all.credits.cases)
        add(all.transactions.values, all.transactions.cases)
        add(all.receipts.values, all.receipts.cases)
        return try keys.filter { try !ledger.cases(withKeys: [$0.key]).contains($0.caseID) }.map {
            "case \($0.caseID) is not found by \($0.key)"
        }
    }

    private func differences(
        _ kept: [Identifier: KeptSubject], _ expected: [ReferenceVerdict], _ what: String
    ) -> [String] {
        let wanted = Dictionary(uniqueKeysWithValues: expected.map { (Identifier($0.subject.text), KeptSubject($0)) })
        return Set(kept.keys).union(wanted.keys).sorted().compactMap { key in
            kept[key] == wanted[key]
                ? nil
                : "\(what): \(key) is \(kept[key].map { "\($0)" } ?? "-"), not \(wanted[key].map { "\($0)" } ?? "-")"
        }
    }

    private func tallyTroubles(_ tally: SubjectTally, _ expected: [ReferenceVerdict]) -> [String] {
        var wanted = SubjectTally()
        for verdict in expected {
            let key = VerdictKey(
                verdict: verdict.verdict, cause: verdict.cause, currency: verdict.amount?.currency ?? .absent)
            wanted.add(CountAndAmount(of: verdict.amount), to: key)
        }
        return wanted.entries == tally.entries ? [] : ["tally \(tally.entries), not \(wanted.entries)"]
    }

    /// The open exceptions are exactly the verdicts that are exceptions, with their facts. Waiting ones may stay open.
    private func bookTroubles(_ player: NightPlayer, _ expected: [ReferenceVerdict]) throws -> [String] {
        let open = Dictionary(grouping: try player.ledger.unresolvedExceptions(), by: \.subject)
        var troubles = open.values.filter { $0.count > 1 }.map { "two exceptions of \($0[0].subject.text)" }
        for verdict in expected {
            let entry = open[verdict.subject]?.first
            switch (verdict.verdict.isException, entry) {
            case (true, let entry?):
                let fields = entry.fieldsDiffering(from: verdict)
                if !fields.isEmpty { troubles.append("\(verdict.subject.text): \(fields) of \(entry), not \(verdict)") }
            case (true, nil): troubles.append("\(verdict.subject.text) is not in the book")
            case (false, let entry?):
                let mayStay = verdict.verdict == .waiting || verdict.verdict == .undetermined
                if !mayStay { troubles.append("\(entry.subject.text) is open though \(verdict.verdict)") }
            case (false, nil): break
            }
        }
        var row = try player.ledger.connection.prepare(
            "SELECT exception FROM exception_event WHERE note = 'first_seen' GROUP BY 1 HAVING count(*) > 1")
        while try row.step() { troubles.append("\(row.text(0)) was first seen twice") }
        let subjects = Set(expected.map(\.subject))
        return troubles + open.keys.filter { !subjects.contains($0) }.map { "\($0.text) is open and no subject" }
    }

    /// Each opening balance is the closing balance of the night before.
    private func rollForwardTroubles(_ nights: [Night]) -> [String] {
        zip(nights, nights.dropFirst()).flatMap { before, after in
            let closing = before.report.rollForward.filter { $0.closing.count > 0 }
            let opening = after.report.rollForward.filter { $0.opening.count > 0 }
            let left = closing.map { "\($0.verdict) \($0.currency) \($0.closing)" }
            let right = opening.map { "\($0.verdict) \($0.currency) \($0.opening)" }
            return left == right ? [] : ["closing \(left), then opening \(right)"]
        }
    }
}

extension KeptSubject {
    init(_ verdict: ReferenceVerdict) {
        self.init(
            verdict: verdict.verdict.rawValue, cause: verdict.cause.rawValue, flags: Int64(verdict.flags.rawValue),
            amount: verdict.amount)
    }
}

extension ExceptionRecord {
    fileprivate func fieldsDiffering(from other: ReferenceVerdict) -> [String] {
        let pairs: [(String, Bool)] = [
            ("verdict", verdict == other.verdict), ("cause", cause == other.cause), ("amount", amount == other.amount),
            ("effect", facts.effect == other.effect), ("action", facts.action == other.action),
            ("short", facts.short == other.short), ("flags", facts.flags == other.flags.names),
            ("suggested", facts.suggestedOrder == other.suggestedOrder?.text),
            ("anchor", facts.eventAt == other.anchor),
            // Receipts of two accounts may have the same id, which a row names once.
            ("receipts", facts.receipts == Set(other.receipts).sorted().map(\.text)),
            ("credits", facts.credits == other.credits.map(\.text)),
        ]
        return pairs.filter { !$0.1 }.map(\.0)
    }
}
