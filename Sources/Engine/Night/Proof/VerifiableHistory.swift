/// What a verification needs from a history beyond what a night needs.
public protocol VerifiableHistory: History {
    /// The evidence of a range of cases, without checking that it is what was written.
    func loadUnproven(cases: Range<CaseID>) throws -> StoredEvidence
    /// The owners of these tokens, without checking that they are what was written.
    func unprovenOwners(of tokens: Set<Token>) throws -> [Token: TokenAccounts]
    func storedVerdicts(ofCases range: Range<CaseID>) throws -> Set<StoredVerdict>
    func openCases(within range: Range<CaseID>) throws -> Set<CaseID>
    /// How many of these entries the index for suggestions lacks.
    func countMissing(_ entries: [SuggestionEntry]) throws -> Int
    /// A hash of an order's token and account.
    func ownerHash(_ token: Token, _ account: Identifier) -> UInt64
    /// The sum of these hashes over all orders that were counted as owners, modulo 2^64.
    func ownerSum() throws -> UInt64
}
