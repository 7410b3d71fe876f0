public import Domain

/// One missing or refused file, as reports list it.
public struct CoverageGap: Hashable, Sendable, Codable {
    public var feed: FeedKind
    /// The business date that lacks the file.
    public var date: BusinessDate
    /// Why the date lacks it.
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
    private enum Code: String, Codable {
        case missing, refused
    }

    private enum CodingKeys: String, CodingKey {
        case code, feed, file, text
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let feed = try values.decode(String.self, forKey: .feed)
        switch try values.decode(Code.self, forKey: .code) {
        case .missing: self = .missing(feed: feed)
        case .refused:
            self = .refused(
                file: try values.decode(String.self, forKey: .file), feed: feed,
                text: try values.decode(String.self, forKey: .text))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .missing(let feed):
            try values.encode(Code.missing, forKey: .code)
            try values.encode(feed, forKey: .feed)
        case .refused(let file, let feed, let text):
            try values.encode(Code.refused, forKey: .code)
            try values.encode(feed, forKey: .feed)
            try values.encode(file, forKey: .file)
            try values.encode(text, forKey: .text)
        }
    }
}
