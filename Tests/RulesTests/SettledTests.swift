internal import Domain
internal import Matching
internal import Reference
internal import Rules
internal import Testing

/// What is recognised at once is what the rules would have said.
@Suite struct SettledTests {
    @Test func settledCasesAreMatchedWithoutAFlagAndNothingIsLeftToDo() {
        var recognised = 0
        for seed in UInt64(0)..<3000 {
            let world = WorldGenerator.world(seed: seed)
            let book = CaseBook(world.evidence, policy: world.policy)
            let settled = Settled(policy: world.policy)
            for number in 0..<book.count {
                for owner in [TokenOwner.unknown, .several, .account("A1"), .account("A2")] {
                    guard let sole = book.sole(number) else { continue }
                    let amount = settled.amount(
                        book.transactions[sole.transaction], book.orders[sole.order], book.credits[sole.credit],
                        sole.receipt.map { book.receipts[$0] }, owner: { _ in owner })
                    guard let amount else { continue }
                    recognised += 1
                    #expect(isSettled(book, number, amount, world, owner: owner), "seed \(seed), case \(number)")
                }
            }
        }
        #expect(recognised > 500)
    }

    private func isSettled(
        _ book: CaseBook, _ number: Int, _ amount: Money, _ world: World, owner: TokenOwner
    ) -> Bool {
        var file = CaseFile()
        book.load(number, into: &file)
        let subjects = subjects(of: file, policy: world.policy, horizon: world.horizon, owner: { _ in owner })
        let judgements = subjects.map {
            Rules.judge(Facts(subject: $0, file: file, policy: world.policy, horizon: world.horizon))
        }
        guard subjects.count == 1, subjects[0].loosePurchase(in: file, policy: world.policy) == nil,
            subjects[0].revocation == nil, file.unusedOrders(policy: world.policy).isEmpty,
            !file.awaitsCredits(horizon: world.horizon, zone: world.policy.zone)
        else { return false }
        let judgement = judgements[0]
        return judgement.verdict == .matched && judgement.cause == .none && judgement.flags.isEmpty
            && judgement.amount == amount && judgement.subject.id == file.transactions[0].id
            && judgement.subject.kind == .transaction && judgement.action == .none
    }
}
