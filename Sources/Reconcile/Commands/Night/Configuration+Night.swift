internal import Intake
internal import Rules

extension Configuration {
    /// What the engine needs to know of it.
    var nightSettings: NightSettings {
        // The version is increased when the rules themselves change.
        let rules = RunRecord.rulesKey + "=" + String(RuleSet.version) + "\n"
        return NightSettings(
            policy: policy, policyText: rules + policyText, feeds: feeds.map(ExpectedFeed.init), retry: retry,
            guarding: guarding, labels: labels, version: version)
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
