/// The manual page reconcile(1), in the macros of man(7).
func manual(of commands: [Command]) -> String {
    var page = ManualPage()
    page.add(
        #".TH RECONCILE 1 "" "reconcile \#(version)" "User Commands""#, ".SH NAME",
        #"reconcile \- reconcile App Store purchases with an app backend's orders and credits"#, ".SH SYNOPSIS")
    for command in commands {
        page.add(".br", ".B reconcile \(command.name)")
        page.addText(
            [command.operands.synopsis, command.options.isEmpty ? "" : "[OPTION]..."].filter { !$0.isEmpty }
                .joined(separator: " "))
    }
    page.add(".SH DESCRIPTION")
    page.addText(
        "Every night, joins an app backend's orders and credits with Apple's verified transactions and client receipts, "
            + "gives every purchase exactly one verdict, keeps everything in a ledger (one SQLite file), and "
            + "writes reports and a retry manifest. Results go to standard output, everything else to standard error.")
    page.add(".SH COMMANDS")
    for command in commands { page.add(command) }
    page.add(".SH OPTIONS OF EVERY COMMAND")
    page.add(Option.common)
    page.add(".SH EXIT STATUS")
    for code in ExitCode.allCases { page.addItem(String(code.rawValue), code.meaning) }
    page.addText(
        "After any code but 0, 1 and 3 the ledger and the output folder are as they were before the run.", ".PP")
    page.add(".SH ENVIRONMENT")
    page.addItem("RECONCILE_CONFIG", "the configuration, if --config is not given")
    page.addItem("RECONCILE_THREADS", "the maximum number of cores; default: all")
    page.addItem("NO_COLOR", "turns colours off if it is set and not empty")
    page.add(".SH FILES")
    page.addItem("reconcile.json", "the configuration; 'reconcile init' writes one with every setting explained")
    page.addItem("/usr/share/doc/reconcile", "the documentation, including operations.md, the runbook")
    page.add(".SH SEE ALSO", ".BR sqlite3 (1),", ".BR systemd.timer (5)")
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
            addText("Example, \(example.purpose):", ".PP")
            add(".RS", ".nf")
            addText("reconcile " + example.line)
            add(".fi", ".RE")
        }
        for ending in command.endings { addItem("Exit \(ending.code.rawValue)", ending.meaning) }
    }
}
