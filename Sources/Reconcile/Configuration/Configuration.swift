internal import Domain
internal import Engine
internal import Intake
internal import Reports

/// A set-up as its file describes it, checked, with every path absolute. INTERFACES §0.
struct Configuration: Sendable {
    /// The file it was read from.
    var file: String
    /// The file's folder: where relative paths start.
    var folder: String
    var policy: Policy
    /// Apple's number of the app. Nil: not compared.
    var appAppleID: Int64?
    var feeds: [Feed]
    var ledger: String
    var output: String
    var language: Language = .english
    var retry = RetrySettings()
    var guarding = GuardSettings()
    /// The Unix group that may read ledger and reports. Nil: their owner alone.
    var group: String?
    /// The folder of own texts and column layouts. Nil: the built-in ones.
    var templates: String?
    /// Files of root certificates besides Apple's own.
    var trustedRoots: [String] = []
    /// More rejects than that, in rows of a million, refuse a file whole.
    var rejectedPartsPerMillionMax = 10_000

    /// Everything here that changes verdicts, in one fixed form: another text, and every case is judged again.
    ///
    /// The product list is not in it; it arrives as a feed.
    var policyText: String {
        let required = Set(feeds.filter(\.required).map(\.kind.rawValue)).sorted()
        let lines: [(String, String)] = [
            // Another number where the rules themselves decide otherwise than before.
            ("rules", "2"),
            ("tokenFanOut", String(policy.tokenFanOut)),
            (
                "bundles",
                policy.bundles.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: " ")
            ),
            ("environment", policy.environment.name),
            ("tokens", policy.tokenUse.rawValue),
            ("graceCredit", String(policy.graceCredit.count)),
            ("graceRefund", String(policy.graceRefund.count)),
            ("graceReceipt", String(policy.graceReceipt.count)),
            ("graceApple", String(policy.graceApple.count)),
            ("orderTTL", String(policy.orderTTL.count)),
            ("receiptTTL", String(policy.receiptTTL.count)),
            ("suggestionWindow", String(policy.suggestionWindow.count)),
            ("lateAfter", String(policy.lateAfter.count)),
            ("historyFrom", policy.historyFrom?.text ?? ""),
            ("compare", policy.compare.map(\.rawValue).sorted().joined(separator: " ")),
            ("reverseRefunds", String(policy.reverseRefunds)),
            ("zone", policy.zone.name),
            ("required", required.joined(separator: " ")),
        ]
        return lines.map { $0.0 + "=" + $0.1 + "\n" }.joined()
    }
}

extension Configuration {
    /// What the engine needs to know of it.
    var nightSettings: NightSettings {
        NightSettings(
            policy: policy, policyText: policyText, feeds: feeds.map(ExpectedFeed.init), retry: retry,
            guarding: guarding, version: version)
    }
}

extension ExpectedFeed {
    fileprivate init(_ feed: Feed) {
        self.init(
            kind: feed.kind, name: feed.name, isRequired: feed.required, isDated: feed.path.contains("{date}"),
            matches: { feed.matches($0) })
    }
}
