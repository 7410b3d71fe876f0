import Console
import Domain
import Foundation
import Testing

@testable import Ledger
@testable import Reconcile

/// Nights that cannot run: the ledger is locked, newer, damaged, or no ledger at all.
/// See docs/spec/interfaces.md#exit-codes.
@Suite struct FaultTests {
    @Test func twoRunsNeverInterleave() throws {
        let night = try NightFolder()
        try night.deliverLostOrders(0, count: 1)
        let lock = try RunLock(of: night.folder.path + "/ledger.sqlite", now: noon(0))
        let outcome = try night.night(moment(0))
        #expect(outcome.code == .busy && outcome.errors.contains("since 2025-11-10T12:00:00Z"))
        withExtendedLifetime(lock) {}
    }

    @Test func aNightLargerThanMemoryIsRefusedBeforeItBegins() throws {
        let night = try NightFolder()
        try night.deliverLostOrders(0, count: 15)
        let words = ["nightly", "--as-of", moment(0).asOf.text, "--date", day(0).text]
        let refused = try night.run(words, memory: 1000)
        #expect(refused.code == .inputRefused && refused.errors.contains("rows need about"))
        #expect(!FileManager.default.fileExists(atPath: night.folder.path + "/ledger.sqlite"))
        #expect(try night.run(words, memory: 1 << 30).code == .done)
    }

    @Test func anotherWriterOfTheLedgerIsBusyToo() throws {
        let night = try NightFolder()
        try night.deliverLostOrders(0, count: 1)
        _ = try night.night(moment(0))
        let other = try Ledger(path: night.folder.path + "/ledger.sqlite")
        try other.begin()
        #expect(try night.night(moment(1)).code == .busy)
        try other.rollback()
    }

    @Test(arguments: [
        ("PRAGMA user_version = 99", ExitCode.configuration), ("PRAGMA application_id = 7", .inputOutput),
    ])
    func aLedgerThatCannotBeUsedIsLeftAlone(_ sql: String, _ code: ExitCode) throws {
        let night = try NightFolder()
        try night.deliverLostOrders(0, count: 1)
        _ = try night.night(moment(0))
        let path = night.folder.path + "/ledger.sqlite"
        do {
            let ledger = try Ledger(path: path)
            try ledger.connection.execute(sql)
            try ledger.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        let before = try (night.contents("ledger.sqlite"), night.reports("latest"))
        let outcome = try night.night(moment(1))
        #expect(outcome.code == code && outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        #expect(try night.contents("ledger.sqlite") == before.0)
        #expect(try night.reports("latest") == before.1)
    }

    @Test func aLedgerCutShortIsDamagedAndLeftAlone() throws {
        let night = try NightFolder()
        try night.deliverLostOrders(0, count: 50)
        _ = try night.night(moment(0))
        let path = night.folder.path + "/ledger.sqlite"
        do { try Ledger(path: path).connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
        truncate(path, 5 * 8192)
        let before = try (night.contents("ledger.sqlite"), night.reports("latest"))
        let outcome = try night.night(moment(1))
        #expect(outcome.code == .inputOutput && outcome.errors.contains("the ledger is damaged"), "\(outcome.errors)")
        #expect(try night.contents("ledger.sqlite") == before.0)
        #expect(try night.reports("latest") == before.1)
    }

    @Test(arguments: [
        "UPDATE packed_order SET status = 'paıd'", "UPDATE packed_order SET quantity = 1 << 40",
        "UPDATE packed_transaction SET environment = 300", "UPDATE packed_transaction SET proof = 77",
        "UPDATE delivery SET file_date = 1 << 50", "UPDATE packed_order SET created_at = 1 << 62",
        "UPDATE run SET report = '{'",
        "UPDATE run SET business_date = 'soon'", "UPDATE exception SET facts = '[]'",
    ])
    func whatNobodyWritesIsDamageAndNoCrash(_ sql: String) throws {
        let night = try NightFolder()
        try night.deliverLostOrders(0, count: 2)
        _ = try night.night(moment(0))
        let path = night.folder.path + "/ledger.sqlite"
        do {
            let ledger = try Ledger(path: path)
            try ledger.connection.execute(sql)
            try ledger.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        let before = try (night.contents("ledger.sqlite"), night.reports("latest"))
        let outcome = try night.night(moment(1))
        #expect(outcome.code == .inputOutput && outcome.errors.contains("the ledger is damaged"), "\(outcome.errors)")
        #expect(try night.contents("ledger.sqlite") == before.0)
        #expect(try night.reports("latest") == before.1)
    }

    /// The sum exceeds 64 bits. One account's absurd amount must not end the night for all the others.
    @Test func amountsThatNobodyCanAddUpStopNothing() throws {
        let night = try NightFolder()
        try night.deliver(
            file(.transactions, 0) { rows in
                rows.transactions = (1...3).map { number in
                    var transaction = Transaction(id: Identifier("\(number)"), product: "coins", purchasedAt: noon(0))
                    transaction.quantity = 9000
                    return transaction
                }
            })
        try night.folder.write("product_id,amount,currency\ncoins,1000000000000000,JPY\n", to: "products.csv")
        #expect(try night.night(moment(0)).code == .done)
        #expect(try night.night(moment(1)).code == .done)
        #expect(try night.ledger().conservationProblems().isEmpty)
    }

    @Test func aFileThatIsNoDatabaseIsLeftAlone() throws {
        let night = try NightFolder()
        try night.deliverLostOrders(0, count: 1)
        let text = String(repeating: "minutes of the board meeting\n", count: 1000)
        try night.folder.write(text, to: "ledger.sqlite")
        let outcome = try night.night(moment(0))
        #expect(outcome.code == .inputOutput && outcome.errors.contains("ledger"), "\(outcome.errors)")
        #expect(try night.folder.read("ledger.sqlite") == text)
    }

    @Test func somebodyElsesDatabaseIsLeftAlone() throws {
        let night = try NightFolder()
        try night.deliverLostOrders(0, count: 1)
        let path = night.folder.path + "/ledger.sqlite"
        do {
            try Connection(path: path, mode: .readWrite).execute("CREATE TABLE mine (x); INSERT INTO mine VALUES (1)")
        }
        let before = try night.contents("ledger.sqlite")
        #expect(try night.night(moment(0)).code == .inputOutput)
        #expect(try night.contents("ledger.sqlite") == before)
    }
}
