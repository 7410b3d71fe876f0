import Domain
import Testing

@testable import Engine

/// Random shops in Shanghai, over three of Apple's months. Apple's days begin at another hour, it lists each sale some days
/// later, prices rise, and some shops sell an offer beside.
@Suite struct BridgeShopTests {
    private static let zone = Zone("Asia/Shanghai")!
    private static let starts = ["2025-09-28", "2025-11-02", "2025-11-30", "2025-12-28"].map { BusinessDate($0)! }
    private static let opens = zone.start(of: BusinessDate("2025-09-15")!)

    private struct Sale: Equatable {
        var at: Instant
        var price: Int64
        var product: String
        /// By Apple's clock.
        var day: BusinessDate
        var collected: BusinessDate
    }

    private struct Random {
        var state: UInt64
        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
    }

    private func shop(_ random: inout Random) -> [Sale] {
        let (daily, lag, shift) = ([1, 2, 3, 5, 9][random.next(5)], random.next(5), random.next(33) - 16)
        let (isPacific, rise, hasOffer) = (random.next(4) == 0, 10 + random.next(90), random.next(3) == 0)
        return (0..<106).flatMap { day in
            (0..<1 + random.next(2 * daily)).map { _ in
                let at = Instant(milliseconds: Self.opens.milliseconds + Int64(day * 24 + random.next(24)) * 3_600_000)
                let hour = SaleHour(at, in: Self.zone)
                let own = AppleClock(isPacific: isPacific, hours: isPacific ? 0 : Int64(shift)).day(of: hour)
                let price: Int64 = hasOffer && random.next(4) == 0 ? 100 : day < rise ? 2500 : 3000
                return Sale(
                    at: at, price: price, product: random.next(3) == 0 ? "b" : "a", day: own,
                    collected: own.advanced(by: lag))
            }
        }
    }

    private func bridge(
        _ ledger: [Sale], apple: [Sale], isDetail: Bool, closed: [AppleBridge?] = []
    ) throws -> AppleBridge {
        var table: DayTable = [:]
        for sale in ledger {
            let key = SalesKey(product: Identifier(sale.product), storefront: "CHN", currency: "CNY")
            let leg = Leg(kind: .purchase, at: sale.at, value: Money(minor: sale.price, currency: "CNY"), units: 1)
            table[key, default: [:]][Self.zone.date(of: sale.at), default: DaySales()].add(
                leg, isStated: true, hour: SaleHour(sale.at, in: Self.zone))
        }
        let reports = try (0..<3).map { index in
            let (first, last) = (Self.starts[index], Self.starts[index + 1].advanced(by: -1))
            let own = apple.filter { $0.collected >= first && $0.collected <= last }
            let groups = Dictionary(grouping: own) {
                "\(isDetail ? $0.day.text + "\t" : "\(first)\t\(last)\t")\($0.product)\t\(decimal($0.price, exponent: 2))"
            }
            let rows = groups.sorted { $0.key < $1.key }.map { "\($0.key)\t\($0.value.count)\t1.00\tCNY\tS\tCN\tCNY" }
            let head = isDetail ? "Start Date\t\(first)\nEnd Date\t\(last)\nTransaction Date" : "Start Date\tEnd Date"
            let columns =
                "\tVendor Identifier\tCustomer Price\tQuantity\tExtended Partner Share\tPartner Share Currency\t"
                + "Sales or Return\tCountry Of Sale\tCustomer Currency"
            let total = isDetail ? [] : ["Total_Rows\t\(rows.count)", "Total_Amount\t\(rows.count).00"]
            let text = ([head + columns] + rows + total).joined(separator: "\n")
            return try AppleReport(text, name: "\(index).txt", digest: text)
        }
        var months = try #require(AppleMonths(reports, collectDays: 40))
        months.closed = closed.map { bridge in
            var report = MonthReport(
                FiscalCalendar.month("2025-11")!, timeZone: "Asia/Shanghai", asOf: Self.opens, run: RunID(1),
                lastNight: Self.starts[2], version: "1")
            report.apple = bridge
            return report
        }
        return BridgeMaker(
            months, month: FiscalCalendar.month("2025-12")!, days: table,
            known: ["a", "b"]
        ).bridge
    }

    /// What the three periods leave: never collected, price differences, and unexplained.
    private func rest(_ bridge: AppleBridge) -> [UnitsAndValue] {
        bridge.rollForward.reduce([.zero, .zero, .zero]) {
            [$0[0] + $1.neverCollected, $0[1] + $1.price, $0[2] + $1.unexplained]
        }
    }

    @Test(arguments: [true, false]) func anHonestShopIsNeverAccused(isDetail: Bool) throws {
        for seed in UInt64(1)...60 {
            var random = Random(state: seed)
            let sales = shop(&random)
            let bridge = try bridge(sales, apple: sales, isDetail: isDetail)
            #expect(rest(bridge) == [.zero, .zero, .zero], "seed \(seed)")
            #expect(
                bridge.lines.allSatisfy { $0.inExcess.isEmpty && $0.undecided.isEmpty && $0.late == .zero },
                "seed \(seed)")
            #expect(bridge.isBySums == !isDetail)
        }
    }

    @Test func ofADetailReportExactlyTheHoleIsNamed() throws {
        for seed in UInt64(1)...60 {
            var random = Random(state: seed)
            let sales = shop(&random)
            func pick(_ days: ClosedRange<String>) -> Int {
                let own = sales.indices.filter {
                    days.contains(sales[$0].collected.text) && days.contains(sales[$0].day.text)
                }
                return own[random.next(own.count)]
            }
            let (lost, hidden) = (pick("2025-10-01"..."2025-11-10"), pick("2025-12-05"..."2025-12-20"))
            var (ledger, apple) = (sales, sales)
            apple.remove(at: lost)
            ledger.remove(at: hidden)
            let bridge = try bridge(ledger, apple: apple, isDetail: true)
            let (missing, added) = (sales[lost], sales[hidden])
            #expect(
                rest(bridge) == [
                    UnitsAndValue(units: 1, minor: missing.price), .zero, UnitsAndValue(units: -1, minor: -added.price),
                ], "seed \(seed)")
            let named = bridge.lines.flatMap { line in line.inExcess.map { (line.product, $0.soldOn, $0.price) }
            }
            #expect(named.count == 1 && named[0] == (added.product, added.day, added.price), "seed \(seed)")
        }
    }

    /// The ledger lacks twelve days of December, or Apple's reports lack twelve days of October.
    @Test(arguments: [true, false]) func sumsTellAHoleThatIsLargerThanWhatIsInTransit(isLedgers: Bool) throws {
        for seed in UInt64(1)...60 {
            var random = Random(state: seed)
            let sales = shop(&random)
            let days = isLedgers ? "2025-12-03"..."2025-12-14" : "2025-10-08"..."2025-10-19"
            let rest = sales.filter { !days.contains($0.day.text) }
            let found = try bridge(isLedgers ? rest : sales, apple: isLedgers ? sales : rest, isDetail: false)
            let told = found.lines.reduce(0) {
                $0 + abs($1.unexplained.units) + abs($1.late.units) + ($1.steps[.neverCollected]?.units ?? 0)
                    + abs($1.steps[.unknownProduct]?.units ?? 0)
            }
            let all = self.rest(found)
            #expect(told > 0 || all[0].units > 0 || all[2].units < 0, "seed \(seed)")
        }
    }

    /// One sale a day, listed three days later, at 25.00 and since 10 December at 30.00.
    @Test func aDelayAndANewPriceAreNoHoleBySums() throws {
        let sales = (0..<106).map { day in
            let at = Instant(milliseconds: Self.opens.milliseconds + Int64(day * 24 + 10) * 3_600_000)
            let own = Self.zone.date(of: at)
            return Sale(
                at: at, price: own.text < "2025-12-10" ? 2500 : 3000, product: "a", day: own,
                collected: own.advanced(by: 3))
        }
        let bridge = try bridge(sales, apple: sales, isDetail: false)
        #expect(rest(bridge) == [.zero, .zero, .zero])
        let sold = bridge.rollForward.filter { $0.kind == .sales }
        #expect(sold.map(\.opening.minor) == [7500, 7500, 7500])
        #expect(sold.map(\.closing.minor) == [7500, 7500, 9000])
    }

    /// One sale a day at 25.00. Apple lists those of some days a few days later.
    private func sales(daily: Int = 1, late: [ClosedRange<String>: Int] = [:]) -> [Sale] {
        (0..<106 * daily).map { number in
            let hours = Int64(number / daily * 24 + 10)
            let at = Instant(milliseconds: Self.opens.milliseconds + hours * 3_600_000)
            let own = Self.zone.date(of: at)
            let lag = late.first { $0.key.contains(own.text) }?.value ?? 0
            return Sale(at: at, price: 2500, product: "a", day: own, collected: own.advanced(by: lag))
        }
    }

    /// In transit: 3 before the first report, then 2, 4 and 0.
    private let varying = [
        "2025-09-25"..."2025-09-27": 4, "2025-10-31"..."2025-11-01": 3, "2025-11-26"..."2025-11-29": 5,
    ]

    /// The ledger lacks twelve sales in each month, and Apple has no delay.
    @Test func aLossInEveryMonthIsNoVaryingDelay() throws {
        let all = sales(daily: 6)
        let holes = ["2025-10-06"..."2025-10-11", "2025-11-05"..."2025-11-10", "2025-12-02"..."2025-12-07"]
        let ledger = all.indices.filter { index in
            index % 6 > 1 || !holes.contains { $0.contains(all[index].day.text) }
        }.map { all[$0] }
        let found = try bridge(ledger, apple: all, isDetail: false)
        #expect(rest(found)[2] == UnitsAndValue(units: -24, minor: -60000))
        #expect(found.lines.allSatisfy { $0.undecided.isEmpty })
    }

    @Test func whatAVaryingDelayExcusesIsNamed() throws {
        let all = sales(late: varying)
        let found = try bridge(all, apple: all, isDetail: false)
        #expect(rest(found) == [.zero, .zero, .zero])
        #expect(found.lines.map(\.withheld) == [UnitsAndValue(units: 2, minor: 5000)])
        #expect(found.lines[0].undecided.map(\.source) == ["2.txt:2"])
        #expect(try bridge(all, apple: all, isDetail: true).lines.allSatisfy { $0.withheld == .zero })
    }

    @Test func whatAClosedMonthCalledUnexplainedIsNotWithheld() throws {
        let all = sales(late: varying)
        var line = BridgeLine(product: "a", country: "CN", currency: "CNY", kind: .sales)
        line.apple = UnitsAndValue(units: 2, minor: 5000)
        let found = try bridge(all, apple: all, isDetail: false, closed: [AppleBridge(files: [], lines: [line])])
        #expect(rest(found)[2] == UnitsAndValue(units: -2, minor: -5000))
        #expect(found.lines.allSatisfy { $0.withheld == .zero })
    }

    @Test func whatAClosedMonthHadOtherwiseIsTold() throws {
        let all = sales()
        let closed = try bridge(all, apple: all, isDetail: false)
        #expect(try bridge(all, apple: all, isDetail: false, closed: [closed]).changes == [])
        let fewer = all.filter { $0.day.text != "2025-11-28" }
        let found = try bridge(all, apple: fewer, isDetail: false, closed: [closed])
        let changes = found.changes
        #expect(changes.map(\.isOtherFile) == [true] && changes.map(\.now.last.text) == ["2025-11-29"])
        #expect([changes[0].then, changes[0].now].map(\.reported.minor) == [70000, 67500])
        #expect([changes[0].then, changes[0].now].map(\.closing.minor) == [0, 2500])
    }

    /// Sales at ten o'clock, listed three days later. The price rises on 10 December.
    private func delayed(
        _ product: String = "a", price: Int64 = 2500, risen: Int64 = 2500, lag: (String) -> Int = { _ in 3 },
        daily: (Int) -> Int
    ) -> [Sale] {
        (0..<106).flatMap { day in
            (0..<daily(day)).map { _ in
                let at = Instant(milliseconds: Self.opens.milliseconds + Int64(day * 24 + 10) * 3_600_000)
                let own = Self.zone.date(of: at)
                return Sale(
                    at: at, price: own.text < "2025-12-10" ? price : risen, product: product, day: own,
                    collected: own.advanced(by: lag(own.text)))
            }
        }
    }

    /// Without so many of the sales of each of these days.
    private func without(_ lost: [String: Int], _ sales: [Sale]) -> [Sale] {
        var lost = lost
        return sales.filter { sale in
            guard let count = lost[sale.day.text], count > 0 else { return true }
            lost[sale.day.text] = count - 1
            return false
        }
    }

    private func unexplained(_ bridge: AppleBridge) -> [Int64] {
        bridge.rollForward.filter { $0.kind == .sales }.map(\.unexplained.minor)
    }

    /// A sale of every third day.
    private let everyThirdDay = Dictionary(
        uniqueKeysWithValues: stride(from: 0, to: 106, by: 3).map {
            (zone.date(of: opens).advanced(by: $0).text, 1)
        })

    /// Sales are all at one hour and fall, so that the sales of the day before make up for a part of the loss.
    @Test func aLossDoesNotMoveApplesDays() throws {
        let all = delayed { max(1, 10 - $0 / 10) }
        let found = try bridge(without(everyThirdDay, all), apple: all, isDetail: true)
        #expect(found.lines[0].unexplained.minor == -22500 && found.lines[0].late == .zero)
        #expect(rest(found)[0] == .zero, "never collected")
    }

    /// The ledger lacks a sale of every third day, while sales fall from ten a day to one.
    @Test func aLongerDelayDoesNotHideALossWhereSalesFall() throws {
        let all = delayed { max(1, 10 - $0 / 10) }
        let lost = everyThirdDay
        let alone = try bridge(without(lost, all), apple: all, isDetail: false)
        let line = alone.lines[0]
        #expect(line.unexplained.minor <= 0 && line.withheld.minor - line.unexplained.minor >= 22500)
        // Another product shows what Apple's delay is.
        let base = delayed("b", price: 600, risen: 600) { max(1, 10 - $0 / 10) }
        let found = try bridge(without(lost, all) + base, apple: all + base, isDetail: false)
        // Nine of the sales that Apple lists in the last period.
        #expect(found.lines.map(\.unexplained.minor) == [-22500, 0])
        #expect(found.lines.allSatisfy { $0.withheld == .zero })
        let honest = try bridge(all + base, apple: all + base, isDetail: false)
        #expect(rest(honest) == [.zero, .zero, .zero] && honest.lines.allSatisfy { $0.withheld == .zero })
    }

    /// Apple lists one product on the same day, and the other four to six days later. Both fall.
    @Test func aDelayBesideALineWithoutOneIsNamedAndNotAccused() throws {
        let all =
            delayed("b", price: 600, risen: 600, lag: { _ in 0 }) { max(2, 12 - $0 / 9) }
            + delayed(lag: { [4, 5, 5, 5, 6][Int(BusinessDate($0)!.day) % 5] }) { max(2, 12 - $0 / 9) }
        let found = try bridge(all, apple: all, isDetail: false)
        #expect(found.lines.map(\.unexplained) == [.zero, .zero])
        #expect(found.lines[0].withheld.units > 0 && found.lines[1].withheld == .zero)
    }

    /// The ledger lacks four sales of each month, and sales fall in steps. By two or three periods some delay fits exactly. The
    /// other product shows that Apple has none.
    @Test func aDelayThatFitsByChanceIsNamed() throws {
        let all = delayed(lag: { _ in 0 }) { $0 < 30 ? 7 : $0 < 61 ? 5 : $0 < 91 ? 3 : 1 }
        let days = ["10", "11", "12"].flatMap { month in (16...19).map { "2025-\(month)-\($0)" } }
        let ledger = without(Dictionary(uniqueKeysWithValues: days.map { ($0, 1) }), all)
        let base = delayed("b", price: 600, risen: 600, lag: { _ in 0 }) { max(2, 12 - $0 / 9) }
        let found = try bridge(ledger + base, apple: all + base, isDetail: false)
        #expect(found.lines.map { $0.withheld.minor - $0.unexplained.minor } == [10000, 0])
        let honest = try bridge(all + base, apple: all + base, isDetail: false)
        #expect(rest(honest) == [.zero, .zero, .zero] && honest.lines.allSatisfy { $0.withheld == .zero })
    }

    /// Six sales of November are lost. November was closed without Apple's report, or with a part of the loss.
    @Test func whatNoSignedPageHasIsNamedOnce() throws {
        let all = delayed { _ in 6 }
        func found(_ closed: AppleBridge?...) throws -> AppleBridge {
            try bridge(without(ofNovember, all), apple: all, isDetail: true, closed: closed)
        }
        #expect(try found().unsigned == [])
        let late = try found(nil)
        let named = late.unsigned
        #expect(named.map(\.last.text) == ["2025-11-29"] && named.map(\.line.product) == ["a"])
        #expect(named.map(\.line.unexplained) == [UnitsAndValue(units: -6, minor: -15000)])
        #expect(late.accountable.map(\.unexplained.minor) == [0, -15000])
        // It was accepted with the month that named it.
        #expect(try found(nil, late).unsigned == [])
        var closed = AppleBridge(files: late.files, lines: [late.lines[0]])
        closed.files[1].isEarlier = false
        closed.lines[0].ledger = closed.lines[0].ledger - UnitsAndValue(units: 2, minor: 5000)
        #expect(try found(closed).unsigned.map(\.line.unexplained.minor) == [-10000])
    }

    private let ofNovember = ["2025-11-05": 2, "2025-11-07": 2, "2025-11-10": 2]

    @Test func aLossBesideANewPriceStaysInItsMonth() throws {
        let all = delayed(risen: 3000) { _ in 6 }
        let found = try bridge(without(ofNovember, all), apple: all, isDetail: false)
        #expect(unexplained(found) == [0, -15000, 0])
        let closing = found.rollForward.filter { $0.kind == .sales }.map(\.closing.minor)
        #expect(found.lines[0].withheld == .zero && closing == [45000, 45000, 54000])
    }

    @Test func aLossDoesNotAccuseWhatIsInTransit() throws {
        let all = delayed(risen: 3000) { _ in 6 }
        let lost = ofNovember.merging(["2025-12-02": 4, "2025-12-15": 4]) { $1 }
        let found = try bridge(without(lost, all), apple: all, isDetail: false)
        #expect(unexplained(found) == [0, -15000, -10000])
        #expect(found.lines[0].withheld == UnitsAndValue(units: 4, minor: 12000), "in transit or missing")
    }

    /// The other product sells the same number each day, so that its sums show no delay.
    @Test func aDelayThatIsFoundIsNotLongerThanUsual() throws {
        let all = delayed { 20 - $0 / 20 } + delayed("b", price: 600, risen: 600) { _ in 5 }
        let found = try bridge(all, apple: all, isDetail: false)
        #expect(found.lines.map(\.steady) == [.zero, .zero])
        // Three days of 15.
        #expect(found.lines[0].aging.reduce(0) { $0 + $1.sum.minor } == 112_500)
    }

    /// In transit for nine days until 20 November, and for two since. The first sale is a week before Apple's first period, and
    /// the other product is never in transit.
    @Test func aVaryingDelayIsNotLongerThanUsual() throws {
        let all =
            delayed(risen: 3000, lag: { $0 < "2025-11-20" ? 9 : 2 }, daily: { $0 < 6 ? 0 : 3 })
            + delayed("b", price: 600, risen: 600, lag: { _ in 0 }, daily: { _ in 2 })
        let found = try bridge(all, apple: all, isDetail: false)
        #expect(found.lines[0].withheld.minor > 0 && found.lines.map(\.steady) == [.zero, .zero])
    }

    /// The mornings of Shanghai are the day before in Apple's zone, and the evenings are not.
    @Test func aDayOfApplesMayHaveSalesOfTwoDays() throws {
        let hours = [(56, 9), (57, 9), (59, 21)]
        let sales = hours.map { day, hour in
            let at = Instant(milliseconds: Self.opens.milliseconds + Int64(day * 24 + hour) * 3_600_000)
            let own = AppleClock(isPacific: true).day(of: SaleHour(at, in: Self.zone))
            return Sale(at: at, price: 900, product: "a", day: own, collected: own.advanced(by: 18))
        }
        let base = (0..<106).map { day in
            let at = Instant(milliseconds: Self.opens.milliseconds + Int64(day * 24 + 10) * 3_600_000)
            return Sale(
                at: at, price: 100, product: "b", day: Self.zone.date(of: at), collected: Self.zone.date(of: at))
        }
        let bridge = try bridge(sales + base, apple: sales + base, isDetail: true)
        #expect(rest(bridge) == [.zero, .zero, .zero])
    }
}
