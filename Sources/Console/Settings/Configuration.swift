public import Intake

/// A configuration, checked, with absolute paths. See docs/spec/interfaces.md#configuration.
public struct Configuration: Sendable {
    public var file: String
    /// The file's folder, to which relative paths refer.
    public var folder: String
    /// What the rules need.
    public var policy: Policy
    /// The app's Apple ID; nil to not compare it.
    public var appAppleID: Int64?
    /// The feeds, in the file's order.
    public var feeds: [Feed]
    public var ledger: String
    public var output: String
    public var language: Language = .english
    public var retry = RetrySettings()
    /// When input counts as unusual.
    public var guarding = GuardSettings()
    /// The Unix group that may read the ledger and the reports; nil for the owner only.
    public var group: String?
    /// The folder with the user's own texts and layout; nil for the built-in ones.
    public var templates: String?
    /// Files with root certificates that are trusted in addition to Apple's.
    public var trustedRoots: [String] = []
    public var desk = DeskSettings(folder: "desk")
    public var finance = FinanceSettings()
    /// How Apple is asked; nil to ask Apple nothing.
    public var apple: AppleSettings?
    /// A file with a larger share of rejected rows, in parts per million, is refused.
    public var rejectedPartsPerMillionMax = 10_000

    /// Everything in the configuration that affects verdicts, in a canonical form: a line `name=value` for each setting,
    /// named as in the configuration. If it differs from the last run's, every case is judged again, and the night says
    /// which settings changed.
    ///
    /// The product list is not included; it arrives as a feed.
    public var policyText: String {
        let required = Set(feeds.filter(\.required).map(\.kind.rawValue)).ordered()
        let lines: [(String, String)] = [
            ("tokenFanOut", String(policy.tokenFanOut)),
            (
                "app.bundleIDs",
                policy.bundles.map(\.text).ordered { $0.isBefore($1) }.joined(separator: " ")
            ),
            ("app.environment", policy.environment.name),
            ("app.appAccountToken", policy.tokenUse.rawValue),
            ("grace.credit", policy.graceCredit.spelled),
            ("grace.refund", policy.graceRefund.spelled),
            ("grace.receipt", policy.graceReceipt.spelled),
            ("grace.apple", policy.graceApple.spelled),
            ("orderTTL", policy.orderTTL.spelled),
            ("receiptTTL", policy.receiptTTL.spelled),
            ("suggestionWindow", policy.suggestionWindow.spelled),
            ("lateAfter", policy.lateAfter.spelled),
            ("historyFrom", policy.historyFrom?.text ?? ""),
            ("compare", policy.compare.map(\.rawValue).ordered().joined(separator: " ")),
            ("retry.reverseRefunds", String(policy.reverseRefunds)),
            ("timeZone", policy.zone.name),
            ("required", required.joined(separator: " ")),
        ]
        return lines.map { $0.0 + "=" + $0.1 + "\n" }.joined()
    }
}
