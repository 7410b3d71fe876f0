extension HistoryHead {
    /// How the settings that decide verdicts or are watched, and the feeds, differ from those of the last run. A new version
    /// of the rules and a new product list are not changes of the configuration.
    func settingChanges(to basis: Basis, _ settings: NightSettings) -> [SettingChange] {
        guard let last = lastRun else { return [] }
        return last.settingChanges(to: basis) + feedChanges(to: basis, settings)
    }

    /// How the configured feeds and what is watched differ.
    func feedChanges(to basis: Basis, _ settings: NightSettings) -> [SettingChange] {
        let configured = Set(settings.feeds.map(\.record.name))
        // A feed that is still expected although the configuration has lost it is not watched.
        let known = feeds.filter { watched.isEmpty || watched[$0.name] != nil }
        return [SettingChange](
            from: spellings(known), to: spellings(basis.feeds.filter { configured.contains($0.name) }))
            + settings.watched.ordered().flatMap { part, new in
                watched[part].map { [SettingChange](from: $0, to: new) } ?? []
            }
    }

    private func spellings(_ feeds: [FeedRecord]) -> [String: String] {
        Dictionary(
            feeds.filter { $0.until == nil }.map { (SettingChange.feeds + $0.name, SettingChange.value(of: $0)) }
        ) { $1 }
    }
}

extension [SettingChange] {
    fileprivate init(from old: [String: String], to new: [String: String]) {
        self = Set(old.keys).union(new.keys).ordered().compactMap { name in
            let (before, now) = (old[name] ?? "", new[name] ?? "")
            guard before != now else { return nil }
            return SettingChange(
                setting: name, old: before.isEmpty ? nil : before, new: now.isEmpty ? nil : now)
        }
    }
}

extension MonthReport {
    /// Records by which thresholds the report is made, and names those that are not as in the month that was closed last.
    public mutating func addThresholds(_ thresholds: [String: String], since last: MonthReport?) {
        self.thresholds = thresholds
        settingsChanged += last?.thresholdChanges(to: thresholds) ?? []
    }

    /// How other thresholds differ from the report's own.
    public func thresholdChanges(to others: [String: String]) -> [SettingChange] {
        [SettingChange](from: thresholds, to: others)
    }
}

extension RunRecord {
    /// How the settings that decide verdicts differ from those by which the run judged.
    func settingChanges(to basis: Basis) -> [SettingChange] {
        [SettingChange](from: Self.settings(policy), to: Self.settings(basis.policyText))
    }

    /// How the product list differs from the one by which the run judged, product by product.
    /// - Throws: `EngineError.damaged` if the record contains a product that this program never writes.
    func productChanges(to basis: Basis) throws(EngineError) -> [SettingChange] {
        let terms = { (products: [Product]) in
            Dictionary(grouping: products) { SettingChange.ofProduct + $0.id.text }
                .mapValues { $0.map(\.terms).joined(separator: "; ") }
        }
        return [SettingChange](from: terms(try [Product](policyText: policy)), to: terms(basis.products))
    }

    /// The name of the bundle ids in `policy`.
    public static let bundlesKey = "app.bundleIDs"

    /// The ids of the apps whose purchases it judged.
    public var bundles: Set<String> {
        Set((Self.settings(policy)[Self.bundlesKey] ?? "").split(separator: " ").map { String($0) })
    }

    /// The version of the rules by which it judged; nil in texts without one.
    var rules: Substring? { Self.rules(policy) }

    static func rules(_ policy: String) -> Substring? {
        policy.split(separator: "\n").first { $0.hasPrefix(rulesKey + "=") }
    }

    /// The lines `name=value` of a policy. Lines of the product list have another form.
    static func settings(_ policy: String) -> [String: String] {
        var settings: [String: String] = [:]
        for line in policy.split(separator: "\n") where !line.isProduct {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            settings[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
        }
        settings[RunRecord.rulesKey] = nil
        // Feeds are compared one by one.
        settings["required"] = nil
        return settings
    }
}
