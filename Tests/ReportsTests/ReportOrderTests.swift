import Domain
import Testing

@Suite struct ReportOrderTests {
    @Test func exceptionsAreListedSeverestFirstThenLongestOpenThenById() {
        var rows = SampleNight(exceptions: 200).report.exceptions
        for index in rows.indices { rows[index].fields.firstSeen = "2025-11-1\(index % 4)" }
        #expect(Set(rows.map(\.fields.severity)).count > 1)
        let expected = rows.sorted {
            ($0.fields.severity, $0.fields.firstSeen, $0.fields.id)
                < ($1.fields.severity, $1.fields.firstSeen, $1.fields.id)
        }
        for _ in 0..<20 { #expect(rows.shuffled().inReportOrder().map(\.fields.id) == expected.map(\.fields.id)) }
    }
}
