import Domain
import Reference
import Testing

@testable import Engine

/// The tables of purchases: a multiset, and one form of bytes for each. See docs/spec/why.md#tables.
@Suite struct WhyTableTests {
    private func day(_ count: Int, seed: UInt64) -> [CountedPurchase] {
        var shop = WhyShop(seed: seed)
        shop.trade(count) { _ in 0.05 }
        let fates = [
            PurchaseFate(nil), PurchaseFate(.withinDay, isCreditedTwice: true, delay: 23), PurchaseFate(.waiting),
        ]
        return shop.purchases[0].map {
            var purchase = $0
            if shop.isLost(0.1) { purchase.fate = fates.randomElement(using: &shop.random)! }
            if shop.isLost(0.1) { purchase.labels = [] }
            if shop.isLost(0.1) { purchase.amount = nil }
            if shop.isLost(0.1) { purchase.amount?.minor = .random(in: .min ... .max, using: &shop.random) }
            if shop.isLost(0.1) { purchase.product = Identifier("gem é\u{301}\(shop.random.next() % 5)") }
            return purchase
        }
    }

    @Test func noLabelHasTheNameOfABuiltInDimension() {
        #expect(LabelSet.takenNames == (Dimension.stored + [.weekday]).map(\.name))
    }

    @Test func theOrderOfRowsDoesNotMatter() throws {
        let purchases = day(300, seed: 1)
        let bytes = try table(purchases).encode()
        #expect(try table(purchases.reversed()).encode() == bytes)
        var whole = table(Array(purchases[200...]))
        whole.add(table(Array(purchases[..<200])))
        #expect(try whole.encode() == bytes)
    }

    @Test func whatWasAddedAndTakenOutLeavesNoTrace() throws {
        let (purchases, others) = (day(200, seed: 2), day(100, seed: 3))
        let bytes = try table(purchases).encode()
        var moved = table(others + purchases)
        for purchase in others.reversed() { moved.remove(purchase) }
        #expect(try moved.encode() == bytes)
        for purchase in purchases { moved.remove(purchase) }
        #expect(try moved.encode() == DateTable(of: WhyShop.date, labels: []).encode())
    }

    @Test func aTableGoesOnFromItsBytes() throws {
        let purchases = day(300, seed: 4)
        var stored = try DateTable(
            of: WhyShop.date, labels: WhyShop.labels, decoding: table(Array(purchases[..<250])).encode())
        for purchase in purchases[250...] { stored.add(purchase) }
        for purchase in purchases[..<50] { stored.remove(purchase) }
        #expect(try stored.encode() == table(Array(purchases[50...])).encode())
    }

    @Test func labelsThatComeAndGoKeepTheirValues() throws {
        let purchases = day(50, seed: 5)
        let bytes = try table(purchases).encode()
        var stored = try DateTable(of: WhyShop.date, labels: ["zone", "channel"], decoding: bytes)
        #expect(stored.labels == ["zone", "channel", "server"])
        #expect(try stored.encode() == bytes)
        var purchase = CountedPurchase(PurchaseFate(.lost), amount: nil)
        purchase.labels = ["z1", "c1"]
        stored.add(purchase)
        let zones = [stored].tallies(by: .label("zone"))
        #expect(zones.map(\.value) == [.absent, "z1"] && zones.map(\.count).last == 1)
        stored.remove(purchase)
        #expect(try stored.encode() == bytes)
    }

    @Test func anEmptyTextIsNoValue() throws {
        var (empty, absent) = (day(1, seed: 6)[0], day(1, seed: 6)[0])
        empty.app = Identifier("")
        absent.app = .absent
        #expect(try table([empty, absent]).encode() == table([absent, absent]).encode())
    }

    @Test func moreTakenOutThanAddedIsAContradiction() throws {
        let purchases = day(10, seed: 7)
        var table = table(purchases)
        var other = purchases[0]
        other.hour = other.hour! < 23 ? 23 : 0
        table.remove(other)
        #expect(throws: EngineError.self) { try table.encode() }
    }

    /// Ten thousand different values of a label make keys of many bits.
    @Test func hostileValuesDoNoHarm() throws {
        let purchases = (0..<3000).map { number in
            var purchase = CountedPurchase(
                PurchaseFate(.lost), amount: Money(minor: Int64(number) << 40, currency: "JPY"))
            (purchase.product, purchase.storefront) = (Identifier("p\(number)"), Identifier("=cmd|\(number)"))
            (purchase.app, purchase.appVersion) = (Identifier("a\(number)"), Identifier("\u{202E}\(number)"))
            purchase.labels = [
                Identifier(String(repeating: "x", count: number % 60) + "\(number)"), Identifier("\(number % 7)"),
            ]
            return purchase
        }
        let bytes = try table(purchases).encode()
        #expect(try table(purchases.reversed()).encode() == bytes)
        #expect(try DateTable(of: WhyShop.date, decoding: bytes).encode() == bytes)
        #expect(Explanations.find(in: [table(purchases)], of: .lost) == [])
        let listed = [table(purchases)].tallies(by: .label("server"))
        #expect(listed.count == 1001 && listed.last?.value == nil && listed.last?.count == 2000)
        #expect(listed.reduce(0) { $0 + $1.count } == 3000)
    }

    @Test func theMostFrequentValuesAreListedThenThoseWithTheSmallestBytes() {
        let values = ["b", "a", "c", "a", "d", "B"]
        let day = table(values.map { WhyShop.purchase([.storefront: $0, .currency: "CNY"], PurchaseFate(.later)) })
        let listed = [day].tallies(by: .storefront, limit: 3)
        #expect(listed.map { $0.value?.text } == ["a", "B", "b", nil] && listed.map(\.count) == [2, 1, 1, 2])
        let key = PurchaseKey(PurchaseOutcome(WhyShop.date, .later)!, "CNY")
        #expect(listed[0].tally.entries == [key: CountAndAmount(count: 2, minor: 1200)])
        let weekdays = [day, table([], on: WhyShop.date)].tallies(by: .weekday)
        #expect(weekdays.map { $0.value?.text } == ["5"] && weekdays[0].count == 6)
    }

    @Test func aPurchaseTakesLessThanFiveBytes() throws {
        var shop = WhyShop(seed: 8)
        shop.trade(10_000) { _ in 0.02 }
        let bytes = try table(shop.purchases[0]).encode().count
        #expect(bytes < 50_000, "\(bytes)")
    }

    /// Two spellings of `é` are one Swift string.
    @Test func namesOfLabelsAreASCII() throws {
        var table = DateTable(of: WhyShop.date, labels: ["é"])
        var purchase = CountedPurchase(PurchaseFate(.lost), amount: nil)
        purchase.labels = ["é"]
        table.add(purchase)
        let bytes = try table.encode()
        #expect(throws: DamagedBytes.self) { try DateTable(of: WhyShop.date, decoding: bytes) }
    }

    /// The bytes that another reading gives; empty if it refuses these.
    private func reread(_ bytes: [UInt8]) throws -> [UInt8] {
        do {
            let read = try DateTable(of: WhyShop.date, decoding: bytes)
            #expect(read.columns[DateTable.fate].values.allSatisfy { PurchaseFate(packed: $0) != nil })
            return try read.encode()
        } catch is DamagedBytes { return [] }
    }

    /// A label that no purchase has a value of is never written.
    @Test func anEmptyLabelIsRefused() throws {
        var table = DateTable(of: WhyShop.date, labels: [])
        table.add(CountedPurchase(PurchaseFate(.waiting), amount: nil))
        let bytes = try table.encode()
        // Version, no labels, two numbers and eight dictionaries of one value, one row of one purchase.
        #expect(bytes == [1, 0, 1, 12, 1, 0] + Array(repeating: [1, 0, 0], count: 8).joined() + [1, 0x80])
        let labelled = [1, 1, 0, 1, 0x61] + bytes[2..<30] + [1, 0, 0] + bytes[30...]
        #expect(throws: DamagedBytes.self) { try DateTable(of: WhyShop.date, decoding: Array(labelled)) }
    }

    @Test func moreLabelsThanLeadingValuesDoNoHarm() {
        let labels = (0..<140).map { "label\($0)" }
        var table = DateTable(of: WhyShop.date, labels: labels)
        for number in 0..<100 {
            var purchase = CountedPurchase(PurchaseFate(number < 10 ? .lost : .withinHour), amount: nil)
            purchase.labels = labels.map { Identifier($0) }
            table.add(purchase)
        }
        #expect(Explanations.find(in: [table], of: .lost) == [])
    }

    @Test func tornTablesAreRefused() throws {
        let bytes = try table(day(40, seed: 9)).encode()
        for length in 0..<bytes.count { #expect(try reread(Array(bytes[..<length])) == [], "\(length)") }
        for byte in [UInt8(0), 1, 0x80, 0xFF] { #expect(try reread(bytes + [byte]) == []) }
    }

    @Test func changedTablesAreRefusedOrAreTheOneFormOfAnother() throws {
        for seed in UInt64(10)..<13 {
            var purchases = day(seed == 10 ? 1 : 25, seed: seed)
            purchases[0].amount = Money(minor: .min, currency: "CNY")
            let bytes = try table(purchases).encode()
            for bit in 0..<bytes.count * 8 {
                var changed = bytes
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                let read = try reread(changed)
                #expect(read == [] || read == changed, "bit \(bit) of \(seed)")
            }
        }
        var random = SplitMix64(seed: 13)
        let bytes = try table(day(25, seed: 11)).encode()
        for trial in 0..<Trials.count(1000, long: 50_000) {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let read = try reread(changed)
            #expect(read == [] || read == changed, "trial \(trial)")
        }
    }
}
