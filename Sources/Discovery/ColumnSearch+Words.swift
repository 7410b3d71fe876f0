/// The shop's words.
extension ColumnSearch {
    /// The standard word for one of the shop's, or nil.
    func standardWord(_ own: String, _ standard: String) -> String? {
        let words = Feed.words(of: standard, in: source.kind) ?? []
        return words.contains(own.lowercased()) ? own.lowercased() : Names.all.word(own, of: standard)
    }

    /// A column without a known name that may say what was taken back, or who gave it.
    private func unnamed(_ standard: String) -> Choice? {
        let hasNames = source.table?.hasHeader == true
        let attempts = attempts()
        let may = source.free.filter { standard == "kind" || $0.name != attempts?.column }.filter { profile in
            profile.isFlag && profile.counts.count < 3 && (standard == "kind" || !profile.isOutcome)
                || !hasNames && profile.isWords && TimeShape(profile) == nil
                || standard == "kind"
                    && (profile.counts.count < 6 && mayBeKind(profile) || mayBeKind(linked(profile)))
                || standard == "kind" && Names.all.level(of: profile.title, as: "kind") > 0
                    && profile.counts.count > Profile.wordsMax && profile.counts.count * 2 <= profile.present.count
                || profile.isWords
                    && profile.counts.keys.contains { ![nil, "auto"].contains(Names.all.word($0, of: standard)) }
        }
        let signed = standard == "kind" ? source.free.compactMap { below($0) } : []
        let others = may.filter { profile in !signed.contains { $0.name == profile.name } }
        if signed.isEmpty, others.isEmpty { return nil }
        // What has letters first. The words that count are those in rows that name a purchase, if these name one.
        let ordered = (others.filter { !$0.isInteger } + others.filter(\.isInteger)).map {
            profile -> (name: String, shown: String) in
            let own = standard == "kind" ? linked(profile) : profile
            let words = own.counts.count < 9 ? own.words.shown : own.shown
            return (profile.name, own.present.isEmpty ? profile.shown : words)
        }
        let shown = (signed + ordered).prefix(4)
            .map { "\($0.name.json5) (\($0.shown))" }.joined(separator: ", ")
        let what =
            standard == "kind"
            ? "that nothing was given, or what was taken back? Leave failed rows out with whereNot (first-night.md, Files)."
                + (attempts.map { " " + $0.why + "." } ?? "")
            : "what the desk gave? Leave out with whereNot what gave nothing."
        return Choice(isSure: false, why: "\(shown): does one of them say \(what) If none, remove this line")
    }

    /// The values below 0 of a column in rows that name a purchase: a sign may say what was taken back. Nil if there are none.
    private func below(_ profile: Profile) -> (name: String, shown: String)? {
        let values = linked(profile).present.filter { $0.hasPrefix("-") && Double($0) != nil }
        return values.first.map { (profile.name, "\(counted(values.count, "row", "rows")) below 0, such as \($0)") }
    }

    /// A column in the rows that name a purchase.
    private func linked(_ profile: Profile) -> Profile {
        let links = ["order_id", "transaction_id"].compactMap { source.profile($0)?.values }
        let rows = profile.values.indices.filter { row in links.contains { $0[row] != nil } }
        var linked = Profile(TableSample.Column(name: profile.name, values: rows.map { profile.values[$0] }))
        linked.title = profile.title
        return linked
    }

    /// The words of a kind. A wallet may have dozens for its other movements.
    private func kinds(_ profile: Profile) -> [(value: String, count: Int)] {
        profile.counts.count > Profile.wordsMax ? linked(profile).words : profile.words
    }

    /// The kind by its name, where it has more words than `fits` allows.
    private func manyKinds() -> Choice? {
        let many = source.free.filter { $0.counts.count > Profile.wordsMax }
        guard let profile = many.first(where: { Names.all.level(of: $0.title, as: "kind") == 3 }) else { return nil }
        let (all, own) = (profile.counts.count, kinds(profile).count)
        if 1...Profile.wordsMax ~= own {
            return Choice(column: profile.name, why: "\(own) of its \(all) words are in rows that name a purchase")
        }
        let why =
            "\(profile.name.json5) has \(all) values: leave out what is neither given nor taken back (whereNot), and write the "
            + "others: { from: \(profile.name.json5), words: { … } }"
        return Choice(isSure: false, why: why)
    }

    /// A column of any name that has known words of a kind alone.
    private func kindByWords() -> Choice? {
        for profile in source.free where profile.isWords && profile.counts.count > 1 {
            let words = Set(profile.counts.keys.map { standardWord($0, "kind") })
            if words.contains(nil) { continue }
            return Choice(column: profile.name, isSure: words.count > 1, why: "by its words: \(profile.shown)")
        }
        return nil
    }

    /// Proposes that the words of `kind` say who gave the goods, if one of them names the desk.
    private func originOfKind() -> Choice? {
        let desk = Names.all.words["origin"]!.filter { $0.value == "desk" }.keys
        guard let kind = source.profile("kind"), source.choices["kind"]?.words.isEmpty == false else { return nil }
        var choice = Choice(column: kind.name, isSure: false, why: "")
        for (own, count) in kinds(kind) {
            let parts = own.lowercased().split { !$0.isLetter }.map { Feed.plain(String($0)) }
            let isDesks = desk.contains { word in
                parts.contains(Feed.plain(word)) || word.utf8.contains { $0 > 0x7F } && own.contains(word)
            }
            choice.words.append((own, isDesks ? "desk" : "auto", counted(count, "row", "rows")))
        }
        guard let first = choice.words.first(where: { $0.standard == "desk" }) else { return nil }
        choice.why = "did the desk give \(first.own.json5), and the system the others? If not, remove these lines"
        return choice
    }

    /// Proposes who gave the goods by the column of persons, if the system stands in most of its rows.
    private func originOfPersons() -> Choice? {
        let isAuto = { (own: String) in Names.all.word(own, of: "origin") == "auto" }
        guard let person = source.person, let first = person.words.first?.value, isAuto(first) else { return nil }
        let isFew = person.counts.count <= Profile.wordsMax
        let why =
            "\(person.shown): is \(first.json5) the system, and the others the desk? A name that is not listed is rejected; "
            + "a query needs no list: CASE WHEN \(person.name) = '\(first)' THEN 'auto' ELSE 'desk' END AS origin"
        var choice = Choice(column: isFew ? person.name : nil, isSure: false, why: why)
        if isFew {
            choice.words = person.words.map { own, count in
                (own, isAuto(own) ? "auto" : "desk", counted(count, "row", "rows"))
            }
        }
        return choice
    }

    /// Tells of a column that says in words what the check of a receipt found.
    mutating func tellChecks() {
        let named = source.profiles.first {
            Names.all.level(of: $0.title, as: "verify_status") > 1
                || ["check", "verify"].contains(Feed.plain($0.title))
        }
        guard source.kind == .receipts, let named, named.isWords, !named.isInteger else { return }
        source.remarks.append(
            "\(named.name.json5) (\(named.shown)) is a word: if it says what Apple's check of the receipt found, a query makes "
                + "Apple's number of it, such as 0, as verify_status")
    }

    /// Compares a column of another file, whose rows name orders of this one, with `own`: in how many rows it has the same as
    /// `own` has for the order, and how many rows there are.
    func agreement(_ own: Profile, _ orders: Profile, _ reference: Reference) -> (same: Int, all: Int) {
        let rows = Dictionary(orders.values.indices.map { (orders.values[$0] ?? "", $0) }) { first, _ in first }
        let named = reference.orders.values.map { $0.flatMap { rows[$0] } }
        let same = reference.all.filter { $0.name != reference.orders.name }.map { column in
            zip(named, column.values).count { row, text in text != nil && row.map { own.values[$0] == text } == true }
        }
        return (same.max() ?? 0, named.count { $0 != nil })
    }

    /// Where no credit and no receipt names an order: asks for the column that one of theirs names, with the same account
    /// beside it, as where a number of the row is the foreign key. A guess that one of theirs names in this way is proven.
    mutating func findNamedOrder() {
        let own = source.profile("order_id")
        let all = files.flatMap { file in file.map { (orders: $0, all: file) } }
        let isNamed = all.contains { $0.orders.counts.keys.contains { own?.counts[$0] != nil } }
        let isGuess =
            source.choices["order_id"]?.isSure == false
            && own.map { Names.all.level(of: $0.title, as: "order_id") == 0 } ?? false
        guard source.kind == .orders, isNamed ? isGuess : !files.joined().contains(where: hasAppleIDs) else { return }
        // A few words, such as products, are the same by chance.
        let owners = source.free.filter { !$0.isWords && TimeShape($0) == nil }
        for profile in isNamed ? [own!] : fitting("order_id") where profile.isUnique {
            for reference in all where Names.all.level(of: reference.orders.title, as: "credit_id") == 0 {
                let named = reference.orders.present.count { profile.counts[$0] != nil }
                guard named > 4, named * 20 >= reference.orders.present.count * 19,
                    let owner = owners.first(where: { owner in
                        let (same, all) = agreement(owner, profile, reference)
                        return owner.name != profile.name && same * 10 >= all * 9
                    })
                else { continue }
                let why =
                    "\(reference.orders.name.json5) of another file names it in \(named) of \(reference.orders.present.count) rows, "
                    + "with the same \(owner.name.json5)"
                    + (isNamed ? "" : own.map { "; no row names \($0.name.json5)" } ?? "")
                references.append(reference)
                source.choices["order_id"] = Choice(column: profile.name, isSure: isNamed, why: why)
                return
            }
        }
    }

    /// The same with the file that agrees best. A few words agree by chance.
    private func agreement(_ own: Profile) -> (same: Int, all: Int) {
        guard source.kind == .orders, own.counts.count > 4, let orders = source.profile("order_id") else {
            return (0, 0)
        }
        return references.map { agreement(own, orders, $0) }.max { $0.same < $1.same } ?? (0, 0)
    }

    /// The column that is proposed where no name says which it is.
    func guess(_ standard: String, _ fitting: [Profile]) -> Profile? {
        switch standard {
        case "status":
            let known = fitting.first { $0.counts.keys.contains { standardWord($0, standard) != nil } }
            return known ?? fitting.first(where: \.isWords) ?? fitting.first
        case "account_id":
            let ranks = fitting.map { ($0, agreement($0).same, $0.isWords ? 0 : 1) }
            return ranks.max { ($0.1, $0.2) < ($1.1, $1.2) }?.0
        case _ where standard.hasSuffix("_at"): return fitting.max { nearness($0).near < nearness($1).near }
        default: return fitting.first
        }
    }

    /// Whether the values prove a guess, and no other column has such values.
    func isProven(_ guess: Profile, _ standard: String, _ fitting: [Profile]) -> Bool {
        let others = fitting.filter { $0.name != guess.name }
        if standard == "account_id" {
            let (same, all) = agreement(guess)
            return source.choices["order_id"]?.isSure == true && !guess.isWords && all > 4 && same * 20 >= all * 19
                && others.allSatisfy { agreement($0).same < same }
        }
        guard standard.hasSuffix("_at"), guess.present.count == source.rows else { return false }
        let fit = nearness(guess)
        return fit.near > 4 && fit.near * 10 >= fit.pairs * 9
            && others.allSatisfy { nearness($0).near * 2 < fit.near }
    }

    /// How many times are near Apple's, or how many values another file names, where the name of the column says nothing.
    func named(_ profile: Profile, _ standard: String) -> String? {
        if standard.hasSuffix("_at") {
            let fit = nearness(profile)
            return fit.near > 0 ? "\(fit.near) of \(fit.pairs) are within 15 min of Apple's" : nil
        }
        if standard == "account_id" {
            let (same, all) = agreement(profile)
            return same > 0 ? "another file has it with the same order in \(same) of \(all) rows" : nil
        }
        guard source.kind == .orders, standard == "order_id" else { return nil }
        let hits = references.map { ($0.orders.name, $0.orders.counts.keys.count { profile.counts[$0] != nil }) }
        guard let best = hits.max(by: { $0.1 < $1.1 }), best.1 > 0 else { return nil }
        return "\(best.0.json5) of another file names \(best.1) of \(profile.counts.count)"
    }

    /// Proposes that each row is a reversal, which the name of the file says.
    private var reversals: Choice {
        let own = source.profile("order_id")
        let orders = own?.values ?? []
        // The other files call the column the same, also where no name says what it is.
        let all = references.map(\.orders) + files.joined().filter { $0.name == own?.name }
        let given = Set(all.filter { $0.values != orders }.flatMap(\.present))
        let count = orders.count { $0.map(given.contains) ?? false }
        let why =
            "by the file's name: were these goods taken back? \(count) of \(source.rows) rows name an order of another file "
            + "of credits or receipts. If they were given, remove this line"
        return Choice(value: "reversal", isSure: false, why: why)
    }

    /// Whether the words of a column may say what kind of movement a row is. If there is one word, or many, no name says that
    /// it is something else.
    private func mayBeKind(_ profile: Profile) -> Bool {
        guard profile.isWords else { return false }
        return 2...5 ~= profile.counts.count
            || TimeShape(profile) == nil
                && profile.isMostly { $0.contains(where: \.isLetter) && !$0.contains(".") }
                && !isNamedOtherwise(profile)
    }

    /// Whether a column's name says that it is neither the kind of a row nor how it ended.
    func isNamedOtherwise(_ profile: Profile) -> Bool {
        let names = Names.all
        return names.columns.keys.contains { $0 != "message" && names.level(of: profile.title, as: $0) == 3 }
            || (names.labels.values + [names.operator, names.channel.names]).contains {
                names.isOneOf($0, profile.title)
            }
    }

    mutating func tellWords() {
        if source.kind == .credits, source.choices["kind"] == nil {
            source.choices["kind"] = manyKinds() ?? kindByWords()
        }
        for (standard, choice) in source.choices where Feed.words(of: standard, in: source.kind) != nil {
            guard let name = choice.column, let profile = source.profile(standard) else { continue }
            let flags = ["kind": ("reversal", "credit"), "origin": ("desk", "auto")][standard]
            let isYesNo = Names.all.isFlag(name, of: standard) && profile.isFlag
            let standards = Feed.words(of: standard, in: source.kind)!
            for (own, count) in standard == "kind" ? kinds(profile) : profile.words {
                let why = counted(count, "row", "rows")
                if isYesNo, let flags {
                    let isTrue = Names.all.flags["true"]!.contains(own.lowercased())
                    source.choices[standard]!.words.append((own, isTrue ? flags.0 : flags.1, why))
                } else if standard == "currency"
                    ? Currency(own)?.isCurrent != true : !standards.contains(own.lowercased()),
                    standard != "verify_retryable" || !profile.isFlag
                {
                    source.choices[standard]!.words.append((own, standardWord(own, standard), why))
                }
            }
            let empty = profile.values.count - profile.present.count
            if standard == "status", empty > 0 {
                source.choices[standard]!.words.append(("", nil, "\(counted(empty, "row has", "rows have")) none"))
            }
        }
        guard source.kind == .credits else { return }
        if source.choices["kind"] == nil, Names.all.isFile(source.pattern.text, "reversals") {
            source.choices["kind"] = reversals
        }
        for standard in ["kind", "origin"] where source.choices[standard] == nil {
            source.choices[standard] = (standard == "origin" ? originOfKind() : nil) ?? unnamed(standard)
        }
        if source.choices["origin"]?.column != nil { return }
        let isDesks = Names.all.isFile(source.pattern.text, "desk")
        if !isDesks, let choice = originOfPersons() {
            source.choices["origin"] = choice
            return
        }
        let clues = [
            source.person.map { "\($0.name.json5) (\($0.shown)), which names a person" },
            isDesks ? "the file's name" : nil,
        ]
        .compactMap { $0 }
        if clues.isEmpty { return }
        source.choices["origin"] = Choice(
            value: "desk", isSure: clues.count == 2, why: "by " + clues.joined(separator: ", and by "))
    }

    /// Whether a column without a telling name may hold states: not one value, and no amounts.
    func mayBeState(_ profile: Profile) -> Bool {
        profile.counts.count > 1 && Names.all.level(of: profile.title, as: "amount") == 0
            && TimeShape(profile) == nil && !isPrice(profile)
            && !profile.isMostly { $0.contains(where: \.isCurrencySymbol) || $0.contains(/\d[.,]\d/) }
    }

    /// A product that each row has in a list, which is not read.
    func listed(_ standard: String) -> Choice? {
        let lists = standard == "product_id" ? source.table?.lists ?? [] : []
        guard let path = lists.first(where: { Names.all.level(of: $0, as: standard) == 3 }) else { return nil }
        let first = ".\(standard) = .\(path.replacing("[]", with: "[0]"))"
        let why =
            "\(path.json5) is in a list, which is not read: jq -c '\(first)' makes it a column. A row has one product"
        return Choice(isSure: false, why: why)
    }

    /// Says which column may have the times, in a form that cannot be read.
    func unread(_ standard: String) -> String? {
        if standard.hasSuffix("_id"), let object = source.free.first(where: \.isObject) {
            let names = object.present[0].matches(of: /"([^"]+)" *:/).prefix(5).map { "\($0.1)" }
            return
                "\(object.name.json5) holds JSON with \(names.joined(separator: ", ")): a query makes columns of them "
                + "(first-night.md, Files)"
        }
        guard standard == "at" || standard.hasSuffix("_at") else { return nil }
        let may = source.free.filter { TimeShape($0) == nil }
        let named = may.first { Names.all.level(of: $0.title, as: standard) > 0 }
        return (named ?? may.first { $0.isMostly { $0.contains(/\d:\d\d|\d年|^4\d{4}[.,]\d/) } }).map {
            let example = $0.present[0]
            let isFine = example.contains(/^1\d{9}\.\d+$|^1\d{15}$|^1\d{18}$/)
            return "\($0.name.json5) has times such as \(example), which cannot be read: "
                + (isFine ? "export whole seconds or milliseconds since 1970" : "see feeds.md, Amounts and times")
        }
    }
}
