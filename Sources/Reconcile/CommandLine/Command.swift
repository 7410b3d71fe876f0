/// A command of `reconcile`: all that parser, help, manual and completions know of it.
struct Command: Sendable, Equatable {
    /// The words that follow the command's name.
    struct Operands: Sendable, Equatable {
        /// As help shows them: `[DIRECTORY]`. Empty where there are none.
        var synopsis: String
        /// One of them, in a sentence: `directory`.
        var noun: String
        var count: ClosedRange<Int>

        static let none = Operands(synopsis: "", noun: "operand", count: 0...0)
    }
    struct Example: Sendable, Equatable {
        /// Without `reconcile ` in front.
        var line: String
        var purpose: String
    }
    struct Ending: Sendable, Equatable {
        var code: ExitCode
        var meaning: String
    }
    var name: String
    /// One line, for the list of commands: no capital, no full stop.
    var summary: String
    /// A paragraph.
    var description: String
    var operands = Operands.none
    /// Those of its own; `Option.common` come on top.
    var options: [Option] = []
    var examples: [Example]
    /// What exit codes mean here in particular; the others mean what they always mean.
    var endings: [Ending] = []
    /// For those who package the program: in no list, and never suggested.
    var isHidden = false

    func takes(_ option: Option) -> Bool { options.contains(option) || Option.common.contains(option) }
}
