public import Domain

/// Writes evidence as lines. See docs/spec/cluster.md#wire.
public struct EvidenceLineWriter {
    public var lines: LineWriter
    private var keys = TieKeys()

    /// - Parameter plan: the SHA-256 of the plan, hexadecimal.
    public init(plan: String) { lines = LineWriter(.evidence, plan: plan) }

    /// Writes a file's evidence.
    ///
    /// - Parameters:
    ///   - isShared: every row counts as one of several transactions.
    ///   - drain: called after each line; may take the bytes.
    public mutating func write<Failure>(
        _ evidence: Evidence, isShared: Bool = false, _ drain: (inout LineWriter) throws(Failure) -> Void
    ) throws(Failure) {
        for value in evidence.orders {
            write(value)
            try drain(&lines)
        }
        for value in evidence.credits {
            write(value)
            try drain(&lines)
        }
        let transactions = evidence.transactions
        var number: Int64 = 0
        for (index, value) in transactions.enumerated() {
            number = index > 0 && transactions[index - 1].source == value.source ? number + 1 : 0
            let isFollowed = index + 1 < transactions.count && transactions[index + 1].source == value.source
            write(value, number: number, isShared: isShared || number > 0 || isFollowed)
            try drain(&lines)
        }
        for value in evidence.receipts {
            write(value)
            try drain(&lines)
        }
    }

    private mutating func write(_ value: Order) {
        keys.begin()
        lines.withIdentifiers {
            keys.add(.order, value.id, &$0)
            keys.add(.transaction, value.transaction, &$0)
        }
        lines.line("order", keys: keys.keys, token: value.token) { line in
            line.add("account_id", value.account)
            line.add("amount", value.amount?.minor)
            line.add("app_account_token", value.token)
            line.add("bundle_id", value.bundle)
            line.add("created_at", value.createdAt.milliseconds)
            line.add("currency", value.amount?.currency)
            line.addFile(value.source)
            line.addLine(value.source)
            line.add("order_id", value.id)
            line.add("product_id", value.product)
            line.add("quantity", Int64(value.quantity))
            line.add("status", word: value.status.word)
            line.add("transaction_id", value.transaction)
            line.add("updated_at", value.updatedAt?.milliseconds)
        }
    }

    private mutating func write(_ value: Credit) {
        keys.begin()
        lines.withIdentifiers {
            keys.add(.credit, value.id, &$0)
            keys.add(.order, value.order, &$0)
            keys.add(.transaction, value.transaction, &$0)
        }
        lines.line("credit", keys: keys.keys) { line in
            line.add("account_id", value.account)
            line.add("credit_id", value.id)
            line.add("credited_at", value.creditedAt.milliseconds)
            line.addFile(value.source)
            line.add("kind", word: value.kind.word)
            line.addLine(value.source)
            line.add("order_id", value.order)
            line.add("origin", word: value.origin.word)
            line.add("product_id", value.product)
            line.add("quantity", value.quantity.map(Int64.init))
            line.add("transaction_id", value.transaction)
        }
    }

    private mutating func write(_ value: Transaction, number: Int64, isShared: Bool) {
        keys.begin()
        lines.withIdentifiers {
            keys.add(.transaction, value.id, &$0)
            keys.add(.transaction, value.original, &$0)
            keys.add(.line, value.line, &$0)
        }
        let revocation = value.revocation
        lines.line("transaction", keys: keys.keys, token: value.token) { line in
            line.add("app_account_token", value.token)
            line.add("bundle_id", value.bundle)
            line.add("currency", value.price?.currency)
            line.add("d", Int64(value.source.delivery.rawValue))
            line.add("environment", Int64(value.environment.rawValue))
            line.add("expires_at", value.expiresAt?.milliseconds)
            line.add("f", Int64(value.source.fileDate.day))
            line.add("failure", value.failure == .none ? nil : Int64(value.failure.rawValue))
            line.add("is_from_receipt", flag: value.isFromReceipt)
            line.add("is_upgraded", flag: value.isUpgraded)
            line.addLine(value.source)
            line.add("n", number == 0 ? nil : number)
            line.add("original_transaction_id", value.original)
            line.add("ownership", Int64(value.ownership.rawValue))
            line.add("price", value.price?.thousandths)
            line.add("product_id", value.product)
            line.add("proof", Int64(value.proof.rawValue))
            line.add("purchased_at", value.purchasedAt.milliseconds)
            line.add("quantity", Int64(value.quantity))
            line.add("revocation_percentage", (revocation?.percentage).map(Int64.init))
            line.add("revocation_reason", (revocation?.reason).map(Int64.init))
            line.add("revocation_type", (revocation?.type.rawValue).map(Int64.init))
            line.add("revoked_at", revocation?.at.milliseconds)
            line.add("s", flag: isShared)
            line.add("signed_at", value.signedAt?.milliseconds)
            line.add("storefront", value.storefront)
            line.add("transaction_id", value.id)
            line.add("type", (value.type?.rawValue).map(Int64.init))
            line.add("web_order_line_item_id", value.line)
        }
    }

    private mutating func write(_ value: Receipt) {
        keys.begin()
        lines.withIdentifiers {
            if let id = value.givenID {
                keys.add(.receipt, id, &$0)
            } else {
                keys.add(IdentifierKind.receipt.hash(value.content.words.0))
            }
            keys.add(.order, value.order, &$0)
            keys.add(.transaction, value.transaction, &$0)
        }
        lines.line("receipt", keys: keys.keys) { line in
            line.add("account_id", value.account)
            line.add("content", value.content)
            line.add("d", Int64(value.source.delivery.rawValue))
            line.add("device_id", value.device)
            line.add("f", Int64(value.source.fileDate.day))
            line.addLine(value.source)
            line.add("order_id", value.order)
            line.add("product_id", value.product)
            line.add("proof", Int64(value.proof.rawValue))
            line.add("receipt_id", value.givenID)
            line.add("received_at", value.receivedAt.milliseconds)
            line.add("transaction_id", value.transaction)
            line.add("verify_retryable", value.isRetryable.map { $0 ? 1 : 0 })
            line.add("verify_status", value.verifyStatus.map(Int64.init))
        }
    }
}

extension LineWriter {
    /// The delivery and the file's date.
    fileprivate mutating func addFile(_ source: Provenance) {
        add("d", Int64(source.delivery.rawValue))
        add("f", Int64(source.fileDate.day))
    }

    fileprivate mutating func addLine(_ source: Provenance) { add("l", Int64(source.line)) }
}
