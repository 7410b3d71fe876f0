internal import Domain

/// Where evidence of one kind stands in its case, by the identifier that it names.
struct NamedPositions {
    /// Each once, in the order of first appearance.
    private(set) var names: [Identifier] = []
    /// Of what names none, ascending.
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

    /// Of what names `id`, ascending.
    subscript(id: Identifier) -> [Int] { numbers[id].map { named[$0] } ?? [] }

    /// Of what names one of the ids, ascending.
    func mine(_ ids: [Identifier]) -> [Int] {
        ids.count == 1 ? self[ids[0]] : ids.flatMap { self[$0] }.sorted()
    }

    /// The same; else of what names none at all.
    func mineElseUnnamed(_ ids: [Identifier]) -> [Int] {
        let mine = mine(ids)
        return mine.isEmpty ? unnamed : mine
    }
}

/// What a case's evidence names, and where: made once a case, so that a crowded one costs no more a row.
struct CaseNames {
    let orders: NamedPositions
    let receipts: NamedPositions
    /// By their own ids, as the credits' are.
    let transactions: NamedPositions
    let credits: NamedPositions

    init(_ file: Case) {
        orders = NamedPositions(file.orders, by: \.transaction)
        receipts = NamedPositions(file.receipts, by: \.transaction)
        transactions = NamedPositions(file.transactions, by: \.id)
        credits = NamedPositions(file.credits, by: \.id)
    }
}
