extension Identifier {
    /// The text without what two systems, or a person who types, may write differently: letter case, leading zeros,
    /// surrounding blanks and quotes, invisible signs, full-width letters, another script's digits, and of a number its
    /// commas and zeros behind the point.
    ///
    /// Ids are compared byte by byte, and nothing is linked by this spelling. Where two ids differ only by it, a person
    /// is asked to look.
    public var plainSpelling: String { Domain.plainSpelling(of: text) }
}

/// The same for any text. Empty where nothing is left.
public func plainSpelling(of text: some StringProtocol) -> String {
    if let plain = text.utf8.withContiguousStorageIfAvailable(plainASCII) ?? nil { return plain }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where !scalar.properties.isDefaultIgnorableCodePoint {
        scalars.append(scalar.typed)
    }
    var typed = String(scalars)
    if let plain = typed.withUTF8(plainASCII) { return plain }
    func isAround(_ sign: Character) -> Bool { sign.isWhitespace || "'\"=".contains(sign) }
    let trimmed = typed.drop(while: isAround)
    let end = trimmed.lastIndex { !isAround($0) }.map { trimmed.index(after: $0) } ?? trimmed.startIndex
    return String(trimmed[..<end].drop { $0 == "0" }).lowercased()
}

extension Unicode.Scalar {
    /// What an English keyboard types for it: a full-width form is its ASCII character, and a digit of any script a digit.
    fileprivate var typed: Unicode.Scalar {
        if 0xFF01...0xFF5E ~= value { return Unicode.Scalar(UInt8(value - 0xFEE0)) }
        if properties.isWhitespace { return " " }
        guard !isASCII, properties.numericType == .decimal, let digit = properties.numericValue else { return self }
        return Unicode.Scalar(UInt8(ascii: "0") + UInt8(digit))
    }
}

/// The plain spelling of ASCII, which nearly all ids are: a tenth of the instructions. Nil for any other text.
private func plainASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    // Excel marks text by an apostrophe or as `="..."`.
    func isAround(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09...0x0D, UInt8(ascii: " "), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "="): true
        default: false
        }
    }
    guard let last = bytes.lastIndex(where: { !isAround($0) }) else { return "" }
    let typed = bytes[...last].drop(while: isAround)
    if let number = wholeNumber(typed) { return number }
    let id = typed.drop { $0 == UInt8(ascii: "0") }
    return String(unsafeUninitializedCapacity: id.count) { lower in
        for (place, byte) in id.enumerated() { lower[place] = 0x41...0x5A ~= byte ? byte | 0x20 : byte }
        return id.count
    }
}

/// The digits of a number that a spreadsheet wrote with commas or as a fraction: `1,000.0`. Nil for any other text.
private func wholeNumber(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
    guard text.contains(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ".") }) else { return nil }
    let whole = text.prefix { $0 != UInt8(ascii: ".") }
    let digits = whole.filter { $0 != UInt8(ascii: ",") }
    guard whole.first != UInt8(ascii: ","), !digits.isEmpty, digits.allSatisfy({ 0x30...0x39 ~= $0 }),
        text.dropFirst(whole.count + 1).allSatisfy({ $0 == UInt8(ascii: "0") })
    else { return nil }
    return String(decoding: digits.drop { $0 == UInt8(ascii: "0") }, as: UTF8.self)
}
