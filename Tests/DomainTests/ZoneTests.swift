import Foundation
import Testing

@testable import Domain

/// Business dates and months depend on the configured zone only.
@Suite struct ZoneTests {
    private func instant(_ text: String) throws -> Instant {
        let date = try #require(ISO8601DateFormatter().date(from: text))
        return Instant(milliseconds: Int64(date.timeIntervalSince1970) * 1000)
    }

    @Test(arguments: [
        ("Asia/Shanghai", "2025-11-30T15:59:59Z", "2025-11-30"),
        ("Asia/Shanghai", "2025-11-30T16:00:00Z", "2025-12-01"),
        ("America/New_York", "2025-11-02T03:59:59Z", "2025-11-01"),
        ("America/New_York", "2025-11-02T04:00:00Z", "2025-11-02"),
        ("America/New_York", "2025-11-03T04:59:59Z", "2025-11-02"),
        ("America/New_York", "2025-11-03T05:00:00Z", "2025-11-03"),
        ("Europe/Berlin", "2026-03-29T21:59:59Z", "2026-03-29"),
        ("Europe/Berlin", "2026-03-29T22:00:00Z", "2026-03-30"),
        ("UTC", "2024-02-29T23:59:59Z", "2024-02-29"), ("UTC", "1969-12-31T23:59:59Z", "1969-12-31"),
        ("Asia/Kathmandu", "2025-12-31T18:15:00Z", "2026-01-01"),
        ("Pacific/Apia", "2011-12-30T09:59:59Z", "2011-12-29"),
        ("Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31"),
    ])
    func anInstantFallsOnItsDate(_ zone: String, _ text: String, _ date: String) throws {
        #expect(try Zone(zone)?.date(of: instant(text)).text == date)
    }

    @Test(arguments: [
        ("America/New_York", "2025-11-02", 25), ("America/New_York", "2026-03-08", 23),
        ("Europe/Berlin", "2025-10-26", 25),
        ("Europe/Berlin", "2026-03-29", 23), ("Asia/Shanghai", "2025-11-02", 24),
        ("Australia/Lord_Howe", "2025-10-05", 23),
        ("America/Santiago", "2025-09-07", 23),
    ])
    func aDayHasItsHours(_ name: String, _ text: String, _ hours: Int64) throws {
        let zone = try #require(Zone(name))
        let date = try #require(BusinessDate(text))
        let length = zone.end(of: date) - zone.start(of: date)
        // Lord Howe Island moves its clocks by half an hour.
        #expect(length.count / 3_600_000 == hours)
        #expect(zone.date(of: zone.start(of: date)) == date)
        #expect(zone.date(of: zone.start(of: date) + Milliseconds(-1)) == date.advanced(by: -1))
        #expect(zone.date(of: zone.end(of: date)) == date.advanced(by: 1))
    }

    @Test func timesThatOccurTwiceOrNeverAreRead() throws {
        let berlin = try #require(Zone("Europe/Berlin"))
        let local = { (text: String) in try instant(text).milliseconds }
        #expect(try berlin.instant(local: local("2025-10-26T02:30:00Z")) == instant("2025-10-26T00:30:00Z"))
        #expect(try berlin.instant(local: local("2026-03-29T02:30:00Z")) == instant("2026-03-29T01:30:00Z"))
        #expect(try berlin.instant(local: local("2026-03-29T03:30:00Z")) == instant("2026-03-29T01:30:00Z"))
    }

    @Test func datesAgreeWithFoundationsCalendar() {
        var random = Random(seed: 3)
        var calendar = Calendar(identifier: .gregorian)
        for name in ["UTC", "Asia/Shanghai", "America/New_York", "Europe/Berlin", "Asia/Tehran", "America/Sao_Paulo"] {
            calendar.timeZone = TimeZone(identifier: name)!
            let zone = Zone(name)!
            for _ in 0..<500 {
                let seconds = Int64.random(in: 0..<4_000_000_000, using: &random)
                let parts = calendar.dateComponents(
                    [.year, .month, .day], from: Date(timeIntervalSince1970: Double(seconds)))
                let date = zone.date(of: Instant(milliseconds: seconds * 1000))
                #expect(
                    date == BusinessDate(year: parts.year!, month: parts.month!, day: parts.day!), "\(name) \(seconds)")
            }
        }
    }

    @Test func datesThatAreNoneAreNone() {
        for text in [
            "2025-02-29", "2025-02-30", "2025-13-01", "2025-00-10", "2025-1-01", "20250101", "2025-01-01 ", "２025-01-0",
        ] {
            #expect(BusinessDate(text) == nil, "\(text)")
        }
        #expect(BusinessDate("2024-02-29")?.text == "2024-02-29" && BusinessDate("1900-02-29") == nil)
        #expect(BusinessDate("2024-02-29")?.advanced(by: 1).text == "2024-03-01")
        #expect(BusinessDate("2025-12-31")?.advanced(by: 1).month == "2026-01")
    }

    @Test func instantsAreWrittenInUTC() {
        #expect(Instant(milliseconds: 0).text == "1970-01-01T00:00:00Z")
        #expect(Instant(milliseconds: -1).text == "1969-12-31T23:59:59.999Z")
        #expect(Instant(milliseconds: 1_763_514_245_250).text == "2025-11-19T01:04:05.250Z")
    }
}
