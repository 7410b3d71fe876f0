internal import Domain
internal import Testing

@testable import Engine

/// docs/spec/rules.md#retry-entries, night by night, without a ledger.
@Suite struct RetryRegisterTests {
    /// Plays nights of consecutive days.
    private final class Nights {
        var settings = RetrySettings()
        var night = 0
        var entries: [RetryEntry] = []
        var history: [RetryTotals] = []
        var isGuarded = false

        func release(_ key: String) -> Bool {
            let index = entries.firstIndex { $0.key == key }!
            return entries[index].release()
        }

        @discardableResult
        func play(
            _ demands: [RetryFacts], answers: [(key: String, outcome: AckOutcome)] = [], isAgain: Bool = false,
            ahead: Milliseconds = .days(0)
        ) -> RetryRegister {
            if !isAgain { night += 1 }
            let date = BusinessDate(day: 20_000).advanced(by: night)
            let asOf = Instant(milliseconds: Int64(date.day + 1) * 86_400_000)
            var book = RetryRegister(settings: settings, businessDate: date, asOf: asOf, history: history)
            book.load(entries)
            _ = book.record(answers.map { Acknowledgement(key: $0.key, outcome: $0.outcome, at: asOf + ahead) })
            book.apply(
                demands.map { (exception(of: $0.transaction ?? ""), $0) },
                guarded: isGuarded ? Set(demands.map(\.key)) : [])
            entries = book.entries.values.sorted { $0.key < $1.key }
            history.insert(
                RetryTotals(
                    count: book.counts.emitted - (book.counts.queries ?? 0),
                    worth: MoneySum(book.counts.emittedAmounts)),
                at: 0)
            return book
        }

        /// The number of the attempt that was emitted tonight; `-` if the entry is waiting; else the list it is on.
        func step(
            _ facts: RetryFacts?, _ outcome: AckOutcome? = nil, of key: String? = nil
        ) -> String {
            let answers = outcome.map { [(key: key ?? facts?.key ?? "", outcome: $0)] } ?? []
            let book = play(facts.map { [$0] } ?? [], answers: answers)
            if let line = book.lists.emitted.first { return String(line.attempt) }
            if let line = book.lists.dead.first { return line.end!.rawValue }
            return book.lists.held.isEmpty ? "-" : "held"
        }
    }

    private func credit(
        _ transaction: String = "T1", account: String = "A", quantity: Int64 = 1, minor: Int64 = 600,
        currency: Currency = "CNY"
    ) -> RetryFacts {
        var facts = RetryFacts(
            action: .credit, environment: "Production", verdict: .paidNotCredited, cause: .noReceipt)
        facts.transaction = transaction
        facts.account = account
        facts.quantity = quantity
        facts.amount = Money(minor: minor, currency: currency)
        facts.key = facts.permanentKey
        return facts
    }

    @Test func withoutAnswersAnEntryIsEmittedInNights0_1_2_4_8_15AndThenDead() {
        let nights = Nights()
        let steps = (0...18).map { _ in nights.step(credit()) }
        let expected = "1 2 3 - 4 - - - 5 - - - - - - 6 attempts attempts attempts"
        #expect(steps.joined(separator: " ") == expected)
    }

    @Test(
        arguments: [
            (1, "1 attempts attempts"), (2, "1 2 attempts"), (3, "1 2 3 attempts"), (4, "1 2 3 - 4 attempts"),
            (8, "1 2 3 - 4 - - - 5 - - - - - - 6 - - - - - - 7 - - - - - - 8 attempts"),
        ])
    func theConfigurationSaysHowManyAttemptsThereAre(_ most: Int, _ expected: String) {
        let nights = Nights()
        nights.settings.attemptsMax = most
        let steps = expected.split(separator: " ").map { _ in nights.step(credit()) }
        #expect(steps.joined(separator: " ") == expected)
    }

    @Test func aPermanentErrorIsDeadAtOnceAndStaysDeadWhateverTheFactsBecome() {
        let nights = Nights()
        #expect(nights.step(credit()) == "1")
        #expect(nights.step(credit(), .permanentError) == "permanent_error")
        #expect(nights.step(credit(minor: 700)) == "permanent_error")
        #expect(nights.step(nil) == "-")
        #expect(nights.step(credit()) == "permanent_error")
    }

    @Test func aFailedPreconditionWaitsForOtherFacts() {
        let nights = Nights()
        #expect(nights.step(credit()) == "1")
        #expect(nights.step(credit(), .preconditionFailed) == "precondition_failed")
        #expect(nights.step(credit()) == "precondition_failed")
        // A client can send any number of receipts.
        var claimed = credit()
        claimed.evidence = [RetryEvidence(source: "receipts.csv", line: 2, digest: "")]
        claimed.suggestedOrders = ["O9"]
        claimed.cause = .receiptRejected
        claimed.preconditions.append(.noCreditForSuggestedOrders)
        #expect(nights.step(claimed) == "precondition_failed")
        #expect(nights.step(credit(minor: 700)) == "2")
    }

    @Test func anAnswerFromTheFutureDoesNotBlockLaterOnes() {
        let nights = Nights()
        nights.play([credit()])
        nights.play([credit()], answers: [(credit().key, .retryableError)], ahead: .days(20_000))
        #expect(nights.step(credit(), .permanentError) == "permanent_error")
    }

    @Test func whatIsAnsweredWithoutEffectIsCounted() {
        for outcome in [AckOutcome.retryableError, .applied] {
            let nights = Nights()
            nights.play([credit()])
            var counts: [RetryCounts] = []
            while counts.last?.ineffective == nil, counts.count < 9 {
                counts.append(nights.play([credit()], answers: [(credit().key, outcome)]).counts)
            }
            // The third emission; a night after each `applied` is left for its credit.
            #expect(counts.count == (outcome == .applied ? 4 : 2), "\(counts)")
            #expect(counts.last?.ineffective == 1 && counts.allSatisfy { $0.unanswered == nil })
        }
    }

    @Test func aRetryableErrorChangesNothing() {
        let nights = Nights()
        #expect([nights.step(credit()), nights.step(credit(), .retryableError)] == ["1", "2"])
    }

    @Test func anAppliedOneGetsAStepOfTimeForItsCreditToShowAndIsThenAskedForAgainUnderItsKey() {
        let nights = Nights()
        let first = nights.play([credit()]).lists.emitted[0]
        #expect(nights.step(credit(), .applied) == "-")
        // A second such answer to the same emission gains no more time.
        let again = nights.play([credit()], answers: [(credit().key, .alreadyApplied)]).lists.emitted
        #expect(again.map(\.facts.key) == [first.facts.key] && again.map(\.attempt) == [2])
        #expect(again[0].firstEmitted == first.firstEmitted)
    }

    @Test func anOlderAnswerThatComesLateDoesNotCount() {
        let nights = Nights()
        nights.play([credit()])
        nights.play([credit()], answers: [(credit().key, .retryableError)])
        var book = RetryRegister(
            settings: nights.settings, businessDate: BusinessDate(day: 20_003), asOf: Instant(milliseconds: 0))
        book.load(nights.entries)
        let late = Acknowledgement(
            key: credit().key, outcome: .permanentError, at: nights.entries[0].answeredAt! + .hours(-1))
        #expect(book.record([late]).isEmpty)
        book.apply([(exception(of: "T1"), credit())])
        #expect(book.lists.emitted.count == 1 && book.lists.dead.isEmpty)
    }

    /// A night reads all entries of some exceptions after it has heard the answers.
    @Test func anEntryThatIsReadAgainKeepsItsAnswer() {
        let nights = Nights()
        nights.play([credit()])
        var book = RetryRegister(
            settings: nights.settings, businessDate: BusinessDate(day: 20_002), asOf: Instant(milliseconds: 0))
        book.load(nights.entries)
        let answer = Acknowledgement(key: credit().key, outcome: .permanentError, at: Instant(milliseconds: 5))
        #expect(book.record([answer]).isEmpty)
        book.load(nights.entries)
        book.apply([(exception(of: "T1"), credit())])
        #expect(book.lists.emitted.isEmpty && book.lists.dead.count == 1)
        #expect(book.changes.map(\.answer) == [.permanentError])
    }

    @Test func whatIsNoLongerAskedForIsWithdrawnAndKeepsItsAttempts() {
        let nights = Nights()
        #expect(nights.step(credit()) == "1")
        let withdrawn = nights.play([])
        #expect(withdrawn.counts == RetryCounts() && withdrawn.lists == RetryLists())
        #expect(nights.step(credit()) == "2")
    }

    @Test func aSecondRunOfTheNightListsTheSameAndCountsNoAttempt() {
        let nights = Nights()
        nights.play([credit()])
        let again = nights.play([credit(), credit("T2")], isAgain: true)
        #expect(again.lists.emitted.map(\.attempt) == [1, 1])
        #expect(nights.step(credit()) == "2")
    }

    @Test func anUnknownKeyIsHandedBack() {
        var book = RetryRegister(
            settings: RetrySettings(), businessDate: BusinessDate(day: 1), asOf: Instant(milliseconds: 0))
        let stranger = Acknowledgement(key: "R0", outcome: .applied, at: Instant(milliseconds: 0))
        #expect(book.record([stranger]) == [stranger])
    }
}

extension RetryRegisterTests {
    @Test func theKeyIsOfActionEnvironmentBundleTransactionAccountAndQuantityAlone() {
        let known = credit().key
        var other = credit(minor: 900, currency: "USD")
        other.verdict = .orderMissing
        other.order = "O9"
        other.evidence = [RetryEvidence(source: "x", line: 1, digest: "00")]
        #expect(other.permanentKey == known)
        let changes: [(inout RetryFacts) -> Void] = [
            { $0.action = .reverseCredit }, { $0.environment = "Sandbox" }, { $0.bundle = "b" },
            { $0.transaction = "T2" }, { $0.account = "B" }, { $0.quantity = 2 },
        ]
        var keys = Set([known])
        for change in changes {
            var facts = credit()
            change(&facts)
            keys.insert(facts.permanentKey)
        }
        #expect(keys.count == changes.count + 1)
        // Keys never change, because consumers store them.
        #expect(known == "Rf459627052d5d3b333090474a1383312")
    }

    @Test func anotherAccountForTheSameGoodsIsAPersonsToDecide() {
        let nights = Nights()
        #expect(nights.step(credit()) == "1")
        #expect(nights.step(credit(account: "B")) == "another_key")
        #expect(nights.step(credit(account: "B")) == "another_key")
        #expect(nights.release(credit(account: "B").key))
        #expect(nights.step(credit(account: "B")) == "1")
        #expect(nights.step(credit(account: "B")) == "2")
    }

    @Test func askingAppleUnderAnotherKeyHarmsNobody() {
        let nights = Nights()
        var first = credit()
        first.action = .fetchTransaction
        first.key = first.permanentKey
        var second = credit(account: "B")
        second.action = .fetchTransaction
        second.key = second.permanentKey
        #expect([nights.step(first), nights.step(second)] == ["1", "1"])
    }

    @Test func aReleasedDeadEntryHasAllItsAttemptsBeforeIt() {
        let nights = Nights()
        nights.settings.attemptsMax = 2
        let before = (0..<3).map { _ in nights.step(credit()) }
        #expect(before == ["1", "2", "attempts"])
        #expect(nights.release(credit().key))
        #expect(!nights.release(credit().key))
        let after = (0..<3).map { _ in nights.step(credit()) }
        #expect(after == ["3", "4", "attempts"])
    }
}

extension RetryRegisterTests {
    private func credits(_ range: Range<Int>, minor: Int64 = 600, currency: Currency = "CNY") -> [RetryFacts] {
        range.map { credit("T\($0)", minor: minor, currency: currency) }
    }

    @Test func moreEntriesThanTheCapHoldTheWholeManifestUntilAPersonReleasesIt() {
        let nights = Nights()
        nights.settings.entriesMax = 3
        let all = credits(0..<4)
        let first = nights.play(all)
        #expect(first.counts.holdReason == HoldReason(.entries, 4, 3))
        #expect(first.counts.held == 4 && first.counts.emitted == 0)
        #expect(first.lists.held.map(\.attempt) == [1, 1, 1, 1] && first.lists.held[0].expiresAt == nil)
        // Other entries go out; the held ones stay.
        let second = nights.play(all + credits(4..<6))
        #expect(second.counts.held == 4 && second.lists.emitted.map(\.attempt) == [1, 1])
        let freed = Set(all.prefix(2).map(\.key))
        for key in freed { #expect(nights.release(key)) }
        let third = nights.play(all)
        #expect(Set(third.lists.emitted.map(\.facts.key)) == freed && third.lists.emitted[0].attempt == 1)
        #expect(third.counts.held == 2)
        #expect(nights.play(all).lists.emitted.map(\.attempt) == [2, 2])
    }

    @Test func exactlyTheCapGoesOut() {
        let nights = Nights()
        nights.settings.entriesMax = 3
        nights.settings.amountMax = ["CNY": 1800]
        #expect(nights.play(credits(0..<3)).counts.emitted == 3)
    }

    @Test func moreValueOfACurrencyThanItsCapHoldsTheManifest() {
        let nights = Nights()
        nights.settings.amountMax = ["CNY": 1799, "JPY": 100]
        let book = nights.play(credits(0..<3) + credits(3..<9, currency: "USD"))
        #expect(book.counts.holdReason == HoldReason(.worth, "18.00 CNY", "17.99"))
        #expect(book.counts.held == 9)
    }

    @Test(arguments: [
        (2, 0, 101, true), (3, 0, 101, false), (7, 0, 100, true), (7, 0, 101, false), (7, 30, 150, true),
        (7, 30, 151, false),
    ])
    func onceThreeRunsExistFiveTimesTheUsualIsTheLimit(_ runs: Int, _ usual: Int, _ tonight: Int, _ goesOut: Bool) {
        let nights = Nights()
        nights.history = (0..<runs).map { _ in
            RetryTotals(count: usual, worth: MoneySum([Money(minor: .max, currency: "CNY")]))
        }
        #expect((nights.play(credits(0..<tonight)).counts.held == 0) == goesOut)
    }

    @Test func aValueFarFromTheUsualIsHeldThoughTheNumberIsNot() {
        let nights = Nights()
        nights.history = (0..<7).map { _ in
            RetryTotals(count: 150, worth: MoneySum([Money(minor: 90_000, currency: "CNY")]))
        }
        #expect(nights.play(credits(0..<150, minor: 3000)).counts.held == 0)
        nights.entries = []
        nights.history = (0..<7).map { _ in
            RetryTotals(count: 150, worth: MoneySum([Money(minor: 90_000, currency: "CNY")]))
        }
        let book = nights.play(credits(0..<150, minor: 3001))
        #expect(book.counts.holdReason == HoldReason(.muchWorth, "4501.50 CNY", "900.00"))
    }

    private func query(_ transaction: String, account: String = "A") -> RetryFacts {
        var facts = RetryFacts(
            action: .fetchTransaction, environment: "Production", verdict: .orphanReceipt, cause: .unknownTransaction)
        facts.transaction = transaction
        facts.account = account
        facts.amount = Money(minor: 1_000_000, currency: "CNY")
        facts.key = facts.permanentKey
        return facts
    }

    /// Clients' receipts lead to entries that move no goods. These hold nothing back, and count neither towards the
    /// caps nor towards the medians of entries that do.
    @Test func aFloodOfQueriesHoldsNoCreditAndWaitsItsTurn() {
        let nights = Nights()
        nights.settings.entriesMax = 10
        nights.settings.amountMax = ["CNY": 6000]
        let flood = (0..<25).map { query("X\($0)", account: "attacker") } + [query("real", account: "honest")]
        let first = nights.play(flood + credits(0..<10))
        #expect(first.counts.holdReason == nil && first.counts.held == 0)
        #expect(first.counts.emitted == 20 && first.counts.queries == 10 && first.counts.waiting == 16)
        #expect(first.lists.emitted.contains { $0.facts.transaction == "real" }, "of each account one first")
        #expect(first.counts.emittedAmounts == [Money(minor: 6000, currency: "CNY")])
        // The same date again: the same result.
        #expect(nights.play(flood + credits(0..<10), isAgain: true).lists.emitted.count == 20)
        let held = nights.play(flood + credits(20..<31))
        #expect(held.counts.held == 11 && held.counts.queries == 10, "what is held are the credits")
    }

    @Test func aCurrencyWithoutACapIsHeldAndWithoutAnyCapHasADefault() {
        let nights = Nights()
        #expect(nights.play(credits(0..<2, minor: 5_000_000)).counts.emitted == 2)
        #expect(
            nights.play(credits(2..<4, minor: 5_000_001)).counts.holdReason
                == HoldReason(.worth, "100000.02 CNY", "100000.00"))
        nights.settings.amountMaxOfOthers = nil
        nights.settings.amountMax = ["USD": 100]
        #expect(nights.play(credits(4..<5)).counts.holdReason == HoldReason(.noLimit, "CNY"))
        nights.settings.amountMax["CNY"] = .max
        var priceless = credits(5..<6)
        priceless[0].amount = nil
        #expect(nights.play(priceless).counts.holdReason == HoldReason(.unknownWorth, 1))
    }

    @Test func aGuardedNightHoldsEverythingUntilAPersonReleasesIt() {
        let nights = Nights()
        nights.isGuarded = true
        let book = nights.play(credits(0..<2) + [query("X")])
        #expect(book.counts.held == 3 && book.counts.holdReason == nil)
        #expect(nights.release(credits(0..<1)[0].key))
        #expect(nights.play(credits(0..<2) + [query("X")]).lists.emitted.count == 1)
    }

    @Test func sumsBeyondAllNumbersAreHeldAndNoTrap() {
        let nights = Nights()
        nights.settings.amountMax = ["CNY": .max - 1]
        #expect(nights.play(credits(0..<3, minor: .max / 2)).counts.held == 3)
    }
}

private func exception(of transaction: String) -> ExceptionID {
    ExceptionRegister.id(of: SubjectKey(.transaction, Identifier(transaction)))
}
