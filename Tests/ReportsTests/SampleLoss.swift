import Domain

@testable import Engine

extension LossReport {
    private static let last = BusinessDate("2025-11-18")!

    /// 60 dates up to that of the sample night. A bad app version came out four dates before the end; the newest settled
    /// date stands out by its rate and its delay.
    static var sample: LossReport {
        var report = LossReport()
        report.days = (0..<60).map { day(-59 + $0) }
        report.rate = LossRate(
            date: last.advanced(by: -1), rate: 0.0125, usual: 0.0014, limit: 0.0040, rule: .aboveLimit)
        report.delay = GoodsDelay(
            date: last.advanced(by: -1), p90: .minutes(12), usual: Milliseconds(40_000), limit: Milliseconds(80_000))
        report.explanations = [
            line(.lost, .night, [("app_version", "3.2.1", false)], 38, 41, 1800, 0.0001),
            line(.late, .night, [("hour", "14", false), ("channel", "华为应用市场", true)], 61, 160, 420, 0.004),
            line(.lost, .week, [("app_version", "3.2.1", false)], 88, 131, 7200, 0.0018),
            line(.creditedTwice, .week, [("server", "zone_17", true)], 9, 12, 4100, 0.00002),
        ]
        report.values = allValues
        return report
    }

    /// Nothing that stands out, and nothing in common.
    static var quiet: LossReport {
        var report = sample
        report.days = report.days.dropLast(5)
        report.explanations = []
        report.rate = LossRate(date: last.advanced(by: -5), rate: 0.0011, usual: 0.0014, limit: 0.0040, rule: nil)
        report.delay?.p90 = Milliseconds(41_000)
        return report
    }

    private static func day(_ distance: Int) -> LossDay {
        let isBad = distance >= -4
        let purchases = 2800 + (distance * distance * 7919) % 600
        var day = LossDay(
            date: last.advanced(by: distance), purchases: purchases,
            lost: isBad ? purchases / 80 : 2 + (distance * distance * 31) % 6, isSettled: distance < 0)
        if day.isSettled, distance >= -45 {
            day.usual = 0.0014
            day.limit = 0.0036 + Double(distance % 4 + 4) * 0.0002
        }
        day.p50 = Milliseconds(1800 + Int64(distance * distance % 7) * 100)
        day.p90 = isBad ? .minutes(12) : Milliseconds(36_000 + Int64(distance * distance % 9) * 1000)
        day.p99 = isBad ? .hours(5) : .minutes(9)
        return day
    }

    static func line(
        _ of: ExplanationLine.Kind, _ span: ExplanationLine.Span,
        _ values: [(dimension: String, value: String, isLabel: Bool)], _ count: Int, _ ofCount: Int, _ purchases: Int,
        _ elsewhere: Double
    ) -> ExplanationLine {
        let rate = Double(count) / Double(purchases)
        return ExplanationLine(
            of: of, span: span,
            values: values.map { .init(dimension: $0.dimension, value: $0.value, isLabel: $0.isLabel) }, count: count,
            ofCount: ofCount, purchases: purchases, support: Double(count) / Double(ofCount), rate: rate,
            rateElsewhere: elsewhere, riskRatio: rate / max(elsewhere, 0.00001))
    }

    private static var allValues: [ValueLine] {
        let tables: [(String, Bool, [String?])] = [
            ("product", false, ["coins_60", "月卡·至尊豪华版", "com.example.game.starter_pack"]),
            ("storefront", false, ["CHN", "USA", "JPN"]), ("app_version", false, ["3.2.0", "3.2.1", ""]),
            ("cause", false, ["", "credit_failed", "no_order"]), ("weekday", false, ["1", "2", "7"]),
            ("channel", true, ["华为应用市场", "appstore", ""]), ("server", true, (1...30).map { "zone_\($0)" } + [nil]),
        ]
        return tables.flatMap { dimension, isLabel, values in
            values.enumerated().map { index, value in
                ValueLine(
                    dimension: dimension, isLabel: isLabel, value: value, purchases: 90_000 / (index + 1),
                    lost: index * 7 % 41, later: index * 7 % 41 / 3, byHand: 0,
                    notGiven: index * 7 % 41 - index * 7 % 41 / 3,
                    lostAmounts: index == 0
                        ? []
                        : [
                            Money(minor: 600 * Int64(index * 7 % 41), currency: "CNY"),
                            Money(minor: 499, currency: "USD"),
                        ])
            }
        }
    }

    /// The same with this text as the value of a label, wherever one is shown.
    static func hostile(_ text: String) -> LossReport {
        var report = sample
        report.explanations = [
            line(.lost, .night, [("channel", text, true), ("product", text, false)], 38, 41, 1800, 0.0001)
        ]
        report.values = [report.values[0], report.values[1]].map { line in
            var line = line
            (line.dimension, line.isLabel, line.value) = ("channel", true, text)
            return line
        }
        return report
    }
}
