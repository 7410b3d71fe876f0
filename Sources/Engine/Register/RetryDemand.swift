extension RetryFacts {
    /// What an exception asks a machine to do about its subject, as the manifest lists it. See
    /// docs/spec/rules.md#retry-demand and docs/spec/rules.md#coverage.
    ///
    /// Nil if only a person may act: because the action is not one of a machine, because a feed has a gap since the
    /// verdict's anchor, or because goods would move although Apple's own record does not prove the case.
    ///
    /// - Parameter files: by delivery number.
    public init?(
        _ judgement: Judgement, of subject: Subject, in file: Case, policy: Policy, horizon: Horizon,
        files: [DeliveryID: NamedFile] = [:]
    ) {
        guard judgement.verdict.isException, !Self.isInCoverageGap(judgement, policy: policy, horizon: horizon) else {
            return nil
        }
        var facts = RetryFields(
            action: judgement.action, environment: policy.environment.name, verdict: judgement.verdict,
            cause: judgement.cause)
        let record = subject.leading.map { file.transactions[$0] }
        facts.bundle = (record?.bundle ?? (policy.bundles.count == 1 ? policy.bundles.first : nil))?.text
        facts.transaction = record?.id.text
        facts.original = record?.original?.text
        let order = subject.decidingOrder ?? judgement.members.orders.first
        facts.order = order.map { file.orders[$0].id.text }
        facts.account = judgement.owner?.text
        facts.product = judgement.product?.text
        facts.quantity = judgement.quantity.map(Int64.init)
        facts.amount = judgement.amount
        let isReady =
            switch judgement.action {
            case .credit: facts.fillCredit(subject, in: file)
            case .reverseCredit:
                policy.reverseRefunds && facts.fillReversal(subject, in: file, effect: judgement.effect, policy)
            case .fetchTransaction: facts.fillFetch(subject, in: file)
            case .verifyReceipt: facts.fillVerification(subject, in: file)
            case .attribute, .investigate, .escalate, .fixInput, .wait, .none: false
            }
        guard isReady else { return nil }
        let rows = file.evidence(of: judgement.members).sources.map {
            let named = files[$0.delivery]
            return RetryEvidence(source: named?.name ?? "", line: Int($0.line), digest: named?.digest ?? "")
        }
        facts.evidence = distinct(rows) { ($0.source, $0.line, $0.digest) < ($1.source, $1.line, $1.digest) }
        facts.key = facts.permanentKey
        self.init(fields: facts)
    }

    /// Whether a day since the verdict's anchor lacks the files that could prove the demand wrong.
    private static func isInCoverageGap(_ judgement: Judgement, policy: Policy, horizon: Horizon) -> Bool {
        // Clocks differ, so goods may bear the date of the day before.
        let first = policy.zone.date(of: judgement.anchor).advanced(by: judgement.action == .credit ? -1 : 0)
        let coverage = horizon.coverage
        if FeedKind.evidence.contains(where: {
            coverage.hasGap($0, from: first, through: horizon.businessDate)
        }) {
            return true
        }
        return judgement.action == .credit && coverage.creditsUnseen.contains { first <= $0 }
    }
}

extension RetryFacts {
    /// Names orders that the goods may be given for. The consumer must check that none were.
    public mutating func name(_ orders: [String]) {
        self.suggestedOrders = orders
        self.preconditions.insert(.noCreditForSuggestedOrders, at: self.order == nil ? 1 : 2)
    }
}

extension Transaction {
    /// It is Apple's own record, and not a line of a receipt that a client sent.
    fileprivate var isAppleRecord: Bool { proof >= .vouched && !isFromReceipt }
}

extension RetryFields {
    /// Fills in a `credit` demand. False if its conditions are not met.
    fileprivate mutating func fillCredit(_ subject: Subject, in file: Case) -> Bool {
        guard subject.backing == .purchase, let leading = subject.leading, account != nil else { return false }
        let record = file.transactions[leading]
        guard record.isAppleRecord else { return false }
        quantity = Int64(record.quantity)
        preconditions = [.noCreditForTransaction, .notRevokedSince]
        if order != nil { preconditions.insert(.noCreditForOrder, at: 1) }
        return true
    }

    /// Fills in a `reverse_credit` demand. False if its conditions are not met.
    fileprivate mutating func fillReversal(
        _ subject: Subject, in file: Case, effect: Money?, _ policy: Policy
    ) -> Bool {
        guard verdict == .refundedNotReversed, subject.backing == .purchase, let leading = subject.leading,
            !subject.restsOnReceipt
        else { return false }
        let records = (subject.transactions + subject.lineMates).map { file.transactions[$0] }
        let accounts = Set(subject.creditsLeft.map(\.account))
        let isCounted =
            policy.compare.contains(.quantity)
            && subject.position.reversals.allSatisfy {
                $0.quantity != nil && ($0.product == nil || $0.product?.text == product)
            }
        let excess = subject.excess(ofWhole: Int64(file.transactions[leading].quantity), isCounted: isCounted)
        // Goods of another product were given: what is to be taken back, a person finds out.
        guard records.contains(where: { $0.isAppleRecord && $0.revocation == subject.revocation }), accounts.count == 1,
            excess > 0, subject.creditsLeft.allSatisfy({ $0.product == nil || $0.product?.text == product })
        else { return false }
        account = accounts.first?.text
        quantity = excess
        amount = effect.map { Money(minor: abs($0.minor), currency: $0.currency) } ?? amount
        preconditions = [.creditForTransaction, .revokedStill]
        return true
    }

    /// Fills in a `fetch_transaction` demand. False if no transaction is named.
    fileprivate mutating func fillFetch(_ subject: Subject, in file: Case) -> Bool {
        let receipts = subject.receipts.map { file.receipts[$0] }.filter { $0.transaction != nil }
        let receipt = receipts.min { $0.isEarlier(than: $1) }
        let credit = subject.position.credits.first { $0.transaction != nil }
        let named = subject.key.kind == .transaction ? subject.key.id : receipt?.transaction ?? credit?.transaction
        guard let id = named else { return false }
        transaction = id.text
        account = account ?? (receipt?.account ?? credit?.account)?.text
        preconditions = [.transactionNotRecorded]
        return true
    }

    /// Fills in a `verify_receipt` demand. False if there is no receipt that the backend should check again.
    fileprivate mutating func fillVerification(_ subject: Subject, in file: Case) -> Bool {
        let receipts = subject.receipts.map { file.receipts[$0] }.filter {
            $0.check == .unverified && !$0.isBackendsFault
        }
        guard let first = receipts.min(by: { $0.isEarlier(than: $1) }) else { return false }
        receipt = first.id
        transaction = first.transaction?.text
        account = first.account.text
        preconditions = [.receiptNotVerified]
        return true
    }
}

extension Subject {
    /// How many pieces were given beyond what the customer may keep. A credit without a quantity counts as `whole`: all
    /// pieces of the purchase.
    ///
    /// - Parameter isCounted: each reversal says how many pieces it took back. Otherwise it took back a whole credit.
    fileprivate func excess(ofWhole whole: Int64, isCounted: Bool) -> Int64 {
        func pieces(_ credits: [Credit]) -> Int64 { credits.reduce(0) { $0 + ($1.quantity.map(Int64.init) ?? whole) } }
        if case .partial(let kept) = refund { return pieces(position.credits) - pieces(position.reversals) - kept }
        if isCounted { return pieces(position.credits) - pieces(position.reversals) }
        return pieces(position.left) - pieces(position.surplusReversals)
    }
}
