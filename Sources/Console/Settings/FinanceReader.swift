extension ConfigurationReader {
    func finance(_ root: Section) throws(ConfigurationProblem) -> FinanceSettings {
        var settings = FinanceSettings()
        let keys = ["calendar", "collect", "tolerance", "otherProducts", "accounts"]
        guard let section = try root.section("finance", keys: keys) else { return settings }
        settings.calendar = try section.choice("calendar") ?? settings.calendar
        if let time = try section.duration("collect") {
            guard time.count % 86_400_000 == 0, time.count > 0 else {
                throw section.problem("collect", "is not a number of days", remedy: "Write days, such as \"40d\".")
            }
            settings.collectDays = Int(time.count / 86_400_000)
        }
        settings.tolerance = try amounts("tolerance", section) ?? [:]
        settings.otherProducts = try section.texts("otherProducts", example: "other.gems") ?? []
        let accounts = AccountRole.allCases
        if let chosen = try section.section("accounts", keys: accounts.map(\.rawValue)) {
            for account in accounts {
                settings.accounts[account] = try chosen.text(account.rawValue, example: "1122 Apple")
            }
        }
        return settings
    }

    /// An object of amounts by currency, in minor units.
    func amounts(_ key: String, _ section: Section) throws(ConfigurationProblem) -> [Currency: Int64]? {
        guard let list = try section.section(key, keys: nil) else { return nil }
        var amounts: [Currency: Int64] = [:]
        for member in list.members {
            let currency = try currency(member)
            if amounts.updateValue(try amount(member, of: currency, in: list), forKey: currency) != nil {
                throw ConfigurationProblem(
                    member.keyPosition, "\(list.path) lists \(currency.text) twice", remedy: "Remove one of them.")
            }
        }
        return amounts
    }

    private func currency(_ member: JSON5.Member) throws(ConfigurationProblem) -> Currency {
        guard let currency = Currency(member.key), currency.isCurrent else {
            throw ConfigurationProblem(
                member.keyPosition, "\(quoted(member.key)) is not a currency",
                remedy: "Write the three letters of ISO 4217, such as CNY.")
        }
        return currency
    }

    private func amount(
        _ member: JSON5.Member, of currency: Currency, in list: Section
    ) throws(ConfigurationProblem) -> Int64 {
        guard let spelling = member.value.spelling, !spelling.hasPrefix("-"),
            let minor = Parse.decimal(spelling, exponent: currency.exponent)
        else {
            let example = decimal(100_000 * powerOfTen(currency.exponent), exponent: currency.exponent)
            throw ConfigurationProblem(
                member.value.position, "\(list.path).\(display(member.key)) is \(member.value.noun)",
                remedy: "Write an amount of \(currency.text) such as \"\(example)\".")
        }
        return minor
    }
}
