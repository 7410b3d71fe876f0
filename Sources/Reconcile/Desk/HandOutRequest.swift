/// What a user of the desk's page says about goods given by hand.
struct HandOutRequest {
    let transaction: String
    let isWithdrawal: Bool
    /// Why; empty if the user said nothing.
    let reason: String
    /// Whom the goods are given to where the payment's owner is not known; else empty.
    let owner: String
    /// The account that the lead named although orders of others fit, which the page has shown; else empty.
    let despite: String
    /// Whose wish the user confirms, or whose record the user withdraws; nil if it is the user's own.
    let confirming: String?
    /// The time of that wish or record, of the user's own to be withdrawn, or else of the newest record that the page showed.
    let seen: String?

    func shows(_ handOut: HandOut) -> Bool { handOut.at.text == seen }

    /// What is recorded beside it. Nil if what must be said is missing or too long.
    func said(namesOwner: Bool) -> (account: String?, note: String)? {
        if !namesOwner, !isWithdrawal { return (nil, "") }
        guard 1...WorkStep.commentMax ~= reason.unicodeScalars.count else { return nil }
        if !namesOwner { return (nil, reason) }
        return 1...WorkStep.ticketMax ~= owner.unicodeScalars.count ? (owner, reason) : nil
    }
}
