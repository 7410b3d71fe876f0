/// Reads from a message what it says about a purchase: dates, a time, amounts and products, in Chinese and English.
/// See docs/spec/interfaces.md#find-messages.
struct DescriptionReader {
    /// The date on which the customer asks, in the shop's zone. Relative days count from it.
    let today: BusinessDate
    /// The minute of that date.
    let minute: Int
    /// The shop's.
    let zone: Zone
    /// The first date of the records.
    let firstDay: BusinessDate
    /// The names of the products, in both languages.
    let products: [(id: Identifier, name: String)]
    /// What one piece of a product costs.
    let prices: [Money]

    /// How many days a search may span.
    static let daysMax = 31

    /// The name of a zone that may mean several, or changes with the season.
    private static var otherZone: Regex<Substring> {
        /(?:[0-9]|[ap]\.?m\.?)\s*\(?(?:utc|gmt|[pem][sd]t|[pem]t|cdt|cest?|cet|bst|ist|jst|kst|aest|aedt)\b|\b(?:la|ny|new york|los angeles|london|paris|berlin|tokyo|sydney|pacific|eastern|central|mountain|local|us|uk) time\b|(?:美[国东西]|洛杉矶|纽约|伦敦|东京|当地|加拿大|欧洲|英国)(?:部|的)?(?:当地)?时间/
    }

    func read(_ text: String) -> PurchaseDescription {
        let typed = text.replacing("￥", with: "¥").lowercased()
        let text = plainNumerals(plainFestivals(plainSales(typed)))
        var found = PurchaseDescription()
        found.unclearDates = unclearDates(in: text)
        var days = dates(in: text)
        let ago = ago(in: text)
        let minute = minute - (ago?.minutes ?? 0)
        if ago != nil { days.append(today.advanced(by: (minute < 0 ? minute - 1439 : minute) / 1440)) }
        if let first = days.min(), let last = days.max() {
            found.days = max(first, last.advanced(by: -Self.daysMax))...last
        }
        let compared = comparedPrices(in: text)
        let isOfThisMonth = compared != nil || text.contains(/(?:这个?|本)月(?![0-9卡])|this month/)
        if isOfThisMonth, text.contains(/(?:^|[^上])上个?月(?![0-9]{1,2}[日号])|last month/) {
            found.days = month.advanced(by: -lastMonth.day)...today
        }
        let unzoned = ago == nil ? readZonedTime(in: text, into: &found) : nil
        if unzoned == nil, let time = ago.map({ ([(minute % 1440 + 1440) % 1440], $0.within) }) ?? time(in: text) {
            (found.arounds, found.within) = time
        }
        // The time is not known, and the date may be the one beside it.
        if unzoned == nil, text.contains(Self.otherZone) {
            (found.arounds, found.within) = ([], PurchaseDescription.usualWindow)
            found.days = found.days.map { $0.lowerBound.advanced(by: -1)...$0.upperBound.advanced(by: 1) }
        }
        let named = named(in: typed)
        let begun = readAmounts(withoutDates(unzoned ?? text), besides: named.map(\.phrase), into: &found)
        for price in (compared ?? []).compactMap(PurchaseDescription.thousandths) where !found.amounts.contains(price) {
            found.amounts.append(price)
        }
        found.products = longest(of: named + begun)
        return found
    }
}

// Chinese festivals and numerals.
extension DescriptionReader {
    /// The first days of the lunar years 2020 to 2040, as month and day.
    private static let lunarYears = [
        125, 212, 201, 122, 210, 129, 217, 206, 126, 213, 203, 123, 211, 131, 219, 208, 128, 215, 204, 124, 212,
    ]

    /// The text with the days of the great sales and the national day as dates. 618 and 11.11 alone may be prices.
    private func plainSales(_ text: String) -> String {
        let text = text.replacing(/双十一|双11|光棍节/, with: "11月11日").replacing(/双十二|双12/, with: "12月12日")
            .replacing(/国庆节?(?![礼限活特])/, with: "10月1日").replacing(/元旦(?![礼限活特])/, with: "1月1日")
            .replacing("平安夜", with: "12月24日").replacing(/圣诞节?(?![礼限活特老树])/, with: "12月25日")
            .replacing(/singles['’]? day/, with: "11月11日")
            .replacing(/618(?=大促|购物节|活动|那天|当天|期间|年中|[充冲买]的)/, with: "6月18日")
        if prices.contains(where: { PurchaseDescription.thousandths($0) == 11_110 }) {
            return text
        }
        return text.replacing(/(^|[^0-9a-z.¥$])11\.11(?![0-9.]|\s?(?:元|块|yuan|rmb|cny))/) { $0.1 + "11月11日" }
    }

    /// The text with 除夕, 初一 and 春节 as dates. 初一 alone also is a grade at school and a day of any lunar month.
    private func plainFestivals(_ text: String) -> String {
        let year = today.yearMonthDay.year
        func first(_ year: Int) -> BusinessDate? {
            guard Self.lunarYears.indices.contains(year - 2020) else { return nil }
            let day = Self.lunarYears[year - 2020]
            return BusinessDate(year: year, month: day / 100, day: day % 100)
        }
        return text.replacing(
            /(去年)?的?(?:(除夕夜?|大?年三十)|(大年|正月|农历)?初([一二三四五六七八九十])(?![中级生])|春节(?![礼限活特]))/
        ) { match in
            let day = match.4.flatMap(Self.chinese).map { Int($0 / 1000) } ?? (match.2 == nil ? 1 : 0)
            let days = [year, year - 1].compactMap(first).map { $0.advanced(by: day - 1) }
            let said = match.1 == nil ? days.first { $0 <= today } : days.last
            guard let said, match.1 != nil || match.3 != nil || match.4 == nil || today.day - said.day <= 30 else {
                return String(match.0)
            }
            // The festival is a week.
            let isWeek = match.2 == nil && match.4 == nil
            return " " + (isWeek ? said.advanced(by: -1).text + " " + said.advanced(by: 6).text : said.text) + " "
        }
    }

    /// The text with the numerals of times and dates as digits: 晚上八点二十 becomes 晚上8点20. 一点 alone also means a little.
    private func plainNumerals(_ text: String) -> String {
        func digits(_ numerals: Substring) -> String {
            numerals == "零" ? "0" : Self.chinese(numerals).map { String($0 / 1000) } ?? String(numerals)
        }
        let dated = text.replacing("点一刻", with: "点15").replacing("点三刻", with: "点45").replacing(
            /(周|星期|礼拜|第)?([零〇一二两三四五六七八九十]+)(月|号|日|天前|分钟|个?小时|个月(?=[之以]?前)|个?(?:周|星期|礼拜)(?=[之以]?前))/
        ) {
            match in
            match.1 == nil ? digits(match.2) + match.3 : String(match.0)
        }.replacing(
            /\b(an?|one|two|three|four|five|six|seven|eight|nine|ten)(?=\s(?:minute|hour|day|week|month)s?\sago)/
        ) {
            match in
            String(max(1, Self.numbers.firstIndex(of: match.1) ?? 1))
        }
        let parts = Self.parts.flatMap(\.words)
        return dated.replacing(/([^\s0-9零〇一二两三四五六七八九十]{0,2})([零〇一二两三四五六七八九十]+|[0-9]{1,2})点([零〇一二三四五六七八九十]*)(半|一刻)?/) {
            match in
            let isAmount = match.2 == "一" && match.3.isEmpty && match.4 == nil && !parts.contains(String(match.1))
            let hour = match.2.first?.isASCII == true ? String(match.2) : digits(match.2)
            let minutes = match.3.isEmpty ? "" : digits(match.3)
            return isAmount ? String(match.0) : match.1 + hour + "点" + minutes + (match.4 ?? "")
        }
    }
}

// Dates.
extension DescriptionReader {
    private static let numbers: [Substring] = [
        "a", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ]

    /// How many minutes ago, and by how many that may be wrong: `5分钟前`, `半小时前`, `2 hours ago`.
    private func ago(in text: String) -> (minutes: Int, within: Int)? {
        if text.contains(/半个?小时(?:之|以)?前|half an hour ago/) { return (30, PurchaseDescription.usualWindow) }
        guard
            let match = text.firstMatch(
                of: /([0-9]{1,3})\s?个?(分钟|小时|min|hour)(?:s|utes?)?(?:(?:之|以)?前|\sago)/)?.output
        else { return nil }
        let isHours = match.2 == "小时" || match.2 == "hour"
        return (number(match.1) * (isHours ? 60 : 1), isHours ? 60 : PurchaseDescription.usualWindow)
    }

    private static let relative: [(words: [String], days: Int)] = [
        (["大前天"], 3), (["前天", "前儿", "前晚", "day before yesterday"], 2),
        (["昨天", "昨日", "昨儿", "昨晚", "昨夜", "昨早", "yesterday", "last night"], 1),
        (["今天", "今日", "今早", "今晨", "今晚", "刚才", "刚刚", "today", "this morning", "tonight", "just now"], 0),
    ]
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// The text that is left to read, and the dates found. What was read is taken out, so that nothing is read twice.
    private struct Rest {
        var text: String
        var dates: [BusinessDate] = []

        mutating func take<Output>(_ pattern: Regex<Output>, _ read: (Output) -> BusinessDate?) {
            takeSpans(pattern) { output in read(output).map { [$0] } }
        }

        mutating func takeSpans<Output>(_ pattern: Regex<Output>, _ read: (Output) -> [BusinessDate]?) {
            for match in text.matches(of: pattern).reversed() {
                guard let span = read(match.output) else { continue }
                dates += span
                text.replaceSubrange(match.range, with: " ")
            }
        }
    }

    /// The first days of this week and this month, and the last day of the month before.
    private var week: BusinessDate { weekday(6).advanced(by: 1) }
    private var month: BusinessDate { today.advanced(by: 1 - today.yearMonthDay.day) }
    private var lastMonth: (year: Int, month: Int, day: Int) { month.advanced(by: -1).yearMonthDay }

    private func dates(in text: String) -> [BusinessDate] {
        var rest = Rest(text: text)
        takeNumericDates(&rest)
        takeEnglishDates(&rest)
        takeMonths(&rest)
        // A year without a month counts only where it is before the records: it is too long for a search.
        rest.takeSpans(/前年|(?:two|2) years ago|(去年|last year)/) { match in
            let year = today.yearMonthDay.year - (match.1 == nil ? 2 : 1)
            let days = [(1, 1), (12, 31)].compactMap { BusinessDate(year: year, month: $0.0, day: $0.1) }
            return days.allSatisfy { $0 < firstDay } ? days : nil
        }
        // A week or a month ago is about then.
        rest.takeSpans(/(半|[0-9]{1,2})\s?(?:(个月)|个?(?:周|星期|礼拜)|(month)s?|weeks?)\s?(?:[之以]?前|ago)/) { match in
            let length = match.2 == nil && match.3 == nil ? 7 : 30
            let middle = today.advanced(by: -(match.1 == "半" ? length / 2 : number(match.1) * length))
            return [middle.advanced(by: -length / 2), middle.advanced(by: length / 2)]
        }
        rest.take(/([0-9]{1,2})\s?(?:天前|days? ago)/) { today.advanced(by: -number($0.1)) }
        let beforeLast = month.advanced(by: -lastMonth.day - 1)
        let spans: [(words: [String], first: BusinessDate, last: BusinessDate)] = [
            (["上上个月", "上上月"], beforeLast.advanced(by: 1 - beforeLast.yearMonthDay.day), beforeLast),
            (["上个月", "上月", "last month"], month.advanced(by: -lastMonth.day), month.advanced(by: -1)),
            // A product may be named after the weekend.
            (
                ["上周末", "上个周末", "over the weekend", "at the weekend", "last weekend"], weekday(5),
                weekday(5).advanced(by: 1)
            ),
            (["上上周", "上上个星期", "上上星期", "week before last"], week.advanced(by: -14), week.advanced(by: -8)),
            (["上周", "上个星期", "上星期", "last week"], week.advanced(by: -7), week.advanced(by: -1)),
            (["这周", "本周", "这个星期", "this week"], week, today),
        ]
        for (words, first, last) in spans
            + Self.relative.map({ words, days in
                (words, today.advanced(by: -days), today.advanced(by: -days))
            })
        {
            for word in words where rest.text.contains(word) {
                rest.dates += [first, last]
                rest.text = rest.text.replacing(word, with: " ")
            }
        }
        return rest.dates
    }

    private func takeNumericDates(_ rest: inout Rest) {
        // In 2026/25/11 the day stands before the month.
        rest.take(/(20[0-9]{2})[-\/.年]\s?([0-9]{1,2})[-\/.月]\s?([0-9]{1,2})(?![0-9])/) {
            BusinessDate(year: number($0.1), month: number($0.2), day: number($0.3))
                ?? BusinessDate(year: number($0.1), month: number($0.3), day: number($0.2))
        }
        rest.take(/(?:^|[^0-9])(2[0-9])年\s?([0-9]{1,2})月\s?([0-9]{1,2})(?![0-9])/) {
            BusinessDate(year: 2000 + number($0.1), month: number($0.2), day: number($0.3))
        }
        rest.take(/(?:^|[^0-9])(20[0-9]{2})(0[1-9]|1[0-2])([0-2][0-9]|3[01])(?![0-9])/) {
            BusinessDate(year: number($0.1), month: number($0.2), day: number($0.3))
        }
        rest.take(Self.dayAndMonth) { match in
            let readings = readings(of: match)
            return readings.count == 1 ? readings[0] : nil
        }
        rest.take(/(去年|今年)?([0-9]{1,2})月([0-9]{1,2})(?:日|号)?/) { match in
            let year = match.1 == "去年" ? today.yearMonthDay.year - 1 : nil
            return date(month: number(match.2), day: number(match.3), year: year)
        }
        // The second date of a span: 11月1日到4日.
        let first = rest.dates.last?.yearMonthDay
        rest.take(/(?:到|至|-|~)\s?([0-9]{1,2})(?:日|号)/) { match in
            first.flatMap { BusinessDate(year: $0.year, month: $0.month, day: number(match.1)) }
        }
        rest.take(/上个?月([0-9]{1,2})(?:日|号)/) {
            BusinessDate(year: lastMonth.year, month: lastMonth.month, day: number($0.1))
        }
        rest.take(/(?:^|[^0-9])([0-9]{1,2})(?:号|日(?![元圆内前后]))/) { date(day: $0.1) }
        for pattern in [
            /(?:^|[^0-9.])([0-9]{1,2})\.([0-9]{1,2})(?=\s?(?:凌晨|早|上午|中午|下午|傍晚|晚|夜)|\s[0-9]{1,2}:[0-9]{2})/,
            /(?:^|[\s,;。])([0-9]{1,2})\.([0-9]{1,2})(?=[充冲买氪])/,
            // Both with two digits; a span of numbers has a unit.
            /(?:^|[^0-9a-z.:\/-])(0[1-9]|1[0-2])-([0-3][0-9])(?![0-9a-z.:\/-]|\s?(?:天|元|块|分|小时|个|次|岁|级|点|位|%))/,
        ] {
            rest.take(pattern) { date(month: number($0.1), day: number($0.2)) }
        }
        // A day above 12 may stand first. 24/7 means always.
        rest.take(/(?:^|[^0-9.\/-])([0-9]{1,2})\/([0-9]{1,2})(?![0-9\/])/) { match in
            let (first, second) = (number(match.1), number(match.2))
            if first == 24, second == 7 { return nil }
            return first > 12 ? date(month: second, day: first) : date(month: first, day: second)
        }
        rest.take(/(上{1,2}个?)?(?:周|星期|礼拜)([一二三四五六日天])/) { match in
            let day = ["一", "二", "三", "四", "五", "六", "日"].firstIndex(of: match.2 == "天" ? "日" : match.2)!
            return match.1.map { week.advanced(by: day - 7 * $0.count { $0 == "上" }) } ?? weekday(day)
        }
    }

    private func takeEnglishDates(_ rest: inout Rest) {
        func named(month: Substring, day: Substring, year: Substring?) -> BusinessDate? {
            Self.months.firstIndex(of: String(month)).flatMap {
                date(month: $0 + 1, day: number(day), year: year.map { number($0.count == 2 ? "20" + $0 : $0) })
            }
        }
        // The day first: in 24 Nov 26, no day follows the month.
        rest.take(
            /\b([0-9]{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?:,?\s+'?(20[0-9]{2}|2[0-9])(?![0-9:.]|\s?[a-z元块]))?/
        ) { named(month: $0.2, day: $0.1, year: $0.3) }
        rest.take(
            /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+([0-9]{1,2})(?:st|nd|rd|th)?(?:,?\s+'?(20[0-9]{2}|2[0-9])(?![0-9:.]|\s?[a-z元块]))?(?![0-9:])/
        ) { named(month: $0.1, day: $0.2, year: $0.3) }
        rest.take(/\bthe\s+([0-9]{1,2})(?:st|nd|rd|th)\b/) { date(day: $0.1) }
        rest.take(/\b(mon|tue|wed|thu|fri|sat|sun)(?:day|sday|nesday|rsday|urday)?\b/) {
            Self.weekdays.firstIndex(of: String($0.1)).map(weekday)
        }
    }

    /// Months without a day: `10月份`, `in October`, `oct 2025`.
    private func takeMonths(_ rest: inout Rest) {
        func days(_ month: Int, _ year: Int?) -> [BusinessDate]? {
            guard let first = date(month: month, day: 1, year: year) else { return nil }
            let next = first.advanced(by: 31).yearMonthDay
            return [first, first.advanced(by: 31 - next.day)]
        }
        rest.takeSpans(/(?:(20[0-9]{2})年|(去年))?([0-9]{1,2})月(?!卡)/) { match in
            days(number(match.3), match.2 == nil ? match.1.map(number) : today.yearMonthDay.year - 1)
        }
        rest.takeSpans(
            /(\b(?:in|during|of)\s+)?\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?\b(?:,?\s+(20[0-9]{2}))?/
        ) { match in
            // The word may has other meanings.
            guard match.1 != nil || match.3 != nil else { return nil }
            return Self.months.firstIndex(of: String(match.2)).flatMap { days($0 + 1, match.3.map(number)) }
        }
    }

    /// The last day with this number that is not in the future, of this month or the one before.
    private func date(day: Substring) -> BusinessDate? {
        [today.yearMonthDay, lastMonth].lazy.compactMap {
            BusinessDate(year: $0.year, month: $0.month, day: number(day))
        }.first { $0 <= today }
    }

    /// The last such date that is not in the future; in a given year, that date.
    private func date(month: Int, day: Int, year: Int? = nil) -> BusinessDate? {
        if let year { return BusinessDate(year: year, month: month, day: day) }
        let this = today.yearMonthDay.year
        return [this, this - 1].lazy.compactMap { BusinessDate(year: $0, month: month, day: day) }.first { $0 <= today }
    }

    /// The last such day before today.
    private func weekday(_ number: Int) -> BusinessDate {
        // Day 0 was a Thursday.
        let now = (Int(today.day) + 3) % 7
        return today.advanced(by: -((now - number + 6) % 7 + 1))
    }
}

// Time of day.
extension DescriptionReader {
    /// Parts of a day: their words, the minute in their middle, and half their length.
    private static let parts: [(words: [String], around: Int, within: Int)] = [
        (["凌晨", "after midnight"], 180, 180), (["半夜", "深夜", "午夜"], 1440, 240),
        (["早上", "早晨", "早间", "清晨", "上午", "今早", "昨早", "morning"], 540, 180), (["傍晚"], 1080, 120),
        (["下午", "午后", "下昼", "afternoon"], 900, 180), (["中午", "noon"], 720, 120),
        (["晚上", "晚间", "昨晚", "今晚", "前晚", "昨夜", "夜里", "夜间", "evening", "night"], 1380, 300),
    ]

    /// The minute of the day, and by how many it may be wrong. Without a part of the day, an hour may be in either half.
    func time(in text: String) -> (arounds: [Int], within: Int)? {
        // Behind a day or before an hour, 早 and 晚 are parts of a day; elsewhere they mean early and late.
        let text = text.replacing(
            /([周期拜][一二三四五六日天]|[0-9][号日]|天)([早晚])(?!上|间|就|已|了|点[^0-9])|([早晚])(?=[0-9]{1,2}[点时:])/
        ) { match in
            (match.1 ?? "") + (match.2 ?? match.3 ?? "") + "上"
        }
        let part = Self.parts.first { $0.words.contains(where: text.contains) }
        /// In the afternoon and the evening, clocks are read with twelve hours.
        func arounds(_ hour: Substring, _ minutes: Int, isExact: Bool = false) -> [Int]? {
            let isExact = isExact || hour.first == "0"
            let hour = number(hour)
            guard (0...24).contains(hour), (0...59).contains(minutes) else { return nil }
            let middle = part?.around ?? 0
            // Twelve in the evening is midnight, and what follows may be in the night after the date.
            if middle >= 1380, hour % 12 == 0 { return [1440 + minutes] }
            if middle == 1380, hour < 5 { return [720, 1440].map { $0 + hour * 60 + minutes } }
            if middle == 180, hour == 12 { return [minutes] }
            if part == nil, !isExact, (1...11).contains(hour) {
                return [hour * 60 + minutes, hour * 60 + 720 + minutes]
            }
            // In the middle of the night, small hours are those after midnight.
            let isLate = middle >= 900 && hour < 12 && (middle < 1440 || hour > 7)
            return [(isLate ? hour + 12 : hour) * 60 + minutes]
        }
        if let match = text.firstMatch(
            of: /(?:^|[^0-9:])([0-9]{1,2})(?:[:.]([0-9]{2})(?::[0-9]{2})?)?\s?(am|pm|a\.m\.|p\.m\.)/)
        {
            let (hour, isPM) = (number(match.output.1) % 12, match.output.3.hasPrefix("p"))
            let minutes = match.output.2.map(number)
            return (
                [(isPM ? hour + 12 : hour) * 60 + (minutes ?? 0)],
                minutes == nil ? 60 : PurchaseDescription.usualWindow
            )
        }
        // With seconds, a machine wrote it.
        if let match = text.firstMatch(of: /(?:^|[^0-9:])([0-9]{1,2})\s?:\s?([0-9]{2})(?![0-9])(:[0-9]{2})?/),
            let arounds = arounds(match.output.1, number(match.output.2), isExact: match.output.3 != nil)
        {
            return (arounds, PurchaseDescription.usualWindow)
        }
        if let match = text.firstMatch(of: /(?:^|[^0-9])([0-9]{1,2})[点时](?:([0-5]?[0-9])(?![0-9])分?|(半)|一刻)?/) {
            let minutes = match.output.2.map(number) ?? (match.output.3 == nil ? nil : 30)
            if let arounds = arounds(match.output.1, minutes ?? 0) {
                return (arounds, minutes == nil ? 60 : PurchaseDescription.usualWindow)
            }
        }
        return part.map { ([$0.around], $0.within) }
    }
}

/// -1 for digits that are none to the machine, such as one with an accent: no date and no time has it.
private func number(_ text: Substring) -> Int { Int(text) ?? -1 }
