/// The manual page reconcile(1), in the macros of man(7).
public func manual(of program: ProgramDescription) -> String {
    var page = ManualPage()
    page.add(
        #".TH RECONCILE 1 "" "reconcile \#(program.version)" "User Commands""#, ".SH NAME",
        #"reconcile \- "# + program.summary, ".SH SYNOPSIS")
    for command in program.commands {
        page.add(".br", ".B reconcile \(command.name)")
        page.addText(command.synopsis)
    }
    page.add(".SH DESCRIPTION")
    page.addText(program.description)
    page.add(".SH COMMANDS")
    for command in program.commands { page.add(command) }
    page.add(".SH OPTIONS OF EVERY COMMAND")
    page.add(Option.common)
    page.add(".SH EXIT STATUS")
    for code in ExitCode.allCases { page.addItem(String(code.rawValue), code.meaning) }
    page.addText(program.exitNote, ".PP")
    page.add(".SH ENVIRONMENT")
    for item in program.environment { page.addItem(item.term, item.meaning) }
    page.add(".SH FILES")
    for item in program.files { page.addItem(item.term, item.meaning) }
    page.add(".SH SEE ALSO")
    for line in program.seeAlso { page.add(line) }
    return page.text
}

private struct ManualPage {
    private(set) var text = ""

    mutating func add(_ lines: String...) { text += lines.map { $0 + "\n" }.joined() }

    /// Adds a paragraph of text and escapes characters that have a meaning for troff.
    mutating func addText(_ words: String, _ before: String? = nil) {
        if let before { add(before) }
        let escaped = words.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        let isControl = escaped.hasPrefix(".") || escaped.hasPrefix("'")
        add(isControl ? "\\&" + escaped : escaped)
    }

    mutating func addItem(_ term: String, _ meaning: String) {
        add(".TP")
        addText(term)
        addText(meaning)
    }

    mutating func add(_ options: [Option]) { for option in options { addItem(option.synopsis, option.help) } }

    mutating func add(_ command: Command) {
        add(".SS " + command.name)
        addText(command.description)
        add(command.options)
        for example in command.examples {
            addText("Example, \(example.value):", ".PP")
            add(".RS", ".nf")
            addText("reconcile " + example.key)
            add(".fi", ".RE")
        }
        for ending in command.endings { addItem("Exit \(ending.key.rawValue)", ending.value) }
    }
}
