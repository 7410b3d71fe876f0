import Domain
import Foundation
internal import Reference
import Testing

@testable import Ledger
@testable import Reconcile

/// On random worlds, the look-up gives the night's verdict for every subject, whichever identifier is looked up.
@Suite struct LookupAgreementTests {
    /// A world with few ids, in which rows name each other at random.
    static func world(seed: UInt64) throws -> DeskFolder {
        var random = SplitMix64(seed: seed)
        let desk = try DeskFolder()
        func pick(_ texts: [String]) -> String { texts.randomElement(using: &random)! }
        let accounts = (1...4).map { "acct-\($0)" }
        let orders = (1...8).map { "ORD900\($0)" }
        let transactions = (1...6).map { "200000090000000\($0)" }
        let tokens = (1...3).map { "1d625e20-8e90-4318-1cf0-bfcf6828c34\($0)" }
        for night in 0...2 {
            let hour = { (h: Int) in desk.date(night) + "T\(h < 10 ? "0" : "")\(h):00:00+08:00" }
            try desk.deliver(
                "orders",
                orders.filter { _ in Bool.random(using: &random) }.map { id in
                    let number = Int(String(id.last!))!
                    let names = number % 3 == 0 ? transactions[number % 6] : ""
                    let status = pick(["created", "pending", "paid", "credited", "failed"])
                    return "\(id),\(accounts[number % 4]),coins,1,6.00,CNY,\(tokens[number % 3]),\(names),\(status),"
                        + "\(desk.date(0))T10:00:00+08:00,\(hour(13))"
                }, night: night)
            try desk.deliver(
                "receipts",
                (0..<12).map {
                    "R\(night)-\($0),\(hour(12)),\(pick(accounts)),\(pick(orders + [""])),\(pick(transactions + ["77", ""])),"
                        + "\(pick(["0", "21003", "21005", ""])),"
                }, night: night)
            try desk.deliver(
                "credits",
                (0..<3).map {
                    "C\(night)-\($0),\(pick(orders)),\(pick(transactions + ["", "", "88"])),\(pick(accounts)),"
                        + "\(pick(["credit", "credit", "reversal"])),\(pick(["auto", "desk"])),\(hour(14))"
                }, night: night)
            let proven = transactions.filter { _ in Bool.random(using: &random) }
            try desk.deliverTransactions(
                proven.map { ($0, Bool.random(using: &random) ? #","appAccountToken":"\#(pick(tokens))""# : "") },
                night: night)
            try desk.night(night)
        }
        return desk
    }

    @Test(arguments: 1...Trials.count(8, long: 20))
    func everySubjectIsAnsweredAsItWasJudged(seed: Int) throws {
        let desk = try Self.world(seed: UInt64(seed))
        let ledger = try Connection(path: desk.folder.path + "/ledger.sqlite", mode: .readOnly)
        var subjects: [(key: String, verdict: String, cause: String)] = []
        var row = try ledger.prepare("SELECT key, verdict, cause FROM subject")
        while try row.step() { subjects.append((row.text(0), row.text(1), row.text(2))) }
        #expect(subjects.count > 5)
        let keys = Set(subjects.map(\.key)).sorted()
        let ended = try desk.run(["lookup", "--json"] + keys)
        let object = try JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [String: Any]
        let answers = try #require(object?["answers"] as? [[String: Any]])
        let answered = Dictionary(uniqueKeysWithValues: zip(keys, answers))
        for subject in subjects {
            let found = try #require(answered[subject.key]?["subjects"] as? [[String: Any]])
            let same = found.contains { answer in
                answer["verdict"] as? String == subject.verdict && answer["cause"] as? String == subject.cause
            }
            let said = found.map { "\($0["verdict"] ?? "")/\($0["cause"] ?? "")" }
            #expect(same, "\(subject) is answered by \(said)")
        }
    }
}
