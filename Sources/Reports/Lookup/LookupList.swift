/// A list of purchases that were found without a whole id, in words.
extension LookupAnswer {
    static func listColumns(_ texts: Texts) -> [String] {
        [
            texts.column("transaction_id"), texts.lookup(.listTime), texts.column("product_id"), texts.column("amount"),
            texts.lookup(.belongsTo),
            texts.lookup(.listState), texts.lookup(.safe),
        ]
    }

    /// The list's rows, each with the id to look up. None says that goods may be given: for that, the purchase is opened.
    func listRows(zone: Zone, texts: Texts) -> [(id: String, cells: [String])] {
        (list?.purchases ?? []).map { subject in
            let facts = subject.facts
            let id = facts.transactions.first ?? facts.orders.first ?? ""
            let cells = [
                localTime(facts.eventAt, zone), goods(subject.product(texts), quantity: facts.quantity, texts),
                facts.amount.map(money) ?? "", subject.owner ?? texts.lookup(.ownerUnknown), subject.title(texts),
                texts.lookup(subject.listed),
            ]
            return (id, cells)
        }
    }

    /// What a search was for and how much it found, before the list. Empty without a search.
    func listIntroduction(texts: Texts) -> [String] {
        guard let list else { return [] }
        var lines: [String] = []
        if let asked = list.asked { lines.append(texts.lookup(.understood, asked.text(texts))) }
        if let part = list.part { lines.append(texts.lookup(.foundBy, code: part.kind.rawValue, String(part.known))) }
        if list.purchases.isEmpty { return lines }
        lines.append(texts.lookup(.listFound, String(list.total), String(list.purchases.count)))
        if let ending = list.ending { lines.append(texts.lookup(.listEnding, ending)) }
        if list.total > list.purchases.count || list.isPartial { lines.append(texts.lookup(.listNarrow)) }
        return lines + [texts.lookup(.listOpen)]
    }
}

extension LookupSubject {
    /// What a list says of the goods: never that they may be given.
    var listed: LookupLabel {
        safety.isNotNeeded(facts.verdict) ? .notNeeded : safety.isSafe ? .openFirst : .no
    }
}

extension PurchaseDescription {
    /// `2025-11-07; 15:27 to 16:27; 25.00 CNY`
    func text(_ texts: Texts) -> String {
        var clauses: [String] = []
        if let days {
            let (first, last) = (days.lowerBound.text, days.upperBound.text)
            clauses.append(first == last ? first : texts.lookup(.span, first, last))
        }
        let times = arounds.map { around in
            let ends = [around - within, around + within].map {
                $0 < 1440 ? clock($0) : texts.lookup(.nextDay, clock($0 - 1440))
            }
            return texts.lookup(.span, ends[0], ends[1])
        }
        if !times.isEmpty { clauses.append(times.joined(separator: texts.label(.nameSeparator))) }
        let money = [amountsText, currencies.map(\.text).joined(separator: "/")].filter { !$0.isEmpty }
        if !money.isEmpty { clauses.append(money.joined(separator: " ")) }
        if !products.isEmpty { clauses.append(products.map(\.text).joined(separator: texts.label(.nameSeparator))) }
        if let storefront { clauses.append(storefront) }
        if let account { clauses.append(texts.lookup(.saidOf, texts.lookup(.kind, code: "account"), account + "…")) }
        if let ending { clauses.append("…" + ending) }
        return clauses.joined(separator: texts.label(.clauseSeparator))
    }

    private func clock(_ minute: Int) -> String { Self.clock(minute) }
}
