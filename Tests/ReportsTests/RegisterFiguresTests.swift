import Domain
import Testing

@testable import Engine
@testable import Reports

/// Figures counted in one pass, compared with a separate filter for each.
@Suite struct RegisterFiguresTests {
    /// Verdicts without causes, too.
    @Test func aClosedExceptionIsInOneLineOfTheWork() {
        let rows = SampleNight(exceptions: 300).report.exceptions
        #expect(WorkFigures.lines(of: rows) { _ in 1 }.reduce(0) { $0 + $1.closed } == rows.count)
    }

    @Test func openNewAndAgedExceptionsAreCountedByVerdict() {
        let rows = SampleNight(exceptions: 300).report.exceptions
        let figures = RegisterFigures(rows)
        let open = rows.filter { $0.state != .resolved && $0.state != .waived }
        for state in ExceptionState.allCases {
            #expect(figures.count(state) == rows.count { $0.state == state })
        }
        for verdict in exceptionVerdicts {
            let own = open.filter { $0.verdict == verdict }
            #expect(figures.count(of: verdict, where: \.isOpen) == own.count)
            #expect(figures.count(of: verdict) { $0 == .new } == own.count { $0.state == .new })
            let lines = figures.aging.filter { $0.verdict == verdict }
            #expect(lines.map(\.currency) == Set(own.map { $0.amount?.currency ?? .absent }).sorted())
            for line in lines {
                let ofLine = own.filter { $0.amount?.currency ?? .absent == line.currency }
                #expect(line.total.count == ofLine.count)
                #expect(line.total.minor == ofLine.reduce(0) { $0 + ($1.amount?.minor ?? 0) })
                #expect(line.ageDaysMax == ofLine.map(\.ageDays).max())
            }
        }
        #expect(ExceptionState.allCases.count { figures.count($0) > 0 } > 1 && figures.openVerdicts.count > 1)
        #expect(figures.states.values.contains { ($0[.new] ?? 0) > 0 && ($0[.open] ?? 0) > 0 })
    }
}
