import Domain
import Engine
import Testing

/// Month starts of docs/spec/app-store.md#fiscal-calendar, October to September: matched with Apple's published tables
/// for 2023 and 2024.
private let starts: [(year: Int, months: String, end: String)] = [
    (
        2023, "2022-09-25 10-30 11-27 01-01 02-05 03-05 04-02 05-07 06-04 07-02 08-06 09-03", "2023-09-30"
    ),
    (
        2024, "2023-10-01 11-05 12-03 12-31 02-04 03-03 03-31 05-05 06-02 06-30 08-04 09-01", "2024-09-28"
    ),
    (
        2028, "2027-09-26 10-31 11-28 01-02 02-06 03-05 04-02 05-07 06-04 07-02 08-06 09-03", "2028-09-30"
    ),
]

@Suite struct FiscalCalendarTests {
    @Test func monthsBeginWhereApplesTableHasThem() throws {
        for (year, months, end) in starts {
            let begins = months.split(separator: " ").map { $0.suffix(5) }
            for (index, begin) in begins.enumerated() {
                let calendarYear = index < 3 ? year - 1 : year
                let month = (index + 9) % 12 + 1
                let period = try #require(FiscalCalendar.month("\(calendarYear)-" + padded(month, 2)))
                #expect(period.first.text.suffix(5) == begin, "\(period.name)")
                let next = index < 11 ? begins[index + 1] : BusinessDate(end)!.advanced(by: 1).text.suffix(5)
                #expect(period.last.advanced(by: 1).text.suffix(5) == next, "\(period.name)")
            }
        }
    }

    @Test func everyDayIsOfExactlyOneMonth() throws {
        var month = try #require(FiscalCalendar.month("2020-10"))
        for _ in 0..<120 {
            let number = FiscalCalendar.number(of: month.first)
            #expect(FiscalCalendar.number(of: month.last) == number)
            let next = FiscalCalendar.number(of: month.last.advanced(by: 1))
            #expect(next == number + 1)
            let (year, calendarMonth) = (next / 12, next % 12 + 1)
            let following = try #require(FiscalCalendar.month("\(year)-" + padded(calendarMonth, 2)))
            #expect(following.first == month.last.advanced(by: 1))
            month = following
        }
    }

    @Test func weeksRunFromSundayToSaturday() throws {
        for name in ["2014-09", "2017-12", "2023-01", "2026-11"] {
            let period = try #require(FiscalCalendar.month(name))
            // 1970-01-04 was a Sunday.
            #expect((period.first.day - 3) % 7 == 0)
            #expect((period.last.day - 2) % 7 == 0)
        }
        #expect(FiscalCalendar.month("2014-09")?.first.text == "2014-08-31")
        #expect(FiscalCalendar.month("2014-09")?.last.text == "2014-09-27")
    }
}
