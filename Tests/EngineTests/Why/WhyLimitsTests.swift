import Domain
import Testing

@testable import Engine

/// Whether a date is worse than usual. See docs/spec/why.md#limits and #delay.
@Suite struct WhyLimitsTests {
    private typealias Day = RateLimits.Day

    private func days(_ lost: [Int], of purchases: Int = 1000) -> [Day] {
        lost.map { Day(purchases: purchases, lost: $0) }
    }

    /// Computed by hand: centre 0.01, sigma √(0.01 · 0.99 / 1000) = 0.0031464. Each rate is 2 in 1000 away from the centre and
    /// each range 4 in 1000, so the spread is 0.004 / 0.0031464 / 1.128 = 1.12703, and the limit 0.01 + 3 · 1.12703 · 0.0031464.
    @Test func theLimitsAreLaneys() throws {
        let usual = days((0..<14).map { $0 % 2 == 0 ? 8 : 12 })
        let limits = try #require(RateLimits(of: Day(purchases: 1000, lost: 20), before: usual))
        #expect(limits.rate == 0.02 && limits.usual == 0.01 && limits.rule == nil)
        #expect(abs(limits.limit - 0.0206383) < 0.0000001)
        #expect(RateLimits(of: Day(purchases: 1000, lost: 21), before: usual)?.rule == .aboveLimit)
        // The limit of fewer purchases is wider.
        #expect(RateLimits(of: Day(purchases: 250, lost: 7), before: usual)?.rule == nil)
    }

    @Test func ratesThatVaryLessThanChanceHaveTheLimitsOfChance() throws {
        let limits = try #require(
            RateLimits(of: Day(purchases: 1000, lost: 10), before: days(Array(repeating: 10, count: 28))))
        #expect(abs(limits.limit - 0.0194393) < 0.0000001)
    }

    @Test func eightDatesInARowAboveTheUsualStandOut() {
        let calm = days((0..<20).map { $0 % 2 == 0 ? 10 : 8 })
        let row = days(Array(repeating: 12, count: 7))
        let today = Day(purchases: 1000, lost: 12)
        #expect(RateLimits(of: today, before: calm + row)?.rule == .eightAboveUsual)
        #expect(RateLimits(of: today, before: calm + row.dropFirst())?.rule == nil)
        #expect(RateLimits(of: Day(purchases: 1000, lost: 9), before: calm + row)?.rule == nil)
        // A date with few purchases does not break the row.
        #expect(RateLimits(of: today, before: calm + row + [Day(purchases: 49, lost: 0)])?.rule == .eightAboveUsual)
    }

    @Test func onlyTheLast28DatesWithEnoughPurchasesCount() {
        let few = days(Array(repeating: 1, count: 13))
        let today = Day(purchases: 50, lost: 1)
        #expect(RateLimits(of: today, before: few) == nil)
        #expect(RateLimits(of: today, before: few + [Day(purchases: 49, lost: 40)]) == nil)
        #expect(RateLimits(of: today, before: few + few) != nil)
        #expect(RateLimits(of: Day(purchases: 49, lost: 1), before: few + few) == nil)
        let old = days(Array(repeating: 900, count: 20))
        #expect(RateLimits(of: today, before: old + few + few + few)?.usual == 0.001)
    }

    @Test func aFewLostOrdersAreNotAboveTheLimitWhereNoneIsUsual() {
        let none = days(Array(repeating: 0, count: 28))
        #expect(RateLimits(of: Day(purchases: 1000, lost: 4), before: none)?.rule == nil)
        #expect(RateLimits(of: Day(purchases: 1000, lost: 5), before: none)?.rule == .aboveLimit)
    }

    private func delays(_ seconds: [Int64]) -> DelayHistogram {
        DelayHistogram(buckets: seconds.map { DelayHistogram.bucket(of: Milliseconds($0 * 1000)) })
    }

    @Test func eachDelayHasItsBucket() {
        let buckets = [-5, 0, 999, 1000, 1999, 2000, 3999, 4000, 1 << 22 * 1000 - 1, 1 << 22 * 1000, .max].map {
            DelayHistogram.bucket(of: Milliseconds($0))
        }
        #expect(buckets == [0, 0, 0, 1, 1, 2, 2, 3, 22, 23, 23])
        for bucket in 0..<DelayHistogram.size {
            #expect(DelayHistogram.bucket(of: DelayHistogram.start(of: bucket)) == bucket)
        }
    }

    @Test func percentilesLieWithinTheirBucket() {
        let day = delays(Array(repeating: 3, count: 90) + Array(repeating: 100, count: 10))
        // 3 s lie in the bucket from 2 to 4 s, 100 s in the one from 64 to 128 s.
        #expect([50, 90, 91, 99].map { day.percentile($0)?.count } == [3111, 4000, 70_400, 121_600])
        // The second of three customers.
        #expect(delays([1, 10, 100]).percentile(34) == Milliseconds(16_000))
        #expect([50, 90, 91, 99].map { day.bucket(ofPercentile: $0) } == [2, 2, 7, 7])
        #expect(DelayHistogram().percentile(90) == nil)
    }

    @Test func delaysOfPartsAreThoseOfTheWhole() {
        var whole = delays([86_400, 3])
        whole.add(delays([2, 1]))
        #expect(whole == delays([1, 2, 3, 86_400]))
    }

    @Test func damagedDelaysAreRefusedOrAreTheOneFormOfOthers() {
        let bytes = delays((0..<200).map { $0 * $0 }).encode()
        var forms = (0..<bytes.count).map { Array(bytes[..<$0]) } + [bytes + [0]]
        for bit in 0..<bytes.count * 8 {
            forms.append(bytes)
            forms[forms.count - 1][bit / 8] ^= 1 << UInt8(bit % 8)
        }
        for form in forms {
            guard let read = try? DelayHistogram(decoding: form) else { continue }
            #expect(read.encode() == form)
        }
        #expect(throws: DamagedBytes.self) { try DelayHistogram(decoding: Array(bytes.dropLast())) }
    }

    @Test func aP90ThatDoublesIsTold() {
        let usual = Array(repeating: delays(Array(repeating: 40, count: 60)), count: 20)
        let (slow, short) = (delays(Array(repeating: 150, count: 60)), delays(Array(repeating: 150, count: 49)))
        #expect(DelayLimit(of: slow, before: usual)?.isAbove == true)
        #expect(DelayLimit(of: usual[0], before: usual)?.isAbove == false)
        #expect(DelayLimit(of: slow, before: usual)?.usual == Milliseconds(60_800))
        #expect(DelayLimit(of: slow, before: usual)?.limit == Milliseconds(121_600))
        #expect(DelayLimit(of: short, before: usual) == nil && DelayLimit(of: slow, before: Array(usual[..<13])) == nil)
        // A delay of less than a minute does not matter to a customer.
        let quick = Array(repeating: delays(Array(repeating: 1, count: 60)), count: 20)
        #expect(DelayLimit(of: delays(Array(repeating: 20, count: 60)), before: quick)?.isAbove == false)
    }
}
