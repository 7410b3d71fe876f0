extension LookupAnswer {
    /// The answer with accounts and tokens masked, except for their first and last two characters. For shared screens.
    public var masked: LookupAnswer {
        var answer = self
        if isPersonal {
            // Of a message, only what it names, if it is there as it is on record.
            let ids = readAs + askers
            let isMessage = !ids.isEmpty && ids.allSatisfy(identifier.contains)
            answer.identifier =
                isMessage ? ids.reduce(identifier) { $0.replacing($1, with: mask($1)) } : mask(identifier)
            answer.readAs = readAs.map(mask)
        }
        (answer.asker, answer.unknownAccount) = (asker.map(mask), unknownAccount.map(mask))
        answer.otherAskers = otherAskers.map(mask)
        answer.near = near.map {
            [.account, .token].contains($0.kind) ? NearIdentifier(kind: $0.kind, id: mask($0.id)) : $0
        }
        answer.roles?.accounts = roles?.accounts.map(mask) ?? []
        answer.rejectedRow?.line.reject.reason = ""
        answer.subjects = subjects.map(\.masked)
        answer.list?.purchases = list?.purchases.map(\.masked) ?? []
        answer.list?.asked?.account = list?.asked?.account.map(mask)
        return answer
    }
}

extension LookupSubject {
    var masked: LookupSubject {
        var subject = self
        subject.isMasked = true
        subject.facts = facts.masked
        (subject.owner, subject.formerAccounts) = (owner.map(mask), formerAccounts.map(mask))
        subject.givenToOther = givenToOther.map { (mask($0.named), mask($0.other)) }
        (subject.possibleOrders, subject.givenByLead) = ([], nil)
        subject.timeline = timeline.map(\.masked)
        // What colleagues wrote may name accounts.
        subject.work?.comments = []
        if case .given(var handOut) = safety {
            (handOut.account, handOut.confirmedBy, handOut.note) = (nil, nil, "")
            // The same reason without names.
            subject.refuse(.given(handOut), evenIfRefused: true)
        }
        for index in decisions.indices { (subject.decisions[index].account, subject.decisions[index].note) = (nil, "") }
        for index in withdrawn.indices {
            subject.withdrawn[index].decision.account = nil
            (subject.withdrawn[index].decision.note, subject.withdrawn[index].withdrawal.note) = (nil, nil)
        }
        return subject
    }
}

extension ExceptionFacts {
    /// For look-up and queue.
    var masked: ExceptionFacts {
        var facts = self
        facts.accounts = self.accounts.map(mask)
        return facts
    }
}

extension TimelineEntry {
    fileprivate var masked: TimelineEntry {
        var entry = self
        switch event {
        case .order(var order):
            order.account = masked(order.account)
            entry.event = .order(order)
        case .orderUpdate(var order):
            order.account = masked(order.account)
            entry.event = .orderUpdate(order)
        case .credit(var credit):
            credit.account = masked(credit.account)
            entry.event = .credit(credit)
        case .receipt(var receipt):
            receipt.account = masked(receipt.account)
            entry.event = .receipt(receipt)
        case .purchase, .revocation, .refundReversed: break
        }
        return entry
    }

    private func masked(_ id: Identifier) -> Identifier { Identifier(mask(id.text)) }
}

/// Keeps the first and last two characters; nothing of a short text.
func mask(_ text: String) -> String {
    text.count < 6 ? "***" : text.prefix(2) + "***" + text.suffix(2)
}
