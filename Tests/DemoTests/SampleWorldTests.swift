import Domain
import Foundation
import Testing

@testable import Demo

private func instant(_ text: String) -> Instant {
    Instant(milliseconds: Int64(ISO8601DateFormatter().date(from: text)!.timeIntervalSince1970) * 1000)
}

@Test func randomNumbersAreThoseOfSplitMix64() {
    var random = SplitMix64(seed: 1_234_567)
    // https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64
    let expected: [UInt64] = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
    #expect((0..<3).map { _ in random.next() } == expected)
}

@Test func drawsStayInTheirRangeAndReachAllOfIt() {
    var random = SplitMix64(seed: 5)
    let drawn = Set((0..<1000).map { _ in random.int(in: 3..<9) })
    #expect(drawn == Set(3..<9))
    let weighted = (0..<1000).map { _ in random.index(weights: [0, 1, 3]) }
    #expect(!weighted.contains(0) && weighted.count { $0 == 2 } > weighted.count { $0 == 1 })
}

@Test func ordinaryOrdersComeInOrderOverFiveDaysMostlyInTheEvening() {
    let moments = (0..<5000).map { SampleCalendar.moment(ofOrder: $0, of: 5000) }
    #expect(zip(moments, moments.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(moments[0].text == "2025-11-13T16:00:00Z")  // midnight in Shanghai
    #expect(SampleCalendar.zone.date(of: moments[4999]).text == "2025-11-18")
    let hours = moments.map { ($0.milliseconds / 3_600_000 + 8) % 24 }
    #expect(hours.count { $0 == 21 } > 5 * hours.count { $0 == 4 })
    #expect(Set(hours).count == 24)
}

@Test func aRowIsDeliveredOnItsDayAndNotBeforeItHappened() {
    let places = ["2025-10-01T00:00:00Z", "2025-11-16T15:59:59Z", "2025-11-16T16:00:00Z", "2025-11-18T15:59:59Z"]
    #expect(places.map { SampleCalendar.delivery(of: instant($0)) } == [0, 0, 1, 2])
    #expect(SampleCalendar.delivery(of: instant("2025-11-18T16:00:00Z")) == nil)
}

@Test func theSameNumberGivesTheSameAccountAndNoTwoShareAnything() {
    let accounts = (0..<2000).map { SampleAccount(number: $0, seed: 9) }
    #expect(SampleAccount(number: 77, seed: 9).token == accounts[77].token)
    #expect(Set(accounts.map(\.id)).count == 2000 && Set(accounts.map(\.token)).count == 2000)
    #expect(accounts.allSatisfy { $0.token.text.dropFirst(14).first == "4" })
    #expect(Set(accounts.map(\.market)) == Set(Market.allCases))
    #expect(accounts.contains { $0.id.text.hasPrefix("星河旅人") })
}

@Test func rowsSayWhatAnExportSays() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/sample-rows-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let feeds = try SampleFeeds { folder + "/" + $0.rawValue + "-" + $1.text }
    var order = Order(
        id: "SG1", account: "noor100007", product: "coins_300", status: .pending,
        createdAt: instant("2025-11-18T15:59:50Z"))
    order.amount = Money(minor: 1500, currency: "KWD")
    order.write(to: feeds)
    try feeds.finish()
    let rows = try String(contentsOfFile: folder + "/orders-2025-11-18", encoding: .utf8).split(separator: "\n")
    #expect(rows.last == "SG1,noor100007,coins_300,1,1.500,KWD,,,pending,2025-11-18 23:59:50,,")
}

@Test func everyProductHasAPriceInEveryMarket() {
    for product in SampleProduct.all { #expect(product.prices.count == Market.allCases.count, "\(product.id)") }
    #expect(SampleProduct.all.map(\.share).reduce(0, +) == 100 && Market.shares.reduce(0, +) == 100)
}
