/// A language that reports are written in.
public enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case chinese = "zh-Hans"
}
