/// A month beside Apple's financial reports.
public struct AppleBridge: Hashable, Sendable, Codable {
    public var files: [AppleReportFile]
    /// Sorted by product, country, currency, kind.
    public var lines: [BridgeLine]

    public init(files: [AppleReportFile], lines: [BridgeLine]) {
        self.files = files
        self.lines = lines
    }
}
