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
    if let plain = text.utf8.withContiguousStorageIfAvailable(plainASCII) ?? nil { return plain }
    let trimmed = text.drop { $0.isWhitespace }
    let end = trimmed.lastIndex { !$0.isWhitespace }.map { trimmed.index(after: $0) } ?? trimmed.startIndex
    return String(trimmed[..<end].drop { $0 == "0" }).lowercased()
}

/// The plain spelling of ASCII, which nearly all ids are: a tenth of the instructions. Nil for any other text.
private func plainASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || 0x09...0x0D ~= byte }
    guard let last = bytes.lastIndex(where: { !isBlank($0) }) else { return "" }
    let plain = bytes[...last].drop(while: isBlank).drop { $0 == UInt8(ascii: "0") }
    return String(unsafeUninitializedCapacity: plain.count) { lower in
        for (place, byte) in plain.enumerated() { lower[place] = 0x41...0x5A ~= byte ? byte | 0x20 : byte }
        return plain.count
    }
}
