import Domain
import Testing

@testable import Console

/// The section `apple`: each file that is fetched belongs to a feed.
@Suite struct AppleConfigurationTests {
    private static let keys = "issuerID: \"i\", keyID: \"k\", key: \"keys/a.p8\""
    private static let days = "{ kind: \"transactions\", path: \"inbox/apple-{date}.jsonl\" }"

    private func read(
        _ apple: String, feeds: String = days, app: String = ""
    ) throws(ConfigurationProblem) -> AppleSettings? {
        let text = "{ app: { bundleIDs: [\"com.example.game\"], \(app) }, apple: \(apple), feeds: [\(feeds)] }"
        return try ConfigurationReader(file: "/srv/night/reconcile.json").read(text).apple
    }

    @Test func pathsThatAreLeftOutAreTheUsualOnesWhereAFeedHasThem() throws {
        let found = try #require(try read("{ \(Self.keys) }"))
        #expect(found.key == AppleSettings.Key(issuerID: "i", keyID: "k", file: "/srv/night/keys/a.p8"))
        #expect(found.notifications.path(of: BusinessDate(day: 20_410)) == "/srv/night/inbox/apple-2025-11-18.jsonl")
        #expect(found.asked == nil && found.orders == nil && found.acks == nil && found.finance == nil)
        let acks = "{ kind: \"acks\", path: \"inbox/apple-acks-{date}.jsonl\" }"
        #expect(try read("{ \(Self.keys) }", feeds: Self.days + "," + acks)?.acks != nil)
        #expect(try read("null") == nil)
    }

    @Test func aPathMayHaveItsDateInAnyForm() throws {
        let feed = "{ kind: \"transactions\", path: \"{date:yyyyMM-dd}/apple.jsonl\" }"
        let found = try read("{ \(Self.keys), notifications: \"{date:yyyyMM-dd}/apple.jsonl\" }", feeds: feed)
        #expect(found?.notifications.path(of: BusinessDate(day: 20_410)) == "/srv/night/202511-18/apple.jsonl")
    }

    @Test(arguments: [
        ("{ keyID: \"k\", key: \"a\" }", days, "", "apple.issuerID is missing"),
        ("{ \(keys) }", "{ kind: \"orders\", path: \"o-{date}.csv\" }", "", "which no feed reads"),
        ("{ \(keys), asked: \"x-{date}.jsonl\" }", days, "", "apple.asked is not the path of a feed of transactions"),
        (
            "{ \(keys), notifications: \"a-*.jsonl\" }", "{ kind: \"transactions\", path: \"a-*.jsonl\" }", "",
            "apple.notifications is 'a-*.jsonl'"
        ),
        ("{ \(keys) }", days, "environment: \"Xcode\"", "apple cannot be used with app.environment 'Xcode'"),
        ("{ \(keys), kye: 1 }", days, "", "'kye' is not a key"),
        (
            "{ \(keys), finance: { \(keys), vendor: \"8\" } }", days, "",
            "apple.finance.reports names files that no feed reads"
        ),
    ])
    func whatCannotBeUsedIsNamed(apple: String, feeds: String, app: String, message: String) {
        do {
            _ = try read(apple, feeds: feeds, app: app)
            Issue.record("read: \(apple)")
        } catch { #expect(error.message.contains(message), "\(error.message)") }
    }
}
