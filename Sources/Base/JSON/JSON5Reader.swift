/// Reads a JSON5 document (https://json5.org): comments, trailing commas, unquoted keys, single quotes.
///
/// It refuses repeated keys, which JSON5 leaves to the reader, and more than 32 levels. It reads no `Infinity`, no `NaN`, no
/// hexadecimal number and no escape in an unquoted key. The time grows in proportion to the length of the document, which
/// nothing else limits; the text is copied, so that positions can be counted in characters.
public struct JSON5Reader {
    private let scalars: [Unicode.Scalar]
    /// The index at which each line begins, ascending.
    private let lines: [Int]
    private var index = 0
    private static let depthMax = 32

    /// Reads a whole document.
    ///
    /// - Throws: `JSON5Error` for the first syntax error or repeated key.
    public static func read(_ text: String) throws(JSON5Error) -> JSON5 {
        var reader = JSON5Reader(scalars: Array(text.unicodeScalars))
        let value = try reader.value(depth: 0)
        try reader.skipBlanks()
        if reader.peek != nil { throw reader.error(.textAfterEnd) }
        return value
    }

    private init(scalars: [Unicode.Scalar]) {
        self.scalars = scalars
        let starts = scalars.indices.lazy.map { $0 + 1 }.filter { start in
            let next = start < scalars.count ? scalars[start] : nil
            return scalars[start - 1] == "\n" || scalars[start - 1] == "\r" && next != "\n"
        }
        lines = [0] + starts
    }

    private var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private func position(at index: Int) -> JSON5.Position {
        let line = lines.partitioningIndex { $0 > index }
        return JSON5.Position(line: line, column: index - lines[line - 1] + 1)
    }

    /// The error for `start`, or for the current character.
    private func error(_ fault: JSON5Error.Fault, at start: Int? = nil) -> JSON5Error {
        JSON5Error(position: position(at: start ?? index), fault: fault)
    }
}

extension JSON5Reader {
    private mutating func value(depth: Int) throws(JSON5Error) -> JSON5 {
        try skipBlanks()
        guard depth < Self.depthMax else {
            throw error(.tooDeep(levelsMax: Self.depthMax))
        }
        let start = position(at: index)
        switch peek {
        case "{": return JSON5(content: .object(try members(depth: depth)), position: start)
        case "[": return JSON5(content: .list(try elements(depth: depth)), position: start)
        case "\"", "'": return JSON5(content: .text(try string()), position: start)
        default: return JSON5(content: try word(), position: start)
        }
    }

    private mutating func members(depth: Int) throws(JSON5Error) -> [JSON5.Member] {
        let opening = index
        index += 1
        var members: [JSON5.Member] = []
        // Compared by bytes, because Swift considers `é` equal to `e` with a combining accent.
        var linesOfKeys: [[UInt8]: Int] = [:]
        while try !takeEnd("}", opening: opening, isFirst: members.isEmpty) {
            let start = index
            let key = try key()
            let keyPosition = position(at: start)
            if let line = linesOfKeys.updateValue(keyPosition.line, forKey: Array(key.utf8)) {
                throw error(.repeatedKey(key, firstLine: line), at: start)
            }
            try skipBlanks()
            guard peek == ":" else { throw error(.expectedColon(key: key, found: peek)) }
            index += 1
            members.append(JSON5.Member(key: key, keyPosition: keyPosition, value: try value(depth: depth + 1)))
        }
        return members
    }

    private mutating func elements(depth: Int) throws(JSON5Error) -> [JSON5] {
        let opening = index
        index += 1
        var elements: [JSON5] = []
        while try !takeEnd("]", opening: opening, isFirst: elements.isEmpty) {
            elements.append(try value(depth: depth + 1))
        }
        return elements
    }

    /// Advances to the next member or element, past the comma before it. True if the closing bracket was read instead.
    private mutating func takeEnd(
        _ bracket: Unicode.Scalar, opening: Int, isFirst: Bool
    ) throws(JSON5Error) -> Bool {
        try skipBlanks()
        if !isFirst, peek == "," {
            index += 1
            try skipBlanks()
        } else if !isFirst, peek != bracket, peek != nil {
            throw error(.expectedComma(or: bracket, found: peek))
        }
        if peek == nil {
            throw error(.unclosedBracket(scalars[opening], closing: bracket), at: opening)
        }
        guard peek == bracket else { return false }
        index += 1
        return true
    }

    private mutating func key() throws(JSON5Error) -> String {
        if peek == "\"" || peek == "'" { return try string() }
        let start = index
        while let scalar = peek, Self.isNamePart(scalar), index > start || !("0"..."9").contains(scalar) { index += 1 }
        guard index > start else { throw error(.expectedKey(found: peek)) }
        return text(start..<index)
    }

    private func text(_ range: Range<Int>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[range])
        return String(text)
    }

    private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar == "$" || scalar.properties.isXIDContinue
    }

    /// `true`, `false`, `null` or a number.
    private mutating func word() throws(JSON5Error) -> JSON5.Content {
        let start = index
        while let scalar = peek, Self.isNamePart(scalar) || "+-.".unicodeScalars.contains(scalar) { index += 1 }
        let word = text(start..<index)
        switch word {
        case "": throw error(.expectedValue(found: peek))
        case "true": return .flag(true)
        case "false": return .flag(false)
        case "null": return .null
        case _ where Self.isNumber(word): return .number(word)
        default: throw error(.unknownWord(word), at: start)
        }
    }

    /// Whether the word is digits with at most one point, an optional sign before and an optional exponent after.
    private static func isNumber(_ word: String) -> Bool {
        func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
        func unsigned(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
            bytes.first.map { "+-".utf8.contains($0) } == true ? bytes.dropFirst() : bytes
        }
        let parts = word.utf8.split(maxSplits: 1, omittingEmptySubsequences: false) { "eE".utf8.contains($0) }
        let mantissa = unsigned(parts[0])
        let digits = mantissa.count(where: isDigit)
        let points = mantissa.count { $0 == UInt8(ascii: ".") }
        guard digits > 0, points <= 1, digits + points == mantissa.count else { return false }
        guard parts.count == 2 else { return true }
        let exponent = unsigned(parts[1])
        return !exponent.isEmpty && exponent.allSatisfy(isDigit)
    }

    private mutating func skipBlanks() throws(JSON5Error) {
        while let scalar = peek {
            if scalar.properties.isWhitespace || scalar == "\u{FEFF}" {
                index += 1
            } else if starts(with: "//") {
                while let next = peek, !"\n\r\u{2028}\u{2029}".unicodeScalars.contains(next) { index += 1 }
            } else if starts(with: "/*") {
                let start = index
                index += 2
                while !starts(with: "*/") {
                    guard peek != nil else {
                        throw error(.unclosedComment, at: start)
                    }
                    index += 1
                }
                index += 2
            } else {
                return
            }
        }
    }

    private func starts(with mark: String) -> Bool { scalars[index...].starts(with: mark.unicodeScalars) }
}

extension JSON5Reader {
    private mutating func string() throws(JSON5Error) -> String {
        let start = index
        let quote = scalars[start]
        index += 1
        var units = String.UnicodeScalarView()
        while let scalar = peek, scalar != quote {
            if scalar == "\n" || scalar == "\r" { break }
            index += 1
            if scalar != "\\" {
                units.append(scalar)
            } else if let escape = try escape() {
                units.append(escape)
            }
        }
        guard peek == quote else {
            throw error(.unclosedText(quote: quote), at: start)
        }
        index += 1
        return String(units)
    }

    /// The character for the escape after a backslash; nil for a line continuation.
    private mutating func escape() throws(JSON5Error) -> Unicode.Scalar? {
        guard let scalar = peek else { return nil }
        index += 1
        switch scalar {
        case "b": return "\u{08}"
        case "f": return "\u{0C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "v": return "\u{0B}"
        case "0": return "\0"
        case "x": return try unicode(digits: 2)
        case "u": return try unicode(digits: 4)
        case "\r":
            if peek == "\n" { index += 1 }
            return nil
        case "\n", "\u{2028}", "\u{2029}": return nil
        case "1"..."9":
            throw error(.unknownEscape(scalar), at: index - 2)
        default: return scalar
        }
    }

    private mutating func unicode(digits count: Int) throws(JSON5Error) -> Unicode.Scalar {
        let start = index
        let unit = try hexadecimal(count)
        var value = unit
        if (0xD800..<0xDC00).contains(unit), starts(with: "\\u") {
            index += 2
            let low = try hexadecimal(4)
            if (0xDC00..<0xE000).contains(low) { value = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00) }
        }
        guard let scalar = Unicode.Scalar(value) else {
            throw error(.halfCharacter, at: start)
        }
        return scalar
    }

    private mutating func hexadecimal(_ count: Int) throws(JSON5Error) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let digit = peek.flatMap({ Character($0).hexDigitValue }) else {
                throw error(.expectedHexadecimalDigit(found: peek))
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }
}
