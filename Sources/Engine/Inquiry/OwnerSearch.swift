public import Domain

/// Finds the accounts that tokens belong to.
public protocol OwnerSearch {
    /// The tokens that orders of these cases carry for the account and that no other account's order carries.
    func ownTokens(of account: String, in cases: [CaseID]) throws -> Set<Token>
    /// How many current orders of each account carry each of these tokens, for at most `countMax` accounts of each token.
    func owners(of tokens: Set<Token>, atMost countMax: Int) throws -> [Token: TokenAccounts]
}
