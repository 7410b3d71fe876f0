internal import Domain
import Testing

@testable import Engine

/// The exception register, night by night with observations made by hand: docs/spec/rules.md#exceptions.
@Suite struct ExceptionRegisterTests {
    @Test func aNewExceptionOpensUnderTheHashOfItsKey() {
        let night = Night(1).play([sees("order:O1", .paidNotCredited)])
        #expect(night.states == ["order:O1": "new"])
        #expect(night.transitions[0].record.id == ExceptionRegister.id(of: SubjectKey(.order, "O1")))
        #expect(
            night.transitions[0].row?.firstSeen == BusinessDate("2025-11-01")
                && night.line.new == CountAndAmount(count: 1, minor: 600))
    }

    @Test func whatStaysOpensChangesResolvesAndReopensInTurn() {
        let first = Night(1).play([sees("order:O1", .paidNotCredited)])
        let second = Night(2).play([sees("order:O1", .paidNotCredited)], after: first)
        let third = Night(3).play([sees("order:O1", .valueMismatch)], after: second)
        let fourth = Night(4).play([sees("order:O1", .matched)], after: third)
        let fifth = Night(5).play([sees("order:O1", .paidNotCredited)], after: fourth)
        let nights = [second, third, fourth, fifth]
        #expect(nights.map { $0.states["order:O1"] } == ["open", "changed", "resolved", "reopened"])
        #expect(
            nights.allSatisfy {
                $0.transitions.count == 1 && $0.transitions[0].record.id == first.transitions[0].record.id
            })
        #expect(nights.allSatisfy { $0.transitions[0].row?.firstSeen == BusinessDate("2025-11-01") })
        #expect(fourth.transitions[0].row?.lastSeen == BusinessDate("2025-11-03"))
        #expect(fourth.transitions[0].row?.lastEvent == .resolvedAs(.matched, .none, evidence: []))
    }

    @Test func waitingKeepsTheExceptionOpen() {
        let first = Night(1).play([sees("order:O1", .paidNotCredited)])
        for verdict in [Verdict.waiting, .undetermined] {
            let night = Night(2).play([sees("order:O1", verdict)], after: first)
            #expect(night.states == ["order:O1": "open"] && night.transitions[0].record.verdict == .paidNotCredited)
        }
    }

    @Test func anExceptionThatIsKeptOpenShowsTonightsFacts() throws {
        let first = Night(1).play([sees("order:O1", .paidNotCredited)])
        let same = Night(2).play([sees("order:O1", .waiting, behind: .paidNotCredited)], after: first)
        #expect(same.states == ["order:O1": "open"] && same.transitions[0].row?.action == .wait)
        let other = Night(2).play([sees("order:O1", .waiting, behind: .creditedNotPaid, minor: 900)], after: first)
        let row = try #require(other.transitions[0].row)
        #expect(row.verdict == .creditedNotPaid && row.action == .wait && row.state == .changed)
        #expect(row.id == first.transitions[0].record.id && row.firstSeen == BusinessDate("2025-11-01"))
        #expect(other.isProven && other.transitions[0].record.amount?.minor == 900)
        #expect(other.transitions[0].event == .changedFrom(.paidNotCredited, .none))
    }

    /// The reports have no list of closed subjects, so the exception stays under its verdict.
    @Test func anExceptionWhoseSubjectWaitsToCloseKeepsItsVerdict() throws {
        let first = Night(1).play([sees("order:O1", .orderUnverified)])
        let night = Night(2).play([sees("order:O1", .waiting, behind: .closed)], after: first)
        let row = try #require(night.transitions[0].row)
        #expect(row.verdict == .orderUnverified && row.action == .wait && row.state == .open)
    }

    @Test func whatOnlyWaitsOpensNoException() {
        #expect(Night(1).play([sees("order:O1", .waiting, behind: .paidNotCredited)]).transitions.isEmpty)
    }

    @Test func anExceptionFollowsItsSubjectToAnotherKey() {
        let first = Night(1).play([sees("order:O1", .orderUnverified)])
        let second = Night(2).play([sees("transaction:T1", .paidNotCredited, aliases: ["order:O1"])], after: first)
        #expect(second.states == ["transaction:T1": "changed"])
        #expect(second.transitions[0].record.id == first.transitions[0].record.id)
    }

    @Test func aResolvedExceptionFollowsItsSubjectTooAndComesBack() {
        let first = Night(1).play([sees("order:O1", .orderUnverified)])
        let second = Night(2).play([sees("order:O1", .closed)], after: first)
        let third = Night(3).play([sees("transaction:T1", .paidNotCredited, aliases: ["order:O1"])], after: second)
        #expect(third.states == ["transaction:T1": "reopened"])
        #expect(third.transitions.map(\.record.id) == first.transitions.map(\.record.id))
    }

    @Test func casesThatMergeLeaveOneExceptionAndAReason() {
        let first = Night(1).play([sees("order:O1", .orderUnverified), sees("transaction:T1", .orderMissing)])
        let ids = Dictionary(uniqueKeysWithValues: first.transitions.map { ($0.record.subject.text, $0.record.id) })
        let second = Night(2).play([sees("transaction:T1", .paidNotCredited, aliases: ["order:O1"])], after: first)
        #expect(second.states == ["transaction:T1": "changed", "order:O1": "resolved"])
        let merged = second.transitions.first { $0.record.id == ids["order:O1"] }
        #expect(merged?.event == .mergedInto(ids["transaction:T1"]!))
    }

    /// Otherwise an open exception would be merged into a resolved one while its subject is still waiting.
    @Test func anOpenExceptionIsNeverMergedIntoAResolvedOne() {
        let first = Night(1).play([sees("transaction:T1", .orderMissing)])
        let second = Night(2).play(
            [sees("transaction:T1", .matched), sees("order:O1", .orderUnverified)], after: first)
        let third = Night(3).play([sees("transaction:T1", .waiting, aliases: ["order:O1"])], after: second)
        #expect(third.states["transaction:T1"] == "open")
        #expect(third.records.filter(\.isOpen).map(\.id) == [ExceptionRegister.id(of: SubjectKey(.order, "O1"))])
    }

    /// The first exception of the key may belong to another subject by now.
    @Test func anExceptionNeverTakesAnothersId() {
        let first = Night(1).play([sees("order:O1", .orderUnverified)])
        let second = Night(2).play([sees("transaction:T1", .paidNotCredited, aliases: ["order:O1"])], after: first)
        let third = Night(3).play(
            [sees("transaction:T1", .paidNotCredited), sees("order:O1", .orderUnverified)], after: second)
        #expect(third.states == ["transaction:T1": "open", "order:O1": "new"])
        #expect(Set(third.transitions.map(\.record.id)).count == 2)
    }

    @Test func aWaiverLeavesTheBalanceOnceAndComesBackWhenFactsChange() {
        let first = Night(1).play([sees("order:O1", .paidNotCredited)]).waived()
        let second = Night(2).play([sees("order:O1", .paidNotCredited)], after: first)
        #expect(second.line.waived.count == 1 && second.line.closing.count == 0 && second.isProven)
        #expect(second.states == ["order:O1": "waived"])
        let third = Night(3).play([sees("order:O1", .paidNotCredited)], after: second)
        #expect(third.states.isEmpty && third.isProven)
        let fourth = Night(4).play([sees("order:O1", .valueMismatch)], after: third)
        #expect(fourth.states == ["order:O1": "reopened"] && fourth.isProven)
    }

    /// Any client can send a receipt, and a backend closes the order of a payment whose goods a person refused to give.
    @Test(arguments: [
        (Verdict.paidNotCredited, Cause.noOrder, Cause.receiptRejected, "waived"),
        (.paidNotCredited, .noReceipt, .creditFailed, "waived"),
        (.paidNotCredited, .creditFailed, .closedOrder, "waived"),
        (.orphanReceipt, .notInReceipt, .receiptUnverified, "waived"),
        (.orphanReceipt, .notInReceipt, .closedOrder, "reopened"),
    ])
    func receiptsAndOrdersUndoNoWaiverOfALostPurchase(verdict: Verdict, before: Cause, after: Cause, state: String) {
        let first = Night(1).play([sees("order:O1", verdict, cause: before)]).waived()
        var tonight = sees("order:O1", verdict, cause: after)
        tonight.facts?.receipts = ["R9"]
        tonight.facts?.accounts = ["stranger"]
        if verdict == .paidNotCredited {
            tonight.facts?.orders = ["O1", "O9"]
            // The customer restores the purchase.
            tonight.facts?.transactions = ["T1", "T2"]
            tonight.facts?.originals = ["T1"]
            // Apple signs it again with another price.
            tonight.facts?.amount = Money(minor: 700, currency: "CNY")
            tonight.facts?.effect = Money(minor: -700, currency: "CNY")
        }
        let second = Night(2).play([tonight], after: first)
        #expect(second.states == ["order:O1": state] && second.isProven)
        tonight.facts?.credits = ["C9"]
        #expect(Night(2).play([tonight], after: first).states == ["order:O1": "reopened"])
    }

    @Test func aWaiverIsLeftWhereItIsWhenFactsChangeTheNightAfter() {
        let first = Night(1).play([sees("order:O1", .paidNotCredited)]).waived()
        let second = Night(2).play([sees("order:O1", .valueMismatch)], after: first)
        #expect(second.states == ["order:O1": "reopened"] && second.isProven)
        let clean = Night(2).play([sees("order:O1", .matched)], after: first)
        #expect(clean.isProven && clean.records[0].state == .resolved)
        let waiting = Night(2).play([sees("order:O1", .waiting)], after: first)
        #expect(waiting.isProven && waiting.records[0].state == .waived)
    }

    @Test func aWaiverTakenBackIsReopened() {
        let first = Night(1).play([sees("order:O1", .paidNotCredited)]).waived()
        let second = Night(2).play([sees("order:O1", .paidNotCredited)], after: first).waived(.open)
        for verdict in [Verdict.paidNotCredited, .waiting] {
            let third = Night(3).play([sees("order:O1", verdict)], after: second)
            #expect(third.states == ["order:O1": "reopened"] && third.isProven && third.line.reopened.count == 1)
        }
    }

    @Test func aWaiverTakenBackBeforeANightLeavesTheBalanceAlone() {
        let first = Night(1).play([sees("order:O1", .paidNotCredited)]).waived().waived(.reopened)
        for (verdict, state) in [(Verdict.paidNotCredited, "open"), (.waiting, "open"), (.valueMismatch, "changed")] {
            let second = Night(2).play([sees("order:O1", verdict)], after: first)
            let lines = second.register.rollForward
            #expect(second.states == ["order:O1": state] && second.isProven)
            #expect(lines.allSatisfy { $0.waived.count == 0 && $0.reopened.count == 0 })
            #expect(lines.reduce(0) { $0 + $1.closing.count } == 1)
        }
    }

    @Test func anotherAmountMovesTheBalance() {
        let first = Night(1).play([sees("order:O1", .paidNotCredited)])
        let second = Night(2).play([sees("order:O1", .paidNotCredited, minor: 1200)], after: first)
        #expect(second.states == ["order:O1": "open"] && second.isProven)
        #expect(second.line.changedIn.minor == 1200 && second.line.changedOut.minor == 600)
        #expect(second.line.closing.minor == 1200)
    }
}

/// One night of the register, and the exceptions after it.
private struct Night {
    let number: Int
    var register: ExceptionRegister
    var records: [ExceptionRecord] = []

    init(_ number: Int) {
        self.number = number
        let date = BusinessDate(year: 2025, month: 11, day: number)!
        register = ExceptionRegister(
            businessDate: date, lastDate: number == 1 ? nil : date.advanced(by: -1),
            horizon: Zone.utc.end(of: date))
    }

    func play(_ observations: [Observation], after last: Night? = nil) -> Night {
        var night = self
        night.register.apply(observations, records: last?.records ?? [])
        var records = Dictionary(uniqueKeysWithValues: (last?.records ?? []).map { ($0.id, $0) })
        for transition in night.register.transitions { records[transition.record.id] = transition.record }
        night.records = records.values.sorted { $0.id < $1.id }
        return night
    }

    /// The first exception after a person waived it, or withdrew the waiver.
    func waived(_ state: ExceptionState = .waived) -> Night {
        var night = self
        night.records[0].state = state
        return night
    }

    var transitions: [ExceptionTransition] { register.transitions }
    /// The state of each row shown, by subject.
    var states: [String: String] {
        Dictionary(
            uniqueKeysWithValues: transitions.compactMap { transition in
                transition.row.map { (transition.record.subject.text, $0.state.rawValue) }
            })
    }
    var line: RollForwardLine { register.rollForward[0] }
    var isProven: Bool { register.rollForward.allSatisfy(\.isProven) }
}

private func key(_ text: String) -> SubjectKey {
    let parts = text.split(separator: ":")
    return SubjectKey(SubjectKey.Kind.allCases.first { $0.name == parts[0] }!, Identifier(parts[1]))
}

/// - Parameter behind: the verdict that a waiting subject would have.
private func sees(
    _ subject: String, _ verdict: Verdict, behind: Verdict? = nil, cause: Cause = .none, aliases: [String] = [],
    minor: Int64 = 600
) -> Observation {
    var judgement = Judgement(subject: key(subject), verdict: verdict, anchor: Instant(milliseconds: 0))
    judgement.amount = Money(minor: minor, currency: "CNY")
    var facts = ExceptionFacts(
        verdict: behind ?? verdict, cause: cause, severity: .low, eventAt: Instant(milliseconds: 0))
    facts.amount = judgement.amount
    facts.action = verdict == .waiting ? .wait : .investigate
    let isShown = verdict.isException || behind != nil
    return Observation(
        caseID: 1, judgement: judgement, facts: isShown ? facts : nil, aliases: aliases.map(key), news: [])
}
