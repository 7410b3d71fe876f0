import Domain
import Testing

@testable import Engine

/// Which number each of tonight's cases gets, and which cases are written again.
@Suite struct CaseNumberingTests {
    private func number(_ world: SmallCases, next: CaseID = 20) -> CaseNumbering {
        CaseNumbering(world.cases, stored: world.stored, next: next)
    }

    @Test func aFirstNightNumbersItsCasesOneAfterTheOther() {
        let numbering = number(SmallCases(tonight: "O1; O2; T3"), next: 5)
        #expect(numbering.numbers == [5, 6, 7])
        #expect(numbering.dirty == [0, 1, 2] && numbering.cleared == [])
    }

    @Test func aCaseWithoutNewsKeepsItsNumberAndIsNotWritten() throws {
        let world = SmallCases([(7, "O1 T1; T1")], tonight: "O2")
        let numbering = number(world)
        let (old, new) = (try #require(world.index(ofOrder: "O1")), try #require(world.index(ofOrder: "O2")))
        #expect(numbering.numbers[old] == 7 && numbering.numbers[new] == 20)
        #expect(numbering.dirty == [Int32(new)] && numbering.cleared == [])
    }

    @Test func aCaseWithNewsIsWrittenAgainUnderItsNumber() {
        let numbering = number(SmallCases([(7, "O1 T1; T1")], tonight: "C1 O1 T1"))
        #expect(numbering.numbers == [7] && numbering.dirty == [0] && numbering.cleared == [7])
    }

    @Test func casesThatNewEvidenceJoinsTakeTheirLowestNumber() {
        let numbering = number(SmallCases([(8, "O1"), (3, "T1")], tonight: "C1 O1 T1"))
        #expect(numbering.numbers == [3] && numbering.dirty == [0] && numbering.cleared == [3, 8])
    }

    /// The order's newer version no longer names the transaction. Neither part may lose its rows.
    @Test func ofACaseThatSplitsOnePartKeepsTheNumberAndBothAreWritten() {
        let numbering = number(SmallCases([(4, "O1 T1; T1")], tonight: "O1 upd@-1d"))
        #expect(Set(numbering.numbers) == [4, 20])
        #expect(Set(numbering.dirty) == [0, 1] && numbering.cleared == [4])
    }

    @Test func aSplitMakesNoOtherCaseDirty() throws {
        let world = SmallCases([(4, "O1 T1; T1"), (9, "O2 T2; T2")], tonight: "O1 upd@-1d")
        let untouched = Int32(try #require(world.index(ofOrder: "O2")))
        let numbering = number(world)
        #expect(!numbering.dirty.contains(untouched) && !numbering.cleared.contains(9))
    }

    @Test func anotherCurrentVersionOfATransactionIsNews() {
        var world = SmallCases([(6, "T1")])
        #expect(number(world).dirty == [])
        let version = world.stored.transactions.values[0]
        world.stored.transactions = Rows()
        world.stored.transactions.append(version, of: 6, isCurrent: false)
        #expect(number(world).dirty == [0])
    }

    @Test func aDirtyCaseIsListedInTheOrderOfItsNumber() {
        let world = SmallCases([(9, "O1"), (2, "O2")], tonight: "O1 upd@-1d; O2 upd@-1d")
        let numbering = number(world)
        #expect(numbering.dirty.map { numbering.numbers[Int($0)] } == [2, 9])
    }

    @Test func casesJudgedApartKeepTheirNumbersAndAreFoundByThem() {
        var numbering = number(SmallCases([(7, "O1")], tonight: "O2"))
        let apart = SmallCases([(11, "O3"), (12, "O4")])
        numbering.append(CaseNumbering(of: apart.cases, stored: apart.stored))
        #expect(numbering.numbers.suffix(2) == [11, 12])
        #expect(numbering.cases(holdingAnyOf: [12, 99]) == [3])
    }
}
