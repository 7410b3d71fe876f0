internal import Intake

/// Reads which of a feed's columns are labels: the shop's own, which are shown and decide nothing.
struct LabelsReader {
    /// The feed's.
    let section: Section

    private static let kinds: [FeedKind] = [.orders, .receipts, .transactions, .credits]

    func read(into feed: inout Feed) throws(ConfigurationProblem) {
        guard let map = try section.section("labels", keys: nil) else { return }
        guard Self.kinds.contains(feed.kind) else {
            throw section.problem("labels", "is not used in a feed of \(feed.kind.rawValue)", remedy: "Remove it.")
        }
        let personal = feed.kind == .receipts ? ["device_id", "receipt_data"] : []
        for member in map.members {
            try check(member)
            let source = try source(member, in: map)
            for column in personal where Feed.isSame(source.name ?? member.key, feed.columns[column]?.name ?? column) {
                throw ConfigurationProblem(
                    member.value.position,
                    "\(map.name(member.key)) is the column of \(column), which reports never show",
                    remedy: "Remove it.")
            }
            feed.labels[member.key] = source
        }
    }

    private func check(_ member: JSON5.Member) throws(ConfigurationProblem) {
        guard LabelSet.isName(member.key) else {
            throw ConfigurationProblem(
                member.keyPosition, "\(quoted(member.key)) cannot be the name of a label",
                remedy: "Begin with a letter, and use only a to z, 0 to 9 and _, at most 32 characters.")
        }
        guard !LabelSet.takenNames.contains(member.key) else {
            throw ConfigurationProblem(
                member.keyPosition, "\(quoted(member.key)) is what every purchase is compared by without a label",
                remedy: "Use another name, such as \"my_\(member.key)\".")
        }
    }

    private func source(_ member: JSON5.Member, in map: Section) throws(ConfigurationProblem) -> ColumnSource {
        let path = map.name(member.key)
        guard case .object = member.value.content else {
            let name = try Section.text(member.value, name: path, example: "client_ver")
            return ColumnSource(name: try ColumnsReader.checked(name, path, at: member.value.position))
        }
        let object = try Section(member.value, path: path, keys: ["from", "words"])
        var source = ColumnSource()
        if let name = try object.text("from", example: "client_ver") {
            source.name = try ColumnsReader.checked(name, object.name("from"), at: object.value("from")!.position)
        }
        guard let words = try object.section("words", keys: nil) else { return source }
        for word in words.members {
            let text = try Section.text(word.value, name: words.name(word.key), example: "huawei")
            guard text.utf8.count <= LabelSet.textMax else {
                throw words.problem(
                    word.key, "has \(text.utf8.count) bytes", remedy: "Write at most \(LabelSet.textMax).")
            }
            source.words[word.key] = text
        }
        return source
    }
}
