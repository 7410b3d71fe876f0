internal import Rules

/// One committed run of `nightly`.
public struct RunRecord: Sendable {
    /// Runs are numbered from 1.
    public var id: RunID
    /// The day that the run reconciled.
    public var businessDate: BusinessDate
    /// "Now" of the run.
    public var asOf: Instant
    /// "Now" for the rules: the end of the business date, or `asOf` if that is earlier.
    public var horizon: Instant
    /// Everything in the configuration and the product list that decides verdicts, as text.
    public var policy: String
    public var version: String
    /// The name of its report folder within the output folder. Nil until the reports are written.
    public var folder: String?
    /// The SHA-256 of the folder's file `SHA256SUMS`, hexadecimal.
    public var folderDigest: String?
    /// The sum of the digests of the night's exception events. It goes into `link`. Empty until the run is sealed; see
    /// `Ledger.seal`.
    public var events = ""
    /// The sum of the digests of people's decisions since the run before. It goes into `link`. Empty until the run is
    /// sealed.
    public var decisions = ""
    /// Where the evidence of a book's run lies and what it consists of, as text; see `Ledger.isBook`. Nil if the ledger
    /// itself stores the evidence.
    public var evidence: String?
    /// The SHA-256 over the run's `link` and `evidence` and the run before's `evidenceLink`, hexadecimal. Nil without
    /// `evidence`. It is apart from `link`, so that a run has the same link wherever its evidence is judged.
    public var evidenceLink: String?
    /// The run's link in the ledger's chain: a SHA-256, hexadecimal. Empty until the run is sealed.
    public var link = ""

    /// What reading begins with.
    public static let blank = RunRecord(
        id: 0, businessDate: .absent, asOf: .absent, horizon: .absent, policy: "", version: "")
}

extension RunRecord {
    /// The name of the rules' version in `policy`.
    public static let rulesKey = "rules"

    /// The version of the rules that the run judged by; nil if its policy names none.
    public var rulesVersion: Int? { Self.rulesVersion(in: policy) }

    /// That version, if it is newer than this program's rules: their words cannot be read here, and would look like damage.
    public var newerRules: Int? { rulesVersion.flatMap { $0 > RuleSet.version ? $0 : nil } }

    static func rulesVersion(in policy: String) -> Int? {
        let line = policy.split(separator: "\n").first { $0.hasPrefix(rulesKey + "=") }
        return line.flatMap { Int($0.dropFirst(rulesKey.count + 1)) }
    }
}
