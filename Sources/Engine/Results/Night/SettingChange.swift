/// A setting of the configuration that differs from the night before.
public struct SettingChange: Hashable, Sendable, Codable {
    /// The setting's name in the configuration, or the name of a feed.
    public var setting: String
    /// Its value in the night before, as the configuration writes it. Nil if it was not set.
    public var old: String?
    /// Tonight's value. Nil if it is not set any more.
    public var new: String?
}
