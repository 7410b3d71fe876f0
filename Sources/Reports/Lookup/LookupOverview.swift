/// What an answer about many purchases says at the top and at the end.
extension LookupAnswer {
    /// From so many subjects on, a line counts them, and those in order are listed briefly.
    static let countedMin = 4
    /// How many ids a line of the introduction lists.
    static let listedMax = 5

    /// The identifier, cut if it is a pasted record.
    var shownIdentifier: String { pasted == nil ? identifier : String(identifier.prefix(24)) + "…" }

    /// The subjects that get a block of their own.
    var shownInFull: [LookupSubject] {
        subjects.count < Self.countedMin ? subjects : subjects.filter { !$0.isSettled }
    }

    /// The subjects that need no action, if they are listed briefly.
    var shownBriefly: [LookupSubject] { subjects.count < Self.countedMin ? [] : subjects.filter(\.isSettled) }

    /// `60 found. To be resolved: 1, 98.00 CNY. Waiting: 0. Settled: 59.`
    func countLine(_ texts: Texts) -> String {
        let open = subjects.filter { $0.facts.verdict.isException }
        let settled = subjects.count(where: \.isSettled)
        let sums = MoneySum(open.compactMap(\.facts.amount)).amounts
        let worth = ([String(open.count)] + sums.map(money)).joined(separator: texts.label(.listSeparator))
        let waiting = subjects.count - open.count - settled
        return texts.lookup(
            .counts, String(subjects.count + subjectsMore), worth, String(waiting), String(settled + subjectsMore))
    }
}

extension LookupSubject {
    /// Nothing has to be done about it.
    var isSettled: Bool { safety.isNotNeeded(facts.verdict) && facts.verdict != .orderMissing }

    /// `60 coins (coins_60)`; the id alone if the product list has no name.
    func product(_ texts: Texts) -> String? {
        guard let id = facts.product, let productName, productName != id else { return facts.product }
        return texts.lookup(.productNamed, productName, id)
    }

    /// `2025-11-18 20:03:05` and `60 coins (coins_60) × 1, 6.00 CNY; Matched; 2000000123456789`.
    func brief(zone: Zone, _ texts: Texts) -> LabelledText {
        let what = goods(product(texts), quantity: facts.quantity, amount: facts.amount, texts)
        let id = facts.transactions.first ?? facts.orders.first ?? ""
        let title =
            facts.cause == .none ? texts.lookupTitle(facts.verdict) : texts.title(facts.verdict, facts.cause)
        let clauses = [what, title, id].filter { !$0.isEmpty }
        return LabelledText(
            label: localTime(facts.eventAt, zone), text: clauses.joined(separator: texts.label(.clauseSeparator)))
    }
}
