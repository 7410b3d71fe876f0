internal import Domain

/// The credits of a case that no reversal has cancelled yet.
struct OpenCredits {
    private struct Key: Hashable {
        var place: Int
        var account: Identifier
        /// Absent: whatever the order.
        var order: Identifier
    }

    /// Positions by key, latest last; those taken under another key are dropped when they come up.
    private var stacks: [Key: [Int]] = [:]
    private var isTaken: [Bool]

    /// `credits`: by time, with the place of each.
    init(_ credits: [(credit: Credit, place: Int)]) {
        isTaken = Array(repeating: false, count: credits.count)
        for (position, (credit, place)) in credits.enumerated() {
            stacks[Key(place: place, account: credit.account, order: .absent), default: []].append(position)
            if let order = credit.order {
                stacks[Key(place: place, account: credit.account, order: order), default: []].append(position)
            }
        }
    }

    /// The credit that the reversal cancels: of the same account, first of the same order, else the latest.
    mutating func take(for reversal: Credit, among places: [Int]) -> Int? {
        var chosen: Int?
        if let order = reversal.order { chosen = latest(of: reversal.account, order, among: places) }
        chosen = chosen ?? latest(of: reversal.account, .absent, among: places)
        if let chosen { isTaken[chosen] = true }
        return chosen
    }

    private mutating func latest(of account: Identifier, _ order: Identifier, among places: [Int]) -> Int? {
        var latest: Int?
        for place in places {
            let key = Key(place: place, account: account, order: order)
            while let top = stacks[key]?.last, isTaken[top] { stacks[key]!.removeLast() }
            if let top = stacks[key]?.last { latest = max(latest ?? top, top) }
        }
        return latest
    }
}
