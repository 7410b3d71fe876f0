/// A value of a JSON5 document (https://json5.org) and where it stands: for files that people write.
///
/// Foundation can read JSON5 too, but its errors have no line, its values no position, and its numbers are binary
/// fractions. Good error messages need the positions, and money must not be a binary fraction.
public struct JSON5: Equatable, Sendable {
    /// A place in the document.
    public struct Position: Equatable, Sendable {
        /// Counts from 1.
        public var line: Int
        /// Counts characters (Unicode scalars) from 1.
        public var column: Int

        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }
    /// A key of an object and its value.
    public struct Member: Equatable, Sendable {
        public var key: String
        public var keyPosition: Position
        public var value: JSON5
    }
    public enum Content: Equatable, Sendable {
        /// The members in the order of the document; their keys are distinct.
        case object([Member])
        case list([JSON5])
        case text(String)
        /// The number as written, so that nothing is rounded: digits with at most one point, an optional sign, an optional
        /// exponent.
        case number(String)
        case flag(Bool)
        case null
    }

    public var content: Content
    /// Where the value begins.
    public var position: Position

    /// A text, or a number as written; nil for other values.
    public var spelling: String? {
        switch content {
        case .text(let text), .number(let text): text
        default: nil
        }
    }
}
