/// A language of the reports. The raw value is the name of the template.
public enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case chinese = "zh-Hans"
}
