internal import Domain
internal import ReportData

extension Inquiry {
    private static let nearMax = 10
    /// How many of the newest cases are searched by prefix, which takes some hundredths of a second.
    private static let casesMax = 50_000
    /// A shorter prefix matches too many ids.
    private static let prefixMin = 4

    /// Known ids that look like `text`: with one digit mistyped, missing, added or swapped with the next, with other
    /// letter case, or beginning with `text`. Only the ids are given, because they may belong to another customer.
    func near(_ text: String) throws -> [NearIdentifier] {
        let spellings = misspellings(of: text)
        var known = try history.exceptionsAndEmails(among: spellings)
        let cases = try history.cases(knowing: spellings)
        let evidence = try history.load(cases: Set(cases.sorted(by: >).prefix(Self.nearMax))).evidence
        for spelling in spellings where !cases.isEmpty {
            let kinds = LookupQuery(spelling).kinds(in: evidence)
            known += kinds.map { NearIdentifier(kind: $0, id: spelling) }.sorted { $0.kind.rawValue < $1.kind.rawValue }
        }
        if text.utf8.count >= Self.prefixMin {
            known += try history.identifiers(startingWith: text, casesMax: Self.casesMax, count: Int64(Self.nearMax))
        }
        var seen = Set<NearIdentifier>()
        return Array(known.filter { $0.id != text && seen.insert($0).inserted }.prefix(Self.nearMax))
    }
}

/// What the user may have meant by `text`: the likeliest first, each once.
func misspellings(of text: String) -> [String] {
    let typed = Array(text.utf8)
    // A text of any other length is not a mistyped identifier.
    guard (4...64).contains(typed.count) else { return [] }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    var spellings = [text.uppercased(), text.lowercased()].map { Array($0.utf8) }
    for place in typed.indices.dropLast() where typed[place] != typed[place + 1] {
        var swapped = typed
        swapped.swapAt(place, place + 1)
        spellings.append(swapped)
    }
    for place in typed.indices where digits.contains(typed[place]) {
        for digit in digits where digit != typed[place] {
            spellings.append(typed[..<place] + [digit] + typed[(place + 1)...])
        }
        spellings.append(Array(typed[..<place] + typed[(place + 1)...]))
    }
    for place in 0...typed.count where place == typed.count || digits.contains(typed[place]) {
        for digit in digits { spellings.append(typed[..<place] + [digit] + typed[place...]) }
    }
    var seen: Set<[UInt8]> = [typed]
    return spellings.filter { seen.insert($0).inserted }.map { String(decoding: $0, as: UTF8.self) }
}
