internal import Base
internal import Domain
import Testing

@testable import Ledger

@Suite struct FactsReadingTests {
    private struct Row: Equatable {
        var number: Int
        var facts = FactsReadingTests.facts(-1)
    }

    private static func facts(_ number: Int) -> RetryFacts {
        var fields = RetryFields(action: .credit, environment: "Production", verdict: .paidNotCredited, cause: .none)
        fields.key = "R\(number)"
        return RetryFacts(fields: fields)
    }

    /// Facts are read in pieces of some thousand.
    @Test(arguments: [0, 1, 8192, 20_000], [1, 3]) func eachRecordGetsItsOwnFacts(_ count: Int, threads: Int) throws {
        var reading = FactsReading<Row, RetryFacts>(\.facts, threads: threads)
        for number in 0..<count { try reading.add(Row(number: number), Self.facts(number).recordText) }
        #expect(try reading.finish() == (0..<count).map { Row(number: $0, facts: Self.facts($0)) })
    }

    @Test func whatIsNotFactsIsAnError() throws {
        var reading = FactsReading<Row, RetryFacts>(\.facts, threads: 2)
        for number in 0..<700 { try reading.add(Row(number: number), Self.facts(number).recordText) }
        try reading.add(Row(number: 700), "{}")
        #expect(throws: RecordError.self) { try reading.finish() }
    }
}
