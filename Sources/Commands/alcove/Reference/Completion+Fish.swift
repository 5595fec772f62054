extension Completion {
    static func fish(_ groups: [CommandGroup]) -> String {
        var lines = groups.map { line(at: [], "-a \($0.name) -d \(quoted($0.summary))") }
        for group in groups where group.needsVerb {
            lines += group.commands.map {
                line(at: [group.name], "-a \($0.words.last ?? "") -d \(quoted($0.summary))")
            }
        }
        for command in groups.flatMap(\.commands) {
            lines += command.allOptions.map { option in
                let short = option.short.map { "-s \($0.dropFirst()) " } ?? ""
                let takes = option.completed.map { "-r " + offer($0) + " " } ?? ""
                return line(in: command.words, "\(short)-l \(option.name) \(takes)-d \(quoted(option.help))")
            }
            if command.completedOperand != .free {
                lines.append(line(in: command.words, offer(command.completedOperand)))
            }
        }
        return """
            # Completes the words of alcove in fish. Made by: alcove completion fish
            function __alcove_at
                set -l words (commandline -opc)
                set -e words[1]
                test "$words" = "$argv"
            end

            function __alcove_in
                set -l words (commandline -opc)
                set -e words[1]
                set -l count (count $argv)
                test (count $words) -ge $count; and test "$words[1..$count]" = "$argv"
            end

            complete -c alcove -f
            \(lines.joined(separator: "\n"))
            """
    }

    private static func line(at words: [String], _ rest: String) -> String {
        "complete -c alcove -n '\((["__alcove_at"] + words).joined(separator: " "))' \(rest)"
    }

    private static func line(in words: [String], _ rest: String) -> String {
        "complete -c alcove -n '\((["__alcove_in"] + words).joined(separator: " "))' \(rest)"
    }

    private static func offer(_ value: CompletedValue) -> String {
        switch value {
        case .file: "-F"
        case .folder: "-f -a '(__fish_complete_directories (commandline -ct))'"
        case .choice(let words): "-f -a '\(words.joined(separator: " "))'"
        case .free: "-f"
        }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
