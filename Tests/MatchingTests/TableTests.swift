internal import Domain
internal import Reference
import Testing

@testable import Matching

/// The hash tables used by matching, compared with dictionaries.
@Suite struct TableTests {
    @Test func firstPositionsAreFoundAsADictionaryWould() {
        for seed in UInt64(0)..<20 {
            var random = SplitMix64(seed: seed)
            let keys = (0..<5000).map { _ in Identifier("ORD\(Int.random(in: 0..<3000, using: &random))") }
            let isNone = { keys[$0] == keys[0] }  // for one key that is none
            let hash = { isNone($0) ? nil : keys[$0].hashBits }
            var table = PositionTable(capacity: keys.count)
            var (expected, again, found): ([Identifier: Int], [Int: Int], [Int: Int]) = ([:], [:], [:])
            let half = keys.count / 2
            for half in [0..<half, half..<keys.count] {
                table.enter(half, hash: hash, isSame: { keys[$0] == keys[$1] }, repeated: { again[$1] = $0 })
                for position in half where !isNone(position) {
                    #expect(again[position] == expected[keys[position]], "seed \(seed)")
                    expected[keys[position]] = expected[keys[position]] ?? position
                }
                table.find(keys.indices, hash: hash, isSame: { keys[$0] == keys[$1] }, use: { found[$0] = $1 })
                #expect(keys.indices.allSatisfy { found[$0] == expected[keys[$0]] }, "seed \(seed)")
            }
        }
    }

    @Test func smallMapsGrowIntoLargeOnes() {
        var map = SmallMap()
        for number in 0..<40 {
            #expect(map[Identifier("k\(number)")] == nil)
            map.insert(Identifier("k\(number)"), number)
            map.insert(Identifier("k\(number)"), -1)
            #expect((0...number).allSatisfy { map[Identifier("k\($0)")] == $0 })
        }
    }

    @Test func unionsAreWhatIsConnected() {
        for seed in UInt64(0)..<50 {
            var random = SplitMix64(seed: seed)
            var unions = UnionFind()
            let count = Int.random(in: 1...60, using: &random)
            var colors = (0..<count).map { _ in unions.add() }
            for _ in 0..<Int.random(in: 0...80, using: &random) {
                let (left, right) = (
                    Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random)
                )
                unions.unite(left, right)
                let (from, to) = (colors[right], colors[left])
                for node in colors.indices where colors[node] == from { colors[node] = to }
            }
            for left in 0..<count {
                for right in 0..<count {
                    let isOne = unions.root(of: left) == unions.root(of: right)
                    #expect(isOne == (colors[left] == colors[right]), "seed \(seed)")
                }
            }
        }
    }

    @Test func everyCopyIsInOneCaseOrADuplicate() {
        for seed in UInt64(0)..<300 {
            let world = WorldGenerator.world(seed: seed)
            let book = CaseSet(world.evidence, policy: world.policy)
            check(book.groups.orders, book.groups.orders.outcomes, book.count, "orders, seed \(seed)")
            check(book.groups.credits, book.groups.credits.outcomes, book.count, "credits, seed \(seed)")
            check(book.groups.transactions, book.groups.transactions.outcomes, book.count, "transactions, seed \(seed)")
            check(book.groups.receipts, book.groups.receipts.outcomes, book.count, "receipts, seed \(seed)")
        }
    }

    private func check(_ groups: CaseGroups, _ outcomes: [VersionOutcome], _ count: Int, _ what: String) {
        let current = (0..<count).flatMap { groups[$0] }.map(Int.init)
        #expect(
            (0..<count).allSatisfy { groups[$0].elementsEqual(groups[$0].sorted()) }, "ascending in a case: \(what)")
        let superseded = (0..<count).flatMap { groups.superseded(in: $0) }.map(Int.init)
        let replaced = (0..<count).flatMap { groups.replaced(in: $0) }.map(Int.init)
        #expect(current.sorted() == outcomes.indices.filter { outcomes[$0] == .current }, "\(what)")
        #expect(superseded.sorted() == outcomes.indices.filter { outcomes[$0] == .superseded }, "\(what)")
        #expect(replaced.allSatisfy { outcomes[$0] == .duplicate } && Set(replaced).count == replaced.count, "\(what)")
    }

    /// Of several versions with the same content, the earliest file's is kept, even if another was given first.
    @Test func anEarlierFilesCopyTakesThePlace() {
        var order = Order(
            id: "O1", account: "a", product: "p", status: .paid, createdAt: Instant(milliseconds: 0),
            source: Provenance(delivery: 1, line: 1, fileDate: BusinessDate(day: 9)))
        var evidence = Evidence()
        evidence.orders = [order]
        order.source = Provenance(delivery: 2, line: 1, fileDate: BusinessDate(day: 8))
        evidence.orders.append(order)
        let book = CaseSet(evidence, policy: Policy())
        #expect(book.groups.orders.outcomes == [.duplicate, .current])
        #expect(book.groups.orders.replaced(in: 0) == [0] && book.groups.orders.superseded(in: 0).isEmpty)
    }

    @Test(arguments: [1, 2, 5]) func aTokenAnOrderTiesItToItsTransactionOnAnyNumberOfCores(threads: Int) {
        var evidence = Evidence()
        for number in 0..<500 {
            let token = Token(high: 7, low: UInt64(number))
            var order = Order(
                id: Identifier("O\(number)"), account: "a", product: "p", status: .paid,
                createdAt: Instant(milliseconds: 0))
            order.token = token
            evidence.orders.append(order)
            var transaction = Transaction(
                id: Identifier("T\(number)"), product: "p", purchasedAt: Instant(milliseconds: 0))
            transaction.token = token
            evidence.transactions.insert(transaction, at: 0)
        }
        var policy = Policy()
        policy.tokenUse = .order
        let book = CaseSet(evidence, policy: policy, threads: threads)
        #expect(book.count == 500)
        #expect((0..<500).allSatisfy { book.groups.orders[$0].count == 1 && book.groups.transactions[$0].count == 1 })
    }

    /// So many versions that deduplication distinguishes them by their text first.
    @Test func manyCopiesAreSettledAsFewAre() {
        for seed in UInt64(0)..<100 {
            var random = SplitMix64(seed: seed)
            let copies = (0..<30).map { number in
                var order = Order(
                    id: "O1", account: "a", product: "p", status: OrderStatus.allCases.randomElement(using: &random)!,
                    createdAt: Instant(milliseconds: 0))
                order.product = ["é", "e\u{301}", "p"].randomElement(using: &random)!
                order.source = Provenance(
                    delivery: 1, line: Int32(number),
                    fileDate: BusinessDate(day: Int32.random(in: 0...3, using: &random)))
                return order
            }
            var evidence = Evidence()
            evidence.orders = copies
            let book = CaseSet(evidence, policy: Policy())
            let contents = Set(copies.map { "\($0.status) \(Array($0.product.text.utf8))" }).count
            #expect(book.groups.orders.outcomes.count(where: { $0 != .duplicate }) == contents, "seed \(seed)")
            let kept = copies.indices.filter { book.groups.orders.outcomes[$0] != .duplicate }
            for position in kept {
                let twins = copies.filter { $0.hasSameContent(as: copies[position]) }
                let earliest = twins.map(\.source.fileDate).min()
                #expect(copies[position].source.fileDate == earliest, "seed \(seed)")
            }
        }
    }
}
