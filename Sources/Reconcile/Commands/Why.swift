internal import Ledger
internal import Reports

/// `reconcile why`: what lost orders have in common, how many orders are lost, and how long customers wait.
/// See docs/spec/interfaces.md#why.
enum Why {
    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let (first, last) = (try invocation.date(.since), try invocation.date(.until))
        if let first, let last, first > last {
            throw invocation.usage("--since \(first.text) is after --until \(last.text)")
        }
        let configuration = try context.configuration(for: invocation)
        let language = invocation.value(.lang).flatMap(Language.init) ?? configuration.language
        let texts = try Texts(language: language, folder: configuration.templates)
        let noNight = Ledger.noNight(configuration.ledger)
        guard exists(configuration.ledger), let ledger = try Ledger.committed(at: configuration.ledger) else {
            throw noNight
        }
        try ledger.checkHead()
        let name = invocation.value(.dimension)
        func ask(by name: String?) throws -> (report: LossReport, dates: ClosedRange<BusinessDate>) {
            let answer = try LossReport.asked(
                ledger, configuration.nightSettings, from: first, to: last, by: name, threads: context.threads)
            guard let answer else { throw noNight }
            return answer
        }
        let (report, dates) = try ask(by: name)
        if let name, report.values.isEmpty, !report.days.isEmpty {
            let known = try ask(by: nil).report.dimensions.joined(separator: ", ")
            throw invocation.usage("no purchase of these dates has a value of \(quoted(name)). Try one of: \(known)")
        }
        if invocation.isSet(.json) {
            try context.output.write(lossJSON(report, of: dates, by: name).page)
        } else {
            let screen = Screen.standardOutput(invocation, context.variables)
            try context.output.write(lossText(report, of: dates, by: name, texts: texts, screen: screen) + "\n")
        }
        return .done
    }
}
