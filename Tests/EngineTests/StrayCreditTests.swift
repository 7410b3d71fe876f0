import Domain
import Matching
import Testing

@testable import Engine
@testable import Reference

private let noon = ScenarioWorld.horizon.instant

/// Which credits may have been meant for which purchases.
/// See docs/spec/rules.md#stray-credits.
@Suite struct StrayCreditTests {
    func judged(_ rows: String, reversesRefunds: Bool = false) throws -> Verdicts {
        var policy = ScenarioWorld.policy
        policy.reverseRefunds = reversesRefunds
        if rows.contains("=21003") { policy.tokenUse = .none }
        let versions = Versions(evidence(rows), policy: policy)
        let basis = Basis(policy: policy, horizon: ScenarioWorld.horizon)
        return try JudgedCases(versions, basis) { _ in .unknown }.verdicts(Observer(firstDelivery: 1), threads: 1)
    }

    @Test(
        arguments: [
            ("O1 T1; T1 6.00CNY; C1 O1 T1", []),  // the goods of a purchase
            ("C1 O1", ["C1 unplaced"]),  // of an order that was never delivered
            ("O1; C1 O1", ["C1 unplaced"]),  // without a payment
            ("O1 T1; T1 6.00CNY; C1 T1; C2 T1 @-9d", ["C2 unplaced"]),  // given twice
            ("T1 6.00CNY; C1 T1 O9", ["C1"]),  // names an order that its case does not contain
            ("O1; C1 O1 x10; V1 O1 x1 @-9d", ["C1 unplaced"]),  // one of ten pieces was taken back
            ("O1; C1 O1 x10; V1 O1 x10 @-9d", []),
            ("O1 credited; C1 O1 @-30d; V1 O1 @-29d", ["O1 unplaced"]),  // served again after the reversal
            ("O1 credited T1; C1 O1 T1; T1 6.00CNY", []),
            ("O1 T1; T1 6.00CNY; C1 O1 @-8d; R1 O1 T1 =21003", []),  // the order says the same
            ("O1; T1 6.00CNY; C1 O1 @-8d; R1 O1 T1 =0; R2 O1 T1 =21003", []),  // so does another receipt
            // Of 99.999 % refunded, taken back, and served again.
            ("O1 T1; T1 refundProrated:99999@-8d; C1 O1 @-9d; V1 O1 @-7d; C2 O1 @-1d", ["C1 unplaced"]),
            ("O1 T1 x2; T1 12.00CNY x2 refunded:50000@-9d; C1 O1 T1 x2", ["C1 unplaced"]),  // kept after a refund
            ("O1; C1 O1 @-9d; C1 back O1 @-8d", ["C1 unplaced"]),  // its row became a reversal
            ("O1 T1; T1 6.00CNY; C1 back O2 T2 @-9d; C1 O1 T1 @-8d", ["C1"]),  // a reversal that does not count
            // A guest signed up: the order was never delivered; the goods stay those of the payment.
            ("O1 by:guest @-30h paid; O1 by:u @-30h paid upd@-1h", []),
            ("O1 by:guest @-30h credited; O1 by:u @-30h credited upd@-1h", ["order:O1 unplaced", "O1 unplaced"]),
            // The guest's account may have the goods.
            (
                "T1 6.00CNY; O1 T1 by:guest @-30h; O1 T1 by:u @-30h upd@-1h; C1 O1 T1 by:guest @-29h; C1 O1 T1 by:u @-29h file:+1",
                ["O1"]
            ),
            // The order's status told of the goods that the credit tells of, too.
            (
                "T1 6.00CNY; O1 T1 credited by:g @-30h; O1 T1 credited by:u @-30h upd@-1h; C1 O1 T1 by:u @-29h",
                ["O1"]
            ),
            // A word that people write in place of an order.
            ("O1 T1; T1 6.00CNY; C1 O9 T1 desk; C2 O9 desk by:b", ["C1", "C2 unplaced"]),
            ("O1 T1 x2; T1 12.00CNY x2; C1 O9 T1 x1 desk; C2 O9 x1 desk", ["C1 unplaced", "C2 unplaced"]),
            // Taken back after a refund: the status told of the same goods, unless it said so again.
            ("O1 T1 credited upd@-9d; O1 T1 refunded upd@+1h; T1 refunded@-3d; C1 O1 @-9d; V1 O1 @+1h", []),
            (
                "O1 T1 credited upd@-9d; O1 T1 refunded upd@+1h; T1 refunded@-3d; C1 O1 @-9d; V1 O1 @-2d",
                ["O1 unplaced"]
            ),
        ] as [(String, [String])])
    func aCreditIsStrayWhereNoPaymentOfItsAccountExplainsIt(rows: String, strays: [String]) throws {
        let found = try judged(rows).findings.strayCredits
        #expect(found.map { $0.isUnplaced ? "\($0.id.text) unplaced" : $0.id.text } == strays)
    }

    /// The receipt's genuine data is of T9, and its row names T1, as a backend may that compares neither; or it lists both.
    @Test(arguments: ["lacksClaim", "listsClaim"]) func aReceiptClaimsWhatElseItMayBeMeantFor(proof: String) throws {
        let claims = try judged("R1 T9 further:T1 by:b =0 \(proof); T9; C9 T9 by:b").findings.strayCredits
        #expect(claims.contains { $0.kind == .notAccepted && $0.transaction == "T1" && $0.account == "b" })
    }

    /// A cheap newer purchase in the same data does not hide the payment.
    @Test func aReceiptClaimsAllTransactionsOfItsData() throws {
        let claims = try judged("R1 T9 further:T8,T1 by:b =0 listsClaim; T9; C9 T9 by:b").findings.strayCredits
        #expect(Set(claims.filter { $0.kind == .notAccepted }.map(\.transaction)).isSuperset(of: ["T8", "T1"]))
    }

    /// Anybody can send a receipt. One of a test purchase, or of a payment whose goods went elsewhere, is not the account's own.
    @Test(arguments: [
        ("T9", true), ("T9 sandbox", false), ("T9; C9 T9 by:w", false), ("T9; C9 T9 by:u", true),
        ("T9; O9 T9 by:w", false), ("T9 tok:1", false), ("T8", false),
    ])
    func aReceiptOfItsOwnPaymentMakesAnAccountKnown(rows: String, isKnown: Bool) {
        let cases = CaseSet(evidence("R1 T9 by:u =0; " + rows), policy: ScenarioWorld.policy)
        #expect(cases.accountsOnRecord(among: ["u"], .production) == (isKnown ? ["u"] : []))
    }

    /// Reversals that have one id by mistake would take back one delivery of three. A guest who signs up does not make a second record.
    @Test(arguments: [
        ("V1 O1; V1 O2 @-1d; V1 O3 @-2d", 2), ("C1 O1 @-3d; V1 O2; V1 O3 @-1d", 1), ("C1 O1; V1 O1 @+1m", 0),
        ("O1 by:u @-30h; O1 by:guest @-30h", 0), ("C1 O1 by:u @-30h; C1 O1 by:guest @-30h", 0),
        ("O1 by:u @-30h; O1 by:guest @-31h", 1), ("O1 by:u @-30h; O1 by:guest @-30h x2", 1),
        ("C1 O1 by:u @-30h; C1 O2 by:guest @-30h", 1), ("C1 O1 by:u @-30h; C1 O1 by:guest @-31h", 1),
        // A date alone does not say the time.
        ("O1 by:u @-2d; O1 by:guest @-2d", 1), ("C1 O1 by:u @-2d; C1 O1 by:guest @-2d", 1),
    ])
    func recordsUnderOneIDAreCounted(rows: String, count: Int) throws {
        #expect(try judged(rows).findings.contradictions.values.reduce(0, +) == count)
    }

    /// In days after the first file. Nil: from its own file.
    @Test(
        arguments: [
            ("C1 O9; C1 O9 desk file:+2", 0), ("C1 O9; C1 O9 x1 file:+2", 0), ("C1 O9 x2; C1 O9 file:+2", 0),
            ("C1 O9; C1 O9 x2 file:+2", nil), ("C1 O9 x1; C1 O9 x2 file:+2", nil), ("C1 O9; C1 O8 file:+2", nil),
            ("C1 O9; C1 O9 T1 file:+2", nil), ("C1 O9; C1 O9 by:b file:+2", nil), ("V1 O9; C1 O9", nil),
            ("C1 O9; C1 O9 x2 file:+1; C1 O9 x2 desk file:+2", 1), ("C1 O9 is:coins; C1 O9 is:chest file:+2", nil),
            ("C1 O9; C1 O9 is:coins file:+2", 0),
            ("C1 O9 x2; C1 O9 x1 file:+1; C1 O9 x2 desk file:+2", nil),
        ] as [(String, Int?)])
    func aCreditCountsFromTheFirstVersionThatSaysNoLess(rows: String, days: Int?) {
        var evidence = Scenario.table("a credit | \(rows) | ")[0].evidence
        for index in evidence.credits.indices { evidence.credits[index].source.delivery = DeliveryID(Int32(index + 1)) }
        let versions = Versions(evidence, policy: ScenarioWorld.policy)
        let cases = CaseSet(versions, policy: ScenarioWorld.policy) { _ in .unknown }
        let arrived = (0..<cases.count).compactMap { cases.creditsArrived(in: $0)["C1"] }
        #expect(arrived == (days.map { [ScenarioWorld.date.advanced(by: $0)] } ?? []))
    }

    /// By Apple's record, by its expiry date, or by the product list alone.
    @Test(arguments: ["coins auto_renewable", "pass expires@+30d", "month", "coins"])
    func aClaimOnAPeriodMayBeMeantForAnother(bought: String) throws {
        let claims = try judged("T1 of:T0 is:\(bought); R1 T1 by:b").findings.strayCredits
        #expect(claims.contains { $0.kind == .notAccepted && $0.original == "T0" } == (bought != "coins"))
    }

    func stray(
        account: Identifier = "a", order: Identifier? = nil, transaction: Identifier? = nil, at: Instant = noon,
        isUnplaced: Bool = true
    ) -> StrayCredit {
        StrayCredit(
            id: "C9", account: account, order: order, transaction: transaction, givenAt: at, isUnplaced: isUnplaced)
    }

    let target = CreditTarget(
        owner: "a", orders: ["0O1", ""], transactions: ["T1"], original: "t1", accounts: [], since: noon)

    @Test func spellingsOfATargetAreThoseThatRowsAreComparedBy() {
        #expect(target.orders == ["o1"] && target.transactions == ["t1"] && target.original == "")
        let renewal = CreditTarget(
            owner: "a", orders: [], transactions: ["T2"], original: "T1", accounts: ["B", " b"], since: noon)
        #expect(renewal.original == "t1" && renewal.claimants == ["b"])
    }

    @Test func unexplainedGoodsOfTheOwnerMayBeMeantForAPurchase() {
        #expect(StrayCreditIndex([stray()]).first(for: target) == stray())
        #expect(StrayCreditIndex([stray(account: "b")]).first(for: target) == nil)
        #expect(StrayCreditIndex([stray(isUnplaced: false)]).first(for: target) == nil)
    }

    @Test func goodsGivenTooLongBeforeThePurchaseAreNotMeantForIt() {
        #expect(StrayCreditIndex([stray(at: noon + .minutes(-1))]).first(for: target) == nil)
    }

    @Test func aCreditThatNamesThePurchaseInAnySpellingIsMeantForIt() {
        for named in [stray(account: "b", order: " 0O1"), stray(account: "b", transaction: "T1")] {
            #expect(StrayCreditIndex([named]).first(for: target) == named)
        }
        #expect(StrayCreditIndex([stray(account: "b", order: "O2")]).first(for: target) == nil)
    }

    @Test(arguments: [
        "TX3000000001", "txn:3000000001", "3000000001/1", "300-000-0001", "３０００００００01", "3e9+1 3000000001",
    ])
    func wordsAroundATransactionIDDoNotHideIt(text: String) {
        let wanted = CreditTarget(
            owner: "a", orders: [], transactions: ["3000000001"], original: nil, accounts: [], since: noon)
        let named = stray(account: "b", transaction: Identifier(text), isUnplaced: false)
        #expect(StrayCreditIndex([named]).first(for: wanted) == named)
        let other = stray(account: "b", transaction: "3000000001 3000000002", isUnplaced: false)
        #expect(StrayCreditIndex([other]).first(for: wanted) == nil)
    }

    @Test(arguments: [
        ("880055345678905000", "TICKET-1", "", true, true),
        ("b", "", "2000001213005480", true, true), ("b", "202611251530001000", "", true, true),
        ("880055345678905000", "TICKET-1", "", false, false),  // whose order is on record
        ("880055345678900000", "TICKET-1", "", true, false), ("b", "TICKET-1", "2000001213005490", true, false),
    ])
    func aNumberThatASpreadsheetRoundedStandsForAllThatRoundToIt(
        account: String, order: String, transaction: String, isAlone: Bool, isMeant: Bool
    ) {
        let wanted = CreditTarget(
            owner: "880055345678905678", orders: ["202611251530001234"], transactions: ["2000001213005481"],
            original: nil, accounts: [], since: noon)
        func named(_ id: String) -> Identifier? { id.isEmpty ? nil : Identifier(id) }
        var given = stray(account: Identifier(account), order: named(order), transaction: named(transaction))
        given.isAlone = isAlone
        #expect((StrayCreditIndex([given]).first(for: wanted) != nil) == isMeant)
        given.isUnplaced = false
        #expect(StrayCreditIndex([given]).first(for: wanted) == nil)
    }

    /// An agent wrote the payment into the order's cell in two rows, and into its own cell in one.
    @Test func aWordThatIsThePaymentBelongsToIt() throws {
        var evidence = evidence("O1 T1; T1 6.00CNY; C1 O9 T1 desk; C2 O9 desk")
        for index in evidence.credits.indices { evidence.credits[index].order = "T1" }
        let cases = JudgedCases(
            Versions(evidence, policy: ScenarioWorld.policy),
            Basis(policy: ScenarioWorld.policy, horizon: ScenarioWorld.horizon)
        ) { _ in .unknown }
        let found = try cases.verdicts(Observer(firstDelivery: 1), threads: 1).findings.observations
        #expect(found.map(\.verdict) == [.creditedTwice])
    }

    @Test func aWordsGoodsStandAloneBesideAPayment() throws {
        let found = try judged("O1 T1; T1 6.00CNY; C1 O9 T1 desk; C2 O9 desk by:b").findings.strayCredits
        #expect(found.map(\.isAlone) == [false, true])
    }

    @Test func aTicketsGoodsStandAloneAndThoseOfAnOrderDoNot() throws {
        let found = try judged("C1 O9; O2; C2 O2").findings.strayCredits
        #expect(found.map(\.isAlone) == [true, false] || found.map(\.isAlone) == [false, true])
        #expect(found.first(where: \.isAlone)?.id == "C1")
    }

    /// A month of T1 begins on day 0, and T2 begins some days later.
    @Test(arguments: [
        ("T2 is:chest of:T1 @-5d expires@+300d", true),
        ("T2 is:coins of:T1 @-5d expires@+300d", false),  // the same product
        ("T2 is:chest of:T1 @+20d expires@+300d", false),  // a downgrade at the renewal
        ("T2 is:chest of:T1 @+19d+1h expires@+300d", false),  // which came early
        ("T2 is:chest of:T1 @+18d expires@+300d", true),
        ("T2 is:chest of:T1 @+25d expires@+300d", false),  // after a billing retry
        ("T2 is:chest of:T9 @-5d expires@+300d", false),
        ("T2 is:chest of:T1 @-5d refunded@-4d", false),
        ("T2 is:chest of:T1 @-5d shared", false), ("T2 is:chest of:T1 @-5d sandbox", false),
        ("T2 is:chest of:T1 @-5d unverifiable", false),
    ])
    func aPeriodOfAnotherProductReplacesTheOneThatRuns(next: String, isReplaced: Bool) {
        func periods(_ rows: String) -> [Identifier: ChainPeriod] {
            evidence(rows).transactions.periods(of: ["T1"], ScenarioWorld.policy)
        }
        #expect(periods("T1 is:coins of:T1 expires@+20d; " + next).isReplaced("T1") == isReplaced)
        #expect(!periods("T1 is:coins of:T1; " + next).isReplaced("T1"))
        #expect(!periods("T1 is:coins of:T1 expires@+20d; " + next).isReplaced("T2"))
    }

    @Test func aReplacedPeriodIsNotGiven() throws {
        let chain = evidence("T1 of:T1 expires@+20d; T2 is:chest of:T1 @-5d").transactions
        for (originals, isGiven) in [([], true), (["T1"], false)] as [(Set<Identifier>, Bool)] {
            var observations = try lost()
            let periods = chain.periods(of: originals, ScenarioWorld.policy)
            _ = apply(to: &observations, periods: periods)
            #expect(observations.map { $0.retry != nil } == [isGiven])
        }
    }

    /// A credit that names a payment may be of another environment's.
    @Test(arguments: [
        ("C1 is:sword O9 @-99d", true), ("C1 is:sword O9 T9 @-99d", false), ("C1 is:coins O9 @-99d", false),
        ("C1 is:sword O9 @-99d; V1 O9 @-98d", false),
    ])
    func aLifetimeGiftIsOwned(rows: String, isOwned: Bool) throws {
        let found = try judged(rows).findings
        let wanted = CreditTarget(
            owner: "a", product: "sword", orders: [], transactions: ["T1"], original: nil, accounts: [], since: noon,
            isLifetime: true)
        #expect(found.strays.isOwned(wanted) == isOwned)
    }

    /// Of a product that the list does not know. Apple's record of the payment calls it a Non-Consumable, or does not.
    @Test(arguments: [true, false]) func aGiftIsOwnedAsApplesRecordSays(isLifetime: Bool) throws {
        let found = try judged("C1 is:scroll O9 @-99d").findings
        let wanted = CreditTarget(
            owner: "a", product: "scroll", orders: [], transactions: ["T1"], original: nil, accounts: [], since: noon,
            isLifetime: isLifetime)
        #expect(found.strays.isOwned(wanted) == isLifetime)
        let row = "O1 T1; T1 is:scroll \((isLifetime ? ProductType.nonConsumable : .consumable).name)"
        #expect(try judged(row).findings.observations.map(\.isLifetime) == [isLifetime])
    }

    /// Anybody may name a stranger's order that was served long before.
    @Test func goodsOfAClaimedOrderCountSinceThePurchase() {
        var claimed = target
        claimed.claimedOrders = ["o7"]
        let (old, new) = (stray(account: "b", order: "O7", at: noon + .days(-9)), stray(account: "b", order: "O7"))
        #expect(StrayCreditIndex([old]).first(for: claimed) == nil)
        #expect(StrayCreditIndex([new]).first(for: claimed) == new)
    }

    /// Many periods of a subscription may be lost, and an account can send any number of receipts about each of them.
    @Test func whatAnAccountClaimsTwiceIsLookedAtOnce() {
        let claims = (0..<1000).map { number in
            var claim = stray(transaction: Identifier("T\(number)"), isUnplaced: false)
            (claim.original, claim.kind) = ("T0", .notAccepted)
            claim.givenAt = noon + .minutes(Int64(number))
            return claim
        }
        let index = StrayCreditIndex(claims)
        #expect(index.claims[.transaction(spelling: "t0")]?.map(\.givenAt) == [noon + .minutes(999)])
        #expect(index.claims.values.reduce(0) { $0 + $1.count } == 1000)
    }

    /// Many accounts may claim a subscription. What is not looked at withholds, whoever sent it.
    @Test func tooManyClaimsOnASubscriptionDisputeIt() {
        func index(_ count: Int) -> StrayCreditIndex {
            StrayCreditIndex(
                (0..<count).map { number in
                    var claim = stray(order: Identifier("O\(number)"), transaction: "T0", isUnplaced: false)
                    claim.kind = .notAccepted
                    return claim
                })
        }
        let period = CreditTarget(
            owner: "a", orders: [], transactions: ["T1"], original: "T0", accounts: [], since: noon)
        var later = period
        later.since = noon + .minutes(1)
        #expect(index(100).claimed(period).claimedOrders.count == 100 && !index(100).isDisputed(period))
        #expect(index(101).isDisputed(period) && !index(101).isDisputed(later))
    }

    /// A misspelt id of another period stands for the subscription.
    @Test func aPeriodIsKnownInAnySpelling() {
        let renewal = CreditTarget(
            owner: "a", orders: [], transactions: ["T3"], original: "T1", accounts: [], since: noon)
        let named = stray(account: "b", transaction: "0T2")
        #expect(StrayCreditIndex([named]).first(for: renewal) == nil)
        #expect(StrayCreditIndex([named].recognizing(["T2": "T1"])).first(for: renewal)?.id == named.id)
        #expect(StrayCreditIndex([named].recognizing(["T2": "T9"])).first(for: renewal) == nil)
    }

    @Test func theEarliestCreditComesFirst() {
        let (late, early) = (stray(at: noon + .hours(2)), stray(at: noon + .hours(1)))
        #expect(StrayCreditIndex([late, early]).first(for: target) == early)
        let named = stray(account: "b", order: "O1", at: noon)
        #expect(StrayCreditIndex([late, named, early]).first(for: target) == named)
    }
}
