/// A language that reports are written in.
package enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case chinese = "zh-Hans"
}
