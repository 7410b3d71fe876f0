public import Domain

/// One committed run.
public struct RunRecord: Sendable {
    public var id: Int64
    public var businessDate: BusinessDate
    public var asOf: Instant
    public var horizon: Instant
    /// Everything in the configuration and the product list that decides verdicts, as text.
    public var policy: String
    public var version: String
    /// The folder of its reports within the output folder, and the SHA-256 of its SHA256SUMS.
    public var folder: String?
    public var folderDigest: String?
    /// The run's link in the ledger's chain and two of the sums it is made of; empty until it is sealed. See `Chain`.
    public var events = ""
    public var decisions = ""
    public var link = ""

    public init(
        id: Int64, businessDate: BusinessDate, asOf: Instant, horizon: Instant, policy: String, version: String,
        folder: String? = nil, folderDigest: String? = nil
    ) {
        self.id = id
        self.businessDate = businessDate
        self.asOf = asOf
        self.horizon = horizon
        self.policy = policy
        self.version = version
        self.folder = folder
        self.folderDigest = folderDigest
    }
}
