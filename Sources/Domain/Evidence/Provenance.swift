/// Where a piece of evidence came from.
@frozen
public struct Provenance: Hashable, Sendable, Codable {
    /// The ledger's number of the imported file.
    public var delivery: DeliveryID
    /// The line on which the row begins, counted from 1. A header is line 1.
    public var line: Int32
    /// The date in the file's name, else the business date of the run that read it.
    public var fileDate: BusinessDate

    @inlinable
    public init(delivery: DeliveryID, line: Int32, fileDate: BusinessDate) {
        (self.delivery, self.line, self.fileDate) = (delivery, line, fileDate)
    }

    /// For values that are made in code rather than read from a file.
    public static let none = Provenance(delivery: .none, line: 0, fileDate: BusinessDate(day: 0))
}
