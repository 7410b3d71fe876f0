import Console
import Testing

@testable import Ledger
@testable import Reconcile
@testable import Rules

/// Each run stores the version of the rules that it judged by.
@Suite struct RulesVersionTests {
    private let shop: ShopFolder

    init() throws {
        shop = try ShopFolder()
        try shop.sell(1..<6, night: 0)
        try shop.credit([2], night: 0)
        try shop.night(0)
    }

    private func store(version: Int) throws {
        let connection = try Connection(path: shop.folder.path + "/ledger.sqlite", mode: .readWrite)
        try connection.execute(
            "UPDATE run SET policy = replace(policy, 'rules=\(RuleSet.version)\n', 'rules=\(version)\n')")
    }

    @Test func anOlderProgramRefusesALedgerOfNewerRules() throws {
        try store(version: RuleSet.version + 1)
        for command in [
            ["check"], ["lookup", "ORD3"], ["monthly", "2025-11"], ["waive", "E1", "--by", "Li", "--note", "x"],
        ] {
            let ended = try shop.run(command)
            #expect(ended.code == ExitCode.configuration.rawValue, "\(command): \(ended.code) \(ended.errors)")
            #expect((ended.errors + ended.output).contains("newer rules (version \(RuleSet.version + 1))"), "\(ended)")
        }
        let night = try shop.night(1)
        #expect(night.code == ExitCode.configuration.rawValue && night.errors.contains("newer rules"), "\(night)")
    }
}
