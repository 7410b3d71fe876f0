/// What a client uploaded, and what the backend's check of it answered. RULES §1.
public struct Receipt: Equatable, Sendable {
    @PackedOptional public var givenID: Identifier?
    /// SHA-256 of the row's canonical content: its key where no id was given.
    public var content: Digest256
    public var account: Identifier
    @PackedOptional public var order: Identifier?
    /// The one transaction that it claims; what else its data lists ties nothing.
    @PackedOptional public var transaction: Identifier?
    @PackedOptional public var product: Identifier?
    /// Personal data; never in logs or reports.
    @PackedOptional public var device: Identifier?
    public var receivedAt: Instant
    /// verifyReceipt's code, or the backend's own.
    @PackedOptional public var verifyStatus: Int32?
    public var isRetryable: Bool?
    public var proof: ReceiptProof = .unchecked
    public var marks: VersionMarks = []
    public var source: Provenance

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

    /// Its id for people and reports: the given one, else the content's digest in hexadecimal.
    public var id: String { givenID?.text ?? content.hex }
}

extension Receipt {
    /// What the backend's check came to. APPLE §5.
    public var check: CheckOutcome {
        switch verifyStatus {
        case 0: .accepted
        case 21003, 21006, 21010: .rejected
        case .some(21100...21199) where isRetryable == false: .rejected
        default: .unverified
        }
    }

    /// Its data, which we looked at, does not bear out what it claims.
    public var isDenied: Bool { proof == .lacksClaim || proof == .forged || proof == .wrongBundle }

    /// Accepted, and not denied by its own data: else anybody's genuine receipt with a foreign id made an owner.
    public var vouchesForItsClaim: Bool { check == .accepted && !isDenied }

    /// Our own request was at fault: the input is to be mended, not the receipt.
    public var isOurFault: Bool { verifyStatus == 21000 || verifyStatus == 21004 }
}

extension Receipt {
    /// By the id that people see.
    public func keyPrecedes(_ other: Receipt) -> Bool {
        id.utf8.lexicographicallyPrecedes(other.id.utf8)
    }
}
