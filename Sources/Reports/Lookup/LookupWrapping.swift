/// Breaks a text into lines of at most `columns` columns: at blanks, and between the characters of scripts without
/// blanks.
func wrapped(_ text: String, to columns: Int) -> [String] {
    var lines = [""]
    var width = 0
    for piece in pieces(of: text) {
        var piece = piece
        if width > 0, width + displayWidth(String(piece.trimmingSuffix(" "))) > columns {
            lines.append("")
            width = 0
        }
        // A piece that is longer than a line is broken at the end of the line.
        while displayWidth(String(piece.trimmingSuffix(" "))) > columns, let end = end(of: piece, columns: columns) {
            lines[lines.count - 1] = String(piece[..<end])
            lines.append("")
            piece = piece[end...]
        }
        lines[lines.count - 1] += piece
        width += displayWidth(String(piece))
    }
    return lines.map { String($0.trimmingSuffix(" ")) }
}

/// The pieces that are not broken: words with the blanks after them, and wide characters with the punctuation after
/// them.
private func pieces(of text: String) -> [Substring] {
    var pieces: [Substring] = []
    var start = text.startIndex
    var before: Character?
    for index in text.indices {
        let character = text[index]
        let afterBlank = before == " " && character != " "
        let isOpened = before.map(opening.contains) == true
        let isWide = displayWidth(String(character)) == 2 || before.map { displayWidth(String($0)) == 2 } == true
        if start < index, afterBlank || isWide && !closing.contains(character) && character != " " && !isOpened {
            pieces.append(text[start..<index])
            start = index
        }
        before = character
    }
    return pieces + [text[start...]]
}

/// Punctuation that must not begin a line.
private let closing = Set("，。；：、！？）」』”’》,.;:!?)")

/// Punctuation that must not end a line.
private let opening = Set("（「『《")

private func end(of piece: Substring, columns: Int) -> Substring.Index? {
    var width = 0
    for index in piece.indices {
        width += displayWidth(String(piece[index]))
        if width > columns { return index > piece.startIndex ? index : nil }
    }
    return nil
}

extension StringProtocol where SubSequence == Substring {
    /// Without the characters at its end that are among `cut`.
    func trimmingSuffix(_ cut: String) -> Substring {
        self[..<(lastIndex { !cut.contains($0) }.map(index(after:)) ?? startIndex)]
    }
}
