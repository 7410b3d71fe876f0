internal import Glibc
internal import Intake
internal import Ledger

/// Whether the files of each feed are there, and what a night would understand of them.
extension Check {
    /// How many rows of each feed's newest file are read. A few rows may not show credits for an order that is left out.
    private func rows(of feed: Feed) -> Int {
        let leavesOut = configuration.feeds.contains {
            $0.kind == .orders && !($0.conditions.isEmpty && $0.excluded.isEmpty)
        }
        return feed.kind == .credits && leavesOut ? 2000 : 20
    }

    mutating func checkFeeds() throws {
        let today = configuration.policy.zone.date(of: context.clock())
        let found = try findFiles(of: configuration.feeds, base: configuration.folder, through: today)
        if let overlap = configuration.feeds.overlap(in: found) {
            findings.note("feeds", overlap + ". Change one of the paths.")
        }
        let arrivals = knownArrivals()
        if arrivals.isEmpty { checkFirstDates(found) }
        var samples: [(feed: Feed, sample: FeedSample)] = []
        for (index, feed) in configuration.feeds.enumerated() {
            let files = found.filter { $0.feed == index }
            let latest = files.last { $0.isDated }.map { ", the latest of \($0.fileDate)" } ?? ""
            var problem: String?
            if feed.required && files.isEmpty {
                problem = "no file matches this required feed. Check its path, or deliver the file."
            } else if let foreign = files.first(where: \.hasForeignName) {
                problem = "\(foreign.name) is refused, because its name is not UTF-8. Rename it."
            } else if let locked = files.first(where: { access($0.path, R_OK) != 0 }) {
                problem =
                    access(locked.path, F_OK) == 0 || errno != ENOENT
                    ? "\(locked.name) cannot be read. Give the user that runs reconcile permission to read it."
                    : "\(locked.name) is a link that leads nowhere. Mount the disk that it leads to, or deliver the file again."
            }
            if feed.required, files.isEmpty, let last = arrivals[feed.name]?.max() {
                findings.doubt(
                    "feed \(feed.name): 0 files",
                    "it delivered for \(last), and no file is there now. If files are not moved away after a night, check its folder."
                )
                continue
            }
            if files.isEmpty, feed.command != nil {
                let why =
                    failure(of: feed, today)
                    ?? "its command has not run yet. Run 'reconcile collect', then check again: it shows how the first rows are understood."
                findings.add(
                    CheckLine(
                        what: "feed \(feed.name): 0 files", problem: feed.required ? why : nil,
                        doubt: feed.required ? nil : why))
                continue
            }
            findings.note("feed \(feed.name): \(counted(files.count, "file", "files"))\(latest)", problem)
            if let failure = failure(of: feed, today) { findings.doubt("feed \(feed.name)", failure) }
            let refused = try checkUnread(files, of: feed, before: today)
            if problem == nil, feed.kind != .appleFinance, let newest = files.last, !refused.contains(newest.name),
                let sample = try read(newest, of: feed)
            {
                samples.append((feed, sample))
            }
        }
        checkLinks(samples)
        checkAccounts(samples.filter { $0.feed.kind == .orders })
        checkOrdersLeftOut(samples)
        if arrivals.isEmpty { try checkOrdersNamed(samples, found) }
        try checkRenewals(found)
        checkClocks(samples)
        for kind in [FeedKind.orders, .credits] { checkCollisions(samples.filter { $0.feed.kind == kind }) }
    }

    /// Doubts required feeds whose files begin later than others before the first night: it would miss the days between.
    private mutating func checkFirstDates(_ found: [FoundFile]) {
        let dated = Dictionary(grouping: found.filter(\.isDated), by: \.feed)
        let starts = dated.compactMapValues { files in files.map(\.fileDate).min() }.ordered()
        guard let first = starts.min(by: { $0.value < $1.value }) else { return }
        for (index, start) in starts {
            let feed = configuration.feeds[index]
            guard feed.required, start > max(first.value, feed.since ?? first.value) else { continue }
            findings.doubt(
                "feed \(feed.name)",
                "its files begin on \(start), those of \(configuration.feeds[first.key].name) on \(first.value): the days between "
                    + "would be missing. Give the files of the first night one date, in their names (first-night.md).")
        }
    }

    /// How the command of a feed's last file failed, and what to do.
    private func failure(of feed: Feed, _ today: BusinessDate) -> String? {
        let date = today.advanced(by: -1)
        guard feed.command != nil, let path = feed.path(of: date), let reason = FailedCommand(of: path).reason else {
            return nil
        }
        // Where a file is there, it was to be replaced.
        let command = exists(path) || exists(path + ".gz") ? Collect.again(date) : "reconcile collect"
        return "its command failed: \(reason). Correct it, then run '\(command)'."
    }

    /// Doubts ids that two feeds of a kind use for different purchases.
    private mutating func checkCollisions(_ samples: [(feed: Feed, sample: FeedSample)]) {
        var known: [Identifier: (feed: String, owner: String)] = [:]
        for (feed, sample) in samples {
            let others = sample.owners.compactMap { id, owner in known[id].flatMap { $0.owner != owner ? $0.feed : nil }
            }
            if let other = others.first {
                findings.doubt(
                    "feed \(feed.name)",
                    "\(others.count) of the ids in its first rows are other purchases in \(other). Give the ids of one feed a prefix: "
                        + "columns: { order_id: { from: \"id\", prefix: \"B\" } }.")
            }
            for (id, owner) in sample.owners { known[id] = (feed.name, owner) }
        }
    }

    /// Doubts that anything links credits with payments.
    private mutating func checkLinks(_ samples: [(feed: Feed, sample: FeedSample)]) {
        let linking = [FeedKind.orders, .credits].map { kind in samples.filter { $0.feed.kind == kind } }
        guard linking.allSatisfy({ !$0.isEmpty }), !linking.joined().contains(where: \.sample.namesTransactions),
            configuration.policy.tokenUse != .order
        else { return }
        findings.doubt(
            "links",
            "neither credits nor orders name a transaction, so only receipts link goods with payments. Where none does, no "
                + "machine gives lost goods, because they may have been given. Export transaction_id with the credits, or "
                + "with the orders."
        )
    }

    /// Warns where feeds of orders may name a customer in different ways.
    private mutating func checkAccounts(_ orders: [(feed: Feed, sample: FeedSample)]) {
        for (number, (feed, sample)) in orders.enumerated() {
            for other in orders[..<number] {
                guard let examples = sample.otherAccounts(than: other.sample) else { continue }
                findings.doubt(
                    "feed \(feed.name)",
                    "its accounts look like \(examples[0]), those of \(other.feed.name) like \(examples[1]). If these are the same "
                        + "customers, a query joins the table that has both ids (first-night.md, Files): a lost order "
                        + "is not found by the other id.")
                break
            }
        }
    }

    /// Warns of credits for orders that are left out: their goods would look unpaid.
    private mutating func checkOrdersLeftOut(_ samples: [(feed: Feed, sample: FeedSample)]) {
        let leftOut = Set(samples.flatMap(\.sample.ordersLeftOut))
        // One table for all has other rows under the same ids.
        let kept = Set(samples.filter { $0.feed.kind == .orders }.flatMap(\.sample.owners.keys))
        var reader = IdentifierReader()
        for (feed, sample) in samples {
            let count = sample.creditsOfOrders.count {
                !kept.contains($0.order!) && leftOut.contains(reader.textHash(of: $0.order!))
            }
            if count == 0 { continue }
            findings.doubt(
                "feed \(feed.name)",
                "\(count) of its first rows name orders that where or whereNot leaves out. Were these paid in another way, their "
                    + "goods would look unpaid: leave their credits out, too (first-night.md, Files).")
        }
    }

    /// Doubts credits of which hardly one names an order of any file, before the first night. The files of orders are read whole,
    /// unless the first rows have such orders.
    private mutating func checkOrdersNamed(_ samples: [(feed: Feed, sample: FeedSample)], _ found: [FoundFile]) throws {
        var known = Set(samples.filter { $0.feed.kind == .orders }.flatMap(\.sample.owners.keys))
        let open = samples.filter { _, sample in
            let credits = sample.creditsOfOrders
            return credits.count > 4 && credits.count { known.contains($0.order!) } * 2 < credits.count
        }
        let feeds = configuration.feeds.indices.filter { configuration.feeds[$0].kind == .orders }
        guard !open.isEmpty, !feeds.isEmpty, feeds.allSatisfy({ index in found.contains { $0.feed == index } }),
            let appStore = try? configuration.appStoreSettings(now: context.clock())
        else { return }
        let settings = IntakeSettings(appStore: appStore, threads: context.threads)
        var leftOut: Set<UInt64> = []
        var first = Instant(milliseconds: .max)
        for file in found where feeds.contains(file.feed) {
            let feed = configuration.feeds[file.feed]
            guard !file.hasForeignName, access(file.path, R_OK) == 0,
                case .read(let contents) = try ReadOutcome(file, of: feed, delivery: 0, settings)
            else { return }
            known.formUnion(contents.evidence.orders.map(\.id))
            leftOut.formUnion(contents.ordersLeftOut)
            first = contents.evidence.orders.map(\.createdAt).reduce(first, min)
        }
        var reader = IdentifierReader()
        for (feed, sample) in open {
            let named = Set(sample.creditsOfOrders.filter { $0.creditedAt >= first }.map { $0.order! })
            let missing = named.filter { !known.contains($0) && !leftOut.contains(reader.textHash(of: $0)) }
            guard missing.count > 4, missing.count * 20 >= named.count * 19 else { continue }
            let cure = Self.cure(missing.map(\.text), Set(known.map(\.text)))
            findings.doubt(
                "feed \(feed.name)",
                "\(missing.count) of \(named.count) orders that its first rows name are in no file of orders. "
                    + (cure ?? "Its order_id must be that of the orders") + " (first-night.md, Files).")
        }
    }

    /// What makes the ids of orders the same, if they differ in their form alone.
    private static func cure(_ missing: [String], _ known: Set<String>) -> String? {
        let forms: [(cure: String, of: (String) -> String)] = [
            ("They differ in letter case alone: export both alike, such as LOWER(order_id)", { $0.lowercased() }),
            (
                "They differ in zeros at the front alone: export both alike, such as LPAD(order_id, 12, '0')",
                { String($0.drop { $0 == "0" }) }
            ),
        ]
        return forms.first { form in
            let all = Set(known.map(form.of))
            return missing.count { all.contains(form.of($0)) } * 2 > missing.count
        }?.cure
    }

    /// Warns where orders and credits name fewer than half of the renewals. The others would look lost, and their goods would
    /// be withheld.
    /// The newest files are read once more, further: a few rows of a file have hardly a renewal.
    private mutating func checkRenewals(_ found: [FoundFile]) throws {
        var (renewals, named) = (Set<Identifier>(), Set<Identifier>())
        guard let appStore = try? configuration.appStoreSettings(now: context.clock()) else { return }
        let settings = IntakeSettings(appStore: appStore, blockBytes: 1 << 17)
        let kinds = [FeedKind.transactions, .orders, .credits]
        for kind in kinds where !(kind != .transactions && renewals.count < 5) {
            for (index, feed) in configuration.feeds.enumerated() where feed.kind == kind {
                guard let newest = found.last(where: { $0.feed == index }), access(newest.path, R_OK) == 0,
                    case .read(let contents) = try readBeginning(
                        of: newest, feed: feed, rows: Self.renewalRows, settings: settings)
                else { continue }
                renewals.formUnion(
                    contents.evidence.transactions.filter { $0.isRenewal(in: configuration.policy) }.map(\.id))
                named.formUnion(contents.evidence.orders.compactMap(\.transaction))
                named.formUnion(contents.evidence.credits.compactMap(\.transaction))
            }
        }
        if let doubt = unnamedRenewals(renewals, named: named) { findings.doubt("renewals", doubt + ".") }
    }

    /// How many rows of a file may show renewals.
    private static let renewalRows = 5000

    /// Doubts the times of orders and credits that are off by the same whole number of half hours against Apple's.
    private mutating func checkClocks(_ samples: [(feed: Feed, sample: FeedSample)]) {
        let bought = samples.filter { $0.feed.kind == .transactions }.reduce(into: [:]) { times, found in
            times.merge(found.sample.times) { first, _ in first }
        }
        for (feed, sample) in samples where feed.kind == .orders || feed.kind == .credits {
            let pairs = sample.times.compactMap { id, time in bought[id].map { (time, $0) } }
            // An order is created before its payment, and goods are given after it.
            let wrong = pairs.filter { feed.kind == .orders ? $0 > $1 : $0 < $1 }
            let shifts = Dictionary(grouping: wrong.compactMap { ClockShift(of: $0, against: $1) }) { $0 }
            guard let (shift, same) = shifts.max(by: { $0.value.count < $1.value.count }), same.count >= 5,
                same.count * 5 >= pairs.count * 4
            else { continue }
            findings.doubt(
                "feed \(feed.name)",
                "the times of \(same.count) of \(pairs.count) rows are \(shift.text) "
                    + "\(shift.halfHours > 0 ? "later" : "earlier") than Apple's. Is the feed's timeZone, \(feed.zone.name), right? If "
                    + "the times carry an offset of their own, correct the export."
            )
        }
    }

    /// Tries the whole files of a required feed that no night has read: one that is refused stops every night.
    ///
    /// - Returns: the names of those that are refused.
    private mutating func checkUnread(_ files: [FoundFile], of feed: Feed, before today: BusinessDate) throws
        -> Set<String>
    {
        guard feed.required, feed.kind != .appleFinance, exists(configuration.ledger),
            let ledger = try? Ledger.reading(path: configuration.ledger), let known = try? ledger.stamps(),
            !known.isEmpty, let appStore = try? configuration.appStoreSettings(now: context.clock())
        else { return [] }
        let settings = IntakeSettings(
            appStore: appStore, maxRejectedPartsPerMillion: configuration.rejectedPartsPerMillionMax,
            threads: context.threads)
        var refused: Set<String> = []
        for file in files where file.isDated && file.fileDate < today && !file.hasForeignName {
            guard access(file.path, R_OK) == 0,
                try known[feed.kind]?[file.name] != (stamp(of: file)),
                case .refused(let refusal) = try ReadOutcome(file, of: feed, delivery: 0, settings),
                try refusal.digest.map({ try ledger.file(kind: feed.kind, digest: $0) == nil }) ?? true
            else { continue }
            refused.insert(file.name)
            let again = feed.command == nil ? "" : " Once its command is right, run '\(Collect.again(file.fileDate))'."
            findings.note(file.name, "the night will refuse it: \(refusal.reason).\(again)")
        }
        return refused
    }

    /// The dates for which feeds delivered, as far as a ledger can be read.
    private func knownArrivals() -> [String: Set<BusinessDate>] {
        guard exists(configuration.ledger), let ledger = try? Ledger.reading(path: configuration.ledger) else {
            return [:]
        }
        return (try? ledger.isEmpty ? [:] : ledger.arrivals()) ?? [:]
    }

    /// Reads the beginning of a file as a night would, and notes what it was understood to be.
    ///
    /// - Returns: the rows that were read. Nil if there are none.
    private mutating func read(_ file: FoundFile, of feed: Feed) throws -> FeedSample? {
        // Without roots no file is read; `checkRoots` says why.
        guard let appStore = try? configuration.appStoreSettings(now: context.clock()) else { return nil }
        let settings = IntakeSettings(appStore: appStore, blockBytes: 1 << 17)
        switch try readBeginning(of: file, feed: feed, rows: rows(of: feed), settings: settings) {
        case .refused(let refusal):
            findings.note(file.name, "it would be refused: \(refusal.reason).")
            return nil
        case .read(let contents):
            let sample = FeedSample(contents, feed: feed, zone: configuration.policy.zone)
            note(contents, sample, in: file)
            return contents.totals.rows > contents.totals.rejected ? sample : nil
        }
    }

    private mutating func note(_ contents: FileContents, _ sample: FeedSample, in file: FoundFile) {
        let used = contents.totals.rows - contents.totals.rejected
        let leftOut = contents.leftOut > 0 ? ", \(contents.leftOut) left out" : ""
        let deleted = contents.deleted > 0 ? ", \(contents.deleted) that delete a record" : ""
        let shown = sample.first.map { "; the first: " + $0 } ?? ""
        let text = "\(file.name): \(counted(used, "row", "rows")) understood\(leftOut)\(deleted)\(shown)"
        let rejects = contents.rejects.prefix(3).map {
            "line \($0.line): \($0.column.map { $0 + ": " } ?? "")\($0.reason)"
        }
        let isUseless = used == 0 && contents.totals.rejected > 0
        findings.note(text, isUseless ? "every row is rejected. \(rejects.joined(separator: "; "))." : nil)
        if !isUseless, !rejects.isEmpty {
            findings.doubt(
                file.name,
                "\(counted(contents.rejects.count, "of the first rows has", "of the first rows have")) faults. \(rejects.joined(separator: "; "))."
            )
        }
        if !contents.ignoredColumns.isEmpty {
            findings.note("\(file.name): ignored columns \(contents.ignoredColumns.joined(separator: ", "))")
        }
        for doubt in sample.doubts { findings.doubt(file.name, doubt) }
    }
}
