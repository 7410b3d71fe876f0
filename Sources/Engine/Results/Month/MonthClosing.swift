/// Who closed a month, when, and on what terms.
public struct MonthClosing: Hashable, Sendable, Codable {
    public var by: String
    /// The user of the system, or of the web server, who ran the command.
    public var user: String?
    /// Who is to approve it, as the person who closed it says; nil if nobody was named. The act is a `MonthApproval`.
    public var approver: String?
    public var note: String?
    /// Why the month was closed although more was unexplained than the tolerance allows. Nil if it was not.
    public var acceptedUnexplained: String?
    /// What was accepted, such as `16.83 USD`. Nil if nothing was.
    public var acceptedAmount: String?
    /// What was unexplained within the tolerance, such as `6.00 CNY`. Nil if nothing was.
    public var tolerated: String?
    /// When, by the real clock. `.absent` until it is closed.
    public var at = Instant.absent
    /// SHA-256 of what was sealed, hexadecimal. Nil within the sealed text itself.
    public var seal: String?

    public init(by: String) { self.by = by }

    /// Whether a second person was named.
    public var isSegregated: Bool { approver.map { $0.lowercased() != by.lowercased() } ?? false }
}

/// A second person's act: who approved a closed month, by the digest of its seal.
public struct MonthApproval: Hashable, Sendable {
    public var period: String
    /// The seal's SHA-256, hexadecimal.
    public var digest: String
    /// The user of the system, or of the web server.
    public var user: String
    public var by: String
    public var at: Instant

    public init(period: String, digest: String, user: String, by: String, at: Instant) {
        (self.period, self.digest, self.user, self.by, self.at) = (period, digest, user, by, at)
    }
}

/// Who waived an exception, and when.
public struct WaiverLine: Hashable, Sendable, Codable {
    public var exception: String
    public var by: String
    public var at: Instant
}
