/// Questions to Apple from the desk's page. See docs/spec/interfaces.md#desk-apple.
extension DeskPage {
    /// Whether Apple can be asked about it: a transaction id, or the order id of Apple's e-mail.
    public static func canBeAsked(_ id: String) -> Bool { id.wholeMatch(of: /[0-9]{8,20}|M[0-9A-Z]{6,20}/) != nil }

    /// Adds what became of a question about what is not on record, or the button to ask. Returns what else to say.
    func addQuestionToApple(_ answer: LookupAnswer, _ app: App, _ html: inout HTML, _ texts: Texts) -> LookupAnswer {
        var answer = answer
        let id = answer.wholeID ?? answer.identifier
        guard app.mayAskApple, !answer.isFound || answer.unknown != nil, Self.canBeAsked(id) else { return answer }
        if case .apple(id, .known)? = notice {
            // Apple has said what the next step would ask.
            (answer.route, answer.unknown) = (nil, nil)
            return answer
        }
        if let known = app.appleAnswers[id] {
            let ids = known.transactions.joined(separator: texts.label(.nameSeparator))
            html.element("p", texts.desk(.appleAnswered, known.by, localTime(known.at, app.zone), id, ids))
            (answer.route, answer.unknown) = (nil, nil)
            return answer
        }
        html.element("form", [("method", "post"), ("class", "work")]) { html in
            addQuestion(to: &html)
            html.hidden("ask", id)
            if let name = app.name { html.hidden("app", name) }
            html.element("button", [("type", "submit")]) { $0.text(texts.desk(.askApple, id)) }
            html.element("p", class: "dim", texts.desk(.askAppleHint))
        }
        return answer
    }
}

extension DeskPage {
    /// What Apple answered to a question from the page.
    public struct AskedApple: Sendable {
        var by: String
        var at: Instant
        var transactions: [String]

        public init(by: String, at: Instant, transactions: [String]) {
            (self.by, self.at, self.transactions) = (by, at, transactions)
        }
    }
}

/// What became of a question to Apple.
public enum AppleNotice: Sendable {
    /// These transactions, which Apple's signature proves.
    case known([Transaction])
    case unknown
    /// The user has reached the hourly limit, which is this number.
    case tooOften(Int)
    /// Apple did not answer.
    case failed

    func text(_ id: String, zone: Zone, _ texts: Texts) -> String {
        switch self {
        case .known(let transactions):
            let purchases = transactions.map { purchase in
                let goods = goods(
                    purchase.product.text, quantity: purchase.quantity, amount: purchase.price?.money, texts)
                return [purchase.id.text, goods, localTime(purchase.purchasedAt, zone)].joined(
                    separator: texts.label(.nameSeparator))
            }
            return texts.desk(.appleKnown, id, purchases.joined(separator: texts.label(.clauseSeparator)))
        case .unknown: return texts.desk(.appleUnknown, id)
        case .tooOften(let most): return texts.desk(.appleTooOften, id, String(most))
        case .failed: return texts.desk(.appleFailed, id)
        }
    }
}
