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
    private let products: [Identifier?]

    /// - Parameter credits: by time, each with the number of the purchase or unproven id that it belongs to.
    public init(_ credits: [(credit: Credit, place: Int)]) {
        isTaken = Array(repeating: false, count: credits.count)
        products = credits.map(\.credit.product)
        for (position, (credit, place)) in credits.enumerated() {
            stacks[Key(place: place, account: credit.account, order: .absent), default: []].append(position)
            if let order = credit.order {
                stacks[Key(place: place, account: credit.account, order: order), default: []].append(position)
            }
        }
    }

    /// The credit that the reversal cancels: one of the same account, preferably of the same order, then of the same product,
    /// and of those the latest. Nil if no open credit is at these places.
    ///
    /// - Parameter isExact: a credit of another product is none.
    public mutating func take(for reversal: Credit, among places: [Int], isExact: Bool = false) -> Int? {
        for order in [reversal.order, .absent].compactMap(\.self) {
            for product in isExact ? [reversal.product] : [reversal.product, nil] {
                guard let chosen = latest(of: reversal.account, order, product, among: places) else { continue }
                isTaken[chosen] = true
                return chosen
            }
        }
        return nil
    }

    /// The position of the latest open credit of that account, order and product, if one is given, at these places.
    private mutating func latest(
        of account: Identifier, _ order: Identifier, _ product: Identifier?, among places: [Int]
    ) -> Int? {
        var latest: Int?
        for place in places {
            let key = Key(place: place, account: account, order: order)
            while let top = stacks[key]?.last, isTaken[top] { stacks[key]!.removeLast() }
            let found = stacks[key]?.last { position in
                !isTaken[position] && product.map { products[position] ?? $0 == $0 } ?? true
            }
            if let found { latest = max(latest ?? found, found) }
        }
        return latest
    }
}
