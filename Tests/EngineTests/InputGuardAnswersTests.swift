import Domain
import Testing

@testable import Engine
@testable import Reference

private let date = ScenarioWorld.date
private let zone = ScenarioWorld.policy.zone

/// What the consumer of the retry manifest says of the credits. See docs/spec/rules.md#guard.
@Suite struct InputGuardAnswersTests {
    /// So many entries to give goods were refused and so many applied, those of so many customers.
    @Test(
        arguments: [
            (3, 0, 3, true), (2, 0, 2, false), (3, 0, 2, false),
            (3, 11, 3, true), (3, 12, 3, false),  // more than a fifth
        ])
    func goodsThatTheConsumerFindsGivenAreHeld(refused: Int, applied: Int, customers: Int, isHeld: Bool) throws {
        let night = Night(refused: refused, applied: applied, customers: customers)
        let found = try night.findings()
        #expect(found.map(\.kind) == (isHeld ? [.alreadyGiven] : []))
        guard isHeld else { return }
        #expect((found[0].count, found[0].total) == (refused, refused + applied))
        #expect((found[0].since, found[0].date) == (date.advanced(by: -3), date.advanced(by: -2)))
        // It stays until the credits come,
        var later = night
        later.head.guarded = found
        #expect(try later.findings(on: date.advanced(by: 20)) == found)
        #expect(try night.findings(on: date.advanced(by: 20)) == [])
        later.open = 0
        #expect(try later.findings() == [])
        // or a person releases it: so many are accepted for four weeks.
        var released = night
        released.head.releasedFindings = found
        released.head.releasedFindings[0].date = date.advanced(by: -27)
        #expect(try released.findings() == [])
        released.head.releasedFindings[0].count -= 1
        #expect(try released.findings() == found)
        released.head.releasedFindings[0].count += 1
        released.head.releasedFindings[0].date = date.advanced(by: -28)
        #expect(try released.findings() == found)
    }

    /// Each is like the night of the test above, but for one thing.
    @Test func otherAnswersSayNothingOfTheCredits() throws {
        func found(_ change: (inout RetryEntry) -> Void) throws -> [GuardFinding.Kind] {
            var night = Night(refused: 3, applied: 0, customers: 3)
            for key in night.asked.keys { change(&night.asked[key]!) }
            return try night.findings().map(\.kind)
        }
        #expect(try found { $0.message = "no_credit_for_transaction" } == [.alreadyGiven])
        #expect(try found { $0.message = "not_revoked_since" } == [])
        // These goods may be another payment's.
        #expect(try found { $0.message = "no_credit_for_suggested_orders" } == [])
        #expect(try found { $0.answer = .permanentError } == [])
        #expect(try found { $0.answer = nil } == [])
        #expect(try found { $0.facts.action = .fetchTransaction } == [])
        // A person waived it, or a missing file withdrew it.
        #expect(try found { $0.isDemanded = false } == [])
        // The credits of the answer's date are not due yet: the goods may be given late.
        #expect(try found { $0.answeredAt = zone.end(of: date) } == [])
    }

    private struct Night {
        var head = HistoryHead()
        /// How many of the purchases still lack their goods.
        var open = Int.max
        var asked: [String: RetryEntry] = [:]
        private var demands: [InputGuard.Demand] = []
        private let history = MemoryHistory()

        init(refused: Int, applied: Int, customers: Int) {
            for number in 0..<refused + applied {
                var entry = RetryEntry(facts: .blank, exception: .least, due: date)
                entry.facts.action = .credit
                entry.facts.key = "R\(number)"
                entry.firstEmitted = zone.start(of: date)
                entry.answeredAt = zone.start(of: date) + .hours(1)
                entry.answer = number < refused ? .preconditionFailed : .applied
                if number >= refused {
                    // Its goods are on record since a night before.
                    var record = ExceptionRecord.blank
                    record.id = ExceptionID(bits: UInt64(number))
                    entry.exception = record.id
                    history.lostOrdersAsked.append(record)
                    history.retries[entry.key] = entry
                    continue
                }
                asked[entry.key] = entry
                let paidAt = zone.start(of: date) + .days(number == 0 ? -3 : -2)
                demands.append(InputGuard.Demand(key: entry.key, paidAt: paidAt, account: "a\(number % customers)"))
            }
        }

        func findings(on night: BusinessDate = date) throws -> [GuardFinding] {
            let inputGuard = InputGuard(
                settings: NightSettings(policy: ScenarioWorld.policy, feeds: []), history: history, head: head,
                demands: Array(demands.prefix(open)), asked: asked)
            return try inputGuard.findings(Findings(), loaded: [], deliveries: [], arrivals: [], on: night).findings
        }
    }
}
