/// Which rows belong to the feed.
extension ColumnSearch {
    /// Of orders, those that were paid through Apple; of credits and receipts, those that name a purchase.
    mutating func setAside() {
        defer { listWords() }
        if source.kind == .orders { return keepApples() }
        guard source.kind == .credits || source.kind == .receipts, !leaveOutOthers() else { return }
        let links = ["order_id", "transaction_id", "receipt_data"].compactMap { source.profile($0) }
        if links.isEmpty { return }
        let isLinked = (0..<source.rows).map { row in links.contains { $0.values[row] != nil } }
        let isKept = isLinked.indices.map { row in
            isLinked[row] && !(source.value("order_id", row).map(knowledge.ordersLeftOut.contains) ?? false)
        }
        let columns = dividing.filter { profile in !links.contains { $0.name == profile.name } }
        // Orders that are left out have credits of the same words.
        let leftOut = isKept == isLinked ? [] : columns.compactMap { divide($0, isKept) }.filter { !$0.others.isEmpty }
        let unlinked = isLinked.count { !$0 }
        let telling = leftOut.isEmpty && unlinked > 0 ? columns.compactMap { divide($0, isLinked) } : leftOut
        let attempts = attempts()
        let also = attempts.map { "; and \($0.why). Leave out the ones here and the others in the query" } ?? ""
        let all = counted(source.rows, "row", "rows")
        let why =
            leftOut.isEmpty
            ? "\(unlinked) of \(all) name no purchase" + also
            : "\(isKept.count { !$0 }) of \(all) name no purchase, or an order that `where` leaves out" + also
        if let first = telling.first {
            // Goods under a word that `where` does not list would look as if they were never given.
            let isCredits = source.kind == .credits
            let others = telling.filter { $0.name != first.name }.prefix(2)
                .map { "; or \($0.name): \(isCredits ? $0.others : $0.words)" }
            let what = isCredits ? "not for a purchase?" : "receipts?"
            keep(
                first.name, first.words, but: isCredits ? first.others : nil, isSure: false, isOpen: attempts != nil,
                why: why + ": which are \(what)" + others.joined())
        } else if unlinked == 0, let attempts {
            let all = source.profiles.first { $0.name == attempts.column }!.values.map { $0 ?? "" }
            let words = attempts.isForEmpty ? [""] : Set(all).subtracting(attempts.others).ordered()
            keep(
                attempts.column, words, but: attempts.isForEmpty ? nil : attempts.others, isSure: false,
                isOpen: attempts.others.isEmpty,
                why: attempts.why + ": which gave no goods?" + attempts.alone + " If each did, remove this line.")
        } else if unlinked > 0, source.kind == .credits {
            let all = links.count == 1 ? " If none of them ever does: { \(links[0].name.json5): \"\" }" : ""
            source.set("whereNot", nil, isSure: false, why: why + " and would be rejected: which give no goods?" + all)
        }
    }

    /// The words of a column under which at least so many tenths of the rows pass a test, and the others, of which at most so
    /// many do; nil if a word has neither. A row without a test says nothing.
    private func divide(_ profile: Profile, _ tests: [Bool?], least: Int = 9, most: Int = 1) -> (
        name: String, words: [String], others: [String], otherRows: Int
    )? {
        var rows: [String: (passed: Int, all: Int)] = [:]
        for (value, test) in zip(profile.values, tests) {
            rows[value ?? "", default: (0, 0)].all += test == nil ? 0 : 1
            if test == true { rows[value ?? ""]!.passed += 1 }
        }
        let with = rows.filter { $0.value.passed * 10 >= $0.value.all * least }
        let others = rows.filter { with[$0.key] == nil }
        guard others.values.allSatisfy({ $0.passed * 10 <= $0.all * most }), with.contains(where: { $0.value.all > 0 })
        else { return nil }
        return (profile.name, with.keys.ordered(), others.keys.ordered(), others.values.map(\.all).max() ?? 0)
    }

    /// The columns whose words may divide the rows: that of the kind, then the others, with a letter first. Numbers of which
    /// there are several may be of coins.
    private var dividing: [Profile] {
        let kind = source.choices["kind"]?.column
        let words = source.profiles.filter { $0.isWords && TimeShape($0) == nil }
        let others = words.filter { $0.name != kind }
        return words.filter { $0.name == kind } + others.filter { !$0.isInteger }
            + others.filter { $0.isInteger && $0.counts.count < 3 }
    }

    /// Leaves out other movements, whose numbers may equal those of orders: the rows with words of one column of which most name
    /// another account's order. Returns whether there is such a column.
    private mutating func leaveOutOthers() -> Bool {
        guard source.kind == .credits, let accounts = source.profile("account_id") else { return false }
        let tests = accounts.values.enumerated().map { row, own -> Bool? in
            let owners = orderAccounts(source.value("order_id", row))
            return owners.isEmpty ? nil : own.map(owners.contains)
        }
        let (known, same) = (tests.count { $0 != nil }, tests.count { $0 == true })
        guard same * 10 < known * 9,
            let found = dividing.compactMap({ divide($0, tests, most: 4) }).first(where: { !$0.others.isEmpty })
        else { return false }
        let why = "\(known - same) of \(known) rows name another account's order: with these words they name none?"
        keep(found.name, found.words, but: found.others, isSure: false, why: why)
        return true
    }

    /// Keeps the rows that have one of the words in a column, or leaves out those that have one of the excluded words.
    private mutating func keep(
        _ column: String, _ words: [String], but excluded: [String]? = nil, isSure: Bool, isOpen: Bool = false,
        why: String
    ) {
        let listed = excluded ?? words
        let texts =
            listed.isEmpty ? [String?.none.open] : listed.map { isSure || isOpen ? $0.json5 : Optional($0).open }
        let value = "{ \(column.json5): \(texts.count == 1 ? texts[0] : "[" + texts.joined(separator: ", ") + "]") }"
        let key = excluded == nil ? "where" : "whereNot"
        if isOpen {
            source.set(key, nil, isSure: false, why: (excluded?.isEmpty == false ? value + ": " : "") + why)
        } else {
            source.set(key, value, why: why)
        }
        source.kept = words.isEmpty ? nil : (column, words)
        for name in ["kind", "origin"] where source.choices[name]?.column == column {
            source.choices[name]!.words.removeAll { !words.contains($0.own) }
        }
        guard let kind = source.choices["kind"], kind.column == column else { return }
        source.choices["kind"]!.isSure = kind.words.allSatisfy { $0.standard != nil }
    }

    private mutating func keepApples() {
        let names = Names.all.channel
        let channels = source.profiles.filter { Names.all.isOneOf(names.names, $0.title) && !$0.counts.isEmpty }
        let few = channels.first { $0.counts.count <= Profile.wordsMax }
        guard let channel = few ?? dividedChannel() ?? channels.first else { return leaveOutUnpaid() }
        let isMany = channel.counts.count > Profile.wordsMax
        var apples = channel.counts.keys.filter { own in names.apple.contains { Feed.isSame($0, own) } }.ordered()
        let bought = channel.values.indices.filter { self.bought($0) != nil }.map { channel.values[$0] ?? "" }
        let isSure =
            (isMany ? !bought.isEmpty : few != nil) && !apples.isEmpty
            && bought.allSatisfy { apples.contains($0) || $0.isEmpty }
        if !isSure { apples = Set(bought).union(apples).ordered() }
        // Of many channels, Apple's orders have few; else they say through which one the customer came.
        if isMany, apples.isEmpty || apples.count * 10 > channel.counts.count { return }
        // Orders without a channel may be Apple's.
        if isSure, channel.present.count < channel.values.count { apples.append("") }
        let known = bought.isEmpty ? "" : "; \(bought.count) are in Apple's records"
        let shown = Array(channel.words.prefix(Profile.wordsMax)).shown
        keep(channel.name, apples, isSure: isSure, why: "rows: \(shown)" + known)
    }

    /// Without a column of the channel: tells of Google's ids, and leaves out free orders, of which Apple has no records.
    private mutating func leaveOutUnpaid() {
        let isGoogles = { (text: String) in text.hasPrefix("GPA.") }
        if let ids = source.profiles.first(where: { $0.present.contains(where: isGoogles) }) {
            let why =
                "\(ids.present.count(where: isGoogles)) of \(source.rows) \(ids.name.json5) are Google's (GPA.…): a query leaves them "
                + "out, and their credits (first-night.md, Files). Then remove this line"
            return source.set("whereNot", nil, isSure: false, why: why)
        }
        guard let states = source.profile("status"),
            let amounts = source.profile("amount") ?? source.profile("amount_minor")
        else { return }
        let paid = Set(states.values.indices.filter { bought($0) != nil }.map { states.values[$0] })
        let free = amounts.values.indices.filter { amounts.values[$0].flatMap { Double($0) } == 0 }
        // An order that is not paid yet may have no amount.
        guard free.count > 1, free.allSatisfy({ bought($0) == nil && paid.contains(states.values[$0]) }) else { return }
        let none = Set(free.compactMap { amounts.values[$0] })
        keep(
            amounts.name, amounts.counts.keys.filter { !none.contains($0) }, but: none.ordered(), isSure: false,
            why: "\(free.count) of \(source.rows) cost nothing, and none is in Apple's records: free orders?")
    }

    /// A column whose name says nothing. Some of its words belong to orders at least half of which are in Apple's records; the
    /// others belong to orders in the same states, none of which are.
    private func dividedChannel() -> Profile? {
        guard let states = source.profile("status") else { return nil }
        let bought = states.values.indices.map { self.bought($0) != nil }
        let paid = Set(states.values.indices.filter { bought[$0] }.map { states.values[$0] ?? "" })
        let tests = states.values.indices.map { paid.contains(states.values[$0] ?? "") ? bought[$0] : nil }
        return source.free.first { profile in
            profile.counts.count > 1 && profile.isWords && TimeShape(profile) == nil
                && divide(profile, tests, least: 5).map { $0.otherRows > 1 } ?? false
        }
    }

    /// Records that were deleted, as Debezium writes them.
    mutating func tellDeletes() {
        guard let op = source.profiles.first(where: { $0.name == "op" }),
            op.counts.keys.allSatisfy({ "crud".contains($0) }),
            source.profiles.contains(where: { $0.name.hasPrefix("after.") })
        else { return }
        source.set("deletes", "{ op: \"d\" }", why: "records of changes: after has the row")
        source.profiles.removeAll { $0.name.hasPrefix("before.") || $0.name.hasPrefix("source.") || $0.name == "op" }
        source.profiles = source.profiles.map { profile in
            let kept = zip(profile.values, op.values).filter { $0.1 != "d" }.map(\.0)
            return Profile(TableSample.Column(name: profile.name, values: kept))
        }
    }
}

/// Times.
extension ColumnSearch {
    private static let columns = ["created_at", "credited_at", "received_at", "at", "updated_at"]

    mutating func tellTimes() {
        let found = Self.columns.compactMap { name in
            source.profile(name).flatMap { profile in TimeShape(profile).map { (profile: profile, shape: $0) } }
        }
        guard let first = found.first else { return }
        // Of two readings of the same times, that which is near Apple's.
        let fits = first.shape.patterns.map { (pattern: $0, fit: self.fit(first.profile, $0)) }
        let near = fits.filter { $0.fit.zone != nil }
        let best = near.count == 1 ? near[0] : fits.first ?? (pattern: "", fit: self.fit(first.profile, nil))
        if let formatted = found.first(where: { !$0.shape.patterns.isEmpty }) {
            let pattern = best.pattern.isEmpty ? formatted.shape.patterns[0] : best.pattern
            let example = "as in \(formatted.profile.present[0])"
            let isSame = found.allSatisfy { $0.shape.patterns.contains(pattern) }
            let isSure = isSame && (fits.count < 2 || near.count == 1)
            let doubt = isSame ? ": which is the day, which the month?" : "; other columns have another form"
            source.set("timeFormat", pattern, isSure: isSure, why: example + (isSure ? "" : doubt))
        }
        if found.contains(where: { $0.shape.isLocal }) { tellZone(first.profile, best.fit) }
    }

    /// How near times are to Apple's, written as they fit best.
    func nearness(_ profile: Profile) -> KnownZones.Fit {
        guard let shape = TimeShape(profile) else { return KnownZones.Fit() }
        let fits = shape.patterns.map { fit(profile, $0) }
        return fits.max { $0.near < $1.near } ?? fit(profile, nil)
    }

    /// The time zones in which times are near Apple's, if they are written in that pattern.
    private func fit(_ profile: Profile, _ pattern: String?) -> KnownZones.Fit {
        let format = pattern.flatMap { TimeFormat($0) }
        let pairs = profile.values.indices.compactMap { row -> (local: Instant, true: Instant)? in
            guard let text = profile.values[row], let bought = self.bought(row),
                let local = TimeShape.instant(text, format, zone: .utc)
            else { return nil }
            return (local, bought.purchasedAt)
        }
        return KnownZones.fit(pairs, machine: knowledge.machineZone)
    }

    /// The time zone of times without an offset.
    private mutating func tellZone(_ profile: Profile, _ fit: KnownZones.Fit) {
        let why = "times of \(profile.name.json5) have no offset; "
        let evidence =
            fit.zone != nil
            ? "in this zone, \(fit.near) of \(fit.pairs) are within 15 min of Apple's"
            : fit.pairs == 0 ? "nothing links them to Apple's records" : "no zone brings them near Apple's"
        source.set("timeZone", fit.zone?.name, isSure: fit.isSure, why: why + evidence)
    }

    /// The zone of the offsets that times are written with; nil if they have none, or several.
    func writtenZone() -> Zone? {
        guard let profile = Self.columns.lazy.compactMap({ source.profile($0) }).first else { return nil }
        let pairs = profile.present.prefix(500).compactMap { text -> (local: Instant, true: Instant)? in
            guard let match = text.firstMatch(of: /[+\-]\d\d:?(\d\d)?$/),
                let instant = TimeShape.instant(text, nil, zone: .utc),
                let local = TimeShape.instant(String(text[..<match.range.lowerBound]).trimmingBlanks, nil, zone: .utc)
            else { return nil }
            return (local, instant)
        }
        let fit = KnownZones.fit(pairs, machine: knowledge.machineZone)
        return fit.isUnique ? fit.zone : nil
    }
}

extension String {
    fileprivate var trimmingBlanks: String { String(reversed().drop { $0 == " " }.reversed()) }
}

/// Time zones of which each has offsets that no other of the list has the whole year.
enum KnownZones {
    private static let all = [
        "UTC", "Asia/Shanghai", "Asia/Tokyo", "Asia/Bangkok", "Asia/Kolkata", "Asia/Dhaka", "Asia/Karachi",
        "Asia/Dubai",
        "Asia/Kathmandu", "Asia/Yangon", "Asia/Tehran", "Europe/London", "Europe/Berlin", "Europe/Athens",
        "Europe/Moscow",
        "Africa/Lagos", "Africa/Johannesburg", "America/New_York", "America/Chicago", "America/Denver",
        "America/Phoenix",
        "America/Los_Angeles", "America/Bogota", "America/Mexico_City", "America/Caracas", "America/Sao_Paulo",
        "America/Halifax", "Australia/Sydney", "Australia/Brisbane", "Australia/Adelaide", "Australia/Darwin",
        "Pacific/Auckland", "Pacific/Honolulu",
    ].compactMap { Zone($0) }

    /// How well a zone fits.
    struct Fit {
        /// Nil without one.
        var zone: Zone?
        /// How many local times are near the true ones in it, of how many.
        var near = 0
        var pairs = 0
        /// Whether no zone that is another one in another season fits as well.
        var isUnique = false
        var isSure: Bool { isUnique && near >= 3 }
    }

    /// The zone in which local times are nearest to the true ones.
    static func fit(_ pairs: [(local: Instant, true: Instant)], machine: Zone?) -> Fit {
        let fits = all.compactMap { zone -> (zone: Zone, near: Int)? in
            let near = pairs.count { abs((zone.instant(local: $0.local.milliseconds) - $0.true).count) <= 900_000 }
            return near > 0 && near * 5 >= pairs.count * 4 ? (zone, near) : nil
        }
        guard let first = fits.first else { return Fit(pairs: pairs.count) }
        let isUnique = fits.count == 1
        let own = machine.flatMap { machine in
            isUnique && isSame(machine, first.zone, at: pairs[0].true) ? machine : nil
        }
        return Fit(zone: own ?? first.zone, near: first.near, pairs: pairs.count, isUnique: isUnique)
    }

    /// Whether two zones have the same offsets in the year before and after an instant.
    private static func isSame(_ zone: Zone, _ other: Zone, at instant: Instant) -> Bool {
        (-12...12).allSatisfy { month in
            let then = Instant(milliseconds: instant.milliseconds + Int64(month) * 30 * 86_400_000)
            return zone.offset(at: then) == other.offset(at: then)
        }
    }
}
