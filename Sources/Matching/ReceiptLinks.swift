/// What one receipt says about an order and a purchase. The caller numbers orders and purchases.
struct ReceiptClaim {
    var account: Identifier
    /// The number of the order that the receipt names, or `absent` or `elsewhere`.
    var order: Int32
    /// The number of the purchase that the receipt claims, or `absent` or `unproven`.
    var purchase: Int32
    /// The backend's check accepted the receipt, and its own data does not deny the claim.
    var isAccepted: Bool
    /// The account that the claimed transaction's token belongs to, where tokens are per account.
    var tokenOwner = TokenOwner.unknown

    /// The receipt names none.
    static let absent: Int32 = -1
    /// The receipt claims a transaction that no record proves.
    static let unproven: Int32 = -2
    /// The receipt names an order that neither a row nor a credit here shows.
    static let elsewhere: Int32 = -4
}

/// Which orders and purchases name each other, according to one source: the backend, or the receipts of one account.
/// See docs/spec/rules.md#receipt-links. For the backend, they name each other through the order's own transaction id,
/// through a credit that names both, or through a per-order token.
///
/// For each order and each purchase, only the one partner is kept that it names; `several` where it names more than
/// one.
struct Namings {
    /// The purchase that each order names, by number.
    private var purchases: [Int32: Int32] = [:]
    /// The order that each purchase is named by, by number.
    private var orders: [Int32: Int32] = [:]
    /// The proven purchase that each order belongs to, by number.
    private var holders: [Int32: Int32] = [:]
    /// The orders for which goods were given, by number, where the backend does not say for which transaction.
    private var given: Set<Int32> = []
    static let several: Int32 = -3

    /// Records that the order names the purchase. `ReceiptClaim.unproven` stands for any transaction that no record
    /// proves.
    ///
    /// - Parameter isProven: a record that holds proves the purchase.
    mutating func add(order: Int32, purchase: Int32, isProven: Bool) {
        Self.name(purchase, &purchases[order])
        if purchase >= 0 { Self.name(order, &orders[purchase]) }
        if isProven { Self.name(purchase, &holders[order]) }
    }

    /// Records that goods were given for the order and that no transaction was named.
    mutating func add(givenOrder order: Int32) { given.insert(order) }

    private static func name(_ partner: Int32, _ known: inout Int32?) {
        known = known == nil || known == partner ? partner : several
    }

    /// Whether neither of the two names anything but the other. One that names nothing allows any partner.
    func allow(order: Int32, purchase: Int32) -> Bool {
        (purchases[order] ?? purchase) == purchase && (orders[purchase] ?? order) == order
    }

    func isNamed(order: Int32) -> Bool { purchases[order] != nil }

    /// Whether goods were given for the order without naming a transaction.
    func isGiven(order: Int32) -> Bool { given.contains(order) }

    /// Whether the order names a proven purchase other than this one.
    func isTaken(order: Int32, from purchase: Int32) -> Bool { holders[order].map { $0 != purchase } ?? false }
}

/// Decides which receipts link the order they name to the purchase they claim; one answer for each of `claims`.
/// See docs/spec/rules.md#receipt-links.
///
/// A receipt is what a client says, and anybody can upload one that names any order and any transaction. So it counts
/// only where the backend and Apple say nothing to the contrary:
///
/// - The order belongs to the receipt's account and names no other purchase, and no other order names the purchase
///   (`namings`).
/// - No token says that the purchase belongs to another account.
/// - No other account's accepted receipt claims the purchase, unless the token says that it belongs to this account.
/// - The receipt is accepted, or it is the account's only word on both: no other receipt of the account names the order
///   with another purchase, or the purchase with another order (`words`).
/// - The receipt is accepted, or it moves no credit: a credit that names no transaction would follow its order to the
///   purchase, and a lost payment of somebody else would look delivered. Where tokens are not in use, such receipts may
///   be all that a shop has, so there they do link.
///
/// The answers do not depend on the order of the claims: what all of them say is collected first and judged afterwards.
///
/// - Parameters:
///   - namings: what the backend says.
///   - accountOfOrder: nil for an order whose account neither a row nor a credit shows.
func linkingReceipts(
    _ claims: [ReceiptClaim], namings: Namings, policy: Policy, accountOfOrder: (Int32) -> Identifier?
) -> [Bool] {
    let tokensAreUsed = policy.tokenUse != .none && policy.facts.tokens != .unused
    var claimants: [Int32: Identifier] = [:]
    var words: [Identifier: Namings] = [:]
    for claim in claims {
        if claim.isAccepted, claim.purchase >= 0 {
            let known = claimants[claim.purchase]
            claimants[claim.purchase] = known == nil || known == claim.account ? claim.account : .absent
        }
        guard claim.order != ReceiptClaim.absent, claim.purchase != ReceiptClaim.absent else { continue }
        words[claim.account, default: Namings()].add(order: claim.order, purchase: claim.purchase, isProven: false)
    }
    return claims.map { claim in
        guard claim.order >= 0, claim.purchase >= 0, accountOfOrder(claim.order) == claim.account,
            namings.allow(order: claim.order, purchase: claim.purchase)
        else { return false }
        switch claim.tokenOwner {
        case .account(let owner): if owner != claim.account { return false }
        case .unknown, .several:
            if let claimant = claimants[claim.purchase], claimant != claim.account { return false }
        }
        if claim.isAccepted { return true }
        if tokensAreUsed, namings.isGiven(order: claim.order), claim.tokenOwner != .account(claim.account) {
            return false
        }
        return words[claim.account]!.allow(order: claim.order, purchase: claim.purchase)
    }
}
