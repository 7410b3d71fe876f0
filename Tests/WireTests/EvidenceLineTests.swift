import Base
import Domain
import Testing

@testable import Engine

/// Evidence survives the wire unchanged, in whatever order its lines arrive.
struct EvidenceLineTests {
    static let plan = String(repeating: "5", count: 64)

    static func source(_ delivery: Int32, _ line: Int32) -> Provenance {
        Provenance(delivery: DeliveryID(delivery), line: line, fileDate: BusinessDate("2025-11-18")!)
    }

    static let odd = "Ö\u{301}\"\\<\u{1F600}"

    static let labels = LabelSet([
        .init(name: "server", text: "7"), .init(name: "a_1", text: Identifier(odd + "\u{0}\n")),
    ])

    static var orders: [Order] {
        var plain = Order(
            id: "ORD1000000042", account: "A7", product: "com.example.pack7", status: .paid,
            createdAt: Instant(milliseconds: 1_763_424_000_123), source: source(1, 2))
        var full = plain
        full.source = source(3, 1)
        full.id = Identifier(odd)
        full.token = Token("0F0E0D0C-0B0A-0908-0706-050403020100")
        full.transaction = "2000000123456789"
        full.bundle = "com.example"
        full.updatedAt = Instant(milliseconds: -1)
        full.amount = Money(minor: -600, currency: Currency("JPY"))
        full.quantity = 1_000_000
        full.labels = labels
        plain.amount = Money(minor: 0, currency: Currency("CNY"))
        return [plain, full]
            + OrderStatus.allCases.enumerated().map {
                var order = plain
                order.status = $1
                order.source = source(4, Int32($0))
                return order
            }
    }

    static var credits: [Credit] {
        var plain = Credit(id: "C0001", account: "e\u{301}", creditedAt: Instant(milliseconds: 5), source: source(2, 9))
        plain.order = "0042"
        var full = plain
        full.source = source(2, 10)
        full.id = Identifier("W" + String(repeating: "x", count: 400))
        (full.kind, full.origin, full.quantity) = (.reversal, .desk, 3)
        (full.product, full.transaction) = ("p", "2000000123456789")
        full.labels = labels
        return [plain, full]
    }

    static var transactions: [Transaction] {
        let plain = Transaction(
            id: "2000000123456789", product: "p", purchasedAt: Instant(milliseconds: 7), source: source(5, 1))
        var full = plain
        full.source = source(5, 2)
        (full.original, full.line, full.bundle, full.storefront) = ("2000000123456000", "77", "com.example", "CHN")
        (full.expiresAt, full.signedAt) = (Instant(milliseconds: 8), Instant(milliseconds: 9))
        full.token = Token("0f0e0d0c-0b0a-0908-0706-050403020100")
        full.price = Price(thousandths: 6_000, currency: Currency("CNY"))
        (full.type, full.environment, full.ownership) = (.autoRenewable, .xcode, .familyShared)
        (full.isUpgraded, full.isFromReceipt, full.proof, full.failure) = (true, true, .invalid, .untrustedChain)
        full.reason = .renewal
        full.revocation = Revocation(
            at: Instant(milliseconds: 10), type: .refundProrated, reason: 1, percentage: 33_333)
        full.quantity = 3
        full.labels = labels
        var second = full
        second.id = "2000000123456790"
        second.revocation = Revocation(at: Instant(milliseconds: 10))
        var third = plain
        third.source = source(5, 2)
        return [plain, full, second, third]
    }

    static var receipts: [Receipt] {
        let content = Digest256(words: (1, 2, 3, .max))
        let plain = Receipt(content: content, account: "A7", receivedAt: Instant(milliseconds: 1), source: source(6, 2))
        var full = plain
        full.source = source(6, 3)
        (full.givenID, full.order, full.transaction) = ("R1", "ORD1000000042", "2000000123456789")
        (full.product, full.device, full.verifyStatus) = ("p", "d", -21_003)
        (full.isRetryable, full.proof) = (false, .wrongBundle)
        full.labels = labels
        return [plain, full]
    }

    /// The stream's lines, without header and end.
    static func written() -> (all: [UInt8], lines: [ArraySlice<UInt8>]) {
        var writer = EvidenceLineWriter(plan: plan)
        var evidence = Evidence()
        (evidence.orders, evidence.credits) = (orders, credits)
        (evidence.transactions, evidence.receipts) = (transactions, receipts)
        writer.write(evidence) { _ in }
        writer.lines.end()
        let all = writer.lines.bytes
        return (all, all.split(separator: UInt8(ascii: "\n")).dropFirst().dropLast())
    }

    /// Reads a stream in pieces of `piece` bytes.
    static func read(_ stream: [UInt8], piece: Int = 7) throws -> Evidence {
        var reader = EvidenceLineReader()
        try forEachLine(of: stream, piece: piece) { line in
            guard case .evidence? = try reader.read(line) else { throw WireError.cut("no evidence") }
        }
        return reader.takeSorted()
    }

    static func forEachLine(
        of stream: [UInt8], _ stage: WireStage = .evidence, plan: String = plan, piece: Int = 4096,
        _ body: (WireLine) throws -> Void
    ) throws {
        var rest = stream[...]
        var lines = try LineReader(stage, plan: plan, bufferBytes: 64) { buffer in
            let next = rest.prefix(min(piece, buffer.count))
            buffer.copyBytes(from: next)
            rest = rest.dropFirst(next.count)
            return next.count
        }
        try lines.forEachLine(body)
    }

    @Test func everyFieldSurvives() throws {
        let evidence = try Self.read(Self.written().all)
        #expect(
            evidence.orders
                == Self.orders.sorted { ($0.source.delivery, $0.source.line) < ($1.source.delivery, $1.source.line) })
        #expect(evidence.credits == Self.credits)
        #expect(evidence.transactions == Self.transactions)
        #expect(evidence.receipts == Self.receipts)
    }

    @Test func rowsOfSeveralTransactionsAreMarked() throws {
        var reader = EvidenceLineReader()
        try Self.forEachLine(of: Self.written().all) { _ = try reader.read($0) }
        #expect(reader.sharedRows == [Self.source(5, 2)])
    }

    @Test func anyOrderOfTheLinesIsTheSame() throws {
        let written = Self.written()
        let all = String(decoding: written.all, as: UTF8.self).split(separator: "\n")
        let turned = [all[0]] + all[1..<all.count - 1].reversed() + [all[all.count - 1]]
        let evidence = try Self.read(Array((turned.joined(separator: "\n") + "\n").utf8))
        #expect(evidence.transactions == Self.transactions)
        #expect(evidence.credits == Self.credits)
    }

    /// There is one spelling of a row, so that its sum means something.
    @Test func membersInAnotherOrderAreRefused() throws {
        let object =
            #"{"d":1,"f":0,"l":1,"credit_id":"c","account_id":"a","kind":"credit","origin":"auto","credited_at":1}"#
        var members = Members()
        func read(_ object: String) throws -> Credit {
            try Array(object.utf8).withUnsafeBytes { try members.read($0, strictly: true) }
        }
        #expect(try read(object).account == "a")
        let turned = object.replacing(#""kind":"credit","origin":"auto""#, with: #""origin":"auto","kind":"credit""#)
        #expect(throws: RecordError.self) { try read(turned) }
    }

    /// A kind of revocation without its time would be lost.
    @Test func aRevocationHasTimeAndKindOrNeither() throws {
        for missing in ["revoked_at", "revocation_type"] {
            let text = String(decoding: Self.written().all, as: UTF8.self)
            let row = try #require(text.split(separator: "\n").first { $0.contains(missing) })
            let object = String(row.split(separator: "\t")[3])
            let cut = object.replacing(try Regex("\"\(missing)\":[0-9]+,"), with: "")
            var members = Members()
            func read(_ object: String) throws -> PlacedTransaction {
                try Array(object.utf8).withUnsafeBytes { try members.read($0, strictly: true) }
            }
            #expect(try read(object).transaction.revocation != nil)
            #expect(cut != object && (try? read(cut)) == nil)
        }
    }

    @Test func aCodedLineWithAnotherMemberIsRefused() throws {
        func read(_ object: String) throws -> WireSum {
            try Array(object.utf8).withUnsafeBytes {
                try WireLine(number: 1, sum: 0, kind: $0, keys: $0, object: $0).decoded()
            }
        }
        #expect(try read(#"{"lines":1,"sum":2}"#).lines == 1)
        #expect(throws: WireError.self) { try read(#"{"lines":1,"sum":2,"x":1}"#) }
        #expect(throws: WireError.self) { try read(#"{"lines":1,"lines":1,"sum":2}"#) }
    }

    @Test func evidenceThatMayTieSharesAKey() throws {
        var plain: [(kind: String, keys: Set<Int64>)] = []
        var tokens: [Int64] = []
        try Self.forEachLine(of: Self.written().all) { line in
            var keys = Set<Int64>()
            try line.forEachKey { if $1 { tokens.append($0) } else { keys.insert($0) } }
            plain.append((String(decoding: line.kind, as: UTF8.self), keys))
        }
        let orders = plain.filter { $0.kind == "order" }.map(\.keys)
        let transactions = plain.filter { $0.kind == "transaction" }.map(\.keys)
        let receipts = plain.filter { $0.kind == "receipt" }.map(\.keys)
        // The order names the transaction; two copies of one order share their own key; a receipt names both.
        #expect(!orders[1].isDisjoint(with: transactions[0]))
        #expect(!orders[0].isDisjoint(with: orders[2]))
        #expect(!receipts[1].isDisjoint(with: orders[0]) && !receipts[1].isDisjoint(with: transactions[0]))
        #expect(receipts[0].count == 1 && orders[0].isDisjoint(with: receipts[0]))
        // The full transaction: its id, the original, the period.
        #expect(transactions[1].count == 3)
        // One order and two transactions have the token, whose letters are of either case.
        #expect(tokens.count == 3 && Set(tokens).count == 1)
    }
}
