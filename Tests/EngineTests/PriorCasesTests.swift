import Domain
import Testing

@testable import Engine

/// Which cases of earlier nights a night loads.
@Suite struct PriorCasesTests {
    /// Cases 1, 3 and 4 match; the purchase of case 2 lacks its goods. Case 3 has a token of account a; case 4 an order
    /// of another account.
    private static let earlier = """
        O1 T1; T1; C1 O1 T1; O2 T2; T2; O3 T3 tok:1; T3 tok:1; C3 O3 T3; O4 T4 by:b; T4; C4 O4 T4 by:b
        """

    private func recalled(_ tonight: String, isEverything: Bool = false) throws -> [String] {
        let shop = SmallShop()
        try shop.night(Self.earlier)
        let prior = try PriorCases(
            shop.history, touchedBy: evidence(tonight, delivery: 5), policy: shop.settings.policy,
            isEverything: isEverything)
        #expect(prior.isEverything == isEverything)
        let orders = zip(prior.stored.orders.values, prior.stored.orders.cases)
        #expect(Set(orders.map(\.1)) == prior.ids)
        return orders.map(\.0.id.text).sorted()
    }

    @Test(arguments: [
        ("", ["O2"]),  // an open case always
        ("O9; T9", ["O2"]),
        ("C1 O1 T1", ["O1", "O2"]),  // another version of its evidence
        ("R9 T1", ["O1", "O2"]),  // evidence that names its purchase
        ("O9 T4", ["O2", "O4"]),
        ("O9 tok:1", ["O2"]),  // of the token's owner
        ("O9 tok:1 by:b", ["O2", "O3"]),  // another account's: the owner may change
        ("O3 T3 by:b tok:2 upd@-1d", ["O2", "O3"]),
    ])
    func aCaseIsLoadedWhereItsOutcomeMayDiffer(tonight: String, orders: [String]) throws {
        #expect(try recalled(tonight) == orders)
    }

    @Test func whereEverythingIsJudgedAgainEveryCaseIsLoaded() throws {
        #expect(try recalled("", isEverything: true) == ["O1", "O2", "O3", "O4"])
    }

    /// Whether a receipt links the order it names depends on what else names that order, in whichever case.
    @Test func aTouchedCasesReceiptBringsTheOrderThatItNames() throws {
        let shop = SmallShop()
        try shop.night("O1 T1; T1; C1 O1 T1; R1 T1 O2; O2 T2; T2; C2 O2 T2")
        func ids(_ tonight: String) throws -> Set<CaseID> {
            try PriorCases(shop.history, touchedBy: evidence(tonight, delivery: 5), policy: shop.settings.policy).ids
        }
        let (first, second) = (shop.history.cases(naming: ["O1"]), shop.history.cases(naming: ["O2"]))
        #expect(first.isDisjoint(with: second.subtracting(first)) && second.count == 2)
        #expect(try ids("C1 O1 T1").isSuperset(of: first.union(second)))
    }

    @Test func resolvedExceptionsComeWithTheirCasesAndOpenOnesAlways() throws {
        let shop = SmallShop()
        try shop.night("O1 T1; T1; O2 T2; T2")
        try shop.night("C1 O1 T1", day: 1)
        func subjects(_ tonight: String) throws -> [String] {
            try PriorCases(shop.history, touchedBy: evidence(tonight, delivery: 20), policy: shop.settings.policy)
                .exceptions.map(\.subject.id.text).sorted()
        }
        #expect(try subjects("") == ["T2"])
        #expect(try subjects("R1 T1") == ["T1", "T2"])
    }

    @Test func aCaseIsLoadedOnce() throws {
        let shop = SmallShop()
        try shop.night(Self.earlier)
        var prior = try PriorCases(shop.history, touchedBy: evidence("C1 O1 T1"), policy: shop.settings.policy)
        let count = prior.stored.orders.cases.count
        try prior.add(prior.ids, from: shop.history)
        #expect(prior.stored.orders.cases.count == count)
    }
}
