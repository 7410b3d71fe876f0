extension Texts {
    /// What a night did to an exception, as a clause: `now: Matched, because of inbox/credits-2025-11-19.csv:4`.
    func sentence(_ event: ExceptionEvent) -> String {
        let text = word("event." + event.code.rawValue)
        switch event {
        case .changedFrom(let verdict, let cause): return filled(text, [headline(verdict, cause)])
        case .mergedInto(let id): return filled(text, [id.text])
        case .resolvedAs(let verdict, let cause, let evidence):
            let now = filled(text, [headline(verdict, cause)])
            return evidence.isEmpty ? now : label(.because, now, evidence.joined(separator: label(.listSeparator)))
        case .firstSeen, .evidenceMoved, .returned, .changedAfterWaiver, .waiverWithdrawn, .waived: return text
        }
    }

    /// A field in which the evidence disagrees, as a clause: `Quantity: paid 2, recorded 1`.
    func sentence(_ difference: Difference) -> String {
        let column = difference.field == .product ? "product_id" : difference.field.rawValue
        return lookup(.difference, self.column(column), difference.left, difference.right)
    }

    /// An exception's state and what brought it there: `changed; before: Order unverified`.
    func step(_ state: ExceptionState, _ event: ExceptionEvent) -> String {
        let state = word(.state, state.rawValue)
        // The text of a waiver says no more than the state does.
        return event == .waived ? state : state + label(.clauseSeparator) + sentence(event)
    }

    /// `Paid not credited · App never reported back`.
    func headline(_ verdict: Verdict, _ cause: Cause) -> String {
        let title = title(verdict)
        return cause == .none ? title : lookup(.headline, title, self.title(verdict, cause))
    }
}
