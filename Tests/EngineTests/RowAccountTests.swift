import Domain
import Matching
import Testing

@testable import Engine
@testable import Reference

/// Every row is accepted, a duplicate or rejected.
@Suite struct RowAccountTests {
    /// Tonight's rows: orders are of delivery 5, credits of 6, transactions of 7, receipts of 8.
    private func outcomes(_ world: SmallCases, news: Set<Provenance> = []) -> RowOutcomes {
        RowOutcomes(world.cases, from: world.stored, news: news)
    }

    @Test func aRowIsAcceptedWhereItsEvidenceIsNewAndElseADuplicate() {
        let rows = outcomes(SmallCases([(1, "O1; C1 O1")], tonight: "O1; O2; O1 upd@-1d; C1 O1; R1 O1"))
        #expect(rows.accepted == [5: 2, 8: 1] && rows.duplicates == [5: 1, 6: 1])
    }

    /// Both transactions of tonight stand in one row.
    private func rowOfTwo(_ tonight: String) -> SmallCases {
        var (world, all) = (SmallCases([(1, "T1")]), evidence("T1"))
        var news = evidence(tonight, delivery: 5)
        for index in news.transactions.indices { news.transactions[index].source = news.transactions[0].source }
        all.append(news)
        world.cases = CaseSet(all, policy: ScenarioWorld.policy)
        return world
    }

    @Test func aRowOfTransactionsIsADuplicateOnlyIfAllOfThemAreKnown() {
        #expect(outcomes(rowOfTwo("T1; T2")).accepted == [7: 1])
        #expect(outcomes(rowOfTwo("T1; T2")).duplicates == [:])
        #expect(outcomes(rowOfTwo("T1; T1")).duplicates == [7: 1])
    }

    @Test func aRowThatAnswersALookUpIsNewThoughItsTransactionsAreKnown() {
        let world = rowOfTwo("T1; T1")
        let row = world.cases.transactions[1].source
        #expect(outcomes(world, news: [row]).accepted == [7: 1])
    }

    @Test func transactionsListedInAReceiptBelongToTheReceiptsRow() {
        #expect(outcomes(SmallCases(tonight: "T1 receiptline; R1 T1 =0")).accepted == [8: 1])
    }

    @Test func evidenceOfEarlierDeliveriesIsNotCounted() {
        let world = SmallCases(tonight: "O1; C1 O1")
        #expect(RowOutcomes(world.cases, from: StoredEvidence(), since: 6).accepted == [6: 1])
    }

    @Test func aRowSharedByPartsIsCountedOnceAndIsNewWhereAnyPartFoundNews() {
        let row = Provenance(delivery: 7, line: 2, fileDate: ScenarioWorld.date)
        let other = Provenance(delivery: 7, line: 3, fileDate: ScenarioWorld.date)
        var (rows, part) = (RowOutcomes(), RowOutcomes())
        rows.shared = [row: false, other: false]
        part.shared = [row: true]
        rows.append(part)
        #expect(rows.accepted == [:])
        rows.settle(news: [])
        #expect(rows.accepted == [7: 1] && rows.duplicates == [7: 1] && rows.shared == [:])
    }

    /// What became of the rows of a file. Nil: they are not accounted for.
    @Test(
        arguments: [
            (.orders, 10, 6, 3, 1, 6),
            (.orders, 10, 5, 3, 1, nil),  // one is lost
            (.orders, 10, 7, 3, 1, nil),  // one is used twice
            (.transactions, 10, 5, 3, 1, 6),  // a record that is not a purchase yields nothing
            (.orderLookups, 10, 5, 3, 1, 6),
            (.transactions, 10, 7, 3, 1, nil),
        ] as [(FeedKind, Int, Int, Int, Int, Int?)])
    func rowsThatAreLostOrUsedTwiceEndTheNight(
        kind: FeedKind, rows: Int, accepted: Int, duplicates: Int, rejected: Int, counted: Int?
    ) {
        var outcomes = RowOutcomes()
        outcomes.accepted = [1: accepted]
        outcomes.duplicates = [1: duplicates]
        var delivery = Delivery(1, kind, ScenarioWorld.date, rows: rows)
        delivery.totals.rejected = rejected
        let conservation = Conservation(of: outcomes, delivered: Delivered(), answers: Answers([]) { _ in false })
        let found = try? conservation.counted(delivery)
        #expect(found?.accepted == counted)
        #expect(found == nil || found?.duplicates == duplicates)
    }

    @Test func productsAndAcknowledgementsAreCountedWhereTheyStand() throws {
        func answer(_ line: Int32) -> Acknowledgement {
            Acknowledgement(
                key: "R1", outcome: .applied, at: Instant(milliseconds: 0),
                source: Provenance(delivery: 2, line: line, fileDate: ScenarioWorld.date))
        }
        var delivered = Delivered()
        let source = Provenance(delivery: 1, line: 2, fileDate: ScenarioWorld.date)
        delivered.evidence.products = [Product(id: "coins", source: source)]
        let answers = Answers([answer(2), answer(3)]) { _ in false }
        let conservation = Conservation(of: RowOutcomes(), delivered: delivered, answers: answers)
        let products = try conservation.counted(Delivery(1, .products, ScenarioWorld.date, rows: 1))
        let acks = try conservation.counted(Delivery(2, .acks, ScenarioWorld.date, rows: 2))
        #expect(products.accepted == 1 && acks.accepted == 1 && acks.duplicates == 1)
    }
}
