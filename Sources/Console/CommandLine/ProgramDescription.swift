/// What help and the manual page say about the program as a whole.
public struct ProgramDescription: Sendable {
    public typealias Item = (term: String, meaning: String)

    /// The version, for the manual page.
    public var version: String
    /// What the program does, in one line, for the manual page.
    public var summary: String
    /// What it does, for help, in lines of at most 80 columns.
    public var purpose: String
    /// What it does, for the manual page, in one paragraph.
    public var description: String
    public var commands: [Command]
    /// The command lines to begin with.
    public var firstSteps: [Item]
    /// What holds after an exit code, for the manual page, in one paragraph.
    public var exitNote: String
    /// The variables of the environment that it reads.
    public var environment: [Item]
    public var files: [Item]
    /// The manual pages that are related, in the macros of man(7).
    public var seeAlso: [String]

    public init(
        version: String, summary: String, purpose: String, description: String, commands: [Command],
        firstSteps: [Item], exitNote: String, environment: [Item], files: [Item], seeAlso: [String]
    ) {
        self.version = version
        self.summary = summary
        self.purpose = purpose
        self.description = description
        self.commands = commands
        self.firstSteps = firstSteps
        self.exitNote = exitNote
        self.environment = environment
        self.files = files
        self.seeAlso = seeAlso
    }
}
