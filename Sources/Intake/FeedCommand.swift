/// The command that writes a feed's file on its standard output. See docs/spec/interfaces.md#collect.
public struct FeedCommand: Hashable, Sendable {
    /// The program and its arguments, with placeholders.
    public var words: [String]
    /// After that long it is ended.
    public var timeout = Milliseconds.minutes(10)
    /// The largest output, in bytes.
    public var bytesMax = 4 << 30
    /// How many days before the business date `{since}` is.
    public var overlapDays = 3
    /// The names of further environment variables that it gets.
    public var environment: [String] = []

    public init(words: [String]) { self.words = words }

    /// The program's name, which messages show. Arguments are never shown.
    public var name: String { words[0].split(separator: "/").last.map(String.init) ?? words[0] }

    /// The words with the placeholders filled in.
    public func words(date: BusinessDate, since: Instant, until: Instant) -> [String] {
        words.map {
            $0.replacing("{date}", with: date.text).replacing("{since}", with: since.text)
                .replacing("{until}", with: until.text)
        }
    }
}
