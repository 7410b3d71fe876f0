/// The credits of a case that no reversal has cancelled yet. Each is on two stacks, one for its account and one for its
/// account and order, so that the latest match is found without a search.
public struct OpenCredits {
    private struct Key: Hashable {
        var place: Int
        var account: Identifier
        /// `.absent`: the stack of all orders.
        var order: Identifier
    }

    /// Positions, latest last. A credit that was taken through one stack is dropped from the other one when it reaches
    /// the top.
    private var stacks: [Key: [Int]] = [:]
    private var isTaken: [Bool]

    /// - Parameter credits: by time, each with the number of the purchase or unproven id that it belongs to.
    public init(_ credits: [(credit: Credit, place: Int)]) {
        isTaken = Array(repeating: false, count: credits.count)
        for (position, (credit, place)) in credits.enumerated() {
            stacks[Key(place: place, account: credit.account, order: .absent), default: []].append(position)
            if let order = credit.order {
                stacks[Key(place: place, account: credit.account, order: order), default: []].append(position)
            }
        }
    }

    /// The credit that the reversal cancels: one of the same account, preferably of the same order, and of those the
    /// latest. Nil if no open credit is at these places.
    public mutating func take(for reversal: Credit, among places: [Int]) -> Int? {
        var chosen: Int?
        if let order = reversal.order { chosen = latest(of: reversal.account, order, among: places) }
        chosen = chosen ?? latest(of: reversal.account, .absent, among: places)
        if let chosen { isTaken[chosen] = true }
        return chosen
    }

    /// The position of the latest open credit of that account and order at these places.
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
