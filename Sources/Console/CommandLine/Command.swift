/// A command of `reconcile`. Parser, help, manual and shell completions are all made from this description.
public struct Command: Sendable {
    /// The words that follow the command's name.
    public struct Operands: Sendable, Equatable {
        /// The operands as help shows them: `[DIRECTORY]`. Empty if absent.
        public var synopsis: String
        /// The word for one operand in messages: `directory`.
        public var noun: String
        public var count: ClosedRange<Int>

        public init(synopsis: String, noun: String, count: ClosedRange<Int>) {
            (self.synopsis, self.noun, self.count) = (synopsis, noun, count)
        }

        public static let none = Operands(synopsis: "", noun: "operand", count: 0...0)
    }
    public var name: String
    /// One line for the list of commands, without a capital or a full stop.
    public var summary: String
    /// A paragraph for the command's own help.
    public var description: String
    public var operands: Operands
    /// The command's own options, in addition to `Option.common`.
    public var options: [Option]
    /// An option that takes the operands as further values: a shell writes `--from inbox/*` as many words.
    public var manyValued: Option?
    /// Command lines, without `reconcile `, each with what it does, in a few words.
    public var examples: KeyValuePairs<String, String>
    /// Exit codes with a special meaning for this command; the others have their general meaning.
    public var endings: KeyValuePairs<ExitCode, String>
    /// Whether the command is for packagers only. It is then not listed and never suggested.
    public var isHidden: Bool

    /// Creates a command. Parts that are left out are empty.
    public init(
        name: String, summary: String, description: String, operands: Operands = .none, options: [Option] = [],
        manyValued: Option? = nil, examples: KeyValuePairs<String, String>,
        endings: KeyValuePairs<ExitCode, String> = [:], isHidden: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.description = description
        self.operands = operands
        self.options = options
        self.manyValued = manyValued
        self.examples = examples
        self.endings = endings
        self.isHidden = isHidden
    }

    /// What follows the command's name, for help.
    var synopsis: String {
        [operands.synopsis, options.isEmpty ? "" : "[OPTION]..."].filter { !$0.isEmpty }.joined(separator: " ")
    }

    public func takes(_ option: Option) -> Bool { (options + Option.common).contains { $0.name == option.name } }
}

/// No two commands have the same name.
extension Command: Equatable {
    public static func == (left: Command, right: Command) -> Bool { left.name == right.name }
}
