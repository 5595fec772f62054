extension Completion {
    static func zsh(_ groups: [CommandGroup]) -> String {
        let verbs = groups.filter(\.needsVerb).map { group in
            let verbs = group.commands.map { described($0.words.last ?? "", $0.summary) }
            return "        \(group.name)) choices=(\(verbs.joined(separator: " "))) ;;"
        }
        let commands = groups.flatMap(\.commands).map { command in
            let specifications = command.allOptions.flatMap(specifications) + [operand(of: command)]
            return """
                        '\(command.name)') _arguments -S \\
                \(specifications.map { "                " + $0 }.joined(separator: " \\\n")) ;;
                """
        }
        return """
            #compdef alcove
            # Completes the words of alcove in zsh. Made by: alcove completion zsh
            _alcove() {
                local -a choices
                if (( CURRENT == 2 )); then
                    choices=(\(groups.map { described($0.name, $0.summary) }.joined(separator: " ")))
                    _describe command choices
                    return
                fi
                local command=$words[2]
                case $command in
            \(verbs.joined(separator: "\n"))
                esac
                if (( $#choices )); then
                    if (( CURRENT == 3 )); then
                        _describe command choices
                        return
                    fi
                    command+=" $words[3]"
                    shift words
                    (( CURRENT -= 1 ))
                fi
                shift words
                (( CURRENT -= 1 ))
                case $command in
            \(commands.joined(separator: "\n"))
                esac
            }

            if [[ $funcstack[1] == _alcove ]]; then _alcove "$@"; else compdef _alcove alcove; fi
            """
    }

    /// An entry for `_describe`.
    private static func described(_ word: String, _ summary: String) -> String {
        quoted(word + ":" + summary.replacing(":", with: "\\:"))
    }

    /// What `_arguments` is told of an option, once for each way to write it. Values may be given again: the last one counts,
    /// or each.
    private static func specifications(_ option: Arguments.Option) -> [String] {
        let help = option.help.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
        guard let name = option.value, let value = option.completed else {
            return [quoted("--\(option.name)[\(help)]")]
        }
        let rest = "[\(help)]" + message(name, value)
        return [option.short.map { quoted("*\($0)\(rest)") }, quoted("*--\(option.name)=\(rest)")].compactMap(\.self)
    }

    private static func operand(of command: CommandEntry) -> String {
        let operands = command.operands
        guard !operands.isEmpty else { return quoted("*: : ") }
        return quoted("*" + message(operands.joined(separator: " "), command.completedOperand))
    }

    private static func message(_ name: String, _ value: CompletedValue) -> String {
        let action =
            switch value {
            case .file: "_files"
            case .folder: "_files -/"
            case .choice(let words): "(" + words.joined(separator: " ") + ")"
            case .free: " "
            }
        return ":" + name.replacing(":", with: "\\:") + ":" + action
    }

    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
