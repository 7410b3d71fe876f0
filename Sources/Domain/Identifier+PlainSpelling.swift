extension Identifier {
    /// The text without what two systems may write differently: letter case, leading zeros, blanks around it.
    ///
    /// Ids are compared byte by byte, and nothing is joined by this spelling. It only makes a person look first.
    public var plainSpelling: String { Domain.plainSpelling(of: text) }
}

/// The same of any text; empty where nothing is left.
public func plainSpelling(of text: some StringProtocol) -> String {
    let trimmed = text.drop { $0.isWhitespace }
    let end = trimmed.lastIndex { !$0.isWhitespace }.map { trimmed.index(after: $0) } ?? trimmed.startIndex
    return String(trimmed[..<end].drop { $0 == "0" }).lowercased()
}
