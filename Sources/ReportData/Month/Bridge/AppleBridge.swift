/// A month's ledger figures side by side with Apple's financial reports.
public struct AppleBridge: Hashable, Sendable, Codable {
    /// The reports that were read.
    public var files: [AppleReportFile]
    /// Sorted by product, country, currency and kind.
    public var lines: [BridgeLine]

    public init(files: [AppleReportFile], lines: [BridgeLine]) {
        self.files = files
        self.lines = lines
    }
}
