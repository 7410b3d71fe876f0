extension Identifier {
    /// The text without those parts that two systems may write differently: letter case, leading zeros and surrounding
    /// whitespace.
    ///
    /// Ids are compared byte by byte, and nothing is linked by this spelling. Where two ids differ only by it, a person
    /// is asked to look.
    public var plainSpelling: String { Domain.plainSpelling(of: text) }
}

/// The same for any text. Empty where nothing is left.
public func plainSpelling(of text: some StringProtocol) -> String {
    let trimmed = text.drop { $0.isWhitespace }
    let end = trimmed.lastIndex { !$0.isWhitespace }.map { trimmed.index(after: $0) } ?? trimmed.startIndex
    return String(trimmed[..<end].drop { $0 == "0" }).lowercased()
}
