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
        self.init(record) { feed.matches($0) }
    }
}
