import Domain
import Engine
import Foundation
import Testing

@testable import Console
@testable import Reconcile
@testable import Reference

/// A night in stages says byte for byte what `nightly` says, with any number of parts. See docs/spec/cluster.md#stages.
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
        let twins = try Twins("a shop", parts: 3) { try StagedShop.folder() }
        try twins.both { try StagedShop.deliver(0, into: $0) }
        #expect(try twins.play(moment(0)) == 0)
        let exception = try #require(try StagedShop.firstExceptions(twins.alone, 1).first)
        let key = try #require(try StagedShop.firstKey(twins.alone))
        try twins.both { folder in
            let ended = try folder.run([
                "waive", exception, "--by", "Li", "--note", "paid back", "--as-of", noon(1).text,
            ])
            #expect(ended.code == .done, "\(ended.errors)")
            try folder.folder.write(
                "key,outcome,at\n\(key),applied,\(noon(1).milliseconds)\n", to: "inbox/acks-\(day(1).text).csv")
            try StagedShop.deliver(1, into: folder)
        }
        try twins.play(moment(1))
        try twins.both { folder in
            let text = try folder.folder.read("reconcile.json")
            try folder.folder.write(
                text.replacing("grace: {credit: \"1h\"", with: "grace: {credit: \"30h\""), to: "reconcile.json")
            try StagedShop.deliver(2, into: folder)
            // Of an optional feed; it is refused.
            try folder.folder.write("nothing,that,is,known\n1,2,3,4\n", to: "inbox/receipts-\(day(2).text)-x.csv")
        }
        #expect(try twins.play(moment(2)) == 3)
        // The same night again is rendered from the ledger.
        try twins.play(moment(2))
    }

    /// What Apple signed, and answers that list purchases of several cases. See `SignedShop`.
    @Test func whatAppleSignedCountsTheSame() throws {
        let shop = SignedShop()
        let twins = try Twins("signed rows", parts: 7) { try shop.folder() }
        for number in 0...2 {
            try twins.both { try shop.deliver(number, into: $0) }
            #expect(try twins.play(moment(number)) == 0)
            if number != 1 { continue }
            let exceptions = try twins.staged.night.folder.read("out/latest/exceptions.csv")
            #expect(
                ["a31;a32;a34", "not_in_receipt", "forged_copy", "untrusted_chain"].allSatisfy {
                    exceptions.contains($0)
                }, "\(exceptions)")
            // One row was new in one part and known in another; one was known but for the id of an e-mail.
            let counts = try twins.staged.night.conservation()
            let expected = ["rows": 2, "accepted": 1, "duplicates": 1, "rejected": 0]
            #expect(counts["transactions"] == expected && counts["order-lookups"] == expected, "\(counts)")
        }
    }

    /// The desk gave a purchase's goods by the number of another case's order, so both are tied and judged again.
    @Test func whatTheDeskGaveByAnotherOrderIsJudgedTwice() throws {
        let twins = try Twins("the desk", parts: 7) { try StagedShop.folder() }
        for number in 0...1 {
            try twins.both { try StagedShop.deliver(number, into: $0) }
            if number == 0 { try twins.both { try StagedShop.deliverByDesk(into: $0) } }
            try twins.play(moment(number))
            let basis = try twins.staged.night.folder.read("stages/basis.json")
            #expect(basis.contains(#""deskOrders":[["ORD9"#))
        }
    }

    @Test func whatOrdersSayOfABreakIsCarriedToTheParts() throws {
        let twins = try Twins("a break", parts: 7) { try StagedShop.folder() }
        for number in 0...1 {
            try twins.both { try StagedShop.deliver(number, into: $0) }
            try twins.both { try StagedShop.deliverBreak(number, into: $0) }
            try twins.play(moment(number))
            let exceptions = try twins.staged.night.folder.read("out/latest/exceptions.csv")
            #expect(exceptions.contains("200000000999998") == (number == 1))
        }
    }

    @Test func whoHasACaseInHandIsReportedTheSame() throws {
        let twins = try Twins("the desk's work", parts: 3) { try StagedShop.folder() }
        for number in 0...1 {
            try twins.both { try StagedShop.deliver(number, into: $0) }
            try twins.play(moment(number))
            let rows = try twins.staged.night.folder.read("out/latest/exceptions.csv").split(separator: "\n")
            let id = try #require(rows.dropFirst().first).prefix { $0 != "," }
            #expect(rows.contains { $0.hasPrefix(id) && $0.hasSuffix(",li,") } == (number == 1))
            let step = WorkStep(.take, ExceptionID(String(id))!, by: "li", at: moment(0).asOf)
            try twins.both { _ = try Program.shell("mkdir -p desk", in: $0.folder.path) }
            try twins.both { try $0.folder.write(step.recordText + "\n", to: "desk/work-2025-11.jsonl") }
            let waiver = DeskDecision(.waive, String(id), .decide, by: "li", at: moment(0).asOf, note: "goodwill")
            try twins.both { try $0.folder.write(waiver.recordText + "\n", to: "desk/decisions-2025-11.jsonl") }
            #expect(rows.contains { $0.hasPrefix(id + ",waived,") && $0.contains(",goodwill,") } == (number == 1))
        }
    }

    @Test func eachLedgerIsOfOneKind() throws {
        let folder = try StagedShop.folder()
        try StagedShop.deliver(0, into: folder)
        try #require(try StagedNights(folder, parts: 2).run(moment(0)).code == .done)
        #expect(try folder.night(moment(1)).code == .configuration)
        let other = try StagedShop.folder()
        try StagedShop.deliver(0, into: other)
        try #require(try other.night(moment(0)).code == .done)
        #expect(try StagedNights(other, parts: 2).run(moment(1)).code == .configuration)
    }
}

extension NightFolder {
    /// The rows of each feed in the latest night.
    fileprivate func conservation() throws -> [String: [String: Int]] {
        let summary = try JSONSerialization.jsonObject(with: Data(folder.read("out/latest/summary.json").utf8))
        return (summary as? [String: Any])?["conservation"] as? [String: [String: Int]] ?? [:]
    }
}
