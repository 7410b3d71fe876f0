/// Whether the desk may give the goods by hand without the risk that they are given twice; if not, the reason.
/// See docs/spec/rules.md#safe-to-compensate.
public enum LookupSafety: Hashable, Sendable {
    /// It may.
    case safe
    /// It may: the retry entry was sent this many times without success, and is not sent any more.
    case safeAfterTries(Int)
    /// The verdict itself is the reason: nothing that was paid for is missing, or this is not known yet.
    case verdict
    /// Only the order's status says that the goods were given, although a credits feed is required.
    case statusOnly
    /// It belongs to another account than that of the customer who asks.
    case otherAccount
    /// It was found by a part of an id, and may be another customer's.
    case foundByPart
    /// For an order: these payments may belong to it.
    case purchaseOpen([String])
    /// The goods were taken back without a refund. Someone must decide first.
    case takenBack
    /// Only a part of the goods was given. What is missing must be worked out first.
    case partlyGiven
    /// The client reported the payment for an order of another payment. Someone must find out which of the two the goods
    /// were given for.
    case orderCrossed
    /// Something beside the record that counts tells of a refund of the payment by Apple.
    case refundReported(RefundSign)
    /// Apple's records of the payment disagree about product, quantity or account.
    case recordsDisagree
    /// The customer paid two times under one order, and the goods were given once.
    case paidTwice
    /// The account has the product by these other payments, and can have it only once.
    case alreadyOwned([String])
    case waived
    /// These credits name the same order or transaction, perhaps spelled differently.
    case creditOnRecord([String])
    /// A credit row that mentions this subject, or may do so, was rejected: `file:line`.
    case creditRejected(String)
    /// These credits of the same account and product belong to no payment and may be meant for this one.
    case creditUnplaced([String])
    case ownerUnknown
    /// Several accounts may be the owner.
    case ownerDisputed
    /// A person recorded that the goods were given by hand, and the credit is not on record yet.
    case given(HandOut)
    /// A retry entry to give the goods has been sent.
    case retryOut
    /// A retry entry has been sent that only asks for Apple's record or for another check of the receipt.
    case retryFetch
    /// A retry entry has been sent this many times, and the consumer has never answered.
    case retrySilent(Int)
    /// The consumer acknowledged once that it gave the goods.
    case retryApplied
    /// A retry entry was sent and the consumer refused it finally. What became of the goods is not known.
    case retryUnclear
    /// The circuit breaker holds the retry entry until an operator releases it.
    case held
    /// The ledger was put back to an earlier state at that time. Nights that it does not know may have sent a retry entry.
    case restored(Instant)
    /// The last night's input was very unusual and must be reviewed first.
    case guarded
    /// It is a renewal, and no renewal of the product has goods on record: the backend may only move the expiry.
    case renewalsUnrecorded
    case creditsMissing(BusinessDate)
    /// Another feed's file for that day is missing.
    case recordsMissing(FeedKind, BusinessDate)
    /// The last night is too old to answer for today: its age in days.
    case stale(Int)
    /// The rules have changed since the last night.
    case rulesChanged
    /// The text names this beside the purchase: it looks like the owner's account, and is not on record.
    case accountUnclear(String)

    /// Whether the desk may compensate by hand.
    public var isSafe: Bool {
        switch self {
        case .safe, .safeAfterTries: true
        default: false
        }
    }

    /// The code written to JSON: the name of the case. docs/use/lookup.schema.json lists all of them.
    public var code: String { caseName(self) }
}

/// What tells of a refund that the record of Apple's which counts does not show.
public enum RefundSign: Hashable, Sendable {
    /// A client's receipt, or another copy of Apple's record.
    case record
    /// These orders of the purchase are `refunded`.
    case order([String])
    /// These orders are, which may be the purchase's.
    case suggestedOrder([String])
    /// The subscription was upgraded, to this plan if it is on record.
    case upgrade(String?)
}
