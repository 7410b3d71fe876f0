internal import Domain
import Engine
import Testing

@testable import Ledger

/// How the ledger finds cases and deletes their evidence.
@Suite struct CaseIndexTests {
    private let noon = Instant(milliseconds: 1_763_000_000_000)

    /// Case 1 holds an order and a receipt, case 2 a credit and a transaction.
    private func ledger() throws -> Ledger {
        let ledger = try Ledger(path: ":memory:")
        try ledger.begin()
        var rows = EvidenceRows(cases: 2, try ledger.spellings())
        var order = Order(id: "ORD1", account: "a", product: "p", status: .paid, createdAt: noon)
        order.token = Token(high: 1, low: 2)
        order.transaction = "1001"
        rows.add(order, in: 1, number: 0, isCurrent: true)
        var receipt = Receipt(content: Digest256(words: (9, 9, 9, 9)), account: "a", receivedAt: noon)
        receipt.transaction = "1002"
        rows.add(receipt, in: 1, number: 0, isCurrent: true)
        var credit = Credit(id: "CR1", account: "b", creditedAt: noon)
        credit.order = "ORD2"
        var transaction = Transaction(id: "1003", product: "p", purchasedAt: noon)
        transaction.original = "1000"
        transaction.line = "55"
        rows.add(transaction, in: 2, number: 0, isCurrent: true)
        rows.add(credit, in: 2, number: 0, isCurrent: true)
        rows.end()
        var writer = try EvidenceWriter(ledger)
        try writer.write(rows)
        try writer.finish()
        return ledger
    }

    private func touched(_ ledger: Ledger, _ fill: (inout Evidence) -> Void) throws -> Set<CaseID> {
        var evidence = Evidence()
        fill(&evidence)
        return try ledger.cases(touchedBy: evidence, policy: Policy())
    }

    @Test func newEvidenceTouchesTheCasesOfItsIdentifiers() throws {
        let ledger = try ledger()
        var credit = Credit(id: "CR9", account: "a", creditedAt: noon)
        credit.order = "ORD1"
        #expect(try touched(ledger) { $0.credits = [credit] } == [1])
        credit.transaction = "1003"
        #expect(try touched(ledger) { $0.credits = [credit] } == [1, 2])
        var transaction = Transaction(id: "7", product: "p", purchasedAt: noon)
        #expect(try touched(ledger) { $0.transactions = [transaction] } == [])
        transaction.line = "55"
        #expect(try touched(ledger) { $0.transactions = [transaction] } == [2])
        transaction.line = nil
        transaction.original = "1000"
        #expect(try touched(ledger) { $0.transactions = [transaction] } == [2])
        let receipt = Receipt(content: Digest256(words: (9, 9, 9, 9)), account: "z", receivedAt: noon)
        #expect(try touched(ledger) { $0.receipts = [receipt] } == [1])
    }

    /// The same id in another role is another identifier.
    @Test func anOrdersIdFindsNoCredit() throws {
        let order = Order(id: "CR1", account: "CR1", product: "CR1", status: .paid, createdAt: noon)
        #expect(try touched(ledger()) { $0.orders = [order] } == [])
    }

    @Test func tokensFindTheirCases() throws {
        let ledger = try ledger()
        #expect(try ledger.cases(withTokens: [Token(high: 1, low: 2)]) == [1])
        #expect(try ledger.cases(withTokens: [Token(high: 2, low: 1)]).isEmpty)
    }

    @Test func aClearedCaseHoldsNothing() throws {
        let ledger = try ledger()
        try ledger.clear([1])
        #expect(try ledger.load(cases: [1]).isEmpty)
        #expect(try ledger.load(cases: [2]).evidence.credits.count == 1)
        #expect(try ledger.nextCase() == 3)
    }

    @Test func ownersOfTokensAreCountedPerAccount() throws {
        let ledger = try ledger()
        let token = Token(high: 3, low: 4)
        try ledger.replaceOwners([token: ["a": 2, "b": 0, "é": 1, "e\u{301}": 1]], isRebuilt: false)
        #expect(try ledger.owners(of: [token]) == [token: ["a": 2, "é": 1, "e\u{301}": 1]])
        try ledger.replaceOwners([token: ["a": 1]], isRebuilt: false)
        #expect(try ledger.owners(of: [token]) == [token: ["a": 1]])
        try ledger.replaceOwners([:], isRebuilt: true)
        #expect(try ledger.owners(of: [token]).isEmpty)
    }
}

/// The file itself.
@Suite struct SchemaTests {
    @Test func aNewLedgerHasThisVersionAndNoRun() throws {
        let ledger = try Ledger(path: ":memory:")
        #expect(try ledger.isEmpty)
        try ledger.begin()
        #expect(try ledger.connection.integer("PRAGMA user_version") == Schema.version)
        #expect(try ledger.connection.integer("PRAGMA application_id") == Schema.applicationID)
        #expect(try ledger.isEmpty)
    }

    @Test func aRollbackLeavesNothing() throws {
        let ledger = try Ledger(path: ":memory:")
        try ledger.begin()
        try ledger.write([Arrival(feed: "orders", date: BusinessDate(day: 1), file: "a")], run: 1)
        try ledger.rollback()
        #expect(try ledger.connection.integer("SELECT count(*) FROM sqlite_schema") == 0)
        try ledger.rollback()
    }
}
