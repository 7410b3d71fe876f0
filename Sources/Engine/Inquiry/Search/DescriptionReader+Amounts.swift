// Amounts and products.
extension DescriptionReader {
    private static let dollars: [Currency] = ["USD", "AUD", "CAD", "HKD", "SGD", "NZD", "TWD", "MXN"]
    private static let units: [(words: String, currencies: [Currency])] = [
        ("人民币", ["CNY"]), ("rmb", ["CNY"]), ("yuan", ["CNY"]), ("日元", ["JPY"]), ("日圆", ["JPY"]), ("yen", ["JPY"]),
        ("港币", ["HKD"]), ("港元", ["HKD"]), ("hk$", ["HKD"]), ("新台币", ["TWD"]), ("台币", ["TWD"]), ("nt$", ["TWD"]),
        ("美元", ["USD"]), ("美金", ["USD"]), ("us$", ["USD"]), ("欧元", ["EUR"]), ("euros", ["EUR"]), ("euro", ["EUR"]),
        ("英镑", ["GBP"]), ("韩元", ["KRW"]), ("块钱", ["CNY"]), ("块", ["CNY"]), ("元", ["CNY"]), ("dollars", dollars),
        ("¥", ["CNY", "JPY"]), ("$", dollars), ("€", ["EUR"]), ("£", ["GBP"]), ("₩", ["KRW"]),
    ]

    /// - Parameter names: the product names in the text. The number at the start of a name is not an amount.
    /// - Returns: the products whose names begin with a number in the text that is not a price.
    func readAmounts(
        _ text: String, besides names: [String], into found: inout PurchaseDescription
    ) -> [NamedProduct] {
        var begun: [NamedProduct] = []
        func add(_ amount: Int64?, _ currencies: [Currency]) {
            guard let amount, amount > 0 else { return }
            if !found.amounts.contains(amount) { found.amounts.append(amount) }
            found.currencies += meant(by: currencies, amount).filter { !found.currencies.contains($0) }
        }
        // `充了个`, `买的`, `2笔`, `支付金额:`
        let payment = /(?:(?:[充冲]值?|氪金?|买|付款?|花|支付|扣款?|paid|charged|billed|spent)[了的]?个?|金额[:为是]?|[0-9两几]笔)\s*$/
        // `没到`, `那笔没到`, `已经扣了`, `was charged`
        let alone =
            /^\s?(?:的|那笔|这笔|都|钱)?\s?(?:已经?)?被?(?:没|未|还|不|一直|怎么|扣|付款?(?:了|成功)|支付成功|did(?:n.t| not)|(?:(?:is|was|were) )?(?:not|never|missing|charged|deducted|taken))/
        // The 一 of 充了一个128的 counts pieces and is not an amount.
        var rest = text.replacing("一个", with: "个")[...]
        // A text with more numbers is a table. Each number costs a millisecond.
        var left = 200
        // A number, with what stands at either side of it.
        while left > 0, let match = rest.firstMatch(of: Self.number) {
            let before = rest[..<match.range.lowerBound].suffix(8)
            var digits = match.output
            if !isGrouped(digits, rest[match.range.upperBound...]) { digits = digits.prefix { $0 != "," } }
            let behind = rest[digits.endIndex...]
            // An expression is tried at each sign of a text, even if it fits its beginning alone.
            let after = behind.prefix(40)
            let here = rest[match.range.lowerBound...].prefix(80).filter { !$0.isWhitespace }
            (rest, left) = (behind, left - 1)
            if names.contains(where: here.hasPrefix) { continue }
            let number = digits.first?.isASCII == true ? PurchaseDescription.thousandths(digits) : Self.chinese(digits)
            // A price increase or a refund that the customer asks for is not the amount of a payment.
            let isOther =
                before.contains(/[涨贵]了?\s?$/)
                || before.contains(/[把将]\s?$/) && after.contains(/^\s?(?:块钱?|元)?\s?退/)
            if after.first == "年" || isOther { continue }
            if let unit = Self.unit(before: before, after: behind) {
                add(number, unit.currencies)
                rest = unit.rest
            } else if digits.first?.isASCII == true || digits.count > 1 {
                let isPaid = before.contains(payment)
                let isAlone = !before.contains(/[a-z0-9_.:第-]\s?$/) && after.contains(alone)
                // `the 98 pack`
                let isPack = after.contains(/^(?:\s|-)?(?:pack|package|bundle)s?\b/)
                let isPrice = prices.contains { PurchaseDescription.thousandths($0) == number }
                // 68.00 is money wherever it stands, and behind a minus or a word of paying it is a line of a bill.
                let isMoney = digits.contains(/\.[0-9]{2}$/) && !after.contains(/^\.[0-9]/)
                let isStatement = isMoney && (isPaid || before.contains(/(?:^|\s)-$/))
                let isOtherUnit = after.contains(isOtherUnit)
                // So many digits without a unit are an id.
                let isID = digits.count > 6 && !isMoney
                guard !isID, isStatement || !isOtherUnit && (isPaid || isAlone || isPack || isPrice && isMoney) else {
                    continue
                }
                let fitting = isPrice ? [] : products(beginningWith: digits)
                if isPrice || (isPaid || isStatement) && fitting.isEmpty { add(number, []) }
                begun += fitting
            }
        }
        return begun
    }

    private static var number: Regex<Substring> {
        /[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]{1,3})?|[0-9]+(?:\.[0-9]{1,3})?|[零〇一二两三四五六七八九十百]+/
    }

    /// Whether the commas in a number group its digits. Else a clause, a date or a count of goods begins behind the first one.
    private func isGrouped(_ digits: Substring, _ after: Substring) -> Bool {
        let parts = digits.split(separator: ",")
        func isPrice(_ digits: Substring) -> Bool {
            prices.contains { PurchaseDescription.thousandths($0) == PurchaseDescription.thousandths(digits) }
        }
        if parts.count == 1 || isPrice(digits) { return true }
        if isPrice(parts[0]) { return false }
        let isOther = !products(beginningWith: parts[parts.count - 1]).isEmpty || after.prefix(40).contains(isOtherUnit)
        return !isOther || digits.contains(".") || Self.unit(before: "", after: after) != nil
    }

    /// What makes a number before it another one than an amount.
    private var isOtherUnit: Regex<Substring> {
        /^(?:[0-9]|\s[0-9]{3}|\s?(?:[点时:月日号位金天次笔个几多钻币石券分小送张份套件]|(?:day|week|month|hour|minute|time)s?\b))/
    }

    /// ¥ and $ mean several currencies: of these, those that have such a price, if any has.
    private func meant(by currencies: [Currency], _ amount: Int64) -> [Currency] {
        let priced = currencies.filter { currency in
            prices.contains { $0.currency == currency && PurchaseDescription.thousandths($0) == amount }
        }
        return priced.isEmpty ? currencies : priced
    }

    /// The products that have a name which begins with this number.
    private func products(beginningWith number: Substring) -> [NamedProduct] {
        products.filter { product in
            product.name.hasPrefix(number) && product.name.dropFirst(number.count).first?.isNumber != true
        }.map { ($0.id, String(number)) }
    }

    /// The currencies that a sign, a word or a code beside a number names, and the text behind it. Nil without one.
    private static func unit(before: Substring, after: Substring) -> (currencies: [Currency], rest: Substring)? {
        let (left, right) = (before.drop { $0 == " " }, after.drop { $0 == " " })
        let trimmed = String(left.reversed().drop { $0 == " " }.reversed())
        if let unit = units.first(where: { trimmed.hasSuffix($0.words) && !"元块钱".contains($0.words) }) {
            return (unit.currencies, after)
        }
        if let unit = units.first(where: { right.hasPrefix($0.words) && !"$¥€£₩".contains($0.words) }) {
            return (unit.currencies, right.dropFirst(unit.words.count))
        }
        // A code is a word of three letters.
        for (word, beside, rest) in [
            (trimmed.suffix(3), trimmed.dropLast(3).last, after),
            (right.prefix(3), right.dropFirst(3).first, right.dropFirst(3)),
        ] {
            let isWord = word.count == 3 && word.allSatisfy { $0.isASCII && $0.isLetter } && beside?.isLetter != true
            if isWord, let currency = Currency(word.uppercased()), currency.isCurrent { return ([currency], rest) }
        }
        return nil
    }

    /// A Chinese number up to 999, in thousandths, also digit by digit (六四八). Nil for other texts, such as 三四.
    static func chinese(_ text: Substring) -> Int64? {
        let digits: [Character: Int64] = [
            "零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
        ]
        let row = text.compactMap { digits[$0] }
        if row.count == text.count, row.count > 1 {
            let isGuess = row.count == 2 && row[0] > 0 && row[0] + 1 == row[1]
            return isGuess || row.count > 4 ? nil : row.reduce(0) { $0 * 10 + $1 } * 1000
        }
        var (sum, digit): (Int64, Int64) = (0, 0)
        for sign in text {
            switch sign {
            case "十": (sum, digit) = (sum + max(digit, 1) * 10, 0)
            case "百": (sum, digit) = (sum + max(digit, 1) * 100, 0)
            default: digit = digits[sign] ?? 0
            }
        }
        return sum + digit == 0 ? nil : (sum + digit) * 1000
    }

    /// The products of which the message contains the id or a name. A longer name beats one that it contains.
    func products(in text: String) -> [Identifier] { longest(of: named(in: text)) }

    typealias NamedProduct = (id: Identifier, phrase: String)

    func longest(of named: [NamedProduct]) -> [Identifier] {
        let longest = named.map(\.phrase.count).max() ?? 0
        return Set(named.filter { $0.phrase.count == longest }.map(\.id)).ordered()
    }

    func named(in text: String) -> [NamedProduct] {
        // A blank between two numbers divides them: 300 coins behind an id or a time are 300 coins.
        // Behind 会员 and the like, a number is an account.
        let text = text.replacing(/(?:会员|用户|账号|玩家|角色|书友)(?=\s?(?:编?号|id\b|[:=]?\s?[0-9]))/, with: " ")
        let plain = [text, text.replacing(/([0-9])\s+(?=[0-9])/) { $0.1 + "|" }].map { $0.filter { !$0.isWhitespace } }
        let ends = Set(products.flatMap { shortNames(of: $0.name) })
        return products.flatMap { product in
            // A short name means all products that have the word.
            let short = ends.filter(product.name.contains)
            return ([product.id.text.lowercased()] + phrases(of: product.name) + short).map {
                (id: product.id, phrase: $0)
            }
        }.filter { named in
            // 60 coins are not a part of 360 coins.
            plain.contains { text in
                text.ranges(of: named.phrase).contains { range in
                    named.phrase.first?.isNumber != true || text[..<range.lowerBound].last?.isNumber != true
                }
            }
        }
    }

    /// `300 金币 300 Coins` has the phrases `300金币` and `300coins`, and is one itself.
    private func phrases(of name: String) -> [String] {
        var phrases = [name]
        var phrase = ""
        for word in name.split(separator: " ") {
            let isLatin = word.allSatisfy(\.isASCII)
            if !phrase.isEmpty, phrase.contains(where: { !$0.isASCII }), isLatin {
                phrases.append(phrase)
                phrase = ""
            }
            phrase += word
        }
        phrases.append(phrase)
        return phrases.map { $0.lowercased().filter { !$0.isWhitespace } }.filter {
            // Two letters are in many words; two Chinese characters are a word.
            $0.utf8.count >= 3
        }
    }

    /// Customers say 月卡 for 尊享月卡. Such a short name is the last to count. 会员 also is a label of accounts.
    private func shortNames(of name: String) -> [String] {
        phrases(of: name).map { String($0.suffix(2)) }.filter { end in
            end.unicodeScalars.allSatisfy(\.properties.isIdeographic) && end.count == 2
                && !["充值", "购买", "会员", "用户", "账号"].contains(end)
        }
    }
}

// Dates in figures.
extension DescriptionReader {
    /// The text without dates of numbers, whether they can be read or not: no part of one is an amount.
    func withoutDates(_ text: String) -> String {
        text.replacing(/(^|[^0-9.])[0-9]{1,2}([-\/.])[0-9]{1,2}\2(?:20)?[0-9]{2}(?![0-9])/) { $0.1 + ";" }
            .replacing(/(^|[^0-9.])20[0-9]{2}([-\/.])[0-9]{1,2}\2[0-9]{1,2}(?![0-9])/) { $0.1 + ";" }
            .replacing(/(^|[^0-9.\/])[0-3]?[0-9]\/[0-3]?[0-9](?![0-9\/])/) { $0.1 + ";" }
    }

    static var dayAndMonth: Regex<(Substring, Substring, Substring, Substring, Substring)> {
        /\b([0-9]{1,2})([-\/.])([0-9]{1,2})\2(20[0-9]{2}|[0-9]{2})(?![0-9])/
    }

    /// The dates that `05/11/2026` may be. A number above 12 must be the day, and of several dates none is in the future. In
    /// `26-11-25`, the first or the last number may be the year, and the date is one of the last 366 days.
    func readings(of match: (Substring, Substring, Substring, Substring, Substring)) -> [BusinessDate] {
        let (one, two, three) = (Int(match.1) ?? -1, Int(match.3) ?? -1, Int(match.4) ?? -1)
        let isShort = match.4.count == 2
        let year = isShort ? 2000 + three : three
        var dates = [(year, two, one), (year, one, two)]
        if isShort { dates.append((2000 + one, two, three)) }
        let valid = dates.compactMap { BusinessDate(year: $0.0, month: $0.1, day: $0.2) }
        let past = valid.filter { $0 <= today && (!isShort || $0 > today.advanced(by: -366)) }
        return Set(past.isEmpty && !isShort ? valid : past).ordered()
    }

    /// The readings of the first date that has two.
    func unclearDates(in text: String) -> [BusinessDate] {
        text.matches(of: Self.dayAndMonth).map { readings(of: $0.output) }.first { $0.count > 1 } ?? []
    }
}
