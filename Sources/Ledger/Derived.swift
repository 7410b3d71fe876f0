package import Domain
internal import SQLite

/// What the ledger keeps so that a night need not work it out, compared with what it comes to when worked out anew.
extension Ledger {
    package func watchProblems(_ expected: Set<Int64>) throws -> [String] {
        let cases = try watchedCases().symmetricDifference(expected).sorted()
        return cases.isEmpty
            ? [] : ["\(cases.count) cases are watched, or not, for no reason, the first is \(cases[0])"]
    }

    package func ownerProblems(_ expected: [Token: TokenAccounts]) throws -> [String] {
        var missing = expected.mapValues { $0.filter { $0.value > 0 } }.filter { !$0.value.isEmpty }
        var wrong = 0
        var row = try connection.prepare("SELECT token, account_id, orders FROM token_owner")
        while try row.step() {
            let account = try row.requiredIdentifier(1)
            guard let token = row.token(0), missing[token]?[account] == Int(row.integer(2)) else {
                wrong += 1
                continue
            }
            missing[token]?[account] = nil
            if missing[token]?.isEmpty == true { missing[token] = nil }
        }
        wrong += missing.values.reduce(0) { $0 + $1.count }
        return wrong == 0 ? [] : ["\(wrong) owners of tokens are not what the orders say"]
    }

    /// Entries too many harm nobody; entries that are missing hide a suggestion.
    package func looseEndProblems(_ expected: [LooseEnd]) throws -> [String] {
        var missing = Set(expected)
        var row = try connection.prepare("SELECT hash, case_file FROM loose_end")
        while try row.step() { missing.remove(LooseEnd(key: row.integer(0), caseFile: row.integer(1))) }
        return missing.isEmpty ? [] : ["\(missing.count) cases would not be found for suggestions"]
    }
}
