internal import Demo
internal import Foundation
internal import Glibc
internal import Reports

/// `reconcile demo [DIRECTORY]`: a sample of three nights, reconciled by the code that reconciles real ones.
enum DemoCommand {
    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let request = try DemoRequest(invocation)
        let folder = absolute(request.directory, in: context.folder)
        try makeEmptyFolder(folder)
        do {
            let headlines = try perform(request, in: folder, context)
            context.announce(farewell(request, headlines))
        } catch {
            // The folder was empty before, so all of it belongs to the demo, and half a demo is useless.
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
                try? FileManager.default.removeItem(atPath: folder + "/" + name)
            }
            throw error
        }
        return .done
    }

    /// Writes the sample and runs its nights; returns the first line of each night's summary.
    private static func perform(
        _ request: DemoRequest, in folder: String, _ context: CommandContext
    ) throws -> [(date: BusinessDate, headline: String)] {
        try Initialize.create(folder + "/reconcile.json", holding: demoConfiguration)
        let sample = SampleFolder(path: folder, orders: request.orders, seed: request.seed)
        try sample.write(checkpoint: Interruption.process.check)
        let configuration = try Configuration.read(folder + "/reconcile.json", shownAs: "reconcile.json")
        return try SampleCalendar.dates.map { date in
            if date == SampleCalendar.dates.last { try sample.deliverLateFile() }
            let moment = RunTime(businessDate: date, asOf: SampleCalendar.run(of: date))
            var context = context
            context.clock = { moment.asOf }
            let nightly = try Nightly(configuration, at: moment, context)
            let summary = summaryText(try nightly.perform(), texts: nightly.texts)
            return (date, String(summary.prefix { $0 != "\n" }))
        }
    }

    private static func farewell(
        _ request: DemoRequest, _ nights: [(date: BusinessDate, headline: String)]
    ) -> String {
        let folder = display(request.directory)
        let (last, now) = (nights[nights.count - 1].date, SampleCalendar.run(of: nights[nights.count - 1].date))
        return """
            A game's orders of three nights, reconciled with Apple's transactions:

            \(nights.map { "  \($0.date)  \($0.headline)" }.joined(separator: "\n"))

            On \(nights[1].date) one file is missing on purpose; it comes a day late.

            Reports: \(folder)/out/latest

            Next:
              1. Open the workbook: \(folder)/out/latest/reconciliation.xlsx
              2. Read how orders get lost, with an id to look up for each: \(folder)/STORIES.md
              3. Run the last night again, which changes nothing:
                 reconcile nightly --config \(folder)/reconcile.json --date \(last) --as-of \(now) --dry-run

            """
    }

    /// - Throws: `Failure` with `cannotCreate` if the folder is not empty.
    private static func makeEmptyFolder(_ folder: String) throws(Failure) {
        try Initialize.makeFolder(folder)
        guard let entries = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw .system(EACCES, cannot: "read", folder, otherwise: .cannotCreate)
        }
        guard entries.isEmpty else {
            throw Failure(
                .cannotCreate, "\(quoted(folder)) is not empty",
                remedy: "Choose another directory, or remove it.")
        }
    }
}

/// The checked arguments of `reconcile demo`.
struct DemoRequest: Equatable {
    /// The directory as typed.
    var directory: String
    var orders: Int
    var seed: UInt64

    init(_ invocation: Invocation) throws(Failure) {
        directory = invocation.operands.first ?? "demo-night"
        orders = try invocation.count(.orders, in: 1...10_000_000) ?? 2000
        seed = UInt64(try invocation.count(.seed, in: 0...Int.max) ?? 1)
    }
}
