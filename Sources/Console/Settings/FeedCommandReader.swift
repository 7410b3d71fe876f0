internal import Intake

/// Reads the command that writes a feed's files.
struct FeedCommandReader {
    let section: Section

    /// Nil if the feed has none.
    func read(for feed: Feed) throws(ConfigurationProblem) -> FeedCommand? {
        guard let words = try words() else {
            for key in ["timeout", "maxBytes", "overlap", "environment"] where section.value(key) != nil {
                throw section.problem(key, "is used only with command", remedy: "Remove it, or write the command.")
            }
            return nil
        }
        guard feed.isDated, !feed.path.contains("*") else {
            throw section.problem(
                "path", "cannot be written by a command",
                remedy: "Write a path with {date} and without *, such as \"inbox/orders-{date}.csv\".")
        }
        var command = FeedCommand(words: words)
        if let timeout = try section.duration("timeout") { command.timeout = timeout }
        command.bytesMax = try section.count("maxBytes", in: 1...1 << 50) ?? command.bytesMax
        if let overlap = try section.duration("overlap") {
            command.overlapDays = Int(overlap.count / Milliseconds.days(1).count)
            guard Milliseconds.days(Int64(command.overlapDays)) == overlap else {
                throw section.problem("overlap", "is not a number of days", remedy: "Write whole days, such as \"3d\".")
            }
        }
        command.environment = try section.texts("environment", example: "SHOP_TOKEN") ?? []
        for name in command.environment
        where !name.utf8.allSatisfy({
            $0 == 0x5F || Character(Unicode.Scalar($0)).isNumber || Character(Unicode.Scalar($0)).isLetter
        }) {
            throw section.problem(
                "environment", "lists \(quoted(name))",
                remedy: "Write names of variables; their values come from the environment.")
        }
        return command
    }

    /// The program and its arguments, which may be empty and may be the same.
    private func words() throws(ConfigurationProblem) -> [String]? {
        guard let value = section.value("command") else { return nil }
        guard case .list(let elements) = value.content, !elements.isEmpty else {
            throw section.problem(
                "command", "is \(value.noun)",
                remedy:
                    "Write the program and its arguments as a list, such as [\"psql\", \"--csv\", \"-f\", \"orders.sql\"]. No shell runs it."
            )
        }
        var words: [String] = []
        for (number, element) in elements.enumerated() {
            guard case .text(let text) = element.content, !text.utf8.contains(0), !text.isEmpty || number > 0 else {
                throw ConfigurationProblem(
                    element.position, "\(section.name("command"))[\(number)] is \(element.noun)",
                    remedy: "Write text in quotes.")
            }
            words.append(text)
        }
        return words
    }
}
