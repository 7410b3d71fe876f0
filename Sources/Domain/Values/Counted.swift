/// A number with its noun, or the noun and its verb: `1 row`, `3 rows`.
public func counted(_ number: some BinaryInteger, _ one: String, _ many: String) -> String {
    "\(number) " + (number == 1 ? one : many)
}
