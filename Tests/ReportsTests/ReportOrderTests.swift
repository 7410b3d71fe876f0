import Domain
import Testing

@Suite struct ReportOrderTests {
    @Test func exceptionsAreListedSeverestFirstThenLongestOpenThenById() {
        var rows = SampleNight(exceptions: 200).report.exceptions
        for index in rows.indices { rows[index].firstSeen = BusinessDate("2025-11-1\(index % 4)")! }
        #expect(Set(rows.map(\.severity)).count > 1)
        let expected = rows.sorted { ($0.severity, $0.firstSeen, $0.id) < ($1.severity, $1.firstSeen, $1.id) }
        for _ in 0..<20 { #expect(rows.shuffled().inReportOrder().map(\.id) == expected.map(\.id)) }
    }
}
