public import Domain

/// One missing or refused file, as reports list it.
public struct CoverageGap: Hashable, Sendable, Codable {
    public var feed: FeedKind
    /// The business date that lacks the file.
    public var date: BusinessDate
    public var reason: Reason

    /// Why a day has a gap. Reports word it through the templates.
    public enum Reason: Hashable, Sendable {
        /// No file of a required feed came. `feed` is the feed's path as configured.
        case missing(feed: String)
        /// A file came and was refused: its name, the path of its feed as configured, and what was wrong with it.
        case refused(file: String, feed: String, text: String)
    }

    public init(feed: FeedKind, date: BusinessDate, reason: Reason) {
        self.feed = feed
        self.date = date
        self.reason = reason
    }

    public var feedName: String {
        switch reason {
        case .missing(let feed), .refused(_, let feed, _): feed
        }
    }

    /// Whether both describe the same refused file, even if it was refused for different reasons.
    public func isSameFile(as other: CoverageGap) -> Bool {
        guard case .refused(let file, let path, _) = reason,
            case .refused(let otherFile, let otherPath, _) = other.reason
        else { return false }
        return (feed, date, path, file) == (other.feed, other.date, otherPath, otherFile)
    }
}

extension CoverageGap.Reason {
    public var isMissing: Bool {
        if case .missing = self { true } else { false }
    }

    /// The reason in English for JSON files and the log, whose wording no template may change.
    public var machineText: String {
        switch self {
        case .missing(let feed): "missing: " + feed
        case .refused(let file, _, let text): file + " is refused: " + text
        }
    }
}

/// Stored as a code and its arguments.
extension CoverageGap.Reason: Codable {
    private struct Stored: Codable {
        var code: String
        var feed: String
        var file: String?
        var text: String?
    }

    public init(from decoder: any Decoder) throws {
        let stored = try Stored(from: decoder)
        switch (stored.code, stored.file, stored.text) {
        case ("missing", nil, nil): self = .missing(feed: stored.feed)
        case ("refused", let file?, let text?): self = .refused(file: file, feed: stored.feed, text: text)
        default:
            let fault = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no reason of a gap")
            throw DecodingError.dataCorrupted(fault)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .missing(let feed): try Stored(code: "missing", feed: feed).encode(to: encoder)
        case .refused(let file, let feed, let text):
            try Stored(code: "refused", feed: feed, file: file, text: text).encode(to: encoder)
        }
    }
}
