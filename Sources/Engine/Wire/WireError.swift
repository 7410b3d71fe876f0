/// Why a stream between two stages cannot be used. A stage that meets one writes no result.
public enum WireError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The stream ended early: its last line is missing or does not agree with the lines before it.
    case cut(String)
    /// The stream was written for another plan, or by a program with another wire.
    case foreign(String)
    /// A line is not what its sum says. Lines are numbered from 1; the header is line 1.
    case altered(line: Int)
    /// A line has a sum that agrees, but a content that this program never writes.
    case misspelled(line: Int, reason: String)

    public var description: String {
        switch self {
        case .cut(let what): "the stream is cut: \(what)"
        case .foreign(let what): what
        case .altered(let line): "line \(line) of the stream was altered: its sum does not agree"
        case .misspelled(let line, let reason): "line \(line) of the stream: \(reason)"
        }
    }
}
