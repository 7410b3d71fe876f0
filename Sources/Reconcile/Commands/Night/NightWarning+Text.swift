internal import Reports

extension CoverageGap {
    /// For the log: what is missing and how the gap is closed.
    /// - Parameters:
    ///   - isRead: the configuration has the feed.
    ///   - isFetched: `reconcile fetch` writes its files.
    func advice(isRead: Bool, isFetched: Bool = false) -> String {
        "\(feed.rawValue) \(date) is a coverage gap (\(reason.machineText))"
            + (isRead
                ? ". "
                    + (isFetched && reason.file == nil
                        ? "Run 'reconcile fetch', and the night again" : "Deliver the file")
                    + (feed == .products
                        ? ""
                        : ". If nothing is missing, run 'reconcile gap accept \(reason.feed) \(date) --by NAME --note TEXT'")
                : ", and no feed of the configuration reads it any more. " + remedy(ofUnread: reason.feed))
    }
}

/// What to do about days that a feed lacks which the configuration does not have.
private func remedy(ofUnread feed: String) -> String {
    "Put the feed back; if another one replaces it, give that one \"name\": \(quoted(feed)). Then deliver the file"
}

extension NightWarning {
    /// The mail's reason for this warning; nil if no person must look.
    var reason: Log.Reason? {
        switch self {
        case .rowsRejected: .rows
        case .settingChanged: .input
        case .withheld(let credits): credits.reason == .renewals ? .look : nil
        case .customersWithheld, .goodsBreak, .columnsLost, .pricesDoubted: .look
        case .guarded, .manifestHeld: .held
        case .creditsOfUnlinkedOrders, .creditsOfOrdersLeftOut, .handOutsWithoutCredit, .crowdedToken, .manyFlagged,
            .deskCreditsWithoutTransaction, .unknownAcknowledgements, .creditsUnseen, .statusOnly, .rulesChanged:
            nil
        }
    }

    /// For the log: what is wrong and what to do.
    var text: String {
        switch self {
        case .withheld(let credits): credits.text
        case .customersWithheld(let count, let place):
            "the rejected row \(place) alone withholds the goods of \(count) customers. No machine gives them anything until the "
                + "row is corrected: have it delivered again correctly. If it stands for nothing, run '\(acceptance(of: place))'"
        case .creditsOfUnlinkedOrders(let count, let total):
            "\(count) of \(total) credits name an order that nothing links to a payment. No machine gives these customers "
                + "anything, because the goods may be those of any of their payments. Export transaction_id with the credits, "
                + "or with the orders"
        case .creditsOfOrdersLeftOut(let count, let credit):
            "\(counted(count, "credit names", "credits name")) an order that 'where' or 'whereNot' leaves out; the first is "
                + "\(quoted(credit.text)). Their goods look unpaid. If the orders were paid in another way, that is correct, and nothing is owed: "
                + "leave their credits out, too (first-night.md, Files), restore the backup from before these rows or, if it was "
                + "the first night, begin a new ledger, and run again. Otherwise let the feed use these orders"
        case .handOutsWithoutCredit(let count, let first):
            "\(counted(count, "purchase is", "purchases are")) recorded as given by the desk, and no credit came; the first is "
                + "\(quoted(first.transaction.text)) (\(quoted(first.by)), \(first.at.text)). Deliver the credit with origin desk "
                + "and the transaction id, or withdraw the record: 'reconcile ungiven'"
        case .deskCreditsWithoutTransaction(let count, let credit, let place):
            "\(counted(count, "credit", "credits")) of the desk without a transaction; the first is \(quoted(credit.text)) (\(place)). Such a credit "
                + "counts for a payment only if order and payment can belong only to each other. Record the transaction id"
        case .unknownAcknowledgements(let count, let key, let place):
            "\(counted(count, "acknowledgement has", "acknowledgements have")) a key that was never issued; the first is \(quoted(key)) (\(place)). Make sure "
                + "that the consumer returns `key` unchanged. After a restore they may answer entries of the ledger that "
                + "was replaced"
        case .creditsUnseen(let feed, let date, let count, let isRead):
            "no file of \(feed) came for \(date)\(Self.more(count)): no credit entry goes out "
                + "for purchases up to that day. "
                + (isRead
                    ? "Deliver the file. If nothing is missing, run "
                        + "'reconcile gap accept \(feed) \(date) --by NAME --note TEXT'"
                    : remedy(ofUnread: feed))
        case .goodsBreak(let found):
            "the records of goods have a gap before \(found.end), and \(counted(found.count, "payment in it lacks", "payments in it lack")) "
                + "goods. The oldest goods are of \(found.oldest)\(found.place.map { " (\($0))" } ?? ""); after them, there are none for more than 14 days. "
                + "No machine gives these customers anything. If the goods of that time are not on record, set historyFrom to "
                + "\"\(found.end)\"; otherwise deliver the credits of that time, or look into what failed then"
        case .columnsLost(let lost):
            "\(lost.feed): no row has a usable \(lost.columns.joined(separator: ", ")) any more; earlier files had "
                + "one. Was a column left out or renamed? Correct the export and deliver the dates again. If it was removed on "
                + "purpose, set it to null in the feed's \"columns\""
                + (lost.columns.contains(ColumnRun.kind) ? " (kind only if no file will ever have a reversal)" : "")
                + "; otherwise the night reports this up to seven times, and check for as long as it lasts"
        case .pricesDoubted(let count, let doubt):
            "the product list has \(doubt.product) at \(doubt.listed), but Apple's records show \(doubt.apples)"
                + (count > 1 ? " (and \(counted(count - 1, "more price", "more prices")))" : "")
                + ". Is the list in another unit, such as cents? Correct it. If the list is right and this is "
                + "an introductory price or a promotion, do nothing: the night reports this up to seven times, and check for as long as it lasts"
        case .rowsRejected(let feed, let count, let place, let reason):
            "\(counted(count, "row of \(feed.rawValue) is", "rows of \(feed.rawValue) are")) rejected; the first is \(place): \(reason). Correct "
                + "the row, or map its word in the feed's 'columns'. Deliver the file again, if only with an empty line at its end, "
                + "because an unchanged file is not read again. Then run the night again"
                + (feed == .credits ? ": what is unusual may follow from this" : "")
        case .guarded(let findings, let held):
            "the input is unusual: \(Self.sentence(findings)) "
                + (held == 0
                    ? "Check the files and deliver what is missing, or accept them: '\(Self.release)'"
                    : "\(counted(held, "retry entry is held and waits", "retry entries are held and wait")) for a person even when the right "
                        + "files have come: check the files, deliver what is missing and run again; then, or if they are right as they "
                        + "are, run '\(Self.release)'")
        case .manifestHeld(let reason):
            "the retry manifest is held: \(Texts.english.sentence(reason)). Check held.jsonl, then run '\(Self.release)' or with keys"
        case .manyFlagged(let flag, let count, let total):
            "\(count) of \(total) subjects have the flag \(flag): the times of a feed are probably wrong. Compare the "
                + "timeZone of the orders and credits feeds with their exports"
        case .statusOnly(let count, let total):
            "\(count) of \(total) subjects count as credited because the order's status says so, and no credit row names them "
                + "(flag status_only). Look into some of these accounts. If each credit has a row, map that status to \"paid\": "
                + "then a missing row shows"
        case .rulesChanged(let last, let now):
            "the rules have changed since the last night (version \(last.map(String.init) ?? "unknown"), now \(now)): every "
                + "case was judged again. Changes in tonight's report may come from the new rules"
        case .settingChanged(let change):
            "the configuration has changed since the last night: \(change.setting) was \(change.old ?? "not set"), now "
                + "\(change.new ?? "not set"). "
                + (change.isOfReading
                    ? "Rows keep what they were read as: if either was wrong, set it right, restore the backup from before the "
                        + "first night with the wrong one, and run the night again. Rejected rows are read again with their file once it "
                        + "has changed: an empty line at its end is enough"
                    : "If tonight's value is wrong, set it right and run the night again")
        case .crowdedToken(let token, let limit):
            "more than \(limit) orders have the token \(token.text), although a token should belong to one order: it no "
                + "longer links orders to payments. Have the client create a new token for each order, or set "
                + "app.appAccountToken to \"account\"."
        }
    }

    private static let release = "reconcile release --held --by NAME --note TEXT"

    private static func sentence(_ findings: [GuardFinding]) -> String {
        let advice = Texts.english.advice(findings) ?? ""
        return advice.hasSuffix("?") ? advice : advice + "."
    }

    /// How many days follow the first one: ` and 2 more days`.
    private static func more(_ days: Int) -> String {
        days > 1 ? " and \(counted(days - 1, "more day", "more days"))" : ""
    }
}

/// The command by which a person decides that a rejected row stands for nothing.
private func acceptance(of place: String) -> String { "reconcile gap accept \(place) --by NAME --note TEXT" }

extension WithheldCredits {
    fileprivate var text: String {
        let sum = worth.map { "\($0.currency.text) \($0.text)" }.joined(separator: ", ")
        let withheld =
            "\(counted(count, "automatic credit is", "automatic credits are")) withheld"
            + (sum.isEmpty ? "," : ", worth \(sum),")
        return switch reason {
        case .rejectedRow:
            "\(withheld) because rejected rows may be about their purchases; the first is \(names[0]). "
                + "Correct these rows and deliver them again; if this one stands for nothing, run '\(acceptance(of: names[0]))'"
        case .credit:
            "\(withheld) because the customer, or an account that claims the payment, "
                + "has goods that no payment accounts for; the first are those of \(goods). Find out which payment "
                + "they were given for: 'reconcile lookup'. Have the backend write the transaction id into its credits; then no "
                + "such doubt remains"
        case .renewals:
            "\(withheld) because too few renewals of "
                + "\(names.prefix(3).map { quoted($0) }.joined(separator: ", "))\(names.count > 3 ? " and others" : "") "
                + "have goods on record. If the backend only moves the expiry date, nothing is missing: have it write a row "
                + "for each renewal (first-night.md, Files). Otherwise look these purchases up: 'reconcile lookup'"
        }
    }

    /// What gave goods: a credit, or an order that says so itself.
    private var goods: String {
        Credit.order(implying: names[0]).map { "order \(quoted(String($0)))" } ?? "credit \(quoted(names[0]))"
    }
}
