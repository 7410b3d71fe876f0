internal import Intake
internal import Ledger

/// The files that a night reads, and what is known before any is read.
struct FoundFiles {
    /// The files to read, in the order of their numbers.
    var news: [FoundFile] = []
    /// Files that cannot be opened because of their names.
    var unopenable: [FoundFile] = []
    /// The night's delivery so far: lists that arrived unchanged, and how many files were imported before.
    var delivered = Delivered()
}

/// Finds the files of a night.
struct FeedSearch {
    let configuration: Configuration
    let businessDate: BusinessDate
    let log: Log

    func run(ledger: Ledger) throws -> FoundFiles {
        let files = try findFiles(of: configuration.feeds, base: configuration.folder, through: businessDate)
        if files.isEmpty, try ledger.isEmpty {
            throw Failure(
                .noInput, "no file matches any feed of \(quoted(configuration.file))",
                remedy: "Check the feeds' paths, or deliver the files; nothing was changed.")
        }
        if let overlap = configuration.feeds.overlap(in: files) {
            throw Failure(.configuration, overlap, remedy: "A file belongs to one feed: change one of the paths.")
        }
        try warnOfEmptyFeeds(files, try ledger.isEmpty ? [:] : ledger.arrivals())
        var found = FoundFiles()
        found.delivered.refusals = failedCommands()
        found.delivered.firstDelivery = try ledger.nextDelivery()
        let stamps = try ledger.stamps()
        for file in files {
            let feed = configuration.feeds[file.feed]
            if feed.kind == .appleFinance { continue }
            if file.hasForeignName {
                found.unopenable.append(file)
                continue
            }
            if feed.needsTotals, !StatedTotals.exist(beside: file) {
                log.warning("\(file.name) is not read yet, because its totals are missing. Deliver \(file.name).totals")
                continue
            }
            if stamps[feed.kind]?[file.name] == (try stamp(of: file)) {
                found.delivered.filesSkipped += 1
                // The rows of a list stay valid until they are changed, so an unchanged file counts as delivered. A file of any
                // other feed has only arrived if it was written since.
                if !file.isDated, feed.kind.isList {
                    found.delivered.arrivals.append(Arrival(feed: feed.name, date: businessDate, file: file.name))
                }
            } else {
                found.news.append(file)
            }
        }
        return found
    }

    /// The files of the last month that are not there because their command failed.
    private func failedCommands() -> [CoverageGap] {
        configuration.feeds.filter { $0.command != nil }.flatMap { feed in
            (0..<31).compactMap { age in
                let date = businessDate.advanced(by: -age)
                guard let path = feed.path(of: date), !exists(path), !exists(path + ".gz"),
                    let reason = FailedCommand(of: path).reason
                else { return nil }
                let name = FoundFile.name(of: path, base: configuration.folder)
                return CoverageGap(
                    feed: feed.kind, date: date, reason: .uncollected(file: name, feed: feed.name, text: reason))
            }
        }
    }

    /// Warns where a feed that delivered before matches no file any more: its disk may not be mounted.
    private func warnOfEmptyFeeds(_ files: [FoundFile], _ arrivals: [String: Set<BusinessDate>]) throws {
        let found = Set(files.map(\.feed))
        for (index, feed) in configuration.feeds.enumerated() where !found.contains(index) && arrivals[feed.name] != nil
        {
            log.warning(
                "no file matches the feed \(feed.name) any more, although it delivered before. Check that its folder is "
                    + "there and its disk is mounted", for: .input)
        }
    }
}
