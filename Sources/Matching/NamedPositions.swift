/// The positions of a case's evidence of one kind, by an identifier that the evidence names.
struct NamedPositions {
    /// Each identifier once, in the order of first appearance.
    private(set) var names: [Identifier] = []
    /// The positions of evidence that names no identifier, ascending.
    private(set) var unnamed: [Int] = []
    private var numbers = SmallMap()
    private var named: [[Int]] = []

    init<Element>(_ elements: [Element], by name: (Element) -> Identifier?) {
        for (position, element) in elements.enumerated() {
            guard let id = name(element) else {
                unnamed.append(position)
                continue
            }
            if let number = numbers[id] {
                named[number].append(position)
            } else {
                numbers.insert(id, named.count)
                names.append(id)
                named.append([position])
            }
        }
    }

    /// The positions of evidence that names `id`, ascending.
    subscript(id: Identifier) -> [Int] { numbers[id].map { named[$0] } ?? [] }

    /// The positions of evidence that names one of the ids, ascending.
    func mine(_ ids: [Identifier]) -> [Int] {
        ids.count == 1 ? self[ids[0]] : ids.flatMap { self[$0] }.sorted()
    }

    /// The same; where there are none, the positions of evidence that names no identifier.
    func mineElseUnnamed(_ ids: [Identifier]) -> [Int] {
        let mine = mine(ids)
        return mine.isEmpty ? unnamed : mine
    }
}

/// An index of a case's evidence by identifier. It is built once for each case, so that a crowded case does not need a
/// search for each row.
struct CaseNames {
    /// By the transaction that they name.
    let orders: NamedPositions
    /// By the transaction that they claim.
    let receipts: NamedPositions
    /// By their own id.
    let transactions: NamedPositions
    /// By their own id.
    let credits: NamedPositions

    init(_ file: Case) {
        orders = NamedPositions(file.orders) { $0.transaction }
        receipts = NamedPositions(file.receipts) { $0.transaction }
        transactions = NamedPositions(file.transactions) { $0.id }
        credits = NamedPositions(file.credits) { $0.id }
    }
}
