/// The answers as JSON: always an object with a list, however many identifiers were looked up.
public func lookupJSON(_ answers: [LookupAnswer], zone: Zone, texts: Texts) -> JSON {
    .object([
        "schema": .text("reconcile.lookup/1"), "answers": .list(answers.map { $0.json(zone: zone, texts: texts) }),
    ])
}

extension LookupAnswer {
    /// The answer as JSON. See docs/spec/interfaces.md#lookup-json. Instants are in UTC; `what`, `advice` and the other
    /// sentences are in the texts' language.
    fileprivate func json(zone: Zone, texts: Texts) -> JSON {
        .object([
            "identifier": .text(identifier), "found": .bool(isFound), "read_as": .list(readAs.map { .text($0) }),
            "pasted": pasted.map { .object($0.json) } ?? .null,
            "last_night": .text(covers.upperBound.text), "days_old": staleness.map { JSON($0.days) } ?? .null,
            "asker_account_id": JSON(asker), "route": JSON(route?.rawValue),
            "next_step": JSON(routeLine(texts)),
            "covers": .object(["from": .text(covers.lowerBound.text), "to": .text(covers.upperBound.text)]),
            "known_up_to": .text(knowsUpTo.text),
            "blind_spots": .list(coverageGaps.map(\.json)),
            "subjects": .list(subjects.map { $0.json(zone: zone, texts: texts) }),
            "more_subjects": JSON(subjectsMore), "unknown_ids": .list(unrecorded.map { .text($0) }),
            "also_lost": .list(
                (lost + lostByToken).map {
                    .object([
                        "transaction_id": .text($0.transaction), "currency": JSON($0.amount?.currency.text),
                        "amount": JSON($0.amount?.text),
                    ])
                }),
            "searched": .list(LookupKind.allCases.map { .text($0.rawValue) }),
            "found_by": JSON(foundBy?.kind.rawValue), "list": list?.json(texts) ?? .null,
            "near": .list(near.map { .object(["kind": .text($0.kind.rawValue), "id": .text($0.id)]) }),
        ])
    }
}

extension FoundPurchases {
    fileprivate func json(_ texts: Texts) -> JSON {
        .object([
            "total": JSON(total), "partial": .bool(isPartial), "part": JSON(part?.kind.rawValue),
            "understood": asked?.json ?? .null,
            "purchases": .list(purchases.map { $0.brief(texts) }),
        ])
    }
}

extension PurchaseDescription {
    /// What was asked, for a program or a record.
    public var json: JSON {
        .object([
            "from": JSON(days?.lowerBound.text), "to": JSON(days?.upperBound.text),
            "around": JSON(arounds.first.map(Self.clock)),
            "or_around": JSON(arounds.dropFirst().first.map(Self.clock)),
            "within_minutes": arounds.isEmpty ? .null : JSON(within),
            "amounts": .list(amountsText.isEmpty ? [] : amountsText.split(separator: ", ").map { .text(String($0)) }),
            "currencies": texts(currencies.map(\.text)), "product_ids": texts(products.map(\.text)),
            "storefront": JSON(storefront), "account_id": JSON(account), "ends": JSON(ending),
        ])
    }
}

extension LookupSubject {
    /// The purchase in a list. It never says that goods may be given.
    fileprivate func brief(_ words: Texts) -> JSON {
        .object([
            "transaction_ids": texts(facts.transactions), "order_ids": texts(facts.orders),
            "at": .text(facts.eventAt.text),
            "product_id": JSON(facts.product), "currency": JSON(facts.amount?.currency.text),
            "amount": JSON(facts.amount?.text), "owner_account_id": JSON(owner),
            "verdict": .text(facts.verdict.rawValue),
            "cause": .text(facts.cause.rawValue), "title": .text(title(words)),
        ])
    }
}

extension PastedRecord {
    fileprivate var json: [String: JSON] {
        ["outcome": .text(outcome.rawValue), "transaction_ids": .list(transactions.map { .text($0) })]
    }
}

extension LookupSubject {
    fileprivate func json(zone: Zone, texts: Texts) -> JSON {
        let words = LookupWording(self, zone: zone, texts: texts)
        var members = facts.json
        members["safe_to_compensate"] = .bool(words.isSafe)
        members["safe_reason"] = .text(safety.code)
        members["safe_because"] = .text(words.safety)
        members["cautions"] = .list(words.cautions.map { .text($0) })
        members["title"] = .text(words.headline)
        members["product_name"] = JSON(productName)
        let names = ["meaning", "customer", "advice", "approval"]
        for (name, line) in zip(names, words.advice) { members[name] = .text(line.text) }
        members["suggested_order_ids"] = .list(suggestedOrders.map { .text($0) })
        members["open_purchase_ids"] = .list(openPurchases.map { .text($0) })
        members["owner_account_id"] = JSON(owner)
        members["belongs_to_asker"] = belongsToAsker.map { .bool($0) } ?? .null
        members["exception"] = exception?.json ?? .null
        members["work"] = work?.json ?? .null
        members["retry"] = .list(retries.map(\.json))
        members["timeline"] = .list(timeline.map { $0.json(texts) })
        return .object(members)
    }
}

extension ExceptionFacts {
    /// Without the fields that the look-up has never had, or says elsewhere.
    fileprivate var json: [String: JSON] {
        let fields = ExceptionFields.list.filter { !["event_at", "retry_key", "evidence"].contains($0.name) }
        var members = Dictionary(uniqueKeysWithValues: fields.map { $0.member(self) })
        if !self.verdict.isException { members["severity"] = .null }
        members["currency"] = JSON((self.amount ?? self.effect)?.currency.text)
        return members
    }
}

extension ExceptionField {
    /// Lists of ids have their column's name in the plural.
    fileprivate func member(_ facts: ExceptionFacts) -> (String, JSON) {
        switch shown(facts) {
        case .code(let text): (name, .text(text))
        case .id(let text), .text(let text): (name, JSON(text))
        case .ids(let values): (name + "s", texts(values))
        case .texts(let values): (name, texts(values))
        case .number(let number): (name, number.map { JSON(Int($0)) } ?? .null)
        case .money(let amount): (name, JSON(amount?.text))
        case .instant(let instant): (name, .text(instant.text))
        case .differences(let differences): (name, texts(differences.map(\.rawValue)))
        case .labels(let labels):
            (name, .object((labels ?? .none).values.reduce(into: [:]) { $0[$1.name] = .text($1.text.text) }))
        }
    }
}

private func texts(_ values: [String]) -> JSON { .list(values.map { .text($0) }) }

extension LookupException {
    fileprivate var json: JSON {
        .object([
            "id": .text(id.text), "state": .text(state.rawValue), "first_seen": .text(firstSeen.text),
            "history": .list(
                history.map { step in
                    .object([
                        "date": .text(step.date.text), "state": .text(step.state.rawValue),
                        "verdict": .text(step.verdict.rawValue), "cause": .text(step.cause.rawValue),
                        "currency": JSON(step.amount?.currency.text), "amount": JSON(step.amount?.text),
                        "by": JSON(step.by), "at": JSON(step.at?.text),
                        "note": JSON(step.note ?? step.event?.machineText),
                    ])
                }),
        ])
    }
}

extension CaseWork {
    fileprivate var json: JSON {
        .object([
            "assignee": JSON(assignee), "since": JSON(since?.text), "ticket": JSON(ticket),
            "comments": .list(
                comments.map { .object(["at": .text($0.at.text), "by": .text($0.by), "text": .text($0.text)]) }),
        ])
    }
}

extension RetryEntry {
    fileprivate var json: JSON {
        .object([
            "key": .text(key), "action": .text(facts.action.rawValue), "state": .text(state.rawValue),
            "attempts": JSON(attempts), "answer": JSON(answer?.rawValue), "message": JSON(message),
        ])
    }
}

extension TimelineEntry {
    fileprivate func json(_ texts: Texts) -> JSON {
        .object([
            "at": .text(at.text), "kind": .text(kind), "id": .text(id), "what": .text(what(texts)),
            "source": .text(source), "line": JSON(line),
        ])
    }
}
