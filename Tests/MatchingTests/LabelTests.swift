internal import Domain
import Testing

@testable import Matching

/// Labels decide nothing, and of copies of a row the one read last has the labels that count.
@Suite struct LabelTests {
    private func labels(_ values: [String: Identifier]) -> LabelSet {
        LabelSet(values.map { LabelSet.Value(name: $0.key, text: $0.value) })
    }

    private func order(_ date: String = "2025-11-18", _ values: [String: Identifier] = [:]) -> Order {
        let source = Provenance(delivery: 1, line: 1, fileDate: BusinessDate(date)!)
        var order = Order(
            id: "O1", account: "a", product: "p", status: .paid, createdAt: Instant(milliseconds: 0), source: source)
        order.labels = labels(values)
        return order
    }

    private func book(_ orders: [Order]) -> CaseSet {
        var evidence = Evidence()
        evidence.orders = orders
        return CaseSet(evidence, policy: Policy())
    }

    @Test func theLabelReadLastCountsAndAnEmptyOneIsNone() {
        let book = book([
            order("2025-11-18", ["v": "1", "w": "1"]), order("2025-11-19", ["v": "2"]), order("2025-11-17", ["x": "3"]),
            order("2025-11-20"),
        ])
        #expect(book.groups.orders.outcomes == [.duplicate, .duplicate, .current, .duplicate])
        #expect(book.orders[2].labels == labels(["v": "2", "w": "1", "x": "3"]))
        #expect(book.groups.orders.isRelabelled(0))
    }

    @Test func otherLabelsMakeNeitherAConflictNorAVersion() {
        let same = book([order("2025-11-18", ["v": "1"]), order("2025-11-18", ["v": "1"])])
        let other = book([order("2025-11-18", ["v": "1"]), order("2025-11-18", ["v": "2"])])
        #expect(same.groups.orders.outcomes == other.groups.orders.outcomes)
        #expect(other.orders[0].marks.isEmpty && other.orders[0].labels == labels(["v": "2"]))
        #expect(!same.groups.orders.isRelabelled(0) && other.groups.orders.isRelabelled(0))
    }

    /// A version that does not count keeps its own labels.
    @Test func anotherVersionHasItsOwnLabels() {
        var older = order("2025-11-17", ["v": "1"])
        older.status = .created
        var copy = older
        copy.labels = labels(["v": "3"])
        let book = book([older, order("2025-11-18", ["w": "2"]), copy])
        #expect(book.groups.orders.outcomes == [.superseded, .current, .duplicate])
        #expect(book.orders[0].labels == labels(["v": "3"]) && book.orders[1].labels == labels(["w": "2"]))
        #expect(book.groups.orders.isRelabelled(0))
    }

    @Test func aCrowdOfDifferentLabelsIsReadInNoTime() {
        let book = book((0..<20_000).map { order("2025-11-18", ["v": Identifier("v\($0)")]) })
        #expect(book.count == 1 && book.orders[0].labels == labels(["v": "v19999"]))
    }

    @Test func orderComesBeforeReceiptTransactionAndCredit() throws {
        var evidence = Evidence()
        var (order, second) = (
            order("2025-11-18", ["a": "order"]), self.order("2025-11-18", ["a": "second", "e": "second"])
        )
        order.transaction = "1"
        (second.id, second.transaction) = ("O2", "1")
        var receipt = Receipt(id: "R", content: .absent, account: "a", receivedAt: Instant(milliseconds: 0))
        receipt.transaction = "1"
        receipt.labels = labels(["a": "receipt", "b": "receipt"])
        var transaction = Transaction(id: "1", product: "p", purchasedAt: Instant(milliseconds: 0))
        transaction.labels = labels(["b": "transaction", "c": "transaction"])
        var credit = Credit(id: "C", account: "a", creditedAt: Instant(milliseconds: 0))
        credit.transaction = "1"
        credit.labels = labels(["c": "credit", "d": "credit"])
        evidence.orders = [second, order]
        (evidence.receipts, evidence.transactions, evidence.credits) = ([receipt], [transaction], [credit])
        let book = CaseSet(evidence, policy: Policy())
        var file = Case()
        book.load(0, into: &file)
        let horizon = Horizon(instant: Instant(milliseconds: 0), businessDate: BusinessDate(day: 0))
        let subject = try #require(subjects(of: file, policy: Policy(), horizon: horizon) { _ in .unknown }.first)
        #expect(
            subject.labels(in: file)
                == labels(["a": "order", "b": "receipt", "c": "transaction", "d": "credit", "e": "second"]))
        #expect(
            LabelSet(order, receipt, transaction, credit)
                == labels(["a": "order", "b": "receipt", "c": "transaction", "d": "credit"]))
    }
}
