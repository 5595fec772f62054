import Foundation
import ProgramRunner
import Testing

/// Help texts, manual pages and the completions of three real shells say the same.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct CommandDescriptionTests {
    @Test func `a usage line names only options that there are, with the values that they take`() async throws {
        for command in try await DescribedCommand.all() {
            let words = command.usage.split(whereSeparator: { " []".contains($0) }).map(String.init)
            for (index, word) in words.enumerated() where word.hasPrefix("-") && word != "-" {
                let option = try #require(
                    command.options.first { $0.names.contains(word) }, "\(command.name) does not take \(word)")
                guard let value = option.written.split(separator: " ").last, !value.hasPrefix("-") else { continue }
                let given = words.dropFirst(index + 1).first ?? ""
                #expect(value == given || given.hasSuffix(":PATH"), "\(command.name): \(option.written), not \(given)")
            }
        }
    }

    @Test func `every command prints JSON for a script, but those that print nothing else`() async throws {
        let without = try await DescribedCommand.all().filter { command in
            !command.options.contains { $0.names.contains("--json") }
        }
        #expect(Set(without.map(\.name)) == ["agent acp", "completion", "mcp serve"])
    }

    @Test func `without a verb the program says what there is, and no text names a folder of this machine`()
        async throws
    {
        let groups = Set(
            try await DescribedCommand.all().compactMap { $0.name.split(separator: " ").first.map(String.init) })
        for words in [[]] + groups.map({ [$0] }) {
            let process = try AlcoveProcess(words + (words == [] || words == ["app"] ? [] : ["--help"]))
            #expect(try await process.exitCode() == 0, "alcove \(words)")
        }
        let bare = try await Shell("'\(AlcoveProcess.program)' note 2>&1")
        #expect(bare.code == 0 && bare.output.contains("alcove note VERB --help"))
        for command in try await DescribedCommand.all() {
            for option in command.options { #expect(!option.help.contains(NSHomeDirectory()), "\(command.name)") }
        }
    }

    @Test func `manual pages say what help texts say`() async throws {
        let folder = try Folder()
        #expect(try await AlcoveProcess("manual", folder.path).exitCode() == 0)
        let commands = try await DescribedCommand.all()
        let groups = Dictionary(grouping: commands) { $0.name.split(separator: " ").first.map(String.init) ?? "" }
        let overview = try folder.page("alcove")
        for (group, commands) in groups {
            #expect(overview.contains("alcove-\(group)(1)"))
            let page = try folder.page("alcove-\(group)")
            for command in commands {
                let line = "alcove \(command.name) \(command.usage)".trimmingCharacters(in: .whitespaces)
                #expect(page.contains(line), "\(line)")
                #expect(page.contains("\n\(command.summary)\n"), "\(command.name)")
                for option in command.options {
                    #expect(
                        page.contains(".TP\n\(option.written)\n\(option.help)\n"), "\(command.name): \(option.written)")
                }
            }
            let known = Set(commands.flatMap(\.options).map(\.written))
            for entry in page.components(separatedBy: ".TP\n").dropFirst() where entry.hasPrefix("-") {
                let written = entry.prefix { $0 != "\n" }
                #expect(known.contains(String(written)), "no command of \(group) takes \(written)")
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == groups.count + 1)
    }

    @Test func `bash completes every command and exactly its options`() async throws {
        let offers = try await offers(
            of: "bash", to: DescribedCommand.all(), adding: ["rep", "sim render --format = js", "note export "],
            script: #"""
                source "$1/completion"
                while IFS= read -r line; do
                    read -ra COMP_WORDS <<<"$line"
                    [[ $line == *' ' ]] && COMP_WORDS+=('')
                    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                    _alcove
                    printf '@@%s\n' "$line" "${COMPREPLY[@]}"
                done
                """#)
        #expect(offers["rep"] == ["report"])
        #expect(offers["sim render --format = js"] == ["json"])
        #expect(offers["note export "] == ["here"])
    }

    @Test func `zsh completes every command and exactly its options`() async throws {
        let offers = try await offers(
            of: "zsh", to: DescribedCommand.all(), adding: ["rep", "sim render --format js", "note export "],
            script: #"""
                # Asks a zsh of its own, at a terminal of its own.
                cat >$1/inner <<'END'
                PROMPT=; autoload -U compinit; compinit -u -D
                source $folder/completion
                bindkey '^I' complete-word
                mark-begin () { print -rn -- $'\1' }
                mark-end () { print -rn -- $'\2'; compprefuncs=(mark-begin); comppostfuncs=(mark-end) }
                compprefuncs=(mark-begin); comppostfuncs=(mark-end)
                compadd () {
                    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
                    local -a found; builtin compadd -A found "$@"
                    (( $#found )) && print -rl -- $found
                }
                END
                zmodload zsh/zpty
                zpty inner zsh -f -i 2>/dev/null
                zpty -w inner "folder=$1; source $1/inner; print -n REA; print DY"
                zpty -m inner seen '*READY*'
                while IFS= read -r line; do
                    zpty -w -n inner $'\25'"$line"$'\t'
                    zpty -r inner seen $'*\1'
                    zpty -r inner seen $'*\2'
                    print -r -- "@@$line"
                    for offer in ${(f)${${seen%$'\2'}//$'\r'/}}; do print -r -- "@@$offer"; done
                done
                """#)
        #expect(offers["rep"] == ["report"])
        #expect(offers["sim render --format js"] == ["json"])
        #expect(offers["note export "] == ["here"])
    }

    @Test func `fish completes every command and exactly its options, and says what they do`() async throws {
        let commands = try await DescribedCommand.all()
        let offers = try await offers(
            of: "fish", to: commands, adding: ["rep", "sim render --format js", "note export "],
            script: #"""
                source $argv[1]/completion
                while read -l line
                    printf '@@%s\n' $line (complete -C $line)
                end
                """#)
        for command in commands {
            let described = Set(command.options.map { "--\($0.names.last?.dropFirst(2) ?? "")\t\($0.help)" })
            #expect(offers[command.name + " --"] == described, "\(command.name)")
        }
        #expect(
            offers["rep"]
                == ["report\twrite a bug report: what happened in this profile's last run, without what was said"])
        #expect(offers["sim render --format js"]?.first?.hasPrefix("json\t") == true)
        #expect(offers["note export "] == ["here/\tDirectory"])
    }

    /// What a shell offers after each command and two hyphens, and after each line more; checked against the help texts.
    /// - Parameter script: prints `@@LINE` and `@@OFFER` for all offers to each line that it reads. Its argument is a
    ///   folder with the script for the shell as `completion`.
    private func offers(
        of shell: String, to commands: [DescribedCommand], adding more: [String], script: String
    ) async throws -> [String: Set<String>] {
        let folder = try Folder()
        try await Shell("'\(AlcoveProcess.program)' completion \(shell) > '\(folder.path)/completion'").expectSuccess()
        try folder.write(script, to: "script")
        try FileManager.default.createDirectory(atPath: folder.path + "/place/here", withIntermediateDirectories: true)
        let lines = commands.map { $0.name + " --" } + more
        try folder.write(lines.map { "alcove \($0)\n" }.joined(), to: "lines")
        let place = "cd '\(folder.path)/place' && HOME='\(folder.path)' XDG_CONFIG_HOME='\(folder.path)'"
        let answer = try await Shell(
            "\(place) \(shell) '\(folder.path)/script' '\(folder.path)' < '\(folder.path)/lines'")
        var offers: [String: Set<String>] = [:]
        var line = ""
        for part in answer.output.components(separatedBy: "@@").dropFirst() {
            let text = String(part.prefix { $0 != "\n" })
            if text.hasPrefix("alcove ") {
                line = String(text.dropFirst(7))
                offers[line] = []
            } else if !text.isEmpty {
                offers[line, default: []].insert(text)
            }
        }
        for command in commands {
            let names = Set((offers[command.name + " --"] ?? []).map { String($0.prefix { $0 != "\t" }) })
            #expect(names == Set(command.options.compactMap(\.names.last)), "\(shell): \(command.name)")
        }
        return offers
    }

    /// A folder for one test.
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ text: String, to name: String) throws {
            try text.write(toFile: path + "/" + name, atomically: true, encoding: .utf8)
        }

        /// A page as it is read, without what makes words bold.
        func page(_ name: String) throws -> String {
            let text = try String(contentsOfFile: "\(path)/\(name).1", encoding: .utf8)
            return text.replacing(/\\f[BIR]|\\&/, with: "").replacing("\\-", with: "-").replacing("\\e", with: "\\")
                .replacing(/\\\[u([0-9A-F]+)\]/) { match in
                    UInt32(match.1, radix: 16).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
                }
        }
    }
}

extension Shell {
    fileprivate func expectSuccess() { #expect(code == 0) }
}
