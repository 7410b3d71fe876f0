/// Amounts: which column, in which unit and currency, written how.
extension ColumnSearch {
    private struct Found {
        var profile: Profile
        var level: Int
        /// In ten-thousandths of a unit, by row; nil where there is none.
        var numbers: [Int64?]
        var format: AmountFormat
        var isAmbiguous = false
        /// How many rows have a price to compare with, and how many are that price in major and in minor units.
        var pairs = 0
        var major = 0
        var minor = 0
        /// How many are a thousand times the price, as Apple writes it.
        var thousandths = 0
        /// All currencies, and those in which a price equals a number in one of the units.
        var fitting: Set<String> = []
        var currencies: Set<String> = []

        var best: Int { max(major, minor) }
        var agrees: Bool { pairs > 0 && best * 5 >= pairs * 4 }
    }

    mutating func chooseAmount() {
        let found = source.profiles.compactMap { amount($0) }.ordered { $0.level > $1.level }
        guard let best = found.filter(\.agrees).max(by: { ($0.best, $0.level) < ($1.best, $1.level) }) ?? found.first
        else {
            let all = source.free.filter { format($0) != nil && TimeShape($0) == nil }.map(\.name)
            let hasUnit = { (name: String) in Names.all.minor.contains { name.lowercased().hasSuffix($0) } }
            let may = all.filter(hasUnit) + all.filter { !hasUnit($0) }
            let isMinor = may.first.map(hasUnit) == true
            if source.kind == .orders || source.kind == .products && isMinor, !may.isEmpty {
                source.choices[isMinor ? "amount_minor" : "amount"] = Choice(
                    isSure: false,
                    why: "no name says so: \(may.map(\.json5).joined(separator: ", "))? If none, remove this line")
            }
            return
        }
        let others = found.filter { other in
            other.numbers != best.numbers && other.agrees == best.agrees && other.best == best.best
                && (best.agrees || other.level == best.level)
        }
        let isAlone = others.isEmpty
        let unit = unit(best)
        var choice = Choice(
            column: best.profile.name, isSure: unit.isSure && isAlone && !best.isAmbiguous, why: unit.why)
        if !isAlone {
            choice.why +=
                "; or " + others.map { $0.profile.name.json5 }.joined(separator: ", ")
                + ". The amount is what was paid for the whole order"
        }
        source.choices[unit.isMinor ? "amount_minor" : "amount"] = choice
        tellFormat(best)
        if best.agrees { doubtCurrency() }
        if source.choices["currency"] == nil { tellCurrency(best) }
    }

    /// Whether Apple's records or the product list prove that a column is an amount.
    func isPrice(_ profile: Profile) -> Bool { amount(profile).map { $0.agrees && $0.pairs > 2 } ?? false }

    /// Where Apple's records prove the amount, they say which column has its currency: another one may be that of the shop's
    /// books.
    private mutating func doubtCurrency() {
        guard let own = source.profile("currency") else { return }
        let apples = own.values.indices.map { bought($0)?.price?.money.currency.text }
        func same(_ profile: Profile) -> Int {
            zip(apples, profile.values).count { apple, text in
                apple != nil && apple == text.map { Names.all.word($0, of: "currency") ?? $0 }
            }
        }
        let (known, agreeing) = (apples.count { $0 != nil }, same(own))
        guard known > 4, agreeing * 10 < known * 9 else { return }
        guard let better = source.free.first(where: { $0.isCurrency && same($0) * 20 >= known * 19 }) else { return }
        let why = "\(same(better)) of \(known) are that of Apple's record; \(agreeing) of \(known) \(own.name.json5)"
        source.choices["currency"] = Choice(column: better.name, why: why)
        source.choices["currency"]!.words = better.words.filter { Currency($0.value)?.isCurrent != true }
            .map { ($0.value, Names.all.word($0.value, of: "currency"), counted($0.count, "row", "rows")) }
    }

    private func amount(_ profile: Profile) -> Found? {
        let level = Names.all.level(of: profile.title, as: "amount")
        let kinds = ["quantity", "currency", "status", "order_id", "account_id", "product_id", "type", "name"]
        guard
            !kinds.contains(where: { source.choices[$0]?.isSure == true && source.choices[$0]?.column == profile.name }
            ),
            let (format, isAmbiguous) = format(profile)
        else { return nil }
        let numbers = profile.values.map { $0.flatMap { Self.number($0, format) } }
        var found = Found(profile: profile, level: level, numbers: numbers, format: format, isAmbiguous: isAmbiguous)
        for (row, number) in numbers.enumerated() {
            let prices = prices(row)
            guard let number, number != 0, !prices.isEmpty else { continue }
            found.pairs += 1
            let before = found.major + found.minor
            if prices.contains(where: { $0.minor * powerOfTen(4 - $0.currency.exponent) == number }) {
                found.major += 1
            }
            if prices.contains(where: { $0.minor * 10_000 == number }) { found.minor += 1 }
            if prices.contains(where: { $0.minor * powerOfTen(7 - $0.currency.exponent) == number }) {
                found.thousandths += 1
            }
            found.currencies.formUnion(prices.map(\.currency.text))
            if found.major + found.minor > before { found.fitting.formUnion(prices.map(\.currency.text)) }
        }
        return level > 0 || found.agrees && found.pairs > 2 ? found : nil
    }

    private static func number(_ text: String, _ format: AmountFormat) -> Int64? {
        Array(text.utf8).withUnsafeBytes { format.number($0, exponent: 4, currency: nil) }
    }

    /// What the purchase cost by Apple's record, or by the product list.
    private func prices(_ row: Int) -> [Money] {
        let product = source.value("product_id", row) ?? ""
        if source.kind == .products { return Array(knowledge.prices[product] ?? []) }
        if let price = bought(row)?.price?.money { return [price] }
        let quantity = Int64(source.value("quantity", row) ?? "1") ?? 1
        guard var price = knowledge.products[product] else { return [] }
        price.minor *= quantity
        return [price]
    }

    /// How the numbers are written: the first way that reads all of them. Ambiguous if another one reads others.
    private func format(_ profile: Profile) -> (AmountFormat, isAmbiguous: Bool)? {
        let ways: [(Character, Character?)] = [
            (".", nil), (".", ","), (",", nil), (",", "."), (",", " "), (".", " "), (".", "'"),
        ]
        var found: [(format: AmountFormat, numbers: [Int64?])] = []
        for (decimal, grouping) in ways {
            var format = AmountFormat()
            format.decimal = decimal
            format.grouping = grouping
            let numbers = profile.present.map { Self.number($0, format) }
            if numbers.count(where: { $0 != nil }) * 20 >= numbers.count * 19 { found.append((format, numbers)) }
        }
        guard let first = found.first else { return nil }
        return (first.format, found.contains { $0.numbers != first.numbers })
    }

    private func unit(_ found: Found) -> (isMinor: Bool, isSure: Bool, why: String) {
        let names = Names.all
        let name = found.profile.name.lowercased()
        let says = { (words: [String]) in
            words.contains { $0.utf8.count > 3 || $0.utf8.first! > 0x7F ? name.contains($0) : name.hasSuffix($0) }
        }
        let (saysMinor, saysMajor) = (says(names.minor), says(names.major))
        let hasDecimals =
            found.numbers.contains { $0.map { $0 % 10_000 != 0 } ?? false }
            || found.profile.present.contains { $0.contains(".") }
        if found.agrees {
            let isMinor = found.minor > found.major || found.minor == found.major && saysMinor
            let unit = isMinor ? "minor" : "major"
            return (
                isMinor, true,
                "\(found.best) of \(found.pairs) are the price in \(unit) units, by Apple's records or the product list"
            )
        }
        if found.thousandths * 5 > found.pairs * 4 {
            return (
                false, false,
                "\(found.thousandths) of \(found.pairs) are 1000 times the price, as in Apple's records: no feed reads that. "
                    + "Export it divided by 1000.0"
            )
        }
        if found.pairs > 0 {
            let others = found.currencies.subtracting(found.fitting).ordered().joined(separator: ", ")
            let isMinor = found.minor == found.major ? saysMinor : found.minor > found.major
            return (
                isMinor, false,
                "only \(found.best) of \(found.pairs) are the price\(isMinor == saysMinor ? "" : " in minor units") "
                    + "by Apple's records or the product list"
                    + (others.isEmpty ? "" : ", and none in \(others)")
            )
        }
        if saysMinor != saysMajor, !(saysMinor && hasDecimals) {
            return (saysMinor, found.level == 3, "the name says \(saysMinor ? "minor" : "major") units")
        }
        if hasDecimals, !saysMinor {
            return (false, found.level == 3, "decimals, as in \(found.profile.present[0]): major units")
        }
        let example = found.profile.present.first.map { "whole numbers, such as \($0)" } ?? "no row has a value"
        return (false, false, "\(example): amount if they are major units, amount_minor if minor")
    }

    private mutating func tellFormat(_ found: Found) {
        let example = "as in \(found.profile.present.max { $0.count < $1.count } ?? "")"
        if found.format.decimal != "." {
            source.set("decimal", String(found.format.decimal), isSure: true, why: example)
        } else if found.isAmbiguous {
            source.set("decimal", ".", isSure: false, why: example + ": which sign is before the decimals?")
        }
        if let grouping = found.format.grouping {
            source.set("grouping", String(grouping), isSure: true, why: example)
        }
    }

    /// The currency that the file does not say: Apple's, where its prices are those of the file.
    private mutating func tellCurrency(_ found: Found) {
        let currencies = Set(
            found.numbers.indices.flatMap { row in found.numbers[row] == nil ? [] : prices(row).map(\.currency.text) })
        if currencies.count > 1, let choice = currencyByApple() { return source.choices["currency"] = choice }
        let hasOther = found.profile.isMostly { $0.contains { $0.isCurrencySymbol && !"¥￥".contains($0) } }
        let isSure = found.agrees && found.best > 2 && currencies.count == 1 && !hasOther
        let why =
            currencies.isEmpty
            ? "no column has it, and an amount without a currency is never compared"
            : "no column has it; Apple's records or the product list say so for \(counted(found.pairs, "row", "rows"))"
        source.choices["currency"] = Choice(
            value: currencies.count == 1 ? currencies.first : "", isSure: isSure, why: why)
    }

    /// The column whose words each have one currency in Apple's records: one that is called so, or such as the country.
    private func currencyByApple() -> Choice? {
        let found = source.free.compactMap { profile -> (profile: Profile, currencies: [String: Set<String>])? in
            guard profile.isWords else { return nil }
            var all: [String: Set<String>] = [:]
            for (row, word) in profile.values.enumerated() {
                if let word, let price = bought(row)?.price?.money {
                    all[word, default: []].insert(price.currency.text)
                }
            }
            return all.values.allSatisfy { $0.count == 1 } && Set(all.values).count > 1 ? (profile, all) : nil
        }.ordered { $0.profile.counts.count < $1.profile.counts.count }
        let isNamed = { (profile: Profile) in Names.all.level(of: profile.title, as: "currency") == 3 }
        guard let best = found.first(where: { isNamed($0.profile) }) ?? found.first else { return nil }
        var choice = Choice(column: best.profile.name, isSure: isNamed(best.profile), why: "by Apple's records")
        for (own, count) in best.profile.words where Currency(own)?.isCurrent != true {
            let word = best.currencies[own]?.first.map { Feed.undecided + " " + $0 }
            choice.words.append((own, Names.all.word(own, of: "currency") ?? word, counted(count, "row", "rows")))
        }
        return choice
    }
}
