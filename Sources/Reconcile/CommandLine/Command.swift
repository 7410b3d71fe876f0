/// A command of `reconcile`. Parser, help, manual and shell completions are all made from this description.
struct Command: Sendable, Equatable {
    /// The words that follow the command's name.
    struct Operands: Sendable, Equatable {
        /// The operands as help shows them: `[DIRECTORY]`. Empty if there are none.
        var synopsis: String
        /// The word for one operand in messages: `directory`.
        var noun: String
        /// How many operands are allowed.
        var count: ClosedRange<Int>

        static let none = Operands(synopsis: "", noun: "operand", count: 0...0)
    }
    /// An example for help and manual.
    struct Example: Sendable, Equatable {
        /// The command line, without `reconcile `.
        var line: String
        /// What it does, in a few words.
        var purpose: String
    }
    /// The meaning of an exit code.
    struct Ending: Sendable, Equatable {
        var code: ExitCode
        var meaning: String
    }
    /// The command's name.
    var name: String
    /// One line for the list of commands, without a capital or a full stop.
    var summary: String
    /// A paragraph for the command's own help.
    var description: String
    var operands = Operands.none
    /// The command's own options, in addition to `Option.common`.
    var options: [Option] = []
    var examples: [Example]
    /// Exit codes with a special meaning for this command; the others have their general meaning.
    var endings: [Ending] = []
    /// Whether the command is for packagers only. It is then not listed and never suggested.
    var isHidden = false

    /// Whether the command accepts the option.
    func takes(_ option: Option) -> Bool { options.contains(option) || Option.common.contains(option) }
}
