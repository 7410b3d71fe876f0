/// A value of a configuration file and its position.
///
/// Foundation can read JSON5 too, but its errors have no line, its values no position, and its numbers are binary
/// fractions. Good error messages need the positions, and money must not be a binary fraction.
struct JSON5: Equatable {
    struct Position: Equatable, Sendable {
        /// Both count from 1; columns count characters.
        var line: Int
        var column: Int
    }
    struct Member: Equatable {
        var key: String
        var keyPosition: Position
        var value: JSON5
    }
    enum Content: Equatable {
        case object([Member])
        case list([JSON5])
        case text(String)
        /// The digits as written, so that nothing is rounded.
        case number(String)
        case flag(Bool)
        case null
    }
    var content: Content
    var position: Position

    /// The kind of the value, for messages.
    var noun: String {
        switch content {
        case .object: "an object { … }"
        case .list: "a list [ … ]"
        case .text(let text): "the text \(quoted(text, limit: 40))"
        case .number(let spelling): "the number \(spelling.prefix(40))"
        case .flag(let flag): String(flag)
        case .null: "null"
        }
    }
}

/// A problem in a configuration file: its position, what is wrong, and what would be right.
struct ConfigurationProblem: Error, Equatable {
    var position: JSON5.Position
    var message: String
    var remedy: String

    init(_ position: JSON5.Position, _ message: String, remedy: String) {
        self.position = position
        self.message = message
        self.remedy = remedy
    }
}
