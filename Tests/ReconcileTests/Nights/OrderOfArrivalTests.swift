import Domain
import Foundation
import Testing

@testable import Ledger
@testable import Reconcile

/// Results that must not depend on the order of arrival: product lists, a commit beside a reader, another environment.
@Suite struct OrderOfArrivalTests {
    /// A night in which coins are bought, with product lists `products-NAME-{date}.csv` from feeds in this order.
    private func shop(feeds: [String]) throws -> NightFolder {
        let night = try NightFolder()
        let lists = feeds.map { #"{kind: "products", path: "products-\#($0)-{date}.csv"}"# }.joined(separator: ", ")
        let configuration = try night.folder.read("reconcile.json")
            .replacingOccurrences(of: #"{kind: "products", path: "products.csv"}"#, with: lists)
        try night.folder.write(configuration, to: "reconcile.json")
        try night.deliver(
            file(.transactions, 0) { rows in
                rows.transactions = [Transaction(id: "2000000000000001", product: "coins", purchasedAt: noon(0))]
            })
        return night
    }

    private func deliver(_ price: String, as name: String, _ night: NightFolder) throws {
        try night.folder.write(
            "product_id,amount,currency\ncoins,1.00,CNY\ncoins,\(price),CNY\n", to: "products-\(name)-2025-11-10.csv")
    }

    @Test(arguments: [["*"], ["a", "b"], ["b", "a"]], [["a", "b"], ["b", "a"], ["ab"]])
    func ofTwoProductListsOfADateTheGreaterNameCounts(_ feeds: [String], _ nights: [String]) throws {
        let night = try shop(feeds: feeds)
        for (number, names) in nights.enumerated() {
            for name in names { try deliver(name == "a" ? "6.00" : "9.00", as: String(name), night) }
            #expect(try night.night(moment(number)).code == .done)
        }
        #expect(try night.ledger().products().map { $0.price?.text } == ["9.00"])
    }

    @Test func aReaderSeesOneNightHoweverLongItReads() throws {
        let night = try NightFolder()
        try night.deliverLostOrders(0, count: 1)
        _ = try night.night(moment(0))
        let reader = try night.ledger()
        try reader.beginReading()
        #expect(try reader.lastRun()?.businessDate == day(0))
        try night.deliverLostOrders(1, count: 1)
        #expect(try night.night(moment(1)).code == .done)
        #expect(try reader.lastRun()?.businessDate == day(0))
        #expect(try night.ledger().lastRun()?.businessDate == day(1))
    }

    @Test func anotherEnvironmentLetsAnotherCopyCountInTheLedgerToo() throws {
        let night = try NightFolder()
        let environments: [AppEnvironment] = [.production, .sandbox]
        try night.deliver(
            file(.transactions, 0) { rows in
                rows.transactions = environments.map { environment in
                    var copy = Transaction(id: "2000000000000001", product: "coins", purchasedAt: noon(0))
                    copy.environment = environment
                    return copy
                }
            })
        for (number, environment) in environments.enumerated() {
            let configuration = try night.folder.read("reconcile.json")
                .replacingOccurrences(of: AppEnvironment.production.name, with: environment.name)
            try night.folder.write(configuration, to: "reconcile.json")
            #expect(try night.night(moment(number)).code == .done)
            let standing = try night.ledger().connection
                .integer("SELECT environment FROM apple_transaction WHERE standing = 1")
            #expect(standing == Int64(environment.rawValue))
        }
    }
}
