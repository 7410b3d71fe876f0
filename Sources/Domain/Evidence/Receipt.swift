/// A receipt that a client uploaded, with the answer of the backend's check. See docs/spec/rules.md#evidence.
public struct Receipt: Equatable, Sendable {
    /// The id that the backend assigned; nil if the row has none.
    @PackedOptional public var givenID: Identifier?
    /// SHA-256 of the row's canonical content. It is the key where the row has no id.
    public var content: Digest256
    /// The account that uploaded it.
    public var account: Identifier
    /// The order that the client named; nil if it named none.
    @PackedOptional public var order: Identifier?
    /// The one transaction that the receipt claims; nil if it claims none. Other transactions in its data link
    /// nothing.
    @PackedOptional public var transaction: Identifier?
    /// The ids, separated by blanks, of other transactions that it may be meant for: what the row names where its genuine
    /// data names one other, else those in its data. They link nothing, but are claims.
    @PackedOptional public var furtherTransactions: Identifier?
    /// The product that the client named; nil if it named none.
    @PackedOptional public var product: Identifier?
    /// The device. Personal data: it must not appear in logs or reports.
    @PackedOptional public var device: Identifier?
    public var receivedAt: Instant
    /// The status of Apple's `verifyReceipt`, or a code of the backend's own. Nil if no check is on record.
    @PackedOptional public var verifyStatus: Int32?
    /// Apple's `is-retryable` flag, which some status codes come with; nil if the row has none.
    public var isRetryable: Bool?
    /// What our own check of the receipt's data found.
    public var proof: ReceiptProof = .unchecked
    public var marks: VersionMarks = []
    public var source: Provenance
    public var labels = LabelSet.none

    @inlinable
    public init(
        id: Identifier? = nil, content: Digest256, account: Identifier, receivedAt: Instant, source: Provenance = .none
    ) {
        self.content = content
        self.account = account
        self.receivedAt = receivedAt
        self.source = source
        self.givenID = id
    }

    /// The id for people and reports: the given one, else the content's digest in hexadecimal.
    public var id: String { givenID?.text ?? content.hex }
}

extension Receipt {
    /// Keeps the ids of further transactions.
    public mutating func setFurther(_ ids: [Identifier]) {
        furtherTransactions = ids.isEmpty ? nil : Identifier(ids.map(\.text).joined(separator: " "))
    }

    /// All transactions that it claims, `transaction` first.
    public var claims: [Identifier] {
        let further = furtherTransactions?.text.split(separator: " ") ?? []
        return [transaction].compactMap { $0 } + further.map { Identifier(String($0)) }
    }

    /// The outcome of the backend's check. See docs/spec/app-store.md#verify-receipt-statuses.
    public var check: CheckOutcome {
        switch verifyStatus {
        case 0: .accepted
        case 21003, 21006, 21010: .rejected
        case .some(21100...21199) where isRetryable == false: .rejected
        default: .unverified
        }
    }

    /// Our own check of its data contradicts what the receipt claims.
    public var isDenied: Bool { proof == .lacksClaim || proof == .forged || proof == .wrongBundle }

    /// Accepted by the backend, and not denied by its own data. Acceptance alone is not enough: any genuine receipt,
    /// sent with another customer's transaction id, would otherwise make its sender the owner.
    public var vouchesForItsClaim: Bool { check == .accepted && !isDenied }

    /// The status says that the backend's request was wrong. The backend must be corrected, not the receipt.
    public var isBackendsFault: Bool { verifyStatus == 21000 || verifyStatus == 21004 }

    /// Sorted by the UTF-8 bytes of the id that people see, then by account.
    public func keyPrecedes(_ other: Receipt) -> Bool {
        id == other.id ? account < other.account : id.isBefore(other.id)
    }

    /// By arrival, then id.
    public func isEarlier(than other: Receipt) -> Bool {
        receivedAt == other.receivedAt ? keyPrecedes(other) : receivedAt < other.receivedAt
    }
}
