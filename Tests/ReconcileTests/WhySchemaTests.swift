import Domain
import Foundation
import Testing

@testable import Engine
@testable import Reports

/// What `why --json` writes conforms to docs/use/why.schema.json.
@Suite struct WhySchemaTests {
    private static let date = BusinessDate("2025-11-18")!
    private let schema: [String: Any]

    init() throws {
        let path = Program.repository + "/docs/use/why.schema.json"
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        schema = try #require(object as? [String: Any])
    }

    private func faults(_ report: LossReport, by dimension: String? = nil) throws -> [String] {
        let text = lossJSON(report, of: Self.date.advanced(by: -29)...Self.date, by: dimension).page
        return schemaFaults(try JSONSerialization.jsonObject(with: Data(text.utf8)), schema)
    }

    private var full: LossReport {
        var report = LossReport()
        let day = LossDay(date: Self.date, purchases: 3280, lost: 41, isSettled: true, usual: 0.0014, limit: 0.004)
        report.days = [day, LossDay(date: Self.date, purchases: 0, lost: 0, isSettled: false)]
        report.days[0].p50 = Milliseconds(1999)
        report.days[0].p90 = .minutes(12)
        report.days[0].p99 = .hours(3)
        report.rate = LossRate(date: Self.date, rate: 0.0125, usual: 0.0014, limit: 0.004, rule: .aboveLimit)
        report.delay = GoodsDelay(date: Self.date, p90: .minutes(12), usual: .minutes(1), limit: .minutes(2))
        report.explanations = ExplanationLine.Kind.allCases.flatMap { kind in
            [ExplanationLine.Span.night, .week, .month, .asked].map { span in
                ExplanationLine(
                    of: kind, span: span,
                    values: [
                        .init(dimension: "app_version", value: "3.2.1", isLabel: false),
                        .init(dimension: "channel", value: "\u{202E}=1+1</script>", isLabel: true),
                    ], count: 38, ofCount: 41, purchases: 1800, support: 38.0 / 41, rate: 38.0 / 1800,
                    rateElsewhere: 0.0001, riskRatio: 211.1)
            }
        }
        report.values = [nil, "", "\u{1B}[2J"].map { value in
            ValueLine(
                dimension: "channel", isLabel: true, value: value, purchases: 9, lost: 6, later: 3, byHand: 2,
                notGiven: 1, lostAmounts: [Money(minor: 600, currency: "CNY"), Money(minor: 230, currency: "JPY")])
        }
        return report
    }

    @Test func whatIsWrittenConforms() throws {
        #expect(try faults(full) == [])
        #expect(try faults(LossReport(), by: "channel") == [])
        var quiet = full
        quiet.rate?.rule = nil
        quiet.delay = nil
        #expect(try faults(quiet, by: "app") == [])
    }

    @Test func anotherFormIsAFault() throws {
        var wrong = full
        // Its rate is below 0, too.
        wrong.days[0].purchases = -1
        wrong.explanations[0].values = []
        wrong.rate?.limit = 1.5
        let found = try faults(wrong)
        #expect(found.count == 4, "\(found)")
    }
}
