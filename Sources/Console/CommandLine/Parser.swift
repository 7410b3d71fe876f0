/// Parses the command line by the command table. It knows what may be typed, not what it means.
public struct Parser {
    /// What a command line requests.
    public enum Result: Equatable {
        /// Help for one command or, if nil, for the program.
        case help(Command?)
        /// The program's version, or with `isJSON` everything that it was made from.
        case version(isJSON: Bool)
        case run(Invocation)
    }
    public var commands: [Command]

    public init(commands: [Command]) { self.commands = commands }

    /// Parses a command line.
    ///
    /// - Parameter arguments: without the program's name.
    /// - Throws: `Failure` with `usage`.
    public func parse(_ arguments: [String]) throws(Failure) -> Result {
        let beforeEnd = arguments.prefix { $0 != "--" }
        if beforeEnd.contains("-h") || beforeEnd.contains(Option.help.dashed) {
            return .help(beforeEnd.lazy.compactMap(command(named:)).first)
        }
        if beforeEnd.contains(Option.version.dashed) { return .version(isJSON: beforeEnd.contains("--json")) }
        if beforeEnd.first == "help" {
            guard beforeEnd.count > 1 else { return .help(nil) }
            return .help(try knownCommand(beforeEnd[1]))
        }
        let (words, typed) = try sort(arguments)
        guard let name = words.first else { throw .usage("no command is given") }
        let command = try knownCommand(name)
        return .run(try invocation(of: command, operands: Array(words.dropFirst()), typed: typed))
    }

    private func command(named name: String) -> Command? { commands.first { $0.name == name } }

    private func knownCommand(_ name: String) throws(Failure) -> Command {
        if let command = command(named: name) { return command }
        let suggestion = nearest(name, among: commands.filter { !$0.isHidden }.map(\.name))
        throw .usage("unknown command \(quoted(name))", suggestion: suggestion)
    }

    private typealias Typed = (option: Option, value: String)

    /// Separates options and their values from the other words.
    private func sort(_ arguments: [String]) throws(Failure) -> (words: [String], options: [Typed]) {
        var words: [String] = []
        var typed: [Typed] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                words += rest
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                words.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let command = words.first.flatMap(command(named:))
            let option = try knownOption(parts[0], command: command)
            let attached = parts.count > 1 ? parts[1] : nil
            typed.append((option, try value(of: option, attached: attached, rest: &rest, command: command)))
        }
        return (words, typed)
    }

    private func knownOption(_ name: String, command: Command?) throws(Failure) -> Option {
        let offered = Option.common + commands.flatMap(\.options)
        if let option = offered.first(where: { $0.dashed == name }) { return option }
        let near = (command?.options ?? offered) + Option.common
        let suggestion = nearest(name, among: near.map(\.dashed))
        let isWord = !name.hasPrefix("--") && suggestion == nil
        let hint = isWord ? " (a word that begins with '-' goes after '--')" : ""
        throw .usage("unknown option \(quoted(name))\(hint)", suggestion: suggestion, command: command)
    }

    private func value(
        of option: Option, attached: String?, rest: inout ArraySlice<String>, command: Command?
    ) throws(Failure) -> String {
        guard let placeholder = option.placeholder else {
            guard let attached else { return "" }
            throw .usage("\(option.dashed) takes no value, but \(quoted(attached)) was given", command: command)
        }
        var value = attached
        // A word that looks like an option is not taken as a value, so that a forgotten value is noticed. `--flag=-x`
        // is unambiguous.
        if value == nil, let next = rest.first, next == "-" || !next.hasPrefix("-") { value = rest.popFirst() }
        guard let value, !value.isEmpty else {
            throw .usage("\(option.dashed) needs a value: \(option.dashed) \(placeholder)", command: command)
        }
        if case .choice(let choices) = option.value, !choices.contains(value) {
            throw .usage(
                "\(option.dashed) takes \(alternatives(choices)), not \(quoted(value))",
                suggestion: nearest(value, among: choices), command: command)
        }
        return value
    }

    private func invocation(of command: Command, operands: [String], typed: [Typed]) throws(Failure) -> Invocation {
        var result = Invocation(command: command, operands: operands)
        for (option, value) in typed {
            guard command.takes(option) else {
                let owners = commands.filter { $0.takes(option) }.map(\.name)
                throw .usage(
                    "\(option.dashed) is an option of \(alternatives(owners)), not of \(command.name)", command: command
                )
            }
            if option.placeholder != nil, !option.isRepeatable, result.typed[option.name] != nil {
                throw .usage("\(option.dashed) is given twice", command: command)
            }
            result.typed[option.name, default: []].append(value)
        }
        if result.isSet(.quiet), result.isSet(.verbose) {
            throw result.usage("--quiet and --verbose exclude each other")
        }
        if let option = command.manyValued, result.isSet(option) {
            result.typed[option.name]! += operands
            result.operands = []
        }
        try check(result.operands, of: command)
        return result
    }

    private func check(_ operands: [String], of command: Command) throws(Failure) {
        let expected = command.operands
        if operands.contains("") { throw .usage("one \(expected.noun) is empty", command: command) }
        if operands.count < expected.count.lowerBound {
            throw .usage("\(command.name) needs \(quoted(expected.synopsis))", command: command)
        }
        if operands.count > expected.count.upperBound {
            let surplus = quoted(operands[expected.count.upperBound])
            throw .usage("\(command.name) does not take \(surplus)", command: command)
        }
    }
}
