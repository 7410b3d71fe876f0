internal import Intake

/// Reads the configuration's list of feeds.
struct FeedReader {
    var folder: String
    /// The time zone of feeds that do not set one.
    var zone: Zone

    private static let keys = [
        "kind", "path", "name", "since", "totals", "required", "trust", "format", "encoding", "delimiter", "header",
        "skipLines", "skipAfterHeader", "footer", "columns", "statuses", "where", "whereNot", "known", "deletes",
        "labels",
        "decimal",
        "grouping",
        "timeZone", "timeFormat", "command", "timeout", "maxBytes", "overlap", "environment",
    ]

    func feeds(_ root: Section) throws(ConfigurationProblem) -> [Feed] {
        guard let list = root.value("feeds"), case .list(let elements) = list.content, !elements.isEmpty else {
            throw root.problem(
                "feeds", "lists no feed",
                remedy: "Write a list, such as [{ kind: \"orders\", path: \"inbox/orders-{date}.csv\" }].")
        }
        var feeds: [Feed] = []
        for (number, element) in elements.enumerated() {
            let section = try Section(element, path: "feeds[\(number)]", keys: Self.keys + ColumnsReader.keys)
            for key in ColumnsReader.keys where section.value(key) != nil {
                throw section.problem(
                    key, "belongs to a column",
                    remedy: "Write it there, such as columns: { order_id: { from: \"trade_no\", prefix: \"A-\" } }.")
            }
            let feed = try feed(section)
            if let twin = feeds.firstIndex(where: { $0.path.utf8.elementsEqual(feed.path.utf8) }) {
                throw section.problem(
                    "path", "is already the path of feeds[\(twin)]",
                    remedy: "A file belongs to one feed: remove one, or give it files of its own.")
            }
            if let twin = feeds.firstIndex(where: { $0.name.utf8.elementsEqual(feed.name.utf8) }) {
                throw section.problem(
                    "name", "is already the name of feeds[\(twin)]", remedy: "Give each feed a name of its own.")
            }
            feeds.append(feed)
            let names = Set(feeds.flatMap(\.labels.keys))
            guard names.count <= LabelSet.namesMax else {
                throw section.problem(
                    "labels", "makes \(names.count) different labels of all feeds",
                    remedy: "Use at most \(LabelSet.namesMax).")
            }
        }
        return feeds
    }

    private func feed(_ section: Section) throws(ConfigurationProblem) -> Feed {
        guard let kind: FeedKind = try section.choice("kind") else {
            throw section.problem(
                "kind", "is missing", remedy: "Write one of \(alternatives(FeedKind.allCases.map(\.rawValue))).")
        }
        let pattern = try pattern(section)
        let name = try section.text("name", example: "desk-credits") ?? pattern
        var feed = Feed(kind: kind, path: absolute(pattern, in: folder), name: name, zone: zone)
        feed.since = try section.date("since")
        feed.needsTotals = try section.choice("totals", of: [("required", true), ("optional", false)]) ?? false
        feed.required = try section.flag("required") ?? false
        feed.trust = try section.choice("trust") ?? .signature
        feed.format = try section.choice("format")
        feed.encoding = try section.choice("encoding") ?? .utf8
        try ColumnsReader(kind: kind, section: section).read(into: &feed)
        try LabelsReader(section: section).read(into: &feed)
        feed.command = try FeedCommandReader(section: section).read(for: feed)
        if let own = try Console.zone("timeZone", section) { feed.zone = own }
        if let pattern = try section.text("timeFormat", example: "dd/MM/yyyy HH:mm") {
            guard let format = TimeFormat(pattern) else {
                throw section.problem(
                    "timeFormat", "is \(quoted(pattern))",
                    remedy:
                        "Write yyyy, MM or M, dd or d, HH or H (or hh or h with a for AM and PM), mm, and perhaps ss and "
                        + "SSS, with the signs between them: \"dd/MM/yyyy HH:mm\".")
            }
            feed.timeFormat = format
        }
        return feed
    }

    private func pattern(_ section: Section) throws(ConfigurationProblem) -> String {
        let example = "inbox/orders-{date}.csv"
        guard let pattern = try section.text("path", example: example) else {
            throw section.problem("path", "is missing", remedy: "Write the files' pattern, such as \"\(example)\".")
        }
        guard Feed.isPattern(pattern), !pattern.hasSuffix("/") else {
            throw section.problem(
                "path", "is \(quoted(pattern))",
                remedy:
                    "Write a pattern of files, with {date} or {date:yyyyMMdd} and * for any text, such as \"\(example)\"."
            )
        }
        return pattern
    }
}
