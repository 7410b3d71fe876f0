/// The name of an enumeration's case as files have it, without its values: `creditOnRecord(["C1"])` is
/// `credit_on_record`.
public func caseName(_ value: some Any) -> String {
    "\(value)".prefix { $0 != "(" }.reduce(into: "") { name, letter in
        name += letter.isUppercase ? "_" + letter.lowercased() : String(letter)
    }
}
