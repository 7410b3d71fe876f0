/// Help texts of at most 80 columns, made from the command table.
public struct Help {
    private let program: ProgramDescription
    private let commands: [Command]
    /// Whether headings are bold.
    private let isColored: Bool

    /// Creates the help of a program, without its hidden commands.
    public init(_ program: ProgramDescription, isColored: Bool = false) {
        self.program = program
        commands = program.commands.filter { !$0.isHidden }
        self.isColored = isColored
    }

    static let width = 80

    /// The help of the program: its purpose, the commands, the common options, and the exit codes.
    public var text: String {
        let names = commands.map { (term: $0.name, meaning: $0.summary) }
        let codes = ExitCode.allCases.filter { $0 != .closedPipe }.map {
            (term: String($0.rawValue), meaning: $0.meaning)
        }
        return """
            \(program.purpose)

            \(head("Start here"))
            \(list(program.firstSteps.map { ("reconcile " + $0.term, $0.meaning) }))

            \(head("Commands"))   reconcile COMMAND --help shows details
            \(list(names))

            \(head("Options of every command"))
            \(list(Option.common.map { (term: $0.synopsis, meaning: $0.help) }))

            \(head("Exit codes"))
            \(list(codes))

            """
    }

    public func of(_ command: Command) -> String {
        var parts = [wrapped(command.description, indent: 0)]
        parts.append(
            head("Examples") + "\n" + command.examples.map { "  reconcile \($0)\n      \($1)" }.joined(separator: "\n"))
        parts.append(
            head("Usage") + "\n  reconcile " + command.name + (command.synopsis.isEmpty ? "" : " " + command.synopsis))
        if !command.options.isEmpty {
            parts.append(head("Options") + "\n" + list(command.options.map { ($0.synopsis, $0.help) }))
        }
        if !command.endings.isEmpty {
            parts.append(
                head("Exit codes") + "\n" + list(command.endings.map { (String($0.rawValue), $1) }))
        }
        parts.append("reconcile --help lists the options of every command and all exit codes.\n")
        return parts.joined(separator: "\n\n")
    }

    private func head(_ title: String) -> String { isColored ? bold(title) : title }

    /// Two columns. A term that is too long for the first has a line of its own.
    private func list(_ rows: [(term: String, meaning: String)]) -> String {
        let column = min(34, (rows.map(\.term.count).max() ?? 0) + 2)
        return rows.map { term, meaning in
            let text = wrapped(meaning, indent: column + 2)
            if term.count + 2 > column { return "  " + term + "\n" + String(repeating: " ", count: column + 2) + text }
            return "  " + term + String(repeating: " ", count: column - term.count) + text
        }.joined(separator: "\n")
    }

    /// Breaks the text between words. Lines after the first are indented; the caller places the first.
    private func wrapped(_ text: String, indent: Int) -> String {
        var lines = [""]
        for word in text.split(separator: " ") {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if indent + line.count + 1 + word.count <= Self.width {
                lines[lines.count - 1] = line + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
    }
}
