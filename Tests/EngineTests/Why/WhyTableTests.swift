import Domain
import Reference
import Testing

@testable import Engine

/// The tables of purchases: one form of bytes for the same rows. See docs/spec/why.md#tables.
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
            if shop.isLost(0.1) { purchase.labels = .none }
            if shop.isLost(0.9) { purchase.orderEnd = IdentifierEnd([Identifier("ORD\(shop.random.next())")]) }
            if shop.isLost(0.1) { purchase.amount = nil }
            if shop.isLost(0.1) { purchase.amount?.minor = .random(in: .min ... .max, using: &shop.random) }
            if shop.isLost(0.1) { purchase.product = Identifier("gem é\u{301}\(shop.random.next() % 5)") }
            return purchase
        }
    }

    @Test func noLabelHasTheNameOfABuiltInDimension() {
        #expect(LabelSet.takenNames == (Dimension.stored + [.weekday]).map(\.name))
    }

    @Test func theOrderOfRowsDoesNotMatter() {
        let purchases = day(300, seed: 1)
        let bytes = table(purchases).encode()
        var reversed = PurchaseRows()
        for (number, purchase) in purchases.enumerated().reversed() {
            reversed.add(purchase, of: CaseID(Int64(number + 1)))
        }
        #expect(DateTable(of: WhyShop.date, reversed).encode() == bytes)
        var whole = table(Array(purchases[200...]), from: 201)
        whole.add(table(Array(purchases[..<200])))
        #expect(whole.encode() == bytes)
    }

    /// Where parts are judged, no case has a number.
    @Test func theOrderOfRowsOfOneCaseDoesNotMatter() {
        let purchases = day(300, seed: 2)
        var (one, other) = (PurchaseRows(), PurchaseRows())
        for purchase in purchases { one.add(purchase, of: 0) }
        for purchase in purchases.reversed() { other.add(purchase, of: 0) }
        let tables = [one, other].map { DateTable(of: WhyShop.date, $0) }
        #expect(tables[0].encode() == tables[1].encode() && tables[0].rows == 300)
    }

    @Test func casesThatAreTakenOutLeaveNoTrace() throws {
        let (purchases, others) = (day(200, seed: 2), day(100, seed: 3))
        let bytes = table(purchases).encode()
        var moved = table(purchases)
        moved.add(table(others, from: 1000))
        moved = try DateTable(of: WhyShop.date, decoding: moved.encode())
        moved.remove(Set((1000..<1100).map { CaseID($0) }))
        #expect(moved.encode() == bytes)
        moved.remove(Set((1..<201).map { CaseID($0) }))
        #expect(moved.encode() == DateTable(of: WhyShop.date).encode())
    }

    @Test func aTableGoesOnFromItsBytes() throws {
        let purchases = day(300, seed: 4)
        let first = table(Array(purchases[..<250])).encode()
        #expect(try DateTable.cases(in: first) == (1...250).map { CaseID($0) })
        var stored = try DateTable(of: WhyShop.date, decoding: first)
        stored.add(table(Array(purchases[250...]), from: 251))
        #expect(stored.encode() == table(purchases).encode())
    }

    @Test func labelsThatComeAndGoKeepTheirValues() throws {
        let bytes = table(day(50, seed: 5)).encode()
        var stored = try DateTable(of: WhyShop.date, decoding: bytes)
        #expect(stored.labels == ["channel", "server"])
        var purchase = CountedPurchase(fate: PurchaseFate(.lost), amount: nil)
        purchase.labels = LabelSet([.init(name: "zone", text: "z1"), .init(name: "channel", text: "c1")])
        stored.add(table([purchase], from: 60))
        let zones = [stored].tallies(by: .label("zone"), limit: 9)
        #expect(zones.map(\.value) == [.absent, "z1"] && zones.map(\.purchases).last == 1)
        stored.remove([60])
        #expect(stored.encode() == bytes)
    }

    @Test func anEmptyTextIsNoValue() {
        var (empty, absent) = (day(1, seed: 6)[0], day(1, seed: 6)[0])
        empty.app = Identifier("")
        absent.app = .absent
        #expect(table([empty, absent]).encode() == table([absent, absent]).encode())
    }

    /// Ten thousand different values of a label make keys of many bits.
    @Test func hostileValuesDoNoHarm() throws {
        let purchases = (0..<3000).map { number in
            var purchase = CountedPurchase(
                fate: PurchaseFate(.lost), amount: Money(minor: Int64(number) << 40, currency: "JPY"))
            (purchase.product, purchase.storefront) = (Identifier("p\(number)"), Identifier("=cmd|\(number)"))
            purchase.app = Identifier("a\(number)")
            purchase.labels = LabelSet([
                .init(name: "server", text: Identifier(String(repeating: "x", count: number % 60) + "\(number)")),
                .init(name: "channel", text: Identifier("\(number % 7)")),
            ])
            purchase.appVersion = Identifier("\u{202E}\(number)")
            return purchase
        }
        let bytes = table(purchases).encode()
        #expect(try DateTable(of: WhyShop.date, decoding: bytes).encode() == bytes)
        #expect(Explanations.find(in: [table(purchases)], of: .lost) == [])
        let listed = [table(purchases)].tallies(by: .label("server"), limit: 1000)
        #expect(listed.count == 1001 && listed.last?.value == nil && listed.last?.purchases == 2000)
        #expect(listed.reduce(0) { $0 + $1.purchases } == 3000)
    }

    @Test func theMostFrequentValuesAreListedThenThoseWithTheSmallestBytes() {
        let values = ["b", "a", "c", "a", "d", "B"]
        let day = table(values.map { WhyShop.purchase([.storefront: $0, .currency: "CNY"], PurchaseFate(.later)) })
        let listed = [day].tallies(by: .storefront, limit: 3)
        #expect(listed.map { $0.value?.text } == ["a", "B", "b", nil] && listed.map(\.purchases) == [2, 1, 1, 2])
        #expect(listed[0][.later] == 2 && listed[0].lostWorth.amounts == [Money(minor: 1200, currency: "CNY")])
        let weekdays = [day, table([], on: WhyShop.date)].tallies(by: .weekday, limit: 3)
        #expect(weekdays.map { $0.value?.text } == ["5"] && weekdays[0].purchases == 6)
    }

    @Test func aPurchaseTakesLessThanSevenBytes() {
        var shop = WhyShop(seed: 8)
        shop.trade(10_000) { _ in 0.02 }
        let bytes = table(shop.purchases[0]).encode().count
        #expect(bytes < 70_000, "\(bytes)")
    }

    /// Two spellings of `é` are one Swift string.
    @Test func namesOfLabelsAreASCII() {
        var purchase = CountedPurchase(fate: PurchaseFate(.lost), amount: nil)
        purchase.labels = LabelSet([.init(name: "é", text: "é")])
        let bytes = table([purchase]).encode()
        #expect(throws: DamagedBytes.self) { try DateTable(of: WhyShop.date, decoding: bytes) }
    }

    /// The bytes that another reading gives; empty if it refuses these.
    private func reread(_ bytes: [UInt8]) -> [UInt8] {
        do {
            let read = try DateTable(of: WhyShop.date, decoding: bytes)
            #expect(read.columns[DateTable.fate].values.allSatisfy { PurchaseFate(packed: $0) != nil })
            return read.encode()
        } catch { return [] }
    }

    /// One in 254 of the others, by chance.
    @Test func aSearchByAnEndLeavesOutNearlyAllCases() {
        let purchases = (0..<1000).map { number in
            var purchase = CountedPurchase(fate: PurchaseFate(.withinHour), amount: nil)
            purchase.transactionEnd = IdentifierEnd([Identifier("200000087000\(4000 + number)")])
            purchase.orderEnd = IdentifierEnd([Identifier(number == 500 ? "SG-\(number)-ab12" : "SG\(7000 + number)")])
            return purchase
        }
        for (end, wanted) in [("4170", 170), ("0004170", 170), ("7999", 999), ("ab12", 500), ("-ab12", 500)] {
            var asked = PurchaseDescription()
            asked.ending = end
            var (others, open): ([CaseID], [CaseID]) = ([], [])
            table(purchases).addCases(fitting: asked, hours: Set(0..<24), to: &others, open: &open)
            #expect(others.contains(CaseID(Int64(wanted + 1))) && others.count < 12, "\(end): \(others)")
        }
    }

    /// A search reads some columns alone, and finds what it finds in the whole table.
    @Test func aSearchFindsTheSameInTheColumnsThatItReads() throws {
        let whole = table(day(300, seed: 11))
        let bytes = whole.encode()
        var searches = Array(repeating: PurchaseDescription(), count: 6)
        searches[1].ending = "4170"
        searches[2].products = [Identifier("gem é\u{301}1"), Identifier("gem é\u{301}2")]
        searches[3].currencies = ["USD", "CNY"]
        searches[4].storefront = "USA"
        (searches[5].ending, searches[5].currencies) = ("0001", ["CNY"])
        for asked in searches {
            for hours in [Set(0..<24), Set(9..<15)] {
                func found(_ table: DateTable) -> [[CaseID]] {
                    var (others, open): ([CaseID], [CaseID]) = ([], [])
                    table.addCases(fitting: asked, hours: hours, to: &others, open: &open)
                    return [others, open]
                }
                let columns = DateTable.columns(for: asked, hours: hours)
                let read = try DateTable(of: WhyShop.date, decoding: bytes, only: columns)
                #expect(found(read) == found(whole), "\(asked)")
            }
        }
        #expect(throws: DamagedBytes.self) {
            try DateTable(of: WhyShop.date, decoding: Array(bytes.dropLast()), only: [DateTable.fate])
        }
    }

    @Test func severalIDsFitEveryEndAndNoneFitsNone() throws {
        let asked = try #require(IdentifierEnd(of: "x4170"))
        for (ids, fits) in [
            ([], false), (["14170"], true), (["4170", "4170"], true), (["1", "14170"], true), (["170"], true),
            (["4171"], false),
            (["200000087000000000004170"], true), (["é170"], false),
        ] as [([Identifier], Bool)] { #expect(IdentifierEnd(ids).fits(asked) == fits, "\(ids)") }
        #expect(IdentifierEnd(of: "170") == nil)
    }

    /// A label that no purchase has a value of is never written.
    @Test func anEmptyLabelIsRefused() {
        let bytes = table([CountedPurchase(fate: PurchaseFate(.waiting), amount: nil)]).encode()
        // Version, one row of case 1, no labels, four numbers and eight dictionaries of one value.
        #expect(bytes == [2, 1, 2, 0, 1, 12, 1, 0, 1, 0, 1, 0] + Array(repeating: [1, 0, 0], count: 8).joined())
        let labelled = bytes[..<3] + [1, 0, 1, 0x61] + bytes[4...] + [1, 0, 0]
        #expect(throws: DamagedBytes.self) { try DateTable(of: WhyShop.date, decoding: Array(labelled)) }
    }

    @Test func moreLabelsThanLeadingValuesDoNoHarm() {
        let labels = (0..<140).map { "label\($0)" }
        let purchases = (0..<100).map { number in
            var purchase = CountedPurchase(fate: PurchaseFate(number < 10 ? .lost : .withinHour), amount: nil)
            purchase.labels = LabelSet(labels.map { LabelSet.Value(name: $0, text: Identifier($0)) })
            return purchase
        }
        #expect(Explanations.find(in: [table(purchases)], of: .lost) == [])
    }

    @Test func tornTablesAreRefused() throws {
        let bytes = table(day(40, seed: 9)).encode()
        for length in 0..<bytes.count { #expect(reread(Array(bytes[..<length])) == [], "\(length)") }
        for byte in [UInt8(0), 1, 0x80, 0xFF] { #expect(reread(bytes + [byte]) == []) }
    }

    @Test func changedTablesAreRefusedOrAreTheOneFormOfAnother() throws {
        for seed in UInt64(10)..<13 {
            var purchases = day(seed == 10 ? 1 : 25, seed: seed)
            purchases[0].amount = Money(minor: .min, currency: "CNY")
            let bytes = table(purchases).encode()
            // In the suite, every bit of the smallest table and a bit of each byte of the others.
            for bit in 0..<bytes.count * 8 where Trials.areLong || seed == 10 || bit % 8 == bit / 8 % 8 {
                var changed = bytes
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                let read = reread(changed)
                #expect(read == [] || read == changed, "bit \(bit) of \(seed)")
            }
        }
        var random = SplitMix64(seed: 13)
        let bytes = table(day(25, seed: 11)).encode()
        for trial in 0..<Trials.count(300, long: 50_000) {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let read = reread(changed)
            #expect(read == [] || read == changed, "trial \(trial)")
        }
    }
}
