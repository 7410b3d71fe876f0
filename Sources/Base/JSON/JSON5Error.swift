/// Why a text is not a JSON5 document, and where.
public struct JSON5Error: Error, Equatable {
    public var position: JSON5.Position
    public var fault: Fault

    /// `found` is the character at the position; nil at the end of the document.
    public enum Fault: Equatable, Sendable {
        case expectedValue(found: Unicode.Scalar?)
        case expectedKey(found: Unicode.Scalar?)
        case expectedColon(key: String, found: Unicode.Scalar?)
        case expectedComma(or: Unicode.Scalar, found: Unicode.Scalar?)
        case expectedHexadecimalDigit(found: Unicode.Scalar?)
        /// A word without quotes that is none of `true`, `false` and `null` and not a number.
        case unknownWord(String)
        case repeatedKey(String, firstLine: Int)
        case unclosedBracket(Unicode.Scalar, closing: Unicode.Scalar)
        case unclosedText(quote: Unicode.Scalar)
        case unclosedComment
        /// A backslash and a digit.
        case unknownEscape(Unicode.Scalar)
        /// `\u` and half of a surrogate pair.
        case halfCharacter
        case tooDeep(levelsMax: Int)
        /// Anything but blanks and comments after the value.
        case textAfterEnd
    }
}
