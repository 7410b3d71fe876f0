internal import Domain

/// What one receipt says about which order belongs to which purchase. The caller numbers orders and purchases.
struct ReceiptClaim {
    var account: Identifier
    /// Number of the order that the receipt names, `absent`, or `elsewhere`.
    var order: Int32
    /// Number of the purchase that the receipt claims, `absent`, or `unproven`.
    var purchase: Int32
    /// The check accepted the receipt, and the receipt's own data does not deny the claim.
    var isAccepted: Bool
    /// The account that the claimed transaction's token belongs to, where tokens are per account.
    var tokenOwner = TokenOwner.unknown

    static let absent: Int32 = -1
    /// The receipt claims a transaction that no record proves.
    static let unproven: Int32 = -2
    /// The receipt names an order of which nothing is known here.
    static let elsewhere: Int32 = -4
}

/// What the backend itself says about orders and purchases: which of them name each other. RULES §2.
///
/// An order and a purchase name each other by the order's own transaction id or by a credit that names both.
struct Namings {
    /// By number: the one partner that is named, or `several`.
    private var purchases: [Int32: Int32] = [:]
    private var orders: [Int32: Int32] = [:]
    static let several: Int32 = -3

    /// `purchase` may be `ReceiptClaim.unproven`: the order names something else.
    mutating func add(order: Int32, purchase: Int32) {
        Self.name(purchase, &purchases[order])
        if purchase >= 0 { Self.name(order, &orders[purchase]) }
    }

    private static func name(_ partner: Int32, _ known: inout Int32?) {
        known = known == nil || known == partner ? partner : several
    }

    /// Whether each of the two names nothing but the other.
    func allow(order: Int32, purchase: Int32) -> Bool {
        (purchases[order] ?? purchase) == purchase && (orders[purchase] ?? order) == order
    }

    func isNamed(order: Int32) -> Bool { purchases[order] != nil }
}

/// Which receipts tie the order they name to the purchase they claim, in the order of `claims`. RULES §2.
///
/// A receipt is what a client says, so it counts only where the backend and Apple say nothing: the order belongs to the
/// receipt's account and names no other purchase, no other order names the purchase, no token gives the purchase to
/// another account, and no other account's accepted receipt claims it (unless the token gives it to this account).
/// A receipt that was not accepted must also be the account's only word on both.
///
/// - Parameter accountOfOrder: nil for an order of which no row and no credit tells the account.
func linkingReceipts(
    _ claims: [ReceiptClaim], _ namings: Namings, accountOfOrder: (Int32) -> Identifier?
) -> [Bool] {
    var claimants: [Int32: Identifier] = [:]
    var words: [Identifier: Namings] = [:]
    for claim in claims {
        if claim.isAccepted, claim.purchase >= 0 {
            let known = claimants[claim.purchase]
            claimants[claim.purchase] = known == nil || known == claim.account ? claim.account : .absent
        }
        guard claim.order != ReceiptClaim.absent, claim.purchase != ReceiptClaim.absent else { continue }
        words[claim.account, default: Namings()].add(order: claim.order, purchase: claim.purchase)
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
        return claim.isAccepted
            || words[claim.account]!.allow(order: claim.order, purchase: claim.purchase)
    }
}
