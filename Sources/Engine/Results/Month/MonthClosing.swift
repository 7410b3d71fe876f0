/// Who closed a month, when, and on what terms.
public struct MonthClosing: Hashable, Sendable, Codable {
    public var by: String
    /// Who approved it; nil if no approver was named.
    public var approver: String?
    public var note: String?
    /// Why the month was closed although more was unexplained than the tolerance allows. Nil if it was not.
    public var acceptedUnexplained: String?
    /// When, by the real clock. `.absent` until it is closed.
    public var at = Instant.absent
    /// SHA-256 of what was sealed, hexadecimal. Nil within the sealed text itself.
    public var seal: String?

    public init(by: String) { self.by = by }

    /// Whether a second person approved it.
    public var isSegregated: Bool { approver.map { $0.lowercased() != by.lowercased() } ?? false }
}

/// Who waived an exception, and when.
public struct WaiverLine: Hashable, Sendable, Codable {
    public var exception: String
    public var by: String
    public var at: Instant
}
