internal import Domain

/// 5. Refunded in full and nothing is left with the customer: over.
///
/// "Money back, goods back." Cause `refunded`. Nobody is short.
///
/// Example: bought, credited, refunded, reversed: `closed`/`refunded`.
enum ClosedByRefund: Rule {
    static func finding(_ facts: Facts) -> Finding? {
        guard facts.refund == .full, facts.position.net <= 0, let revocation = facts.subject.revocation else {
            return nil
        }
        return Finding(verdict: .closed, cause: .refunded, anchor: revocation.at)
    }
}
