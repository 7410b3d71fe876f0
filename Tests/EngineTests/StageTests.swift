import Domain
import Testing

@testable import Engine
@testable import Reference

private let noon = ScenarioWorld.horizon.instant

/// A night that stops after one of its stages.
@Suite struct StageTests {
    @Test func recallLoadsCasesAndJudgesNone() throws {
        let shop = SmallShop()
        try shop.night("O1")
        var tonight = NightCases(Evidence(), in: shop.context(day: 1))
        try tonight.recall()
        #expect(tonight.prior.ids == [1] && tonight.cases.count == 0 && tonight.verdicts.all.isEmpty)
        try tonight.judge()
        #expect(tonight.cases.count == 1 && tonight.verdicts.all.count == 1 && tonight.numbering.numbers == [1])
    }

    /// The order is closed, so no night loads it; but the payment may have been meant for it.
    @Test func neighboursAreJudgedApartFromTonightsCases() throws {
        let shop = SmallShop()
        try shop.night("O1 cancelled")
        var delivered = shop.delivered("O2 T2; T2; C2 O2 T2; T1; R1 T1 =0")
        var tonight = NightCases(delivered.evidence.takePurchaseRows(), in: shop.context(delivered, day: 1))
        try tonight.recall()
        try tonight.judge()
        #expect(tonight.ids == [] && tonight.cases.count == 2)
        try tonight.judgeNeighbours()
        #expect(tonight.apart == [1] && tonight.cases.count == 2 && tonight.numbering.numbers.suffix(1) == [1])
    }

    @Test func olderGoodsThatComeLaterBringPurchasesBack() throws {
        let shop = SmallShop()
        let arrive = { (delivered: inout Delivered) in
            delivered.arrivals = [Arrival(feed: "credits", date: ScenarioWorld.date, file: "")]
        }
        let first = try shop.night("O1 T1 @-15d; T1 @-15d; O2 T2; T2; C2 O2", change: arrive)
        #expect(first.transitions.isEmpty && first.retries.isEmpty)
        let given = ScenarioWorld.horizon.instant + .days(-10)
        #expect(shop.history.head().facts.goods.spans == [given...given])
        let second = try shop.night("C9 T9 @-20d", day: 1, change: arrive)
        #expect(second.records.isRebuilt)
        #expect(second.retries.contains { $0.facts.transaction == "T1" && $0.facts.action == .credit })
        let third = try shop.night("C8 T8 @-18d; C7 T7 @-40d", day: 2, change: arrive)
        #expect(!third.records.isRebuilt, "these are younger, or before a long break")
    }

    /// Nights in which goods or orders come that cover a break, or none of it.
    @Test func whatTurnsUpInABreakIsJudgedAgain() throws {
        let shop = SmallShop()
        func night(_ rows: String, _ day: Int) throws -> Engine.Night {
            try shop.night(rows, day: day) {
                $0.arrivals = [Arrival(feed: "credits", date: ScenarioWorld.date, file: "")]
            }
        }
        let first = try night("O1 T1 @-30d; T1 @-30d; T4 @-17d; O2 T2; T2; C2 O2", 0)
        #expect(first.transitions.isEmpty)
        #expect(shop.history.head().facts.orders.spans.map(\.lowerBound) == [-30, -10].map { noon + .days($0) })
        let second = try night("C9 T9 @-45d", 1)
        #expect(second.records.isRebuilt && second.transitions.contains { $0.record.subject.id == "T1" })
        #expect(!second.retries.contains { $0.facts.action == .credit })
        let told = GoodsBreak(
            count: 1, oldest: ScenarioWorld.policy.zone.date(of: noon + .days(-45)),
            end: ScenarioWorld.policy.zone.date(of: noon + .days(-10)), place: nil)
        var seen = try #require(second.report.goodsBreak)
        #expect(seen.place?.hasSuffix(":2") == true && first.report.goodsBreak == nil, "\(seen)")
        #expect(second.report.toldBreak == seen)
        (seen.place, seen.span) = (nil, nil)
        #expect(seen == told && second.warnings.contains(.goodsBreak(second.report.goodsBreak!)))
        #expect(!second.transitions.contains { $0.record.subject.id == "T4" })
        let third = try night("O8 @-9d; O7 @-60d; C7 T7 @-44d", 2)
        #expect(!third.records.isRebuilt, "none of them says more of the break")
        #expect(third.report.goodsBreak?.count == 1)
        let fourth = try night("O6 @-20d by:z", 3)
        #expect(fourth.records.isRebuilt && fourth.transitions.contains { $0.record.subject.id == "T4" })
    }

    /// However many payments turn up in it, and also if the night is run again. Another gap is another doubt.
    @Test func aBreakIsToldForSevenNights() throws {
        let shop = SmallShop()
        func isTold(_ rows: String, _ day: Int) throws -> Bool {
            let report = try shop.night(rows, day: day) {
                $0.arrivals = [Arrival(feed: "credits", date: ScenarioWorld.date, file: "")]
            }.report
            #expect(day == 0 || report.openBreak != nil, "\(day)")
            return report.toldBreak != nil
        }
        #expect(try !isTold("O1 T1 @-30d; T1 @-30d; O2 T2; T2; C2 O2", 0))
        #expect(try isTold("C9 T9 @-45d", 1))
        #expect(try isTold("", 1))
        for day in 2...9 { #expect(try isTold("O3\(day) T3\(day) @-30d; T3\(day) @-30d", day) == (day < 8), "\(day)") }
        // Older goods alone make no new doubt, whether they come once or night after night: more payments do.
        #expect(try !isTold("C8 T8 @-50d", 10))
        #expect(try !isTold("C7 T7 @-60d", 11))
        #expect(try isTold("C6 T6 @-90d; O5 T5 @-70d; T5 @-70d", 12))
    }

    /// Without a file of credits, the payments are undetermined. The doubt stays as it was, and is not told anew.
    @Test(arguments: [4, 10]) func aNightThatCannotLookLeavesTheDoubtAsItWas(missing: Int) throws {
        var shop = SmallShop()
        let feed = FeedRecord(name: "credits", kind: .credits, isRequired: true, isDated: true)
        shop.settings.feeds = [ExpectedFeed(feed) { _ in true }]
        for day in 0...14 {
            let rows = [0: "O1 T1 @-30d; T1 @-30d; O2 T2; T2; C2 O2", 1: "C9 T9 @-45d"][day] ?? ""
            let night = try shop.night(rows, day: day) { delivered in
                let days = day == missing ? [] : day == missing + 1 ? [missing, day] : [day]
                delivered.arrivals = days.map {
                    Arrival(feed: "credits", date: ScenarioWorld.date.advanced(by: $0), file: "")
                }
            }
            #expect(night.report.coverageGaps.isEmpty == (day != missing), "\(day)")
            #expect((night.report.toldBreak != nil) == (1...7 ~= day), "\(day)")
            #expect((night.report.openBreak != nil) == (day > 0), "\(day)")
            let isLogged = night.warnings.contains { if case .goodsBreak = $0 { true } else { false } }
            #expect(isLogged == (1...7 ~= day), "the log tells what the headline tells: \(day)")
        }
    }

    private func carry(_ shop: SmallShop) throws -> (CarryForward, NightCases) {
        let delivered = shop.delivered("")
        var tonight = NightCases(Evidence(), in: shop.context(delivered, day: 1))
        try tonight.recall()
        try tonight.judge()
        return (try CarryForward(tonight.verdicts.findings.observations, in: shop.context(delivered, day: 1)), tonight)
    }

    private func shopWithALostPurchase() throws -> SmallShop {
        let shop = SmallShop()
        try shop.night("O1 T1; T1 6.00CNY")
        return shop
    }

    @Test func withholdingComesBeforeTheRegister() throws {
        var (carried, _) = try carry(try shopWithALostPurchase())
        #expect(carried.observations.map(\.retry?.action) == [.credit])
        #expect(carried.observations.allSatisfy { $0.purchasedAt != nil }, "the guard dates it by its purchase")
        let stray = StrayCredit(
            id: "C9", account: "a", order: nil, transaction: nil, givenAt: ScenarioWorld.horizon.instant,
            isUnplaced: true)
        var findings = Findings()
        findings.strayCredits = [stray]
        try carried.withhold(by: findings, LedgerFacts(), RejectedRows(zone: .utc), [], [])
        #expect(carried.observations.map(\.retry) == [nil] && carried.warnings.count == 1)
        #expect(carried.transitions.isEmpty)
    }

    @Test func anAcknowledgementOfAnUnknownKeyIsReportedWithItsPlace() throws {
        var (carried, _) = try carry(try shopWithALostPurchase())
        var delivered = Delivered()
        delivered.deliveries = [Delivery(9, .acks, ScenarioWorld.date, rows: 1)]
        let source = Provenance(delivery: 9, line: 4, fileDate: ScenarioWorld.date)
        delivered.evidence.acknowledgements = [
            Acknowledgement(key: "R?", outcome: .applied, at: Instant(milliseconds: 0), source: source)
        ]
        try carried.recordAnswers(in: delivered)
        let place = "\(delivered.deliveries[0].name):4"
        #expect(carried.warnings == [.unknownAcknowledgements(count: 1, key: "R?", place: place)])
        #expect(carried.answers.fresh.count == 1)
    }

    @Test func theRegisterCarriesAKnownExceptionForward() throws {
        var (carried, tonight) = try carry(try shopWithALostPurchase())
        try carried.updateExceptions(tonight.exceptions)
        #expect(carried.transitions.map(\.record.state) == [.open])
        #expect(carried.rollForward.allSatisfy(\.isProven) && !carried.rollForward.isEmpty)
    }

    @Test(arguments: [false, true])
    func aFindingOfTheGuardHoldsTheDemands(isGuarded: Bool) throws {
        var (carried, tonight) = try carry(try shopWithALostPurchase())
        try carried.updateExceptions(tonight.exceptions)
        let finding = GuardFinding(kind: .uncredited, feed: .credits, date: ScenarioWorld.date, count: 11, total: 20)
        try carried.updateRetries(isGuarded ? [finding] : [])
        #expect(carried.retries.lists.emitted.count == (isGuarded ? 0 : 1))
        #expect(carried.retries.lists.held.count == (isGuarded ? 1 : 0))
        #expect(carried.warnings.count == (isGuarded ? 1 : 0))
    }

    /// What hours or a product explain is held, and no more.
    @Test(arguments: [("com.shop.pack", false), (nil, true)])
    func aFindingHoldsWhatItExplains(product: String?, isHeld: Bool) throws {
        var (carried, tonight) = try carry(try shopWithALostPurchase())
        try carried.updateExceptions(tonight.exceptions)
        let paidAt = try #require(carried.observations[0].purchasedAt)
        let date = ScenarioWorld.policy.zone.date(of: paidAt)
        var finding = GuardFinding(kind: .lostTogether, feed: .credits, date: date, count: 3, total: 3)
        finding.detail = try .product(#require(product ?? carried.observations[0].retry?.product))
        try carried.updateRetries([finding])
        #expect(carried.retries.lists.held.count == (isHeld ? 1 : 0))
        #expect(carried.retries.lists.emitted.count == (isHeld ? 0 : 1))
        #expect(carried.warnings == [.guarded([finding], held: isHeld ? 1 : 0)])
    }

    @Test func aGapThatTheLastNightDidNotKnowIsNew() {
        let gap = CoverageGap(feed: .credits, date: ScenarioWorld.date, reason: .missing(feed: "credits"))
        let horizon = Horizon(
            instant: ScenarioWorld.horizon.instant, businessDate: ScenarioWorld.date,
            coverage: Coverage(firstDate: nil, gaps: [.credits: [ScenarioWorld.date]]))
        let basis = Basis(policy: ScenarioWorld.policy, horizon: horizon)
        #expect(basis.hasNewGap(in: .credits, upTo: ScenarioWorld.date, except: []))
        #expect(!basis.hasNewGap(in: .credits, upTo: ScenarioWorld.date, except: [gap]))
        #expect(!basis.hasNewGap(in: .credits, upTo: ScenarioWorld.date.advanced(by: -1), except: []))
        #expect(!basis.hasNewGap(in: .orders, upTo: ScenarioWorld.date, except: []))
    }
}
