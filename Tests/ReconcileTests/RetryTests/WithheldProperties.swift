internal import Domain
import Engine
import Testing

@testable import Ledger
@testable import Reconcile
@testable internal import Reference

/// docs/spec/rules.md#withheld-entries on random worlds.
@Suite struct WithheldProperties {
    /// Two nights on the same evidence: the machine's, and one without a retry job, after which the desk gives by hand.
    private struct Pair {
        var machine: NightPlayer
        var desk: NightPlayer

        init(_ player: NightPlayer, _ play: (inout NightPlayer) throws -> Void) throws {
            (machine, desk) = (player, player)
            try play(&machine)
            desk = try NightPlayer(policy: player.configuration.policy)
            desk.configuration = player.configuration
            desk.configuration.retry.isEnabled = false
            try play(&desk)
        }

        /// The transactions whose goods a machine is asked to give.
        var asked: Set<String> {
            get throws {
                let entries = try machine.ledger.demandedRetryEntries(threads: 1)
                return Set(entries.filter { $0.facts.action == .credit }.compactMap(\.facts.transaction))
            }
        }

        /// The transactions whose goods the desk would give.
        func handed() throws -> Set<String> {
            let now = desk.nights.last!.report.asOf
            let inquiry = try #require(try Inquiry(desk.ledger, desk.configuration.nightSettings, now: now))
            let open = try desk.ledger.unresolvedExceptions().filter { $0.verdict == .paidNotCredited }
            return Set(
                try open.flatMap { try inquiry.answer($0.subject.id.text).subjects }.filter(\.safety.isSafe)
                    .flatMap(\.facts.transactions))
        }

        /// Where one of the two would give and the other one not, apart from the differences that the specification names.
        func disagreements() throws -> [String] {
            let asked = try asked
            let now = machine.nights.last!.report.asOf
            let inquiry = try #require(try Inquiry(desk.ledger, desk.configuration.nightSettings, now: now))
            var found: [String] = []
            for exception in try desk.ledger.unresolvedExceptions() where exception.verdict == .paidNotCredited {
                for subject in try inquiry.answer(exception.subject.id.text).subjects
                where subject.facts.verdict == .paidNotCredited {
                    let isAsked = subject.facts.transactions.contains(where: asked.contains)
                    let facts = subject.facts
                    let isForAPerson =
                        facts.action == .fetchTransaction
                        || facts.action == .investigate
                            && (facts.orders.count > 1 || facts.flags.contains("ambiguous_order")
                                || !facts.receipts.isEmpty || subject.isRenewal && !facts.orders.isEmpty)
                    let isExcepted = subject.safety.isSafe ? isForAPerson : subject.safety == .guarded
                    if isAsked != subject.safety.isSafe, !isExcepted {
                        found.append(
                            "\(subject.facts.transactions): \(isAsked ? "asked" : "not asked"), desk \(subject.safety)")
                    }
                }
            }
            return found
        }

    }

    @Test(arguments: 0..<8) func deskAndMachineAgree(_ block: Int) throws {
        for seed in Trials.seeds(inBlock: block, 4, long: 125) {
            let campaign = Campaign(seed: seed)
            let pair = try Pair(campaign.player) { player in
                for night in campaign.moments.indices { try campaign.play(night, on: &player) }
            }
            let found = try pair.disagreements()
            #expect(found == [], "\(campaign.description)")
        }
    }

    /// Nobody is given goods twice, whatever the backend put on record; desk, machine and the reference agree.
    @Test(arguments: 0..<8) func nothingIsGivenTwice(_ block: Int) throws {
        for seed in Trials.seeds(inBlock: block, 12, long: 500) {
            let shop = GivingShop(seed: seed)
            let date = shop.horizon.businessDate
            let pair = try Pair(NightPlayer(policy: shop.policy)) { player in
                let moment = RunTime(businessDate: date, asOf: shop.horizon.instant + .hours(3))
                try player.play(files(of: shop), at: moment) { $0.reject(shop.unusable) }
            }
            let asked = try pair.asked
            let handed = try pair.handed()
            let twice = shop.given.filter { asked.contains($0.text) || handed.contains($0.text) }
            #expect(twice == [], "seed \(seed)\n\(shop.description)")
            let basis = pair.machine.nights[0].basis
            var policy = shop.policy
            // The night knows no product list but that of files.
            policy.products = basis.policy.products
            let expected = purchasesToGive(
                files(of: shop).evidence, unusable: shop.unusable, policy: policy, horizon: basis.horizon)
            #expect(asked == Set(expected.map(\.text)), "seed \(seed)\n\(shop.description)")
            #expect(try pair.disagreements() == [], "seed \(seed)\n\(shop.description)")
        }
    }

    private func files(of shop: GivingShop) -> [WorldFile] {
        var parts: [FeedKind: Evidence] = [:]
        for kind in NightPlayer.kinds { parts[kind] = Evidence() }
        parts[.orders]?.orders = shop.evidence.orders
        parts[.credits]?.credits = shop.evidence.credits
        parts[.transactions]?.transactions = shop.evidence.transactions
        parts[.receipts]?.receipts = shop.evidence.receipts
        return NightPlayer.kinds.map {
            WorldFile(kind: $0, fileDate: shop.horizon.businessDate, evidence: parts[$0]!)
        }
    }
}

extension Delivered {
    /// Adds files in which these rows could not be used.
    fileprivate mutating func reject(_ rows: [UnusableRow]) {
        for row in rows {
            var delivery = deliveries[0]
            delivery.number = firstDelivery.advanced(by: deliveries.count)
            delivery.kind = row.kind
            delivery.fileDate = row.fileDate
            delivery.name = "\(row.kind.rawValue)-\(row.fileDate)-\(delivery.number)"
            delivery.digest = Digest256(words: (UInt64(delivery.number.rawValue), 0, 0, 2))
            delivery.totals = ControlTotals()
            delivery.totals.rows = 1
            delivery.totals.rejected = 1
            rejects.append(
                RejectLine(
                    Reject(line: 1, column: nil, reason: "", row: Array(row.text.utf8)), source: delivery.name))
            deliveries.append(delivery)
        }
    }
}
