internal import Intake
internal import Rules

extension Configuration {
    /// What the engine needs to know of it.
    var nightSettings: NightSettings {
        // The version is increased when the rules themselves change.
        let rules = RunRecord.rulesKey + "=" + String(RuleSet.version) + "\n"
        var settings = NightSettings(
            policy: policy, policyText: rules + policyText, feeds: feeds.map(ExpectedFeed.init), retry: retry,
            guarding: guarding, labels: labels, version: version)
        settings.watched = watched
        settings.prefixes = FeedPrefixes(
            orders: prefixes(of: "order_id", in: [.orders, .credits]),
            accounts: prefixes(of: "account_id", in: [.orders, .credits, .receipts]),
            receipts: prefixes(of: "receipt_id", in: [.receipts]))
        return settings
    }

    /// What these feeds put before the ids of a column; empty for a feed that puts nothing there.
    private func prefixes(of column: String, in kinds: Set<FeedKind>) -> Set<String> {
        Set(feeds.filter { kinds.contains($0.kind) }.map { $0.columns[column]?.prefix ?? "" })
    }

    /// The names of the feeds' labels, sorted.
    var labels: [String] { Set(feeds.flatMap(\.labels.keys)).ordered() }
}

extension ExpectedFeed {
    fileprivate init(_ feed: Feed) {
        let record = FeedRecord(
            name: feed.name, kind: feed.kind, isRequired: feed.required, isDated: feed.isDated, since: feed.since)
        self.init(record, unread: feed.unread, part: { feed.part(of: $0, on: $1) }) { feed.matches($0) }
    }
}

extension Configuration {
    /// Settings that change no verdict on record, and still decide what a night reads or sends: as `policyText`, by the part
    /// of the configuration.
    fileprivate var watched: [String: [String: String]] {
        var parts = ["retry": ["retry.enabled": String(retry.isEnabled)], "limits": limits]
        // Relative, or by its name alone: the chain covers it, and the same night elsewhere has the same chain.
        parts["output"] = [
            "output": output.hasPrefix(folder + "/")
                ? String(output.dropFirst(folder.count + 1))
                : output.split(separator: "/").last.map { String($0) } ?? output
        ]
        parts["finance.accounts"] = Dictionary(
            uniqueKeysWithValues: finance.accounts.map { (SettingChange.ofAccount + $0.rawValue, $1) })
        parts["finance.thresholds"] = thresholds
        for feed in feeds {
            var columns = feed.columns.mapValues(\.spelled)
            for name in feed.unread { columns[name] = "null" }
            var settings = columns.renamed { "columns." + $0 }
            let conditions = [
                ("where", feed.conditions), ("whereNot", feed.excluded), ("known", feed.known),
                ("deletes", feed.deletes),
            ]
            for (name, rows) in conditions {
                for (column, words) in rows { settings["\(name).\(column)"] = words.ordered().joined(separator: " ") }
            }
            if feed.zone.name != policy.zone.name { settings["timeZone"] = feed.zone.name }
            parts[feed.name] = settings.renamed { "feeds: \(feed.name)" + SettingChange.ofFeed + $0 }
        }
        return parts
    }
}

extension Configuration {
    /// What holds a night, and how much of it.
    private var limits: [String: String] {
        [
            "maxRejectedShare": share(rejectedPartsPerMillionMax), "retry.maxEntries": String(retry.entriesMax),
            "retry.maxAmount": spelled(retry.amountMax), "retry.maxAttempts": String(retry.attemptsMax),
            "guard.uncredited": share(guarding.uncredited), "guard.rows": share(guarding.rows),
            "guard.invalid": share(guarding.invalid), "guard.collisions": share(guarding.collisions),
        ]
    }

    /// See `MonthReport.thresholds`.
    var thresholds: [String: String] {
        [
            "finance.collect": "\(finance.collectDays)d",
            "finance.otherProducts": finance.otherProducts.ordered().joined(separator: " "),
            "finance.tolerance": spelled(finance.tolerance.filter { $0.value != 0 }),
        ]
    }

    /// `CNY 6.00 JPY 100`.
    private func spelled(_ amounts: [Currency: Int64]) -> String {
        amounts.ordered { $0.key.text < $1.key.text }.map { currency, minor in
            currency.text + " " + Money(minor: minor, currency: currency).text
        }.joined(separator: " ")
    }

    /// As the configuration writes it: `0.5`.
    private func share(_ partsPerMillion: Int) -> String { String(Double(partsPerMillion) / 1_000_000) }
}

extension [String: String] {
    fileprivate func renamed(_ name: (String) -> String) -> [String: String] {
        Dictionary(uniqueKeysWithValues: map { (name($0), $1) })
    }
}

extension ColumnSource {
    /// In short: the file's name of the column, a constant, a prefix, the file's words.
    fileprivate var spelled: String {
        let words = words.ordered().map { $0 + "=" + $1 }
        return
            ([name, value.map { "value " + $0 }, prefix.isEmpty ? nil : "prefix " + prefix].compactMap { $0 } + words)
            .joined(separator: " ")
    }
}
