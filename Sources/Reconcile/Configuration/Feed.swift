internal import Domain

/// What the transactions of a feed stand on.
enum Trust: String, Sendable, CaseIterable { case signature, backend }

enum FileFormat: String, Sendable, CaseIterable { case csv, tsv, jsonl }

/// A kind of file that somebody delivers. INTERFACES §1.
struct Feed: Sendable {
    var kind: FeedKind
    /// Absolute; may hold `{date}` and `*`.
    var path: String
    /// The pattern as configured, for people.
    var name: String
    /// Its absence for a business date is a blind spot.
    var required = false
    var trust = Trust.signature
    /// Nil: told by the file's name, else its content.
    var format: FileFormat?
    /// The file's own name of a column, by its standard name.
    var columns: [String: String] = [:]
    /// What the backend's words for an order's status mean.
    var statuses: [String: OrderStatus] = [:]
    /// Of times written without an offset.
    var zone: Zone
}
