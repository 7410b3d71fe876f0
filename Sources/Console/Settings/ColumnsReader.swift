internal import Intake

/// Reads what a feed's configuration says about the columns of its files.
struct ColumnsReader {
    let kind: FeedKind
    let section: Section

    /// What a column's object may have.
    static let keys = ["from", "value", "words", "prefix"]
    /// Constants and prefixes are not longer than an identifier may be.
    private static let textMax = 256
    /// The number of columns that each of `where`, `whereNot`, `known`, `deletes` and `footer` may name.
    private static let conditionsMax = 16

    func read(into feed: inout Feed) throws(ConfigurationProblem) {
        if Feed.columnNames(of: kind).isEmpty {
            let keys = [
                "columns", "where", "whereNot", "known", "deletes", "footer", "header", "delimiter", "skipLines",
                "skipAfterHeader",
                "decimal",
                "grouping", "timeFormat",
            ]
            for key in keys where section.value(key) != nil {
                throw section.problem(key, "is not used in a feed of \(kind.rawValue)", remedy: "Remove it.")
            }
        }
        feed.columns = try columns()
        if let statuses = try statuses() {
            guard feed.columns["status"]?.words.isEmpty != false, feed.columns["status"]?.value == nil else {
                throw section.problem(
                    "statuses", "and columns.status both say what the words mean", remedy: "Remove one of them.")
            }
            feed.columns["status", default: ColumnSource()].words = statuses
        }
        feed.conditions = try conditions("where")
        feed.excluded = try conditions("whereNot")
        feed.known = try conditions("known")
        feed.deletes = try conditions("deletes")
        feed.footer = try footer()
        feed.header = try header()
        feed.delimiter = try delimiter()
        feed.skipped.lines = try section.count("skipLines", in: 0...1000) ?? 0
        feed.skipped.afterHeader = try section.count("skipAfterHeader", in: 0...1000) ?? 0
        guard feed.header == nil || feed.skipped.afterHeader == 0 else {
            throw section.problem(
                "skipAfterHeader", "cannot be used with header, which is for files without a header line",
                remedy: "Use skipLines, which counts from the top of the file.")
        }
        feed.amounts = try amounts()
    }

    private func amounts() throws(ConfigurationProblem) -> AmountFormat {
        var format = AmountFormat()
        format.decimal = try section.choice("decimal", of: [(".", "."), (",", ",")]) ?? "."
        format.grouping = try section.choice("grouping", of: [",", ".", " ", "'"].map { ($0, Character($0)) })
        guard format.grouping != format.decimal else {
            throw section.problem(
                "grouping", "is the decimal separator as well", remedy: "Set decimal and grouping to different signs.")
        }
        return format
    }

    /// The footer's texts by the file's own names of the columns.
    private func footer() throws(ConfigurationProblem) -> [String: String]? {
        guard let map = try section.section("footer", keys: nil) else { return nil }
        guard 1...Self.conditionsMax ~= map.members.count else {
            throw section.problem(
                "footer", "names \(map.members.count) columns",
                remedy: "Write what the row below the others has in a column, such as { order_id: \"合计\" }.")
        }
        var footer: [String: String] = [:]
        for member in map.members {
            let name = try Self.checked(member.key, map.name(member.key), at: member.keyPosition)
            footer[name] = try Section.text(member.value, name: map.name(member.key), example: "合计")
        }
        return footer
    }

    /// The name, unless it is a path with an empty step. Headings of a CSV file may end in a point: `Bestell-Nr.`
    static func checked(_ name: String, _ path: String, at position: JSON5.Position) throws(ConfigurationProblem)
        -> String
    {
        let steps = name.split(separator: ".", omittingEmptySubsequences: false)
        guard steps.count <= 16, !steps.dropLast().contains("") else {
            throw ConfigurationProblem(
                position, "\(path) is \(quoted(name))", remedy: "Write a path with a name in each step: \"order.no\".")
        }
        return name
    }

    private func columns() throws(ConfigurationProblem) -> [String: ColumnSource] {
        guard let map = try section.section("columns", keys: nil) else { return [:] }
        let standard = Feed.columnNames(of: kind)
        var columns: [String: ColumnSource] = [:]
        for member in map.members {
            guard standard.contains(member.key) else {
                throw ConfigurationProblem(
                    member.keyPosition, "\(quoted(member.key)) is not a column of \(kind.rawValue)",
                    remedy: Section.hint(member.key, among: standard))
            }
            columns[member.key] = try source(member, in: map)
        }
        // A shop's own number, or one of Apple's: read as the other one, it would make every order look lost.
        if standard.contains("transaction_id"), columns["transaction_id"] == nil,
            let member = map.members.first(where: {
                columns[$0.key]?.name.map { Feed.isSame($0, "transaction_id") } == true
            })
        {
            throw ConfigurationProblem(
                member.keyPosition,
                "\(quoted(member.key)) takes the column transaction_id, and no line says where Apple's id is",
                remedy:
                    "Write transaction_id: null if the feed has none, transaction_id: \"transaction_id\" if the column is both, "
                    + "or the name of its column.")
        }
        return columns
    }

    private func source(_ member: JSON5.Member, in map: Section) throws(ConfigurationProblem) -> ColumnSource {
        let path = map.name(member.key)
        if case .null = member.value.content {
            guard !Feed.requiredColumns(of: kind).contains(member.key) else {
                throw ConfigurationProblem(
                    member.value.position, "\(path) is null", remedy: "Name its column: every row needs a value.")
            }
            return .absent
        }
        guard case .object = member.value.content else {
            let name = try Section.text(member.value, name: path, example: "tradeNo")
            return ColumnSource(name: try Self.checked(name, path, at: member.value.position))
        }
        let object = try Section(member.value, path: path, keys: Self.keys)
        if let value = try constant(object, member.key) {
            for key in ["from", "words", "prefix"] where object.value(key) != nil {
                throw object.problem(
                    key, "has no meaning beside value", remedy: "Remove it: value is the same in every row.")
            }
            return ColumnSource(value: value)
        }
        var source = ColumnSource()
        if let name = try object.text("from", example: "tradeNo") {
            source.name = try Self.checked(name, object.name("from"), at: object.value("from")!.position)
        }
        source.words = try words(object, member.key)
        if let prefix = try object.text("prefix", example: "A-") {
            guard Feed.takesPrefix(member.key) else {
                throw object.problem(
                    "prefix", "is not used for \(member.key)",
                    remedy: "Remove it: only ids that the backend makes may have a prefix.")
            }
            source.prefix = try short(prefix, "prefix", in: object)
        }
        return source
    }

    private func short(_ text: String, _ key: String, in object: Section) throws(ConfigurationProblem) -> String {
        guard text.utf8.count <= Self.textMax else {
            throw object.problem(
                key, "has \(text.utf8.count) bytes", remedy: "Write at most \(Self.textMax).")
        }
        return text
    }

    /// The value of every row, as text; nil if absent.
    private func constant(_ object: Section, _ column: String) throws(ConfigurationProblem) -> String? {
        guard let value = object.value("value") else { return nil }
        let text: String
        switch value.content {
        case .number(let spelling): text = spelling
        case .flag(let flag): text = String(flag)
        default: text = try Section.text(value, name: object.name("value"), example: "desk")
        }
        try check(text, of: column, at: value.position, object.name("value"))
        return try short(text, "value", in: object)
    }

    private func words(_ object: Section, _ column: String) throws(ConfigurationProblem) -> [String: String] {
        guard let map = try object.section("words", keys: nil) else { return [:] }
        guard Feed.words(of: column, in: kind) != nil else {
            let columns = Feed.columnNames(of: kind).filter { Feed.words(of: $0, in: kind) != nil }
            throw object.problem(
                "words", "is not used for \(column)", remedy: "Remove it; \(alternatives(columns)) may have words.")
        }
        var words: [String: String] = [:]
        for member in map.members {
            let name = map.name(member.key)
            let isFlag = if case .flag = member.value.content { true } else { false }
            let word = isFlag ? member.value.noun : try Section.text(member.value, name: name, example: "credit")
            try check(word, of: column, at: member.value.position, name)
            words[member.key] = word
        }
        return words
    }

    /// Throws unless `word` is one that the column may hold. Columns that are not words hold anything.
    private func check(
        _ word: String, of column: String, at position: JSON5.Position, _ name: String
    ) throws(ConfigurationProblem) {
        guard let standard = Feed.words(of: column, in: kind) else { return }
        if standard.isEmpty {
            guard Currency(word)?.isCurrent == true else {
                throw ConfigurationProblem(
                    position, "\(name) is \(quoted(word)), which is not a currency",
                    remedy: "Write its ISO code, such as CNY.")
            }
        } else if !standard.contains(word) {
            throw ConfigurationProblem(
                position, "\(name) is \(quoted(word))", remedy: Section.hint(word, among: standard))
        }
    }

    private func statuses() throws(ConfigurationProblem) -> [String: String]? {
        guard let map = try section.section("statuses", keys: nil) else { return nil }
        guard kind == .orders else {
            throw section.problem("statuses", "is not used in a feed of \(kind.rawValue)", remedy: "Remove it.")
        }
        var statuses: [String: String] = [:]
        for member in map.members {
            let status = try map.choice(member.key, of: OrderStatus.allCases.map { ($0.rawValue, $0) })
            statuses[member.key] = status?.rawValue
        }
        return statuses
    }

    private func conditions(_ key: String) throws(ConfigurationProblem) -> [String: [String]] {
        guard let map = try section.section(key, keys: nil) else { return [:] }
        guard map.members.count <= Self.conditionsMax else {
            throw section.problem(
                key, "names \(map.members.count) columns", remedy: "Name at most \(Self.conditionsMax).")
        }
        var conditions: [String: [String]] = [:]
        for member in map.members {
            let name = try Self.checked(member.key, map.name(member.key), at: member.keyPosition)
            switch member.value.content {
            case .text(let text): conditions[name] = [text]
            case .number(let spelling): conditions[name] = [spelling]
            case .flag(let flag): conditions[name] = [String(flag)]
            case .list(let values) where !values.isEmpty:
                conditions[name] = try map.texts(member.key, example: "apple", mayBeEmpty: true) ?? []
            default:
                throw map.problem(
                    member.key, "is \(member.value.noun)",
                    remedy: "Write a value, such as \"apple\", or a list of values.")
            }
        }
        return conditions
    }

    private func header() throws(ConfigurationProblem) -> [String]? {
        guard let names = try section.texts("header", example: "order_id") else { return nil }
        guard 1...1000 ~= names.count else {
            throw section.problem(
                "header", "lists \(names.count) columns", remedy: "List the columns of the file from left to right.")
        }
        return names
    }

    /// The byte between fields.
    private func delimiter() throws(ConfigurationProblem) -> UInt8? {
        guard let value = section.value("delimiter") else { return nil }
        guard case .text(let text) = value.content, text.utf8.count == 1, let byte = text.utf8.first,
            byte == 0x01 || byte == 0x09 || 0x20...0x7E ~= byte, byte != UInt8(ascii: "\""),
            !Character(Unicode.Scalar(byte)).isLetter, !Character(Unicode.Scalar(byte)).isNumber
        else {
            throw section.problem(
                "delimiter", "is \(value.noun)",
                remedy: "Write the character between fields, such as \";\", \"|\" or \"\\t\".")
        }
        return byte
    }
}
