/// Rows of credits that gave nothing.
extension ColumnSearch {
    /// A column whose words, or whose zeros, may say that a row gave no goods.
    struct Attempts {
        var column: String
        /// The words of rows that gave nothing; empty if a person must say which.
        var others: [String]
        /// Whether the rows with a text gave nothing.
        var isForEmpty = false
        var why: String
        /// In how many purchases each word stands alone.
        var alone = ""
        /// How much speaks for it: 1 the numbers of its rows, 2 zeros, 3 names, 4 purchases that have two rows.
        fileprivate var rank: Int
    }

    /// Of the columns of few words that nothing else uses, the one that most likely says which credits gave no goods, such as
    /// failed attempts. Nil if none does, or if a person is asked for the kind of the rows anyway.
    func attempts() -> Attempts? {
        guard source.kind == .credits, source.choices["kind"].map({ $0.column != nil }) ?? true else { return nil }
        let kinds = source.profile("kind")?.values
        var rows: [[String?]: [Int]] = [:]
        for row in 0..<source.rows {
            guard let purchase = source.value("order_id", row) ?? source.value("transaction_id", row) else { continue }
            rows[[purchase, kinds.flatMap { $0[row] }], default: []].append(row)
        }
        let products = (0..<source.rows).map { source.value("product_id", $0) ?? bought($0)?.product.text }
        let groups = [kinds, products].compactMap(\.self)
        let purchases = Array(rows.values)
        let fitting = source.free.filter { $0.isWords && TimeShape($0) == nil && $0.name != source.person?.name }
        var found = (fitting.filter { !$0.isInteger } + fitting.filter(\.isInteger)).compactMap { profile in
            WordUse(profile, purchases, groups).flatMap { attempts($0, hasKind: kinds != nil) }
        }
        // Rows of the desk, for instance, may have no number of a job.
        let persons = [source.profile("origin"), source.person].compactMap { $0?.values }
        found += source.free.filter { profile in
            (!profile.isWords || profile.isInteger) && TimeShape(profile) == nil && !profile.isFlag && !profile.isObject
                && profile.name != source.person?.name && !found.contains { $0.column == profile.name }
        }.compactMap { gap($0, purchases, groups + persons) }
        guard let top = found.map(\.rank).max() else { return nil }
        let best = found.filter { $0.rank == top } + found.filter { $0.rank < top && $0.rank > 1 }
        var first = best[0]
        first.why += best.dropFirst().prefix(2).map { "; or " + $0.why }.joined()
        return first
    }

    /// A column that nearly all rows fill and some do not, or one with errors in some rows: empty or filled, as two words.
    private func gap(_ profile: Profile, _ purchases: [[Int]], _ groups: [[String?]]) -> Attempts? {
        let isFilled = profile.present.count * 2 > source.rows
        var marks = profile.values.map { _ in "2" }
        for row in purchases.joined() where (profile.values[row] == nil) == isFilled { marks[row] = "0" }
        guard let use = WordUse(Profile(TableSample.Column(name: "", values: marks)), purchases, groups), use.isZeroed,
            use.usual == "1"
        else { return nil }
        let isNumbered = (profile.isInteger || profile.isUnique) && !isNamedOtherwise(profile)
        let fails = Self.fails(profile.title) || profile.present.count(where: Self.fails) * 2 > profile.present.count
        guard isFilled ? use.differs || use.isNearlyAlwaysUsual && isNumbered : fails else { return nil }
        let (alone, all) = use.purchases("0")
        let (name, what) = (profile.name.json5, isFilled ? "is empty" : "has a text")
        let condition = use.isMixed ? "" : " (\(isFilled ? "whereNot" : "where"): { \(name): \"\" })"
        return Attempts(
            column: profile.name, others: [], isForEmpty: !isFilled,
            why: "\(name) \(what) in \(use.profile.counts["0"]!) of \(source.rows) rows" + condition,
            alone: " These stand alone in \(alone) of \(counted(all, "purchase", "purchases")).",
            rank: use.differs ? 4 : 2)
    }

    /// Lists the words of each column that may say which credits gave nothing, so that a later one is rejected: those that a
    /// person is asked about, and those whose names say how a row ended, with few words. The kind has its own list, and numbers
    /// may be of coins.
    mutating func listWords() {
        guard source.kind == .credits else { return }
        var own = self
        if source.choices["kind"]?.column == nil { own.source.choices["kind"] = nil }
        let asked = [source.kept?.column, own.attempts()?.column]
        let lists = source.profiles.filter { profile in
            profile.isWords && profile.name != source.choices["kind"]?.column
                && (!profile.isInteger || profile.isFlag || profile.isOutcome)
                && (asked.contains(profile.name) || saysEnd(profile))
        }.map { profile in
            let words = Set(profile.values.map { $0 ?? "" }).ordered().map(\.json5).joined(separator: ", ")
            return "\(profile.name.json5): [\(words)]"
        }
        if lists.isEmpty { return }
        source.set(
            "known", "{ \(lists.joined(separator: ", ")) }",
            why: "all words of the samples: a row with another one is rejected, and named"
                + (source.isPart ? ". Only the first rows were read: add the words of the others" : "")
                + ". Remove a column that does not say whether goods were given")
    }

    /// Whether a column says how each row ended, by its name, in few words. A file that lacks it would be refused.
    private func saysEnd(_ profile: Profile) -> Bool {
        let isPlain = Names.all.isOneOf(Names.all.outcomes, profile.title)
        return profile.isOutcome && (isPlain || !isNamedOtherwise(profile)) && profile.counts.count < 6
            && profile.counts.count * 2 <= source.rows && profile.present.count == source.rows
            && TimeShape(profile) == nil
            && !Feed.plain(profile.title).hasSuffix("count") && source.free.contains { $0.name == profile.name }
    }

    private func attempts(_ use: WordUse, hasKind: Bool) -> Attempts? {
        let (profile, name) = (use.profile, use.profile.name.json5)
        var found = Attempts(column: profile.name, others: Array(use.rarer.prefix(8)), why: "", rank: 0)
        found.alone = ((use.isZeroed ? [] : [use.usual]) + use.rarer).prefix(5).map { word in
            let (alone, all) = use.purchases(word)
            return " \(word.json5) stands alone in \(alone) of \(counted(all, "purchase", "purchases"))."
        }.joined()
        if use.isZeroed {
            found.rank = use.differs ? 4 : 2
            if use.isMixed { found.others = [] }
            found.why = "\(name) is 0 in \(counted(profile.counts["0"]!, "row", "rows"))"
        } else if use.differs {
            found.rank = 4
            found.why = "\(use.both.count) purchases have credits that differ in \(name), mostly \(use.usual.json5)"
            if use.isNearlyAlwaysBoth, let phase = phase(use) { found.others = phase }
        } else if hasKind, profile.isOutcome || Self.saysFailure(use) {
            found.rank = 3
            found.why = "\(name) says how a row ended, mostly \(use.usual.json5)"
        } else if hasKind, use.isNearlyAlwaysUsual, !profile.isInteger, !profile.isFlag, !isNamedOtherwise(profile),
            !profile.counts.keys.contains(where: { own in
                ["kind", "origin"].contains { standardWord(own, $0) != nil }
            })
        {
            (found.rank, found.others) = (1, [])
            found.why = "\(name) is mostly \(use.usual.json5)"
        } else {
            return nil
        }
        return found
    }

    /// Whether the rarer words, or the name of a flag, say that a row failed.
    private static func saysFailure(_ use: WordUse) -> Bool {
        let (yes, no) = (Names.all.flags["true"]!, Names.all.flags["false"]!)
        return use.rarer.contains(where: fails) || use.profile.isFlag && fails(use.profile.title)
            || yes.contains(use.usual.lowercased()) && use.rarer.allSatisfy { no.contains($0.lowercased()) }
    }

    private static func fails(_ text: String) -> Bool {
        Names.all.failures.contains { text.lowercased().contains($0) }
    }

    /// Of words that nearly each purchase has both: the one that stands alone, as where goods are first reserved and then given.
    /// Empty if that shows none. Nil if their numbers differ, so that they are parts, such as coins and a bonus.
    private func phase(_ use: WordUse) -> [String]? {
        let numbers = source.free.filter {
            $0.isInteger && !$0.isUnique && $0.name != use.profile.name && TimeShape($0) == nil
        }
        let isSame = numbers.allSatisfy { number in
            use.both.count { rows in Set(rows.map { number.values[$0] }).count == 1 } * 10 >= use.both.count * 9
        }
        if !isSame { return nil }
        let alone = ([use.usual] + use.rarer).filter { use.purchases($0).alone > 0 }
        return alone.count == 1 && !numbers.isEmpty ? alone : []
    }
}

/// How the rows of purchases use the words of a column.
private struct WordUse {
    let profile: Profile
    /// The rows of each purchase that has rows with the usual word and with others.
    let both: [[Int]]
    let usual: String
    /// The other words that may say something, the most frequent first.
    let rarer: [String]
    /// Whether the column has numbers, as of coins, of which 0 may say that none was given, and whether it does not in some rows.
    let isZeroed: Bool
    let isMixed: Bool
    /// Whether the rows of one purchase differ more often than by chance.
    let differs: Bool
    let isNearlyAlwaysUsual: Bool
    let isNearlyAlwaysBoth: Bool
    private let words: [Set<String>]

    /// Nil if the words say nothing. `groups` are the kinds and the products by rows: one that has 0 in each of its rows, such as a
    /// subscription, has no coins.
    init?(_ profile: Profile, _ purchases: [[Int]], _ groups: [[String?]]) {
        let isNumber = profile.isInteger && !profile.isFlag && !profile.isOutcome
        let rows = profile.values.indices
        let (zeros, others) = (rows.filter { profile.values[$0] == "0" }, rows.filter { profile.values[$0] != "0" })
        let given = groups.map { group in Set(others.map { group[$0] }) }
        let none = zeros.count { row in zip(groups, given).allSatisfy { $0[row] == nil || $1.contains($0[row]) } }
        let isZeroed = isNumber && none > 0 && zeros.count * 2 < profile.present.count
        isMixed = none < zeros.count
        let values = profile.values.map { isZeroed && $0 != "0" ? "1" : $0 ?? "" }
        let words = purchases.map { rows in Set(rows.map { values[$0] }) }
        let counts = purchases.joined().map { values[$0] }.counts
        guard let (usual, most) = counts.first else { return nil }
        let both = words.indices.filter { words[$0].count > 1 && words[$0].contains(usual) }
        // Numbers of coins that other purchases have say nothing.
        rarer = counts.dropFirst().map(\.value).filter { word in
            !isNumber || both.contains { words[$0].contains(word) } || isZeroed
        }
        if rarer.isEmpty { return nil }
        // By chance, two rows of one purchase differ as often as any two. What was really given twice has the usual word twice.
        let repeated = purchases.count { $0.count > 1 }
        let all = purchases.joined().count
        let same = counts.reduce(0) { $0 + $1.count * $1.count }
        let chance = (all * all - same) * repeated / (all * all)
        differs = both.count > 1 && both.count * 10 >= repeated * 9 || both.count > 2 * chance + 1
        isNearlyAlwaysUsual = most * 10 >= all * 9
        isNearlyAlwaysBoth = both.count * 10 >= purchases.count * 9
        (self.profile, self.usual, self.isZeroed, self.words) = (profile, usual, isZeroed, words)
        self.both = both.map { purchases[$0] }
    }

    /// How many purchases have a word, and how many have it alone: no other row has the usual one.
    func purchases(_ word: String) -> (alone: Int, all: Int) {
        let own = words.filter { $0.contains(word) }
        return (own.count { word == usual ? $0.count == 1 : !$0.contains(usual) }, own.count)
    }
}
