import Domain
import Engine
import Foundation
import Testing

@testable import Console
@testable import Reconcile
@testable import Reference

/// A night in stages says byte for byte what `nightly` says, with any number of parts, and an engine that makes a mistake
/// publishes nothing. See docs/spec/cluster.md#stages.
@Suite struct StagedNightTests {
    /// Random worlds: files split, late, empty, missing or delivered twice; nights missed, or run again for the same date;
    /// tokens per account, per order and none; ids that are equal only under Unicode normalisation.
    @Test(arguments: [(1, 1), (2, 1), (7, 1), (64, 1)]) func anyNumberOfPartsSaysTheSame(_ parts: Int, _ count: Int)
        throws
    {
        for seed in 0..<UInt64(Trials.count(count, long: 100)) {
            let campaign = Campaign(seed: seed * 5 + UInt64(parts)).tellable
            let twins = try Twins("\(parts) parts, \(campaign.description)", parts: parts, folder: campaign.folder)
            for night in campaign.moments.indices {
                try twins.both { try campaign.deliver(night, into: $0) }
                try twins.play(campaign.moments[night])
            }
        }
    }

    /// Between the nights a person waives, the consumer answers, the policy changes, and a file is refused.
    @Test func whatHappensBetweenNightsCountsTheSame() throws {
        let twins = try Twins("a shop", parts: 3) { try Self.shop() }
        try twins.both { try Self.deliver(0, into: $0) }
        #expect(try twins.play(moment(0)) == 0)
        let exception = try #require(try Self.firstExceptions(twins.alone, 1).first)
        let key = try #require(try Self.firstKey(twins.alone))
        try twins.both { folder in
            let ended = try folder.run([
                "waive", exception, "--by", "Li", "--note", "paid back", "--as-of", noon(1).text,
            ])
            #expect(ended.code == .done, "\(ended.errors)")
            try folder.folder.write(
                "key,outcome,at\n\(key),applied,\(noon(1).milliseconds)\n", to: "inbox/acks-\(day(1).text).csv")
            try Self.deliver(1, into: folder)
        }
        try twins.play(moment(1))
        try twins.both { folder in
            let text = try folder.folder.read("reconcile.json")
            try folder.folder.write(
                text.replacing("grace: {credit: \"1h\"", with: "grace: {credit: \"30h\""), to: "reconcile.json")
            try Self.deliver(2, into: folder)
            // Of an optional feed; it is refused.
            try folder.folder.write("nothing,that,is,known\n1,2,3,4\n", to: "inbox/receipts-\(day(2).text)-x.csv")
        }
        #expect(try twins.play(moment(2)) == 3)
        // The same night again is rendered from the ledger.
        try twins.play(moment(2))
    }

    /// Each mistake is found, and the reports of the night before stay.
    @Test(arguments: StagedNights.Fault.allCases) func aMistakeOfTheEnginePublishesNothing(
        _ fault: StagedNights.Fault
    ) throws {
        let folder = try Self.shop()
        try Self.deliver(0, into: folder)
        var nights = StagedNights(folder, parts: 3)
        try #require(try nights.run(moment(0)).code == .done)
        let before = try folder.contents("ledger.sqlite")
        let reports = try folder.reports("latest")
        try Self.deliver(1, into: folder)
        nights.fault = fault
        let outcome = try nights.run(moment(1))
        #expect([.inputRefused, .internalError, .configuration].contains(outcome.code), "\(outcome)")
        #expect(try folder.contents("ledger.sqlite") == before)
        #expect(try folder.reports("latest") == reports)
        #expect(!FileManager.default.fileExists(atPath: folder.folder.path + "/out/" + day(1).text))
        nights.fault = nil
        #expect(try nights.run(moment(1)).code == .done)
    }

    @Test func eachLedgerIsOfOneKind() throws {
        let folder = try Self.shop()
        try Self.deliver(0, into: folder)
        try #require(try StagedNights(folder, parts: 2).run(moment(0)).code == .done)
        #expect(try folder.night(moment(1)).code == .configuration)
        let other = try Self.shop()
        try Self.deliver(0, into: other)
        try #require(try other.night(moment(0)).code == .done)
        #expect(try StagedNights(other, parts: 2).run(moment(1)).code == .configuration)
    }
}

/// A shop with tokens per account.
extension StagedNightTests {
    private static func shop() throws -> NightFolder {
        let folder = try NightFolder(required: [.orders])
        try folder.addFeed(#"{kind: "acks", path: "inbox/acks-{date}.csv"}"#)
        return folder
    }

    /// Eight purchases of a day: every third without its credit, every fourth with an order that names no transaction.
    private static func deliver(_ number: Int, into folder: NightFolder) throws {
        let range = 0..<8
        func account(_ index: Int) -> Identifier { index % 2 == 0 ? "e\u{301}" : "\u{E9}" }
        func token(_ index: Int) -> Token { Token(high: 7, low: UInt64(1 + index % 2)) }
        func id(_ index: Int) -> Identifier { Identifier("20000000000\(number)\(100 + index)") }
        func order(_ index: Int) -> Identifier { Identifier("ORD100000\(number)\(100 + index)") }
        try folder.deliver(
            file(.orders, number) { rows in
                rows.orders = range.map { index in
                    var row = Order(
                        id: order(index), account: account(index), product: "coins",
                        status: index % 4 == 0 ? .pending : .paid, createdAt: noon(number))
                    row.token = token(index)
                    if index % 4 != 0 { row.transaction = id(index) }
                    return row
                }
            })
        try folder.deliver(
            file(.transactions, number) { rows in
                rows.transactions = range.map { index in
                    var row = Transaction(id: id(index), product: "coins", purchasedAt: noon(number))
                    row.price = Price(thousandths: 6000, currency: "CNY")
                    row.token = token(index)
                    if number == 1, index == 5 { row.revocation = Revocation(at: noon(1), type: .refundFull) }
                    return row
                }
            })
        try folder.deliver(
            file(.credits, number) { rows in
                rows.credits = range.filter { $0 % 3 != 0 }.map { index in
                    var row = Credit(
                        id: Identifier("C\(number)\(1000 + index)"), account: account(index),
                        origin: index == 4 ? .desk : .auto, creditedAt: noon(number))
                    row.order = order(index)
                    if index != 4 { row.transaction = id(index) }
                    return row
                }
            })
    }

    private static func firstExceptions(_ folder: NightFolder, _ count: Int) throws -> [String] {
        let lines = try folder.folder.read("out/latest/exceptions.csv").split(separator: "\n")
        return lines.dropFirst().prefix(count).compactMap { line in
            line.split(separator: ",").first { $0.hasPrefix("E") && $0.count == 17 }.map(String.init)
        }
    }

    private static func firstKey(_ folder: NightFolder) throws -> String? {
        let line = try folder.folder.read("out/latest/retry-manifest.jsonl").split(separator: "\n").first
        return line.flatMap { $0.firstMatch(of: /"key":"([^"]*)"/) }.map { String($0.1) }
    }
}
