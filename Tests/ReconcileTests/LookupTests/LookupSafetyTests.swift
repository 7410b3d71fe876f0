import Domain
import Foundation
import Testing

@testable import Engine
@testable import Ledger
@testable import Reconcile
@testable import Reports

@Suite struct LookupSafetyTests {
    @Test func aLostOrderIsSafeToCompensateWhileNobodyElseGivesIt() throws {
        let desk = try DeskFolder.lostOrder()
        #expect(try desk.safety("ORD1000000042") == "safe")
        #expect(try desk.run(["lookup", "ORD1000000042"]).output.contains("Safe to compensate by hand: YES"))
    }

    @Test func whatTheSystemWasToldToGiveIsNotSafe() throws {
        let desk = try DeskFolder.lostOrder(retry: "{}")
        // The receipt's check did not finish, but Apple's record proves the purchase: a machine may credit it.
        #expect(try desk.safety("ORD1000000042") == "retry_out")
        #expect(try desk.run(["lookup", "ORD1000000042"]).output.contains("Do not give anything by hand"))
    }

    @Test func whatTheCircuitBreakerHoldsIsNotSafe() throws {
        let desk = try DeskFolder.lostOrder(retry: "{ maxEntries: 0 }")
        #expect(try desk.safety("ORD1000000042") == "held")
        #expect(try desk.run(["lookup", "ORD1000000042"]).output.contains("on hold"))
    }

    @Test func anAnswerIsNoOlderThanTwoDays() throws {
        let desk = try DeskFolder.lostOrder()
        let morning = desk.now
        for (days, reason) in [(0, "safe"), (1, "safe"), (2, "stale"), (-2, "stale")] {
            desk.now = morning + .days(Int64(days))
            #expect(try desk.safety("ORD1000000042") == reason, "\(days) days later")
        }
    }

    /// Nor does one judge again what waits.
    @Test func whatWaitsForANightThatDidNotRunIsStale() throws {
        let desk = try DeskFolder()
        let order = "O1,acct-1,coins,1,6.00,CNY,,2000000123456789,paid,2025-11-01T23:50:00+08:00,"
        try desk.deliver("orders", [order], night: 0)
        try desk.deliver("credits", night: 0)
        try desk.night(0)
        let morning = desk.now
        for (days, reason) in [(1, "verdict"), (2, "stale")] {
            desk.now = morning + .days(Int64(days))
            #expect(try desk.rulings("O1").first?.hasPrefix("waiting") == true && desk.safety("O1") == reason)
        }
    }

    /// The last line of the manifest has long expired, and nobody runs the nights that would renew it.
    @Test func aNightThatDidNotRunPromisesNothing() throws {
        let desk = try DeskFolder.lostOrder(retry: "{}")
        let morning = desk.now
        for (days, reason) in [(1, "retry_out"), (2, "stale"), (4, "stale")] {
            desk.now = morning + .days(Int64(days))
            #expect(try desk.subjects("ORD1000000042")[0]["safe_reason"] as? String == reason, "\(days) days later")
        }
        let shown = try desk.run(["lookup", "ORD1000000042"], variables: ["COLUMNS": "300"]).output
        #expect(
            shown.contains("Inform your team lead that the nightly run is overdue")
                && !shown.contains("We will add them"), "\(shown)")
    }

    /// Nor is it found out only by who looks something up.
    @Test func everyPageSaysThatTheNightIsOld() throws {
        let desk = try DeskFolder.lostOrder()
        try desk.configure(settings: #"desk: { mayWork: ["li"], mayLead: ["li"] },"#)
        let morning = desk.now
        for (hours, isOld) in [(24, false), (27, true)] {
            desk.now = morning + .hours(Int64(hours))
            for query in ["", "queue", "lead"] {
                let page = try desk.web(nil, by: "li", ["QUERY_STRING": query, "HTTP_ACCEPT_LANGUAGE": "en"])
                #expect(page.contains("Attention: the records end on 2025-11-01, 2 days ago.") == isOld, "\(query)")
            }
        }
    }

    /// A night that the ledger does not know any more may have sent an entry, and the job has acted on it since.
    @Test func afterARestoreTheGoodsMayHaveBeenGiven() throws {
        let desk = try DeskFolder.lostOrder()
        #expect(try desk.run(["backup", "backup.sqlite"]).code == 0)
        #expect(try desk.safety("ORD1000000042") == "safe")
        #expect(try desk.run(["restore", "backup.sqlite", "--by", "Li"]).code == 0)
        for (night, reason) in [(0, "restored"), (1, "restored"), (2, "safe")] {
            if night > 0 { try desk.nights(night...night) }
            #expect(try desk.safety("ORD1000000042") == reason, "after night \(night)")
        }
        // What was bought after the restore is in no older entry.
        try desk.sell(1..<2, credited: 0..<0, night: 3)
        try desk.night(3)
        #expect(try desk.run(["backup", "second.sqlite"]).code == 0)
        let night = desk.now
        desk.now = night + .hours(-22)
        #expect(try desk.run(["restore", "second.sqlite", "--by", "Li"]).code == 0)
        desk.now = night
        #expect(try desk.safety(DeskFolder.sold(1)) == "safe")
        #expect(try desk.safety("ORD1000000042") == "restored")
    }

    @Test func aMissingCreditsFileMakesItUnsafe() throws {
        let desk = try DeskFolder.lostOrder()
        try desk.deliver("receipts", night: 1)
        try desk.night(1)
        #expect(try desk.safety("ORD1000000042") != "safe")
        let answer = try desk.run(["lookup", "ORD1000000042"]).output
        #expect(answer.contains("Missing files: credits 2025-11-02"))
    }

    @Test func creditsThatMayComeLateAreWaitedForThoughTheFeedIsNotRequired() throws {
        let desk = try DeskFolder.lostOrder()
        try desk.configure(requires: [])
        try desk.deliver("receipts", night: 1)
        try desk.night(1)
        #expect(try desk.rulings("ORD1000000042") == ["paid_not_credited/receipt_unverified"])
        #expect(try desk.safety("ORD1000000042") == "credits_missing")
        try desk.deliver("credits", night: 1)
        try desk.deliver("credits", night: 2)
        try desk.night(2)
        #expect(try desk.safety("ORD1000000042") == "safe")
    }

    @Test func whatWasTakenBackWithoutARefundIsNotSafe() throws {
        let desk = try DeskFolder.lostOrder()
        let row = { (id: String, kind: String, hour: String) in
            "\(id),ORD1000000042,2000000123456789,acct-lost-7,\(kind),auto,\(desk.date(1))T\(hour):00:00+08:00"
        }
        try desk.deliver("credits", [row("CR1", "credit", "10"), row("CR2", "reversal", "11")], night: 1)
        try desk.night(1)
        for night in 2...9 { try desk.deliver("credits", night: night) }
        try desk.night(9)
        #expect(try desk.rulings("CR2") == ["paid_not_credited/reversed_without_refund"])
        #expect(try desk.safety("CR2") == "taken_back")
    }

    @Test func anUnknownOwnerIsNotSafe() throws {
        let desk = try DeskFolder()
        try desk.deliver("credits", night: 0)
        try desk.deliverTransactions([("2000000555555555", "")], night: 0)
        try desk.night(0)
        #expect(try desk.safety("2000000555555555") == "owner_unknown")
    }

    @Test func aChangedRuleIsForTheNextNightToSettle() throws {
        let desk = try DeskFolder.lostOrder()
        try desk.configure(settings: "grace: { credit: \"2h\" },")
        #expect(try desk.safety("ORD1000000042") == "rules_changed")
    }

    /// In another environment, the payment is out of scope, and its order would be one that nobody has paid.
    @Test func aChangedEnvironmentMakesNoPayerOneWhoHasNotPaid() throws {
        let desk = try DeskFolder()
        let configuration = try desk.folder.read("reconcile.json")
        func set(_ app: String) throws {
            try desk.folder.write(configuration.replacing("app: {", with: "app: { \(app),"), to: "reconcile.json")
        }
        try set(#"appAccountToken: "account""#)
        let token = "1d625e20-8e90-4318-1cf0-bfcf6828c345"
        let order = "O1,acct-1,coins,1,6.00,CNY,\(token),,pending,\(desk.date(0))T11:59:00+08:00,"
        try desk.deliver("orders", [order], night: 0)
        try desk.deliverTransactions([("2000000123456789", #","appAccountToken":"\#(token)""#)], night: 0)
        try desk.deliver("credits", night: 0)
        try desk.night(0)
        let before = try desk.rulings("O1")
        #expect(before == ["paid_not_credited/no_order", "waiting/closed"])
        try set(#"appAccountToken: "account", environment: "Sandbox""#)
        #expect(try desk.rulings("O1") == before)
        #expect(try desk.subjects("O1").map { $0["safe_reason"] as? String } == ["rules_changed", "purchase_open"])
        let said = try desk.run(["lookup", "O1"]).output
        #expect(said.contains("settings were changed") && !said.contains("has not been paid"), "\(said)")
    }

    /// A paid purchase of account `a`. The last night was yesterday's, and no file is missing.
    private var paid: SafetyFacts {
        var judgement = Judgement(
            subject: SubjectKey(.transaction, "T1"), verdict: .paidNotCredited, cause: .noReceipt,
            anchor: Instant(milliseconds: 0))
        judgement.owner = "a"
        return SafetyFacts(
            judgement: judgement, accounts: ["a"], retries: [], daysSinceLastNight: 1, creditsMissing: nil,
            hasNewRules: false)
    }

    @Test func onlyALostOrderIsEverSafe() {
        #expect(paid.safety == .safe)
        for verdict in Verdict.allCases where verdict != .paidNotCredited {
            var facts = paid
            facts.judgement.verdict = verdict
            #expect(facts.safety == .verdict, "\(verdict)")
        }
        var facts = paid
        facts.accounts = ["a", "b"]
        #expect(facts.safety == .ownerDisputed)
        facts = paid
        facts.creditsMissing = BusinessDate(day: 20_000)
        #expect(facts.safety == .creditsMissing(BusinessDate(day: 20_000)))
    }

    /// Where rows say what was given, an order's word alone does not settle it.
    @Test func theOrdersWordAloneIsDoubtedWhereCreditsAreRequired() throws {
        var facts = paid
        facts.judgement.verdict = .matched
        facts.judgement.flags = [.statusOnly]
        #expect(facts.safety == .verdict)
        facts.areCreditsRequired = true
        #expect(facts.safety == .statusOnly)
        facts.judgement.verdict = .refundedNotReversed
        #expect(facts.safety == .verdict)

        for (requires, reason, answer) in [
            (Set(["credits"]), "status_only", "NO – only the order's status says"), ([], "verdict", "NOT NEEDED"),
        ] {
            let desk = try DeskFolder()
            try desk.configure(requires: requires)
            let order = { (number: Int) in
                "ORD\(number),a\(number),coins,1,6.00,CNY,,200000012345678\(number),credited,\(desk.noon(0)),"
            }
            try desk.deliver("orders", (1...3).map(order), night: 0)
            try desk.deliverTransactions((1...3).map { ("200000012345678\($0)", "") }, night: 0)
            let credit = { (number: Int) in "CR\(number),ORD\(number),,a\(number),credit,auto,\(desk.noon(0))" }
            try desk.deliver("credits", (1...2).map(credit), night: 0)
            try desk.night(0)
            #expect(try desk.safety("ORD3") == reason)
            let said = try desk.run(["lookup", "ORD3"]).output
            #expect(said.contains("Safe to compensate by hand: " + answer))
            #expect(said.contains("everything agrees") == requires.isEmpty)
            #expect(try desk.safety("ORD2") == "verdict")
            let summary = try desk.folder.read("out/latest/summary.txt")
            #expect(summary.contains("delivered by the order's status alone 1"))
            let isTold = !requires.isEmpty
            let page = try desk.folder.read("out/latest/report.html")
            for text in [summary, page] { #expect(text.contains("Deliveries without a credit row") == isTold) }
        }
    }

    /// Whether the desk may act is decided for each cause.
    @Test func everyCauseOfALostOrderHasItsAnswer() {
        let answers: [Cause: LookupSafety] = [
            .creditedShort: .partlyGiven, .reversedWithoutRefund: .takenBack, .crossedOrder: .orderCrossed,
            .paidTwice: .paidTwice,
            .closedOrder: .safe, .receiptRejected: .safe, .receiptUnverified: .safe, .noOrder: .safe, .noReceipt: .safe,
            .creditFailed: .safe,
        ]
        for cause in Verdict.paidNotCredited.causes {
            var facts = paid
            facts.judgement.cause = cause
            #expect(facts.safety == answers[cause], "\(cause)")
        }
    }

    @Test func eachDoubtMakesItUnsafe() {
        let day = BusinessDate(day: 20_000)
        let doubts: [(LookupSafety, (inout SafetyFacts) -> Void)] = [
            (.waived, { $0.isWaived = true }), (.retryApplied, { $0.answers = [.applied] }),
            (.retryUnclear, { $0.answers = [.preconditionFailed, .permanentError] }),
            (.guarded, { $0.isGuarded = true }), (.ownerDisputed, { $0.hasForeignToken = true }),
            (.creditOnRecord(["C1"]), { $0.creditsOnRecord = ["C1"] }),
            (.creditUnplaced(["C1"]), { $0.unplacedCredits = ["C1"] }),
            (.alreadyOwned(["T2"]), { ($0.earlierPayments, $0.unplacedCredits) = (["T2"], ["C2"]) }),
            (.recordsMissing(.orders, day), { $0.recordsMissing = (.orders, day) }),
            (.orderCrossed, { $0.judgement.cause = .crossedOrder }),
            (.paidTwice, { $0.judgement.cause = .paidTwice }),
            (.refundReported(.record), { $0.judgement.flags = .refundReported }),
            (.recordsDisagree, { $0.judgement.flags = .recordsDisagree }),
            (.partlyGiven, { $0.judgement.cause = .creditedShort }), (.stale(3), { $0.daysSinceLastNight = 3 }),
        ]
        for (safety, doubt) in doubts {
            var facts = paid
            doubt(&facts)
            #expect(facts.safety == safety)
        }
    }

    @Test(
        arguments: [
            (RetryEntry.State.waiting, nil, nil, true, false, LookupSafety.retryOut),
            (.held, nil, nil, true, false, .held), (.held, nil, nil, true, true, .retryOut),
            (.dead, .attempts, nil, true, false, .safe), (.dead, .attempts, nil, true, true, .retryOut),
            (.dead, .permanentError, .permanentError, true, true, .safe),
            (.dead, .preconditionFailed, .preconditionFailed, true, true, .retryUnclear),
            (.dead, .anotherKey, nil, true, false, .retryUnclear),
            (.dead, .attempts, .applied, true, false, .retryUnclear),
            (.waiting, nil, nil, false, true, .retryOut), (.waiting, nil, nil, false, false, .safe),
            (.waiting, nil, .applied, false, false, .retryUnclear),
        ] as [(RetryEntry.State, RetryEnd?, AckOutcome?, Bool, Bool, LookupSafety)])
    func whatBecameOfARetryEntryDecides(
        state: RetryEntry.State, end: RetryEnd?, answer: AckOutcome?, isDemanded: Bool, isValid: Bool,
        expected: LookupSafety
    ) {
        let retry = RetryFacts(
            action: .credit, environment: "Production", verdict: .paidNotCredited, cause: .noReceipt)
        var entry = RetryEntry(facts: retry, exception: ExceptionID(bits: 1), due: BusinessDate(day: 20_000))
        entry.state = state
        entry.end = end
        entry.answer = answer
        entry.isDemanded = isDemanded
        var facts = paid
        #expect(LookupSafety.safeAfterTries(2).isSafe && !LookupSafety.held.isSafe)
        facts.retries = [entry]
        if isValid { facts.validKeys = [entry.key] }
        #expect(facts.safety == expected)
        // What the consumer once said is not forgotten when the entry goes out again.
        facts.answers = [.applied]
        #expect(facts.safety == .retryApplied)
    }
}
