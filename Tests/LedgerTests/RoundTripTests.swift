internal import Domain
import Testing

@testable import Engine
@testable import Ledger

/// Every field of every kind of evidence is read back as it was stored, absent values included.
@Suite struct RoundTripTests {
    private let source = Provenance(delivery: .max, line: .max, fileDate: BusinessDate("2025-11-18")!)
    /// The delivery of `source`: packed rows count their instants from its date.
    private let delivery = "INSERT INTO delivery VALUES (2147483647, 1, '', '', 20410, '', 0, 0, 0, 0, 0, 0, 0, 0, 0)"
    private let far = Instant(milliseconds: 253_402_300_799_999)
    private let near = Instant(milliseconds: -62_135_596_800_000)

    private let labels = LabelSet([
        .init(name: "version", text: "=1+1\u{0}\"\\</script>\u{202E}"), .init(name: "server", text: "007"),
    ])

    private func kept(_ add: (inout EvidenceRows) -> Void) throws -> Evidence {
        let ledger = try Ledger(path: ":memory:")
        try ledger.begin()
        try ledger.connection.execute(delivery)
        var rows = EvidenceRows(cases: 1, try ledger.spellings())
        add(&rows)
        rows.end()
        var writer = try EvidenceWriter(ledger)
        try writer.write(rows)
        try writer.finish()
        try ledger.commit()
        let prior = try ledger.load(cases: 1..<ledger.nextCase(), through: .max)
        #expect(try ledger.load(cases: [7]).evidence.orders == prior.evidence.orders)
        return prior.evidence
    }

    @Test func orders() throws {
        let bare = Order(id: "1", account: "a", product: "p", status: .created, createdAt: near, source: source)
        var full = bare
        full.id = "e\u{301}\u{0}✓"
        full.account = Identifier(String(repeating: "ü", count: 150))
        full.amount = Money(minor: 1_000_000_000_000_000, currency: "KWD")
        full.token = Token(high: .max, low: 1)
        full.transaction = "0002000000123456789"
        full.bundle = "com.example.game"
        full.updatedAt = far
        full.quantity = 1_000_000
        full.status = .refunded
        full.labels = labels
        var zero = full
        zero.amount = Money(minor: 0, currency: "JPY")
        let orders =
            [bare, full, zero]
            + OrderStatus.allCases.map { status in
                var order = bare
                order.status = status
                return order
            }
        let evidence = try kept { rows in
            for (number, order) in orders.enumerated() {
                rows.add(order, in: 7, number: number, isCurrent: number == 0)
            }
        }
        #expect(evidence.orders == orders)
        #expect(Array(evidence.orders[1].id.text.utf8) == Array("e\u{301}\u{0}✓".utf8))
    }

    /// A text of the same length at the same place as in the row before is still another text.
    @Test func rowsThatLookAlikeKeepTheirOwnTexts() throws {
        let ledger = try Ledger(path: ":memory:")
        try ledger.begin()
        try ledger.connection.execute(delivery)
        var writer = try EvidenceWriter(ledger)
        var orders: [Order] = []
        for piece in 0..<3 {
            var rows = EvidenceRows(cases: 40, try ledger.spellings())
            for number in 0..<40 {
                var order = Order(
                    id: Identifier("order \(100 + piece * 40 + number)"), account: Identifier("account \(piece)"),
                    product: "p", status: .paid, createdAt: near, source: source)
                // Absent, present, absent: the value bound last must not remain.
                if (number + piece) % 3 == 0 { order.transaction = Identifier("t\(1000 + piece * 40 + number)") }
                if (number + piece) % 5 == 0 { order.amount = Money(minor: Int64(number), currency: "EUR") }
                rows.add(order, in: CaseID(Int64(1 + orders.count)), number: 0, isCurrent: true)
                orders.append(order)
            }
            rows.end()
            try writer.write(rows)
        }
        try writer.finish()
        try ledger.commit()
        #expect(try ledger.load(cases: 1..<ledger.nextCase(), through: .max).evidence.orders == orders)
    }

    @Test func credits() throws {
        let bare = Credit(id: "C", account: "a", creditedAt: near, source: source)
        var full = Credit(id: "\"'; --", account: "b", kind: .reversal, origin: .desk, creditedAt: far, source: source)
        full.order = "ORD1"
        full.transaction = "1"
        full.product = "月卡"
        full.quantity = 1
        full.labels = labels
        let evidence = try kept { rows in
            rows.add(bare, in: 7, number: 0, isCurrent: true)
            rows.add(full, in: 7, number: 1, isCurrent: true)
        }
        #expect(evidence.credits == [bare, full])
    }

    @Test func transactions() throws {
        let bare = Transaction(
            id: "1", product: "p", purchasedAt: near, environment: .other, proof: .invalid, source: source)
        var full = bare
        full.original = "2"
        full.line = "3"
        full.bundle = "com.example.game"
        full.expiresAt = far
        full.signedAt = far
        full.token = Token("6F9619FF-8B86-D011-B42D-00CF4FC964FF")
        full.price = Price(thousandths: 0, currency: "CNY")
        full.revocation = Revocation(at: far, type: .refundProrated, reason: 1, percentage: 33_333)
        full.storefront = "JPN"
        full.quantity = 1_000_000
        full.isUpgraded = true
        full.reason = .renewal
        full.isFromReceipt = true
        full.labels = labels
        var half = full
        half.revocation = Revocation(at: near)
        var all = [bare, full, half]
        for type in ProductType.allCases { all.append(bare.with { $0.type = type }) }
        for environment in AppEnvironment.allCases { all.append(bare.with { $0.environment = environment }) }
        for ownership in Ownership.allCases { all.append(bare.with { $0.ownership = ownership }) }
        for reason in TransactionReason.allCases { all.append(bare.with { $0.reason = reason }) }
        for failure in ProofFailure.allCases { all.append(bare.with { $0.failure = failure }) }
        for proof in Proof.allCases { all.append(bare.with { $0.proof = proof }) }
        for type in RevocationType.allCases {
            all.append(bare.with { $0.revocation = Revocation(at: far, type: type) })
        }
        let evidence = try kept { rows in
            for (number, transaction) in all.enumerated() {
                rows.add(transaction, in: 7, number: number, isCurrent: true)
            }
        }
        #expect(evidence.transactions == all)
    }

    @Test func receipts() throws {
        let content = Digest256(bytes: (0..<32).map { UInt8($0) })
        let bare = Receipt(content: content, account: "a", receivedAt: near, source: source)
        var full = Receipt(id: "R", content: content, account: "a", receivedAt: far, source: source)
        full.order = "O"
        full.transaction = "1"
        full.product = "p"
        full.device = "d"
        full.verifyStatus = -1
        full.isRetryable = false
        full.labels = labels
        var all = [bare, full]
        for proof in ReceiptProof.allCases {
            full.proof = proof
            full.isRetryable?.toggle()
            all.append(full)
        }
        let evidence = try kept { rows in
            for (number, receipt) in all.enumerated() {
                rows.add(receipt, in: 7, number: number, isCurrent: true)
            }
        }
        #expect(evidence.receipts == all)
    }

    /// The run's own row, which every run and look-up reads, stays small however many refunds there are.
    @Test func refundsOfARun() throws {
        let ledger = try Ledger(path: ":memory:")
        try ledger.begin()
        func report(_ run: RunID, _ refunds: [RefundLine]) throws -> (kept: [RefundLine], bytes: Int64) {
            let record = RunRecord(
                id: run, businessDate: BusinessDate("2025-11-18")!, asOf: near, horizon: far, policy: "", version: "1")
            var night = NightReport(
                businessDate: BusinessDate("2025-11-18")!, asOf: near, horizon: far, timeZone: "UTC", run: run,
                version: "1")
            night.refunds = refunds
            try ledger.write(record, report: night)
            let bytes = try ledger.connection.integer("SELECT length(report) FROM run WHERE id = \(run)")
            return (try ledger.report(of: record).refunds, bytes ?? 0)
        }
        let bare = RefundLine(
            transaction: "2", product: "p", account: nil, purchasedAt: far,
            revokedAt: near, reason: nil,
            kind: .family, percentage: nil, amount: nil, verdict: .matched, cause: .none)
        let full = RefundLine(
            transaction: "e\u{301}\u{0}✓", product: "p", account: "a", purchasedAt: near, revokedAt: far, reason: 1,
            kind: .partial, percentage: 33_000, amount: Money(minor: .max, currency: "KWD"),
            verdict: .refundedNotReversed, cause: .notReversed)
        let none = try report(1, [])
        let many = try report(2, Array(repeating: [full, bare], count: 100).flatMap { $0 })
        #expect(many.kept == Array(repeating: [full, bare], count: 100).flatMap { $0 })
        #expect(none.kept.isEmpty && none.bytes == many.bytes && none.bytes > 0)
    }

    @Test func theProductList() throws {
        var full = Product(id: "月卡", source: source)
        full.type = .autoRenewable
        full.name = "至尊"
        full.price = Money(minor: -1, currency: "CNY")
        full.validFrom = BusinessDate(day: -1)
        full.validTo = BusinessDate("9999-12-31")
        let ledger = try Ledger(path: ":memory:")
        try ledger.begin()
        try ledger.replaceProducts([Product(id: "1", source: source), full])
        #expect(try ledger.products() == [Product(id: "1", source: source), full])
        try ledger.replaceProducts([full])
        #expect(try ledger.products() == [full])
    }
}

extension Transaction {
    fileprivate func with(_ change: (inout Transaction) -> Void) -> Transaction {
        var copy = self
        change(&copy)
        return copy
    }
}
