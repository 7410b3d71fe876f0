public import Intake

/// How Apple is asked. See docs/spec/interfaces.md#fetch.
public struct AppleSettings: Sendable {
    /// A key of App Store Connect.
    public struct Key: Sendable, Equatable {
        public var issuerID: String
        public var keyID: String
        /// The key's file (`.p8`), absolute.
        public var file: String
    }
    /// What Apple's financial reports need.
    public struct Finance: Sendable {
        /// A Team key with access to the reports.
        public var key: Key
        public var vendor: String
        /// The region; `Z1` is the detail report of all, `ZZ` the sums of all.
        public var region: String
        /// The feed that takes the reports.
        public var feed: Feed
    }
    /// The In-App Purchase key.
    public var key: Key
    /// The feed that takes a day's notifications. Its path has a date and no `*`.
    public var notifications: Feed
    /// The feed that takes single transactions; nil if absent.
    public var asked: Feed?
    /// The feed that takes answers about order ids; nil if absent.
    public var orders: Feed?
    /// The feed that takes answers to retry entries; nil if absent.
    public var acks: Feed?
    /// What Apple's financial reports need; nil if they are not fetched.
    public var finance: Finance?
}
