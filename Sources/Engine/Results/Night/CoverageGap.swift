/// One missing or refused file, or one whose command failed, as reports list it.
public struct CoverageGap: Hashable, Sendable, Codable {
    public var feed: FeedKind
    /// The business date that lacks the file.
    public var date: BusinessDate
    /// Why the date lacks it.
    public var reason: Reason

    public init(feed: FeedKind, date: BusinessDate, reason: Reason) {
        self.feed = feed
        self.date = date
        self.reason = reason
    }

    /// The feed's name and the date.
    var day: FeedDay { FeedDay(feed: reason.feed, date: date) }

    /// Whether both describe the same refused file, even if it was refused for different reasons.
    public func isSameFile(as other: CoverageGap) -> Bool {
        reason.file != nil
            && (feed, date, reason.feed, reason.file) == (other.feed, other.date, other.reason.feed, other.reason.file)
    }

    /// Why a day has a gap. Reports word it through the templates.
    public struct Reason: Hashable, Sendable, Codable {
        private enum Code: String, Codable {
            case missing, refused, uncollected
        }
        private var code: Code
        /// The feed's path as configured.
        public private(set) var feed: String
        /// The name of the file that was refused, or that a command should have written. Nil if no file of a required feed
        /// came.
        public private(set) var file: String?
        /// What was wrong with that file, or how the command failed.
        public private(set) var text: String?

        public static func missing(feed: String) -> Reason { Reason(.missing, feed: feed) }

        public static func refused(file: String, feed: String, text: String) -> Reason {
            Reason(.refused, feed: feed, file: file, text: text)
        }

        public static func uncollected(file: String, feed: String, text: String) -> Reason {
            Reason(.uncollected, feed: feed, file: file, text: text)
        }

        /// Whether the file's command failed.
        public var isUncollected: Bool { code == .uncollected }

        private init(_ code: Code, feed: String, file: String? = nil, text: String? = nil) {
            (self.code, self.feed, self.file, self.text) = (code, feed, file, text)
        }

        /// - Throws: `DecodingError` where the code and the other members do not fit together.
        public init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                try members.decode(Code.self, forKey: .code), feed: try members.decode(String.self, forKey: .feed),
                file: try members.decodeIfPresent(String.self, forKey: .file),
                text: try members.decodeIfPresent(String.self, forKey: .text))
            guard (file != nil) == (code != .missing), (text != nil) == (code != .missing) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .code, in: members, debugDescription: "no reason of a gap")
            }
        }

        /// The reason in English for JSON files and the log, whose wording no template may change.
        public var machineText: String {
            let what = isUncollected ? " was not collected: " : " is refused: "
            return file.map { $0 + what + (text ?? "") } ?? "missing: " + feed
        }
    }
}
