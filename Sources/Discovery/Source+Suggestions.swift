/// What a person may want, as lines that begin with `//`.
extension Source {
    /// Columns that the shop may want in its reports. They are left to a person: other people read the reports.
    var labels: (columns: Set<String>, line: String?) {
        guard [.orders, .credits, .receipts].contains(kind) else { return ([], nil) }
        let found = Names.all.labels.ordered().compactMap { label, names in
            free.first { profile in
                Names.all.isOneOf(names, profile.title) && profile.isWords && profile.counts.count > 1
                    && profile.name != kept?.column
            }.map { (label: label, profile: $0) }
        }
        if found.isEmpty { return ([], nil) }
        let members = found.map { "\($0.label): \($0.profile.name.json5)" }.joined(separator: ", ")
        return (Set(found.map(\.profile.name)), "// labels: { \(members) },")
    }

    /// A command that writes such a file each night, for a person to fill in; nil where a database's client writes none like it.
    var command: String? {
        guard pattern.isDated, !pattern.text.contains("*") else { return nil }
        let psql = #"// command: ["psql", "-qXw", "-v", "ON_ERROR_STOP=1", "#
        if kind == .transactions { return psql + #""-At", "-v", "since={since}", "-f", "transactions.sql"],"# }
        let times = ["updated_at", "created_at", "credited_at", "received_at"]
        guard let table, table.hasHeader, table.skipped == (0, 0), table.footer == nil, table.encoding == .utf8,
            let time = times.lazy.compactMap({ profile($0) }).first, TimeShape(time)?.patterns.isEmpty == true
        else { return nil }
        let isNumber = time.isInteger
        let isLocal = TimeShape(time)?.isLocal == true
        let own = settings.first { $0.key == "timeZone" }?.value
            .replacing(Feed.undecided, with: "").filter { $0 != "\"" && $0 != " " }
        let zone = own == "" ? "ZONE" : own ?? ""
        let factor = isNumber && time.present[0].utf8.count == 13 ? " * 1000" : ""
        switch (table.format, table.delimiter) {
        case (.csv, 0x2C):
            let instant = isLocal ? "timestamptz '{since}' AT TIME ZONE '\(zone)'" : "'{since}'"
            let since = isNumber ? "extract(epoch FROM timestamptz '{since}')\(factor)" : instant
            let select = "SELECT * FROM TABLE WHERE \"\(time.name)\" >= \(since)"
            return psql + "\"--csv\", \"-c\", \(select.json5)],"
        case (.tsv, 0x09), (.text, 0x09):
            let since = isNumber ? "UNIX_TIMESTAMP(LEFT('{since}', 19))\(factor)" : "LEFT('{since}', 19)"
            // The client prints no header on a day without rows, and a command that prints nothing has failed.
            let names = profiles.map(\.name)
            let header = names.map { "'" + $0.replacing("'", with: "''") + "'" }.joined(separator: ", ")
            let columns = names.map { "`" + $0 + "`" }.joined(separator: ", ")
            let select = "SELECT " + header + " UNION ALL SELECT " + columns + " FROM TABLE WHERE "
            let condition = "`\(time.name)` >= \(since)"
            return
                "// command: [\"mysql\", \"--default-character-set=utf8mb4\", \"--batch\", \"--skip-column-names\", \"-e\", "
                + "\((select + condition).json5), \"DATABASE\"],"
        default: return nil
        }
    }
}
