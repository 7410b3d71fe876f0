/// A fast path for the great majority of cases: one purchase, its order, its credit and at most one receipt, all of
/// which agree. What it accepts is `matched` without a flag, and nobody needs to look at it again. It declines any
/// other case, and the rules judge that one.
///
/// It saves the rules from building a subject for nearly every case: without it, judging took 4.6 times the
/// instructions. It calls the predicates that the rules and flags use, and accepts a case only if all of them are
/// harmless. So a change of a rule changes this path, too. Its only condition of its own is the shape of the evidence:
/// matching would make one subject of it, with exactly one credit. Rules 6, 8 and 10, which count credits and orders,
/// cannot apply to that shape. A test compares both ways of judging on random evidence.
public struct CleanMatch: Sendable {
    private let policy: Policy

    public init(policy: Policy) { self.policy = policy }

    /// What the purchase is worth, if the case consists of exactly this evidence and is matched without a flag; else
    /// nil.
    ///
    /// - Parameter owner: the account that a token belongs to, where tokens are per account.
    public func amount(
        _ transaction: Transaction, order: Order, credit: Credit, receipt: Receipt?,
        owner: (Token) -> TokenOwner
    ) -> Money? {
        guard isOnePurchase(transaction),
            namesNoOther(transaction, order: order, credit: credit, receipt: receipt),
            isLinked(order, credit, to: transaction), let price = transaction.price?.money
        else { return nil }
        guard policy.reconciles(transaction), !policy.isBeforeHistory(transaction.purchasedAt),  // rules 2 and 3
            transaction.revocation == nil,  // rules 4 and 5
            !CreditedToWrongAccount.isStray(  // rule 7
                credit, owner: policy.accountOfToken(of: transaction, owner) ?? order.account),
            ValueMismatch.agree(transaction, price: price, order: order, credit: credit)  // rule 9
        else { return nil }
        let marks = transaction.marks.union(order.marks).union(credit.marks).union(receipt?.marks ?? [])
        let flags = marks.flags.union(transaction.ownFlags)
            .union(timing(of: credit, record: transaction, policy: policy))
        return flags.isEmpty ? price : nil
    }

    /// A proven purchase that neither restores nor renews nor precedes another one.
    private func isOnePurchase(_ transaction: Transaction) -> Bool {
        transaction.proof >= .vouched && transaction.$original.isAbsent(or: transaction.id) && !transaction.isUpgraded
    }

    /// The only credit was given and not taken back, and the evidence names no other order or transaction. An order that
    /// says `credited` must be named by the credit: otherwise it may stand for a further one.
    private func namesNoOther(
        _ transaction: Transaction, order: Order, credit: Credit, receipt: Receipt?
    ) -> Bool {
        credit.kind == .credit && credit.$transaction.isAbsent(or: transaction.id)
            && credit.$order.isAbsent(or: order.id)
            && order.$transaction.isAbsent(or: transaction.id)
            && (order.status != .credited || credit.$order == order.id)
            && receipt?.$transaction.isAbsent(or: transaction.id) ?? true && receipt?.furtherTransactions == nil
    }

    /// Order and purchase are linked by an identifier that makes an owner. So the order cannot be suggested for another
    /// purchase.
    private func isLinked(_ order: Order, _ credit: Credit, to transaction: Transaction) -> Bool {
        policy.links(order, to: transaction)
            || credit.$order == order.id && credit.$transaction == transaction.id && credit.isInTime(for: order)
    }
}
