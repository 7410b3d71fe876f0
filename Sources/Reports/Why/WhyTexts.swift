/// Texts on why orders get lost, at `why.label.…` in the templates.
enum WhyLabel: String, TextName {
    case title, nothing, meaning, find, and, value, pair, none, others, supportLine, notSettled, tooFew, aboveLimit,
        rates, rateChart,
        rateUnknown
    case allDates, usual, limit, delays, delay, delayAbove, delayParts, delayChart, p50, p90, p99, seconds, minutes
    case hours, days, by, moreValues, moreDimensions, screenTitle, noPurchases, headlineRate, headlineRateShort
    case headlineDelay, headlineDelayShort, headlineExplained
}

extension Texts {
    func why(_ label: WhyLabel, _ values: String...) -> String { filled(word("why.label." + label.name), values) }

    /// The name of a dimension within a sentence; a label's own name.
    func dimension(_ name: String, isLabel: Bool) -> String {
        isLabel ? name : words["why.dimension." + name] ?? name
    }

    /// The name of a dimension as a title.
    func title(_ line: ValueLine) -> String {
        let name = dimension(line.dimension, isLabel: line.isLabel)
        return line.isLabel ? name : name.prefix(1).uppercased() + name.dropFirst()
    }

    func title(_ kind: ExplanationLine.Kind) -> String { word("why.of." + kind.rawValue) }

    /// A value as people read it. Empty: no value. Nil: all values that are not listed.
    func value(_ value: String?, of dimension: String, isLabel: Bool) -> String {
        guard let value else { return why(.others) }
        if value.isEmpty { return why(.none) }
        if isLabel { return value }
        switch dimension {
        case "weekday": return words["why.weekday." + value] ?? value
        case "hour": return value + ":00–" + value + ":59"
        case "cause":
            guard let cause = Cause(rawValue: value) else { return value }
            let verdicts = [Verdict.paidNotCredited] + Verdict.allCases
            return verdicts.first { $0.causes.contains(cause) }.map { title($0, cause) } ?? value
        default: return value
        }
    }

    /// `app version 3.2.1 and channel huawei`, safe to be shown.
    ///
    /// - Parameter width: how many columns a value has.
    func common(_ line: ExplanationLine, width: Int = 40) -> String {
        let parts = line.values.map {
            why(
                .value, dimension($0.dimension, isLabel: $0.isLabel),
                cut(display(value($0.value, of: $0.dimension, isLabel: $0.isLabel)), to: width))
        }
        return parts.count == 2 ? why(.and, parts[0], parts[1]) : parts.joined()
    }

    /// The dates that an explanation looked at: `2025-11-12 – 2025-11-18`.
    ///
    /// - Parameter dates: those of the report; of a night, its business date.
    func dates(_ span: ExplanationLine.Span, of dates: ClosedRange<BusinessDate>) -> String {
        let first =
            switch span {
            case .night: dates.upperBound
            case .week: dates.upperBound.advanced(by: -6)
            case .month, .asked: dates.lowerBound
            }
        return first == dates.upperBound ? first.text : first.text + " – " + dates.upperBound.text
    }

    /// `38 of 41 lost orders have app version 3.2.1 in common …`. Never that it is the cause.
    func sentence(_ line: ExplanationLine) -> String {
        filled(
            word("why.explained." + line.of.rawValue),
            [
                String(line.count), String(line.ofCount), common(line), percent(line.rate),
                percent(line.rateElsewhere),
            ])
    }

    /// The same with the dates that were looked at.
    func sentence(_ line: ExplanationLine, of dates: ClosedRange<BusinessDate>) -> String {
        why(.pair, self.dates(line.span, of: dates), sentence(line))
    }

    func sentence(_ rate: LossRate) -> String {
        filled(
            word("why.rate." + (rate.rule?.rawValue ?? "usual")),
            [rate.date.text, percent(rate.rate), percent(rate.usual), percent(rate.limit)])
    }

    func sentence(_ delay: GoodsDelay) -> String {
        why(
            delay.isAbove ? .delayAbove : .delay, delay.date.text, duration(delay.p90), duration(delay.usual),
            duration(delay.limit))
    }

    /// What stands out tonight: a rate above its limit or for eight dates above the usual, a delay. Empty on most nights.
    func alarms(in report: LossReport?) -> [String] {
        [
            report?.rate.flatMap { $0.rule == nil ? nil : sentence($0) },
            report?.delay.flatMap { $0.isAbove ? sentence($0) : nil },
        ].compactMap(\.self)
    }

    /// `0.14%`; `<0.01%` for less than that and more than nothing.
    func percent(_ share: Double) -> String {
        let part = whole(share * 10_000)
        return part == 0 && share > 0 ? "<0.01%" : decimal(part, exponent: 2) + "%"
    }

    /// In the largest unit that is not more than it: `40 s`, `1.3 min`.
    func duration(_ delay: Milliseconds) -> String {
        let units: [(WhyLabel, Int64)] = [
            (.days, 86_400_000), (.hours, 3_600_000), (.minutes, 60_000), (.seconds, 1000),
        ]
        let (label, unit) = units.first { $0.1 <= delay.count } ?? units[3]
        let tenths = (delay.count / unit * 10) + (delay.count % unit * 10 + unit / 2) / unit
        return why(label, tenths < 100 && tenths % 10 > 0 ? decimal(tenths, exponent: 1) : String((tenths + 5) / 10))
    }
}

/// Rounds to the nearest whole number. Returns 0 for infinity, for NaN and beyond 64 bits.
func whole(_ value: Double) -> Int64 { Int64(exactly: value.rounded()) ?? 0 }
