/// The scripts with which shells complete the words of `alcove`, made of the same options as the help texts.
enum Completion {
    static func bash(_ groups: [CommandGroup]) -> String {
        let verbs = groups.filter(\.needsVerb).map { group in
            "        \(group.name)) verbs='\(group.commands.compactMap(\.words.last).joined(separator: " "))' ;;"
        }
        let commands = groups.flatMap(\.commands).map { command in
            let options = command.allOptions.flatMap { [$0.short, "--" + $0.name].compactMap(\.self) }
            let values = command.allOptions.flatMap { option in
                [option.short, "--" + option.name].compactMap(\.self)
                    .compactMap { name in option.completed.map { name + "=" + word(for: $0) } }
            }
            return """
                        '\(command.name)')
                            options='\(options.joined(separator: " "))'
                            values='\(values.joined(separator: " "))'
                            operand='\(word(for: command.completedOperand))' ;;
                """
        }
        return """
            # Completes the words of alcove in bash. Made by: alcove completion bash
            _alcove_value() {
                case $1 in
                    file) mapfile -t COMPREPLY < <(compgen -f -- "$2"); compopt -o filenames 2>/dev/null ;;
                    folder) mapfile -t COMPREPLY < <(compgen -d -- "$2"); compopt -o filenames 2>/dev/null ;;
                    *) mapfile -t COMPREPLY < <(compgen -W "${1//|/ }" -- "$2") ;;
                esac
            }

            _alcove() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
                local command=${COMP_WORDS[1]} verbs='' options='' values='' operand='' value
                # bash takes --name=value apart.
                if [ "$current" = '=' ]; then current=''
                elif [ "$previous" = '=' ]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi
                COMPREPLY=()
                if ((COMP_CWORD == 1)); then
                    mapfile -t COMPREPLY < <(compgen -W '\(groups.map(\.name).joined(separator: " ")) --help --version' -- "$current")
                    return 0
                fi
                case $command in
            \(verbs.joined(separator: "\n"))
                esac
                if [ -n "$verbs" ]; then
                    if ((COMP_CWORD == 2)); then
                        mapfile -t COMPREPLY < <(compgen -W "$verbs --help" -- "$current")
                        return 0
                    fi
                    command="$command ${COMP_WORDS[2]}"
                fi
                case $command in
            \(commands.joined(separator: "\n"))
                esac
                for value in $values; do
                    if [ "${value%%=*}" = "$previous" ]; then
                        _alcove_value "${value#*=}" "$current"
                        return 0
                    fi
                done
                case $current in
                    -*) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current") ;;
                    *) _alcove_value "$operand" "$current" ;;
                esac
                return 0
            }

            complete -F _alcove alcove
            """
    }

    /// A value as `_alcove_value` understands it.
    private static func word(for value: CompletedValue) -> String {
        switch value {
        case .file: "file"
        case .folder: "folder"
        case .choice(let words): words.joined(separator: "|")
        case .free: ""
        }
    }
}
