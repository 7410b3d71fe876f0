/// The name of an enumeration's case as files have it, without its values: `creditOnRecord(["C1"])` is
/// `credit_on_record`.
public func caseName(_ value: some Any) -> String {
    snakeCased(String("\(value)".prefix { $0 != "(" }))
}

/// `closing_owed` for `closingOwed`. It looks at bytes, because reports call it many times a row.
public func snakeCased(_ name: String) -> String {
    let isCapital = { (byte: UInt8) in (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
    return String(decoding: name.utf8.flatMap { isCapital($0) ? [0x5F, $0 | 0x20] : [$0] }, as: UTF8.self)
}
