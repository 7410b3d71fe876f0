/// The text in single quotes, safe for a terminal, cut to a reasonable length.
public func quoted(_ text: String, limit: Int = 120) -> String {
    let whole = display(text)
    return "'" + (whole.count <= limit ? whole : whole.prefix(limit - 1) + "…") + "'"
}

/// `a, b or c`.
public func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
}
