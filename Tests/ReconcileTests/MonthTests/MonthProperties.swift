import Foundation
import Testing

@testable import Domain
@testable import Reconcile
@testable import Reference

/// Two months of sales, each with one planted problem or none.
private struct PlantedWorld {
    enum Plant: CaseIterable {
        case fine, cutOff, notCredited, creditedTwice, refundedNotReversed, refundedAndReversed, partlyRefunded
    }
    var rows: [String: (orders: [String], credits: [String], records: [String])] = [:]
    /// For each month, the expected sum of each class of differences.
    var expected: [String: [String: Int]] = [:]
    static let months = ["2026-01", "2026-02"]

    init(seed: UInt64, _ folder: MonthFolder) {
        var random = SplitMix64(seed: seed)
        for id in 1...40 {
            let month = Int.random(in: 0...1, using: &random)
            let name = Self.months[month]
            let end = month == 0 ? "2026-01-31" : "2026-02-28"
            // Cut-off: bought in January and given in February.
            let plant = Plant.allCases.randomElement(using: &random)!
            let isCutOff = plant == .cutOff && month == 0
            let day = Int.random(in: 1...20, using: &random)
            let sale = MonthFolder.Sale(
                id: id, minor: Int.random(in: 1...500, using: &random) * 100,
                at: isCutOff ? "2026-01-31 23:59:59" : name + "-" + padded(day, 2) + " 10:00:00")
            add(sale, plant, isCutOff: isCutOff, month: name, file: end, folder)
        }
    }

    private mutating func add(
        _ sale: MonthFolder.Sale, _ plant: Plant, isCutOff: Bool, month: String, file: String, _ folder: MonthFolder
    ) {
        var sale = sale
        let day = String(sale.at.prefix(10))
        var files = rows[file] ?? ([], [], [])
        let given = folder.credit(sale, at: sale.at)
        switch plant {
        case .fine: files.credits.append(given)
        case .cutOff where isCutOff:
            rows["2026-02-28", default: ([], [], [])].credits.append(folder.credit(sale, at: "2026-02-01 00:00:10"))
            plan("cut_off", sale.minor, "2026-01")
            plan("cut_off", -sale.minor, "2026-02")
        case .cutOff: files.credits.append(given)
        case .notCredited: plan("paid_not_credited", sale.minor, month)
        case .creditedTwice:
            files.credits += [given, folder.credit(sale, at: day + " 10:05:00", number: 2)]
            plan("credited_twice", -sale.minor, month)
        case .refundedNotReversed:
            files.credits.append(given)
            sale.more = folder.refund(day + " 20:00:00")
            plan("refunded_not_reversed", -sale.minor, month)
        case .refundedAndReversed:
            files.credits += [given, folder.credit(sale, at: day + " 21:00:00", "reversal", number: 2)]
            sale.more = folder.refund(day + " 20:00:00")
        case .partlyRefunded:
            files.credits.append(given)
            sale.more = folder.refund(day + " 20:00:00", percentage: 30_000)
            plan("partial_refund", -sale.minor * 3 / 10, month)
        }
        files.orders.append(folder.order(sale))
        files.records.append(folder.record(sale))
        rows[file] = (
            files.orders, files.credits + (rows[file]?.credits ?? []).filter { !files.credits.contains($0) },
            files.records
        )
    }

    private mutating func plan(_ reason: String, _ minor: Int, _ month: String) {
        expected[month, default: [:]][reason, default: 0] += minor
    }
}

@Suite struct MonthProperties {
    @Test(arguments: 1...4) func everyPlantedDifferenceIsFoundUnderItsName(seed: UInt64) throws {
        let folder = try MonthFolder()
        let world = PlantedWorld(seed: seed, folder)
        for (date, rows) in world.rows.sorted(by: { $0.key < $1.key }) {
            try folder.deliver(date, orders: rows.orders, credits: rows.credits, transactions: rows.records)
            try folder.night(date)
        }
        // One night later, the last graces have passed.
        try folder.deliver("2026-03-05")
        try folder.night("2026-03-05")
        var closing: [String: Int] = [:]
        for month in PlantedWorld.months {
            let file = try folder.month(month).file
            let money = try #require(file.money["CNY"])
            let found = money.explained.reduce(into: [String: Int]()) { $0[$1.verdict] = minor($1.amount) }
            #expect(
                found.filter { $0.value != 0 } == world.expected[month]?.filter { $0.value != 0 },
                "seed \(seed), \(month)")
            #expect(money.unexplained == "0.00")
            for line in file.exceptions {
                let moved = line.opening + line.new + line.reopened + line.changed_in
                #expect(moved == line.changed_out + line.resolved + line.waived + line.closing, "seed \(seed)")
                if line.opening != 0 { #expect(line.opening == closing[line.verdict], "seed \(seed), \(month)") }
            }
            closing = file.exceptions.reduce(into: [:]) { $0[$1.verdict] = $1.closing }
        }
    }

    private func minor(_ amount: String) -> Int { Int(amount.replacing(".", with: ""))! }
}
