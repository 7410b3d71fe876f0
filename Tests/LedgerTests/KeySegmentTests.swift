internal import Base
internal import Domain
import Engine
import Reference
import Testing

@testable import Engine
@testable import Ledger

/// The packed index of keys, compared with a dictionary.
@Suite struct KeySegmentTests {
    /// A generator for this file; those of other tests are in Reference.
    private struct Lehmer: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    private func keys(_ count: Int, _ random: inout Lehmer) -> [CaseKey] {
        // A few values, so that many cases share a key, and both ends of the range.
        (0..<count).map { _ in
            let key = [Int64.min, .max, 0, Int64.random(in: -900...900, using: &random)].randomElement(using: &random)!
            return CaseKey(key: key, caseID: CaseID(Int64.random(in: 0...1 << 39, using: &random)))
        }
    }

    @Test(arguments: 0..<UInt64(Trials.count(2, long: 6))) func everyNightsKeysAreFoundAfterAllMerges(_ seed: UInt64)
        throws
    {
        var random = Lehmer(state: seed)
        let ledger = try Ledger(path: ":memory:")
        try ledger.begin()
        var expected: [Int64: Set<CaseID>] = [:]
        for _ in 0..<12 {
            let night = Set(keys(Int.random(in: 0...1500, using: &random), &random)).sorted(by: <)
            for entry in night { expected[entry.key, default: []].insert(entry.caseID) }
            for part in 0..<night.pieces(of: 400) {
                try ledger.writeSegment(SegmentBlock.blocks(of: Array(night.piece(part, of: 400))))
            }
            try ledger.mergeSegments()
        }
        for key in Array(expected.keys) + [-901, 901, 5] {
            #expect(try ledger.cases(withKeys: [key]) == expected[key] ?? [], "seed \(seed), key \(key)")
        }
        let all = expected.values.reduce(into: Set<CaseID>()) { $0.formUnion($1) }
        #expect(try ledger.cases(withKeys: Set(expected.keys)) == all)
        // Each is more than twice as large as the one before, so their number is the logarithm of the number of keys.
        #expect(try ledger.connection.integer("SELECT count(*) FROM identifier_segment")! < 12)
    }

    @Test func runsLeaveAsManySegmentsAsTheLogarithmOfTheirNumber() throws {
        let ledger = try Ledger(path: ":memory:")
        try ledger.begin()
        for number in CaseID(1)...16 {
            var rows = EvidenceRows(cases: 1, try ledger.spellings())
            let order = Order(
                id: Identifier("O\(number)"), account: "a", product: "p", status: .paid,
                createdAt: Instant(milliseconds: 0))
            rows.add(order, in: number, number: 0, isCurrent: true)
            rows.end()
            var writer = try EvidenceWriter(ledger)
            try writer.write(rows)
            try writer.finish()
        }
        #expect(try ledger.connection.integer("SELECT sum(keys) FROM identifier_segment") == 32)
        #expect(try (1...5).contains(ledger.connection.integer("SELECT count(*) FROM identifier_segment")!))
    }

    /// Keys that are there are found, whether a filter is full or not; most others need no block.
    @Test func filtersLeaveOutOnlyKeysThatAreNotThere() throws {
        let ledger = try Ledger(path: ":memory:")
        try ledger.begin()
        // More than two filters, with keys at both ends of the range and one that many cases share.
        let shared = (1...3000).map { CaseKey(key: 77, caseID: CaseID($0)) }
        let keys: [Int64] = [.min, .max] + (0..<20_000).map { $0 &* 0x1234_5678_9ABC }
        let entries = Set(keys.map { CaseKey(key: $0, caseID: 5) } + shared).sorted(by: <)
        try ledger.writeSegment(SegmentBlock.blocks(of: entries))
        #expect(try ledger.connection.integer("SELECT count(*) FROM identifier_filter")! >= 3)
        // In the suite, both ends and a fifth of the keys: some of each block.
        let looked = keys.enumerated().filter { Trials.areLong || $0.offset < 2 || $0.offset % 5 == 0 }.map(\.element)
        #expect(try looked.allSatisfy { try ledger.cases(withKeys: [$0]).contains(5) })
        #expect(try ledger.cases(withKeys: [77]).count == 3000)
        let others = Set((0..<20_000).map { (number: Int64) in number &* 0x1234_5678_9ABC + 1 })
        #expect(try ledger.cases(withKeys: others).isEmpty)
        var filters = try FilterReader(ledger, segment: 1)
        let passed = try others.sorted().filter { try filters.mayContain($0) }.count
        #expect((1...1000).contains(passed), "\(passed)")
    }

    /// Whatever row of the index is removed, moved to another place or taken for another's: a key is found, or the
    /// ledger is damaged. It is never taken for one that is not there.
    @Test(arguments: ["identifier_block", "identifier_filter"]) func noKeyIsHiddenByAnEdit(_ table: String) throws {
        let ledger = try Ledger(path: ":memory:")
        try ledger.begin()
        let keys = [Int64.min, .max] + (0..<20_000).map { $0 &* 0x1234_5678_9ABC }
        let entries = Set(keys.map { CaseKey(key: $0, caseID: 5) }).sorted(by: <)
        try ledger.writeSegment(SegmentBlock.blocks(of: entries))
        try ledger.writeSegment(SegmentBlock.blocks(of: [CaseKey(key: 1, caseID: 6)]))
        let rows = try ledger.connection.integer("SELECT max(rowid) FROM \(table)")!
        #expect(rows > 3)
        let looked = keys.enumerated().filter { $0.offset % 200 < 2 }.map(\.element)
        for row in Set([1, 2, rows / 2, rows - 1, rows]) {
            var damaged = 0
            for edit in [
                "DELETE FROM %", "UPDATE OR IGNORE % SET first = 9223372036854775806",
                "UPDATE OR IGNORE % SET first = first + 1",
                "UPDATE OR IGNORE % SET segment = 7", "UPDATE OR IGNORE % SET segment = 3 - segment, first = first + 5",
                table == "identifier_filter"
                    ? "UPDATE OR IGNORE % SET last = last - 1" : "UPDATE OR IGNORE % SET entries = x''",
            ] {
                try ledger.connection.execute("SAVEPOINT edit")
                let change = edit.replacing("%", with: table) + " WHERE rowid = \(row)"
                try ledger.connection.execute(change)
                for key in looked {
                    do throws(LedgerError) {
                        let found = try Self.cases(ledger, key)
                        #expect(found == [5], "\(change), key \(key)")
                    } catch { damaged += 1 }
                }
                try ledger.connection.execute("ROLLBACK TO edit; RELEASE edit")
            }
            #expect(damaged > 0)
        }
    }

    private static func cases(_ ledger: Ledger, _ key: Int64) throws(LedgerError) -> Set<CaseID> {
        do { return try ledger.cases(withKeys: [key]) } catch let error as LedgerError { throw error } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Merging writes new rows, with new sums, so it must not take in rows of a segment that has lost some.
    @Test(arguments: [
        "DELETE FROM identifier_block WHERE rowid = (SELECT max(rowid) FROM identifier_block)",
        "DELETE FROM identifier_block WHERE rowid = 1", "DELETE FROM identifier_block WHERE rowid = 3",
        "UPDATE identifier_block SET segment = 1, first = 5 WHERE rowid = 3", "DELETE FROM identifier_block",
    ]) func noDamagedSegmentIsMerged(_ edit: String) throws {
        let ledger = try Ledger(path: ":memory:")
        try ledger.begin()
        for _ in 0..<2 {
            try ledger.writeSegment(
                SegmentBlock.blocks(of: (0..<2000).map { CaseKey(key: $0 &* 0x1234_5678, caseID: 5) }))
        }
        try ledger.connection.execute(edit)
        #expect(throws: LedgerError.self) { try ledger.mergeSegments() }
    }

    @Test func keysAreSortedAsComparisonWould() {
        var random = Lehmer(state: 7)
        let unsorted = keys(5000, &random).map { CaseKey(key: $0.key &* 0x7FFF_0000_0001, caseID: $0.caseID) }
        var sorter = KeySorter(unsorted)
        sorter.sort()
        #expect(sorter.keys.map(\.key) == unsorted.map(\.key).sorted())
        #expect(Set(sorter.keys) == Set(unsorted))
    }

    /// Each segment contains its own keys only, whether the segment before was larger or smaller.
    @Test func segmentsShareTheirMemoryOnly() {
        var random = Lehmer(state: 3)
        let segmentKeys = SegmentKeys()
        var waiting: [CaseKey] = []
        for count in [3000, 500, 4000, 0, 1] {
            let own = keys(count, &random)
            waiting += own
            segmentKeys.take(&waiting)
            #expect(waiting.isEmpty)
            let packed = segmentKeys.blocks().flatMap {
                Array(SegmentBlock.Entries($0.bytes, first: $0.keys.lowerBound))
            }
            #expect(packed.map(\.key) == own.map(\.key).sorted() && Set(packed) == Set(own))
        }
    }

    /// Consecutive numbers get neighbouring keys, in each role separately.
    @Test func keysOfNumberedIdentifiersAscend() {
        var reader = IdentifierReader()
        let keys = (0..<200).map { reader.key(.order, Identifier("ORD\(71_000_000_000 + $0)")) }
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 + 1 == $1 })
        #expect(reader.key(.credit, "ORD71000000000") != keys[0])
        #expect(reader.key(.order, "ORE71000000000") != keys[0])
        #expect(reader.key(.order, "ORD071000000000") != keys[0])
    }

    @Test func aBlockThatIsCutOffEndsWhereItDoes() {
        let entries = [CaseKey(key: -5, caseID: 1), CaseKey(key: 900, caseID: CaseID(1 << 30))]
        let bytes = SegmentBlock.blocks(of: entries)[0].bytes
        #expect(Array(SegmentBlock.Entries(bytes, first: .min)) == entries)
        #expect(Array(SegmentBlock.Entries(Array(bytes.dropLast()), first: .min)) == [entries[0]])
    }
}

/// Values stored as JSON text are read back unchanged.
@Suite struct FactsTextTests {
    @Test func everyFieldComesBack() throws {
        var row = ExceptionRow(
            facts: ExceptionFacts(
                verdict: .valueMismatch, cause: .amount, severity: .medium, eventAt: Instant(milliseconds: -5)),
            id: ExceptionID(bits: 0xE1), state: .reopened, firstSeen: BusinessDate("2025-01-02")!,
            lastSeen: BusinessDate("2025-01-03")!, ageDays: 7)
        row.accounts = ["a\"b", "c\\d", "\u{1}\n", "订单"]
        row.orders = ["O1"]
        row.transactions = ["1", "2"]
        row.originals = ["3"]
        row.receipts = ["r"]
        row.credits = ["c"]
        row.product = "p"
        row.quantity = 3
        row.amount = Money(minor: -600, currency: "CNY")
        row.effect = Money(minor: .max, currency: "JPY")
        row.short = .customer
        row.differences = [Difference(field: .amount, left: "1", right: "2")]
        row.flags = ["conflict"]
        row.suggestedOrder = "O2"
        row.action = .investigate
        row.retryKey = "R1"
        row.evidence = ["f:1"]
        row.note = "n"
        row.lastEvent = .resolvedAs(.closed, .refunded, evidence: ["a;b%.csv:1", "c d:2"])
        #expect(try ExceptionRow(recordText: row.recordText) == row)
        let bare = ExceptionRow(
            facts: ExceptionFacts(verdict: .matched, cause: .none, severity: .low, eventAt: Instant(milliseconds: 0)),
            id: ExceptionID(bits: 1), state: .open, firstSeen: BusinessDate("2025-01-02")!,
            lastSeen: BusinessDate("2025-01-02")!, ageDays: 0)
        #expect(try ExceptionRow(recordText: bare.recordText) == bare)
        #expect(try ExceptionFacts(recordText: row.facts.recordText) == row.facts)
        let flat = bare.recordText.replacing(/"facts":\{(.*?)\},/) { $0.output.1 + "," }
        #expect(throws: RecordError.self) { try ExceptionRow(recordText: flat) }
        #expect(throws: RecordError.self) { try ExceptionRow(recordText: "{\"id\":\"E1\"}") }
        #expect(throws: RecordError.self) { try ExceptionRow(recordText: "{\"id\":") }
    }

    @Test func retryLinesComeBack() throws {
        var facts = RetryFacts(action: .credit, environment: "Production", verdict: .paidNotCredited, cause: .noOrder)
        facts.key = "R"
        facts.bundle = "b"
        facts.transaction = "1"
        facts.original = "2"
        facts.receipt = "r"
        facts.order = "o"
        facts.account = "a"
        facts.product = "p"
        facts.quantity = 2
        facts.amount = Money(minor: 5, currency: "USD")
        facts.preconditions = [.noCreditForOrder, .notRevokedSince]
        facts.evidence = [
            RetryEvidence(source: "f", line: 3, digest: "d"), RetryEvidence(source: "g", line: 4, digest: ""),
        ]
        var line = RetryLine(
            facts: facts, exception: ExceptionID(bits: .max), attempt: 2, firstEmitted: Instant(milliseconds: 9))
        #expect(try RetryLine(recordText: line.recordText) == line)
        line.notBefore = Instant(milliseconds: 1)
        line.expiresAt = Instant(milliseconds: 2)
        line.end = .attempts
        line.deadSince = BusinessDate("2025-01-01")
        line.message = "\u{7}"
        #expect(try RetryLine(recordText: line.recordText) == line)
        #expect(throws: RecordError.self) {
            try RetryFacts(recordText: facts.recordText.replacing("not_revoked_since", with: "nonsense"))
        }
    }
}
