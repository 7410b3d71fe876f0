/// How urgent an exception is. The more severe sorts first.
public enum Severity: String, Sendable, CaseIterable, Comparable, Codable {
    case critical, high, medium, low

    /// More severe first.
    public static func < (left: Self, right: Self) -> Bool {
        allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
    }
}
