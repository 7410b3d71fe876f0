/// What shells may complete a word to.
private enum Completion {
    case nothing, files, folders
    case words([String])

    init(_ option: Option) {
        switch option.value {
        case .none, .text: self = .nothing
        case .file: self = .files
        case .folder: self = .folders
        case .choice(let words): self = .words(words)
        }
    }

    /// Words are those of the first operand: `accept|reopen`.
    init(_ operands: Command.Operands) {
        let words = operands.synopsis.prefix { $0 != " " }.split(separator: "|").map(String.init)
        if words.count > 1 {
            self = .words(words)
            return
        }
        switch operands.noun {
        case "file": self = .files
        case "directory": self = .folders
        default: self = .nothing
        }
    }
}

extension Command {
    fileprivate var allOptions: [Option] { options + Option.common }

    /// The words of the first operand; empty if it is any other text.
    fileprivate var firstWords: [String] {
        if case .words(let words) = Completion(operands) { words } else { [] }
    }
}

/// The text in single quotes, for any of the shells.
private func shellQuoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

/// The completions for bash, to be installed as /usr/share/bash-completion/completions/reconcile.
public func bashCompletions(of commands: [Command]) -> String {
    func reply(_ completion: Completion) -> String {
        switch completion {
        case .nothing: "return"
        case .files: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$current\"); return"
        case .folders: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$current\"); return"
        case .words(let words):
            "mapfile -t COMPREPLY < <(compgen -W '\(words.joined(separator: " "))' -- \"$current\"); return"
        }
    }
    let valued = unique(commands.flatMap(\.allOptions)).filter { $0.placeholder != nil }
    let values = valued.map { "    \($0.dashed)) \(reply(Completion($0))) ;;" }
    let cases = commands.map { command in
        let words = command.allOptions.map(\.dashed).joined(separator: " ")
        let only = command.firstWords.isEmpty ? "" : "[[ $before = \(command.name) ]] || return; "
        return """
                \(command.name))
                    case $current in
                    -*) \(reply(.words([words]))) ;;
                    *) \(only)\(reply(Completion(command.operands))) ;;
                    esac ;;
            """
    }
    let first = (commands.filter { !$0.isHidden }.map(\.name) + Option.common.map(\.dashed)).joined(separator: " ")
    return """
        # bash completion for reconcile, made by 'reconcile generate bash'.
        _reconcile() {
            local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command='' word
            COMPREPLY=()
            for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                case $word in \(commands.map(\.name).joined(separator: "|"))) command=$word; break ;; esac
            done
            case $before in
        \(values.joined(separator: "\n"))
            esac
            case $command in
        \(cases.joined(separator: "\n"))
            *) \(reply(.words([first]))) ;;
            esac
        }
        complete -F _reconcile reconcile

        """
}

/// The completions for zsh, to be installed as /usr/share/zsh/vendor-completions/_reconcile.
public func zshCompletions(of commands: [Command]) -> String {
    func text(_ help: String) -> String {
        help.replacing("[", with: "\\[").replacing("]", with: "\\]").replacing(":", with: "\\:")
    }
    func action(_ completion: Completion) -> String {
        switch completion {
        case .nothing: " "
        case .files: "_files"
        case .folders: "_files -/"
        case .words(let words): "(\(words.joined(separator: " ")))"
        }
    }
    func specification(_ option: Option) -> String {
        let value = option.placeholder.map { ":\(text($0)):\(action(Completion(option)))" } ?? ""
        return shellQuoted((option.isRepeatable ? "*" : "") + option.dashed + "[\(text(option.help))]" + value)
    }
    let cases = commands.map { command in
        let (noun, first) = (command.operands.noun, command.firstWords)
        let operands =
            first.isEmpty
            ? ["*:\(noun):" + action(Completion(command.operands))]
            : ["1:\(noun):" + action(.words(first)), "*:\(noun):" + action(.nothing)]
        let words = command.allOptions.map(specification) + operands.map(shellQuoted)
        return "    \(command.name)) _arguments \(words.joined(separator: " \\\n        ")) ;;"
    }
    let names = commands.filter { !$0.isHidden }.map { "    " + shellQuoted($0.name + ":" + text($0.summary)) }
    return """
        #compdef reconcile
        # Made by 'reconcile generate zsh'.
        local state line
        local -a commands
        commands=(
        \(names.joined(separator: "\n"))
        )
        _arguments -C '1:command:->command' '*::argument:->argument' && return
        case $state in
        command) _describe -t commands command commands ;;
        argument)
            case $words[1] in
        \(cases.joined(separator: "\n"))
            esac ;;
        esac

        """
}

/// The completions for fish, to be installed as /usr/share/fish/vendor_completions.d/reconcile.fish.
public func fishCompletions(of commands: [Command]) -> String {
    func action(_ completion: Completion) -> String {
        switch completion {
        case .nothing: "-x"
        case .files: "-r -F"
        case .folders: "-x -a '(__fish_complete_directories)'"
        case .words(let words): "-x -a '\(words.joined(separator: " "))'"
        }
    }
    func line(_ option: Option, _ condition: String) -> String {
        let value = option.placeholder == nil ? "" : action(Completion(option)) + " "
        return "complete -c reconcile\(condition) -l \(option.name) \(value)-d \(shellQuoted(option.help))"
    }
    var lines = ["# Made by 'reconcile generate fish'.", "complete -c reconcile -f"]
    lines += Option.common.map { line($0, "") }
    for command in commands {
        if !command.isHidden {
            lines.append(
                "complete -c reconcile -n __fish_use_subcommand -a \(command.name) -d \(shellQuoted(command.summary))")
        }
        let condition = " -n '__fish_seen_subcommand_from \(command.name)'"
        lines += command.options.map { line($0, condition) }
        switch Completion(command.operands) {
        case .files: lines.append("complete -c reconcile\(condition) -F")
        case .folders: lines.append("complete -c reconcile\(condition) -a '(__fish_complete_directories)'")
        case .words(let words):
            let names = words.joined(separator: " ")
            let isFirst = "__fish_seen_subcommand_from \(command.name); and not __fish_seen_subcommand_from \(names)"
            lines.append("complete -c reconcile -n '\(isFirst)' -a '\(names)'")
        case .nothing: break
        }
    }
    return lines.joined(separator: "\n") + "\n"
}

private func unique(_ options: [Option]) -> [Option] {
    options.reduce(into: []) { known, option in if !known.contains(option) { known.append(option) } }
}
