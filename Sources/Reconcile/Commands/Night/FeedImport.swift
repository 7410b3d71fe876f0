internal import Intake
internal import Ledger

/// Reads every file that matches a feed, is dated no later than the business date and was not imported before.
struct FeedImport {
    let configuration: Configuration
    let businessDate: BusinessDate
    let settings: IntakeSettings
    /// How many bytes of memory are free. Nil if unknown.
    let memory: Int64?
    let log: Log

    /// - Throws: `Failure` with `inputRefused` if a required feed's file cannot be used, with `noInput` if no file
    ///   matches any feed and the ledger is empty; `IntakeError`, `LedgerError`, `SQLiteError`.
    func run(ledger: Ledger) throws -> Delivered {
        let search = FeedSearch(configuration: configuration, businessDate: businessDate, log: log)
        let found = try search.run(ledger: ledger)
        var join = try FeedJoin(configuration: configuration, log: log, found)
        var need = MemoryNeed()
        for file in found.news {
            let feed = configuration.feeds[file.feed]
            let stamp = try stamp(of: file)
            need.add(file, stamp, isOptional: feed.kind == .receipts && !feed.required)
            settings.work.expect(bytes: stamp.bytes)
        }
        let tooLarge = try need.leftOut(available: memory)
        for (number, file) in found.news.enumerated() {
            try Interruption.process.check()
            if tooLarge.contains(number) {
                try join.refuse(file, Refusal(Self.tooLarge))
                continue
            }
            log.detail("reading \(file.name)")
            let outcome = try ReadOutcome(
                file, of: configuration.feeds[file.feed], delivery: join.nextDelivery, settings)
            try join.add(file, consume outcome, ledger: ledger, number: join.nextDelivery)
        }
        return try (consume join).finish(ledger: ledger)
    }

    private static let tooLarge = "there is not enough free memory to read it; run on a machine with more"
}

extension ReadOutcome {
    /// What reading a delivered file comes to. A file that contradicts its sender's totals is refused.
    init(_ file: FoundFile, of feed: Feed, delivery: DeliveryID, _ settings: IntakeSettings) throws {
        self = try Intake.read(file, feed: feed, delivery: delivery, settings: settings)
        guard case .read(let contents) = self, StatedTotals.exist(beside: file) else { return }
        do {
            guard let difference = try StatedTotals(beside: file).difference(from: contents, of: file) else { return }
            self = .refused(Refusal(difference + "; deliver both again"))
        } catch {
            self = .refused(Refusal("\(file.name).totals \(error.text); deliver both again"))
        }
    }
}
