import Base
import Domain
import Matching

@testable import Engine
@testable import Reference

/// A shop whose history is in memory. Its nights deliver what a test writes in the notation of
/// Tests/Reference/NOTATION.md.
struct SmallShop {
    let history = MemoryHistory()
    var settings = NightSettings(policy: ScenarioWorld.policy)

    /// Plays a night.
    @discardableResult
    func night(_ rows: String, day: Int = 0, change: (inout Delivered) -> Void = { _ in }) throws -> Engine.Night {
        var delivered = delivered(rows)
        change(&delivered)
        let night = try Night.reconcile(delivered, at: time(day), by: settings, after: history)
        history.apply(night)
        return night
    }

    /// What the stages of a night share, for a night that delivers these rows.
    func context(_ delivered: Delivered = Delivered(), day: Int = 0) -> NightContext {
        let plan = NightPlan(delivered, at: time(day), by: settings, after: history.head())
        return NightContext(plan: plan, history: history, threads: 1, timer: Untimed())
    }

    /// A file of each kind with these rows, under numbers that no earlier file has.
    func delivered(_ rows: String) -> Delivered {
        var delivered = Delivered()
        delivered.firstDelivery = DeliveryID(Int32(history.deliveries.count) + 1)
        delivered.evidence = evidence(rows, delivery: delivered.firstDelivery)
        let evidence = delivered.evidence
        let kinds: [(FeedKind, Int)] = [
            (.orders, evidence.orders.count), (.credits, evidence.credits.count),
            (.transactions, evidence.transactions.count), (.receipts, evidence.receipts.count),
        ]
        for (number, kind) in kinds.enumerated() {
            delivered.deliveries.append(
                Delivery(delivered.firstDelivery.advanced(by: number), kind.0, ScenarioWorld.date, rows: kind.1))
        }
        return delivered
    }

    private func time(_ day: Int) -> RunTime {
        let date = ScenarioWorld.date.advanced(by: day)
        return RunTime(businessDate: date, asOf: settings.policy.zone.end(of: date))
    }
}

/// Evidence in the notation of Tests/Reference/NOTATION.md. Orders are of this delivery, credits, transactions and
/// receipts of the three after it. Each row has a line of its own.
func evidence(_ rows: String, delivery: DeliveryID = 1) -> Evidence {
    var evidence = Scenario.table("evidence | \(rows) | ")[0].evidence
    func number<Piece>(_ pieces: inout [Piece], _ source: WritableKeyPath<Piece, Provenance>, file: Int) {
        for index in pieces.indices {
            pieces[index][keyPath: source] = Provenance(
                delivery: delivery.advanced(by: file), line: Int32(index) + 2, fileDate: ScenarioWorld.date)
        }
    }
    number(&evidence.orders, \.source, file: 0)
    number(&evidence.credits, \.source, file: 1)
    number(&evidence.transactions, \.source, file: 2)
    number(&evidence.receipts, \.source, file: 3)
    return evidence
}

/// Stored cases by number, then tonight's evidence, matched together.
struct SmallCases {
    var stored = StoredEvidence()
    var cases: CaseSet

    init(_ stored: [(CaseID, String)] = [], tonight: String = "", delivery: DeliveryID = 5) {
        for (number, rows) in stored {
            var one = StoredEvidence()
            let evidence = evidence(rows)
            for order in evidence.orders { one.orders.append(order, of: number, isCurrent: true) }
            for credit in evidence.credits { one.credits.append(credit, of: number, isCurrent: true) }
            for transaction in evidence.transactions {
                one.transactions.append(transaction, of: number, isCurrent: true)
            }
            for receipt in evidence.receipts { one.receipts.append(receipt, of: number, isCurrent: true) }
            self.stored.append(one)
        }
        var all = self.stored.evidence
        all.append(evidence(tonight, delivery: delivery))
        let versions = Versions(all, policy: ScenarioWorld.policy)
        cases = CaseSet(versions, policy: ScenarioWorld.policy) { _ in .unknown }
    }

    /// The index of the case that contains this order.
    func index(ofOrder id: Identifier) -> Int? {
        (0..<cases.count).first { number in cases.groups.orders[number].contains { cases.orders[Int($0)].id == id } }
    }
}
