import Engine
import Foundation
import Intake

@testable import Domain
@testable import Reconcile
@testable import Reference

/// The business dates of the tests' nights, counted from 10 November 2025, in UTC.
func day(_ number: Int) -> BusinessDate { BusinessDate("2025-11-10")!.advanced(by: number) }

func noon(_ number: Int) -> Instant { Zone.utc.start(of: day(number)) + .hours(12) }

/// The time of a run some hours after the day's end.
func moment(_ number: Int) -> RunTime {
    RunTime(businessDate: day(number), asOf: Zone.utc.end(of: day(number)) + .hours(3))
}

/// A file of that day.
func file(_ kind: FeedKind, _ number: Int, _ fill: (inout Evidence) -> Void = { _ in }) -> WorldFile {
    var rows = Evidence()
    fill(&rows)
    return WorldFile(kind: kind, fileDate: day(number), evidence: rows)
}

extension NightFolder {
    /// Lost orders 1…count of a day: paid at Apple, pending in the backend.
    func deliverLostOrders(_ number: Int, count: Int) throws {
        let ids = (0..<count).map { Identifier("20000000000\(number)\(100 + $0)") }
        try deliver(
            file(.orders, number) { rows in
                rows.orders = ids.map { id in
                    var order = Order(
                        id: Identifier("ORD" + id.text), account: "a", product: "coins", status: .pending,
                        createdAt: noon(number))
                    order.transaction = id
                    return order
                }
            })
        try deliver(
            file(.transactions, number) { rows in
                rows.transactions = ids.map { id in
                    var transaction = Transaction(id: id, product: "coins", purchasedAt: noon(number))
                    transaction.price = Price(thousandths: 6000, currency: "CNY")
                    return transaction
                }
            })
        try deliver(file(.credits, number))
    }

    func contents(_ names: String...) throws -> [Data] {
        try names.map { try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + $0)) }
    }

    /// Removes the inbox's files.
    func forget() throws {
        try FileManager.default.removeItem(atPath: folder.path + "/inbox")
        try FileManager.default.createDirectory(
            atPath: folder.path + "/inbox", withIntermediateDirectories: false)
    }
}
