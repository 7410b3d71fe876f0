import Domain
import Matching
import Testing

@testable import Engine
@testable import Reference

private let token = Token(high: 1, low: 2)

/// The account that a token belongs to, as orders come and change.
@Suite struct TokenOwnersTests {
    @Test(
        arguments: [
            ([:], .unknown),
            (["a": 1], .account("a")),
            (["a": 2], .account("a")),
            (["a": 1, "b": 1], .several),
            (["a": 0, "b": 1], .account("b")),
            (["a": 0], .unknown),
        ] as [(TokenAccounts, TokenOwner)])
    func aTokenBelongsToTheOneAccountWhoseOrdersCarryIt(accounts: TokenAccounts, owner: TokenOwner) {
        #expect(TokenOwners([token: accounts]).owner(token) == owner)
    }

    @Test func aTokenThatNoOrderCarriesHasNoOwner() { #expect(TokenOwners().owner(token) == .unknown) }

    /// O1 of account a carries the token; tonight a newer version says that it is account b's.
    private func counted(isRebuilt: Bool) -> TokenOwners {
        let world = SmallCases([(1, "O1 tok:1")])
        var all = world.stored.evidence
        all.append(evidence("O1 tok:1 by:b upd@-1d", delivery: 5))
        let own = all.orders[0].token!
        var owners = TokenOwners(isRebuilt ? [:] : [own: ["a": 1]])
        owners.count(Versions(all, policy: ScenarioWorld.policy), world.stored, isRebuilt: isRebuilt)
        return owners
    }

    @Test func aNewerVersionOfAnOrderMovesItsTokenToNoOtherAccount() throws {
        let owners = counted(isRebuilt: false)
        let (changed, accounts) = try #require(owners.changes.first)
        #expect(accounts == ["a": 1, "b": 1] && owners.owner(changed) == .several)
    }

    @Test func whereEverythingIsJudgedAgainCountsBeginWithNothing() throws {
        #expect(try #require(counted(isRebuilt: true).accounts.first).value == ["a": 1, "b": 1])
    }

    @Test func allTokensOfAnOrderAreItsAccounts() {
        let world = SmallCases([(1, "O1 tok:1"), (2, "O2")])
        var all = world.stored.evidence
        let tokens = evidence("O1 tok:1; O1 tok:2", delivery: 5).orders.compactMap(\.token)
        all.append(evidence("O1 tok:2 upd@-1d; O2 tok:3 upd@-1d", delivery: 5))
        let versions = Versions(all, policy: ScenarioWorld.policy)
        var owners = TokenOwners([tokens[0]: ["a": 1]])
        owners.count(versions, world.stored, isRebuilt: false)
        for token in tokens {
            #expect(owners.owner(token) == .account("a") && versions.tokenOwners(token) == .account("a"))
        }
        // An order may receive its token later. That does not count as a change of the token.
        #expect(owners.owner(all.orders.last!.token!) == .account("a"))
    }

    @Test func anOrderThatIsAsItWasChangesNoCount() {
        let world = SmallCases([(1, "O1 tok:1")])
        let known = world.stored.evidence.orders[0].token!
        var owners = TokenOwners([known: ["a": 1]])
        owners.count(Versions(world.stored.evidence, policy: ScenarioWorld.policy), world.stored, isRebuilt: false)
        #expect(owners.changes.isEmpty && owners.owner(known) == .account("a"))
    }

    @Test func aListOfMillionsSaysTheSameAsTheCounts() {
        let (one, two, none) = (Token(high: 1, low: 1), Token(high: 2, low: 1), Token(high: 3, low: 1))
        let list = TokenOwnerList([(two, "b"), (one, "a"), (two, "a"), (one, "a")])
        #expect(list.owner(one) == .account("a") && list.owner(two) == .several && list.owner(none) == .unknown)
    }
}
