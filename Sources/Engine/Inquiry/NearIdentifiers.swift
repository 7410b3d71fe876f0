extension Inquiry {
    static let nearMax = 10
    /// A shorter prefix matches too many ids.
    private static let prefixMin = 4

    /// Known ids that look like what was typed: with one digit mistyped, missing, added or swapped with the next, with
    /// other letter case, without the letters of an order id, or beginning with it. Only the ids are given, because they
    /// may belong to another customer. Ids that are longer by several signs come only where no other is alike.
    func near(_ typed: TypedText) throws -> [NearIdentifier] {
        let text = typed.core
        var known: [NearIdentifier] = []
        if let order = typed.emailedOrder ?? misreadEmailedOrder(text) {
            known = try history.exceptionsAndEmails(among: misspellings(ofEmailedOrder: order))
        }
        let spellings =
            try accounts(alike: [text], areSeveral: true) + orders(endingIn: text) + misspellings(of: text)
        known += try history.exceptionsAndEmails(among: spellings)
        let cases = try history.cases(knowing: spellings)
        // A customer can have any number of receipts: their rows are read once, and not for each spelling.
        let loaded = try history.load(cases: Set(cases.ordered(by: >).prefix(Self.nearMax))).evidence
        let evidence = LookupQuery(spellings).rows(of: loaded)
        for spelling in spellings where !cases.isEmpty {
            let kinds = LookupQuery([spelling]).kinds(in: evidence)
            known += kinds.map { NearIdentifier(kind: $0, id: spelling) }.ordered {
                $0.kind.rawValue < $1.kind.rawValue
            }
        }
        if known.isEmpty, text.utf8.count >= Self.prefixMin {
            known = try history.identifiers(
                startingWith: text, casesMax: Self.newestCases, countMax: Self.nearMax)
        }
        // The end is what is lost most easily.
        known = known.filter { $0.id.hasPrefix(text) } + known.filter { !$0.id.hasPrefix(text) }
        var seen = Set<NearIdentifier>()
        return Array(known.filter { !typed.whole.contains($0.id) && seen.insert($0).inserted }.prefix(Self.nearMax))
    }

    /// What a spreadsheet rounded, where one id of these accounts' cases fits it.
    func roundedIDs(in typed: TypedText, of accounts: [String]) throws -> [String] {
        let parts = PartOfIdentifier.rounded(in: typed.beginning)
        if parts.isEmpty { return [] }
        let cases = try history.cases(knowing: accounts)
        return try parts.flatMap { part in
            let hits = try history.identifiers(with: part, casesMax: Self.newestCases, countMax: Self.nearMax)
            let ids = Set(hits.filter { cases.contains($0.caseID) }.map(\.found.id))
            return ids.count == 1 && hits.count < Self.nearMax ? Array(ids) : []
        }
    }

    /// The accounts of the shop's three newest orders: others look like these.
    func newestAccounts() throws -> [String] {
        let orders = try history.newestOrders(3)
        let cases = Set(try history.cases(knowing: orders).ordered(by: >).prefix(Self.nearMax))
        return LookupQuery(orders).rows(of: try history.load(cases: cases).evidence).orders.map(\.account.text)
    }

    /// The texts with the hyphens of the shop's newest orders, in capitals and in small letters.
    func hyphened(_ texts: [String]) throws -> [[String]] {
        let plain = texts.map { $0.filter { $0 != "-" && $0 != "_" } }.filter { $0.utf8.count >= 10 }
        if plain.isEmpty { return [] }
        let forms = Set(try history.newestOrders(3)).filter { $0.contains("-") }.ordered()
        return plain.flatMap { text in
            forms.filter { $0.filter { $0 != "-" }.count == text.count }.map { form in
                var rest = text[...]
                let spelling = form.map { $0 == "-" ? "-" : String(rest.removeFirst()) }.joined()
                return [spelling, spelling.uppercased(), spelling.lowercased()]
            }
        }
    }

    /// Of each text, the only account that differs from it in nothing but letter case; or all where several do.
    /// - Parameter areSeveral: whether those of which there are several are asked for.
    func accounts(alike texts: [String], areSeveral: Bool = false) throws -> [String] {
        let texts = texts.filter {
            $0.utf8.count >= Self.prefixMin && $0.utf8.allSatisfy { $0 < 0x80 } && $0.contains(where: \.isLetter)
        }
        if texts.isEmpty { return [] }
        let known = Dictionary(grouping: try history.accounts(inAnyCaseOf: texts, casesMax: Self.newestCases)) {
            $0.lowercased()
        }
        return texts.compactMap { known[$0.lowercased()] }.filter { ($0.count > 1) == areSeveral }.flatMap(\.self)
    }

    /// The text with the letters before it that the shop's newest orders have.
    private func orders(endingIn text: String) throws -> [String] {
        guard (6...64).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return [] }
        let heads = try history.newestOrders(3).map { String($0.prefix { $0.isLetter }) }
        return Set(heads.filter { !$0.isEmpty }).ordered().map { $0 + text }
    }
}

/// The text in capitals, if it has the length of the order id in Apple's e-mails, or lacks one sign, or has one more.
private func misreadEmailedOrder(_ text: String) -> String? {
    let capitals = text.uppercased()
    guard (8...14).contains(capitals.utf8.count), capitals.hasPrefix("M"), capitals.utf8.allSatisfy(isCapitalOrDigit)
    else { return nil }
    return capitals
}

private let digits = Array(UInt8(ascii: "0")...UInt8(ascii: "9"))
private let capitals = Array(UInt8(ascii: "A")...UInt8(ascii: "Z"))

private func isCapitalOrDigit(_ byte: UInt8) -> Bool { digits.contains(byte) || capitals.contains(byte) }

/// Order ids of e-mails that differ from `id` by one sign: mistaken, missing, added, or swapped with the next.
func misspellings(ofEmailedOrder id: String) -> [String] {
    let typed = Array(id.utf8)
    return spellings(of: typed, signs: digits + capitals) { $0 > 0 }
}

/// What the user may have meant by `text`: the likeliest first, each once.
func misspellings(of text: String) -> [String] {
    let typed = Array(text.utf8)
    // A text of any other length is not a mistyped identifier.
    guard (4...64).contains(typed.count) else { return [] }
    // A digit that stands twice is easily typed once.
    let doubled = typed.indices.filter { digits.contains(typed[$0]) }.map { typed[...$0] + typed[$0...] }
    let cased = [text.uppercased(), text.lowercased()].map { Array($0.utf8) }
    return spellings(of: typed, likely: (cased, doubled.map(Array.init)), signs: digits) { place in
        place == typed.count || digits.contains(typed[place])
    }
}

/// Each text once that differs from what was typed by one sign: two swapped, one mistaken or missing, one added.
///
/// - Parameters:
///   - likely: further texts, before and after those with two signs swapped.
///   - signs: what may have been meant in a sign's place, or was left out.
///   - isDoubtful: whether the sign at that place may be wrong, or one may be missing before it.
private func spellings(
    of typed: [UInt8], likely: (first: [[UInt8]], second: [[UInt8]]) = ([], []), signs: [UInt8],
    where isDoubtful: (Int) -> Bool
) -> [String] {
    var spellings = likely.first
    for place in typed.indices.dropLast() {
        var swapped = typed
        swapped.swapAt(place, place + 1)
        spellings.append(swapped)
    }
    spellings += likely.second
    for place in typed.indices where isDoubtful(place) {
        spellings += signs.map { typed[..<place] + [$0] + typed[(place + 1)...] }
        spellings.append(Array(typed[..<place] + typed[(place + 1)...]))
    }
    for place in 0...typed.count where isDoubtful(place) {
        spellings += signs.map { typed[..<place] + [$0] + typed[place...] }
    }
    var seen: Set<[UInt8]> = [typed]
    return spellings.filter { seen.insert($0).inserted }.map { String(decoding: $0, as: UTF8.self) }
}
