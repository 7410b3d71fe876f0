internal import Intake

/// Reads the configuration's section `apple`. The files that are fetched belong to feeds, so that a night reads them like
/// all others.
struct AppleReader {
    var folder: String
    var feeds: [Feed]

    private static let keys = ["issuerID", "keyID", "key", "notifications", "asked", "orders", "acks", "finance"]

    /// Nil if the configuration has no such section.
    func read(_ root: Section, environment: AppEnvironment) throws(ConfigurationProblem) -> AppleSettings? {
        guard let section = try root.section("apple", keys: Self.keys) else { return nil }
        guard environment == .production || environment == .sandbox else {
            throw root.problem(
                "apple", "cannot be used with app.environment \(quoted(environment.name))",
                remedy: "Apple answers for Production and Sandbox only: remove apple, or change app.environment.")
        }
        let path = "inbox/apple-{date}.jsonl"
        guard let notifications = try feed("notifications", section, of: .transactions, default: path) else {
            let named = try section.text("notifications", example: path) ?? path
            throw section.problem(
                "notifications", "is \(quoted(named)), which no feed reads",
                remedy: "Add { kind: \"transactions\", path: \"\(display(named))\", required: true } to feeds.")
        }
        var settings = AppleSettings(key: try key(section), notifications: notifications)
        settings.asked = try feed("asked", section, of: .transactions, default: "inbox/apple-asked-{date}.jsonl")
        settings.orders = try feed("orders", section, of: .orderLookups, default: "inbox/apple-orders-{date}.jsonl")
        settings.acks = try feed("acks", section, of: .acks, default: "inbox/apple-acks-{date}.jsonl")
        settings.finance = try finance(section)
        return settings
    }

    private func key(_ section: Section) throws(ConfigurationProblem) -> AppleSettings.Key {
        AppleSettings.Key(
            issuerID: try needed("issuerID", section, example: "57246542-96fe-1a63-e053-0824d011072a"),
            keyID: try needed("keyID", section, example: "2X9R4HXF34"),
            file: absolute(try needed("key", section, example: "/etc/reconcile/AuthKey_2X9R4HXF34.p8"), in: folder))
    }

    private func finance(_ section: Section) throws(ConfigurationProblem) -> AppleSettings.Finance? {
        let keys = ["issuerID", "keyID", "key", "vendor", "region", "reports"]
        guard let section = try section.section("finance", keys: keys) else { return nil }
        let path = "inbox/apple-finance-{date}.txt.gz"
        guard let feed = try feed("reports", section, of: .appleFinance, default: path) else {
            throw section.problem(
                "reports", "names files that no feed reads",
                remedy: "Add { kind: \"apple-finance\", path: \"\(path)\" } to feeds.")
        }
        return AppleSettings.Finance(
            key: try key(section), vendor: try needed("vendor", section, example: "80012345"),
            region: try section.text("region", example: "Z1") ?? "Z1", feed: feed)
    }

    private func needed(_ key: String, _ section: Section, example: String) throws(ConfigurationProblem) -> String {
        guard let text = try section.text(key, example: example) else {
            throw section.problem(
                key, "is missing", remedy: "Write it, such as \"\(example)\", or remove apple to ask Apple nothing.")
        }
        return text
    }

    /// The feed whose path `key` names; nil if `key` is left out and no feed has the usual path.
    private func feed(
        _ key: String, _ section: Section, of kind: FeedKind, default usual: String
    ) throws(ConfigurationProblem) -> Feed? {
        let named = try section.text(key, example: usual)
        let path = absolute(named ?? usual, in: folder)
        guard let feed = feeds.first(where: { $0.kind == kind && $0.path == path }) else {
            guard named != nil else { return nil }
            throw section.problem(
                key, "is not the path of a feed of \(kind.rawValue)",
                remedy: "Add { kind: \"\(kind.rawValue)\", path: \"\(display(named ?? usual))\" } to feeds.")
        }
        guard feed.isDated, !feed.path.contains("*") else {
            throw section.problem(
                key, "is \(quoted(named ?? usual))", remedy: "Write a path with {date} and without *: \"\(usual)\".")
        }
        return feed
    }
}
