/// A problem in a configuration file: its position, what is wrong, and what would be right.
struct ConfigurationProblem: Error, Equatable {
    var position: JSON5.Position
    /// What is wrong, without a full stop.
    var message: String
    /// What would be right, as a sentence.
    var remedy: String

    init(_ position: JSON5.Position, _ message: String, remedy: String) {
        (self.position, self.message, self.remedy) = (position, message, remedy)
    }
}

/// What the operator reads where the file is not JSON5.
extension ConfigurationProblem {
    init(_ error: JSON5Error) {
        self.init(error.position, Self.message(error.fault), remedy: Self.remedy(error.fault))
    }

    private static func message(_ fault: JSON5Error.Fault) -> String {
        switch fault {
        case .expectedValue(let found): "expected a value, found \(name(found))"
        case .expectedKey(let found): "expected a key, found \(name(found))"
        case .expectedColon(let key, let found): "expected ':' after \(quoted(key)), found \(name(found))"
        case .expectedComma(let bracket, let found): "expected ',' or '\(bracket)', found \(name(found))"
        case .expectedHexadecimalDigit(let found): "expected a hexadecimal digit, found \(name(found))"
        case .unknownWord(let word): "\(quoted(word)) is not a value"
        case .repeatedKey(let key, _): "\(quoted(key)) occurs twice"
        case .unclosedBracket(let bracket, _): "'\(bracket)' is never closed"
        case .unclosedText: "this text is not closed"
        case .unclosedComment: "this comment is not closed"
        case .unknownEscape(let digit): "'\\\(digit)' is not an escape"
        case .halfCharacter: "this escape is half a character"
        case .tooDeep: "nested too deep"
        case .textAfterEnd: "there is text after the end of the configuration"
        }
    }

    private static func remedy(_ fault: JSON5Error.Fault) -> String {
        switch fault {
        case .expectedKey(let found?) where ("0"..."9").contains(found):
            "Put the key in quotes: \"\(found)…\"."
        case .expectedValue, .expectedKey, .expectedColon, .expectedComma, .expectedHexadecimalDigit, .textAfterEnd:
            "Correct it there; the file is JSON with comments and trailing commas (JSON5)."
        case .unknownWord(let word): "Put text in quotes: \"\(display(word))\"."
        case .repeatedKey(_, let line): "It is already in line \(line)."
        case .unclosedBracket(_, let closing): "Add the missing '\(closing)'."
        case .unclosedText(let quote): "Add the missing \(quote)."
        case .unclosedComment: "Add '*/'."
        case .unknownEscape: "Write \\u and four digits."
        case .halfCharacter: "Write the character itself."
        case .tooDeep(let levelsMax): "Use at most \(levelsMax) levels."
        }
    }

    private static func name(_ found: Unicode.Scalar?) -> String {
        found.map { quoted(String(Character($0))) } ?? "the end of the file"
    }
}

extension JSON5 {
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
