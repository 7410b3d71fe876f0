import Domain
import Testing

@testable import Reports

/// Figures counted in one pass, compared with a separate filter for each.
@Suite struct NightFiguresTests {
    @Test func openNewAndAgedExceptionsAreCountedByVerdict() {
        let rows = SampleNight(exceptions: 300).report.exceptions
        let figures = NightFigures(rows)
        let open = rows.filter { $0.state != .resolved && $0.state != .waived }
        for state in ExceptionState.allCases {
            #expect(figures.states[state] ?? 0 == rows.count { $0.state == state })
        }
        for verdict in exceptionVerdicts {
            let own = open.filter { $0.verdict == verdict }
            #expect(figures.open[verdict]?.count ?? 0 == own.count)
            #expect(figures.open[verdict]?.new ?? 0 == own.count { $0.state == .new })
            let lines = figures.aging.filter { $0.verdict == verdict }
            #expect(lines.map(\.currency) == Set(own.map { $0.amount?.currency ?? .absent }).sorted())
            for line in lines {
                let ofLine = own.filter { $0.amount?.currency ?? .absent == line.currency }
                #expect(line.total.count == ofLine.count && line.new == ofLine.count { $0.state == .new })
                #expect(line.total.minor == ofLine.reduce(0) { $0 + ($1.amount?.minor ?? 0) })
                #expect(line.ageDaysMax == ofLine.map(\.ageDays).max())
            }
        }
        #expect(Set(figures.states.keys).count > 1 && figures.openVerdicts.count > 1)
        #expect(figures.open.values.contains { 0 < $0.new && $0.new < $0.count })
    }
}
