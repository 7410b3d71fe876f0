/// A language of the reports. The raw value is the name of the template.
public enum Language: String, Sendable, CaseIterable {
    /// English.
    case english = "en"
    /// Simplified Chinese.
    case chinese = "zh-Hans"
}
