package import Domain

/// A small world on which two judges differ, reduced to what a person needs to decide who is right.
package struct Disagreement: CustomStringConvertible {
    package var description: String

    /// Nil if they agree in every field except `ignoring` (`orders`, `action`, …).
    ///
    /// - Parameter judge: a `Judge`, written out because an alias does not count as a use of Domain.
    package init?(
        on world: World, _ judge: (Evidence, Policy, Horizon) -> [ReferenceVerdict], ignoring: Set<String> = []
    ) {
        guard Self.lines(world, judge, ignoring) != nil else { return nil }
        let small = world.shrunk { Self.lines($0, judge, ignoring) != nil }
        description = "seed \(world.seed)\n\(small)\n" + Self.lines(small, judge, ignoring)!.joined(separator: "\n")
    }

    private static func lines(
        _ world: World, _ judge: (Evidence, Policy, Horizon) -> [ReferenceVerdict], _ ignoring: Set<String>
    ) -> [String]? {
        let other = judge(world.evidence, world.policy, world.horizon)
        let mine = world.verdicts
        let keys = Set(mine.map(\.subject)).union(other.map(\.subject)).sorted()
        let lines = keys.compactMap { key -> String? in
            let left = mine.filter { $0.subject == key }
            let right = other.filter { $0.subject == key }
            guard left.count == 1, right.count == 1 else {
                return "\(key.text): reference \(left.map(\.notation)), other \(right.map(\.notation))"
            }
            let fields = left[0].fieldsDiffering(from: right[0]).filter { !ignoring.contains($0) }
            return fields.isEmpty ? nil : "\(fields): reference \(left[0])\n  other \(right[0])"
        }
        return lines.isEmpty ? nil : lines
    }
}

extension World {
    /// The world without every row that can be left out while the disagreement remains.
    package func shrunk(whileTroubled isTroubled: (World) -> Bool) -> World {
        var smallest = self
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for candidate in smallest.withOneRowLess where isTroubled(candidate) {
                smallest = candidate
                isSmaller = true
                break
            }
        }
        return smallest
    }

    private var withOneRowLess: [World] {
        files.indices.flatMap { file in
            let rows = files[file].evidence
            func without(_ change: (inout Evidence) -> Void) -> World {
                var copy = self
                change(&copy.files[file].evidence)
                return copy
            }
            let orders = rows.orders.indices.map { row in without { $0.orders.remove(at: row) } }
            let credits = rows.credits.indices.map { row in without { $0.credits.remove(at: row) } }
            let transactions = rows.transactions.indices.map { row in without { $0.transactions.remove(at: row) } }
            let receipts = rows.receipts.indices.map { row in without { $0.receipts.remove(at: row) } }
            return orders + credits + transactions + receipts
        }
    }
}

extension World: CustomStringConvertible {
    /// The horizon, the unusual settings of the policy, and one line for each row with its file's date and its content.
    package var description: String {
        let all = evidence
        func line(_ kind: String, _ date: BusinessDate, _ content: [UInt8]) -> String {
            let fields = String(decoding: content, as: UTF8.self).split(
                separator: "\u{1F}", omittingEmptySubsequences: false)
            return "\(kind) \(date) " + fields.map { $0.isEmpty ? "–" : String($0) }.joined(separator: " ")
        }
        let head =
            "horizon \(horizon.instant) of \(horizon.businessDate) \(policy.zone.name), tokens \(policy.tokenUse), "
            + "\(policy.environment), compare \(policy.compare.map(\.rawValue).sorted()), "
            + "history \(policy.historyFrom.map(\.text) ?? "all"), products listed \(!policy.products.isEmpty), "
            + "graces \(policy.graceCredit.count) \(policy.graceApple.count), holes \(horizon.coverage.gaps)"
        return
            ([head] + all.orders.map { line("order", $0.source.fileDate, $0.canonicalBytes) }
            + all.credits.map { line("credit", $0.source.fileDate, $0.canonicalBytes) }
            + all.transactions.map { line("transaction", $0.source.fileDate, $0.canonicalBytes) }
            + all.receipts.map { line("receipt", $0.source.fileDate, $0.canonicalBytes) }).joined(separator: "\n")
    }
}
