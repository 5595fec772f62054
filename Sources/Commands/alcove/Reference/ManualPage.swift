import AppCore

/// A page of the manual, in the macros of man(7), made of the same options as the help texts.
struct ManualPage {
    /// The file, for example `alcove-note.1`.
    let name: String
    let text: String

    /// One page for the program, and one for each first word of a command.
    static func pages(of groups: [CommandGroup]) -> [ManualPage] {
        [overview(groups)] + groups.map { page(of: $0, among: groups) }
    }

    private static func overview(_ groups: [CommandGroup]) -> ManualPage {
        let synopsis = [".B alcove", Roff.italic("COMMAND") + " [" + Roff.italic("OPTION") + "]..."]
        let about = Roff.paragraph(
            """
            Two people open a room with a short code and talk from machine to machine, verified by words that no server sees. \
            People who trust each other form a circle. Notes merge without a server. Apps that others wrote do only what \
            you allow. Each command has a page of its own, and explains itself with --help.
            """)
        let commands = groups.flatMap { Roff.entry(Roff.page("alcove-" + $0.name), $0.summary) }
        let environment =
            Roff.entry(Roff.bold("XDG_DATA_HOME"), "the folder in which the profile is, in place of ~/.local/share")
            + Roff.entry(Roff.bold("EDITOR"), "what alcove note edit starts")
            + Roff.entry(Roff.bold("ALCOVE_COMPONENT"), "the program alcove-component, which runs one part of an app")
        let files =
            Roff.entry(Roff.italic("~/.local/share/alcove"), "the profile: rooms, keys, notes and apps")
            + Roff.entry(
                Roff.italic("~/.local/share/alcove/settings.json"),
                "the rendezvous server, and the STUN and TURN servers")
        return made(
            "alcove", summary: "a private place on your own machines",
            sections: [
                ("SYNOPSIS", synopsis), ("DESCRIPTION", about), ("COMMANDS", commands), exitStatus,
                ("ENVIRONMENT", environment), ("FILES", files),
                ("SEE ALSO", [Roff.list(groups.map { "alcove-" + $0.name }.sorted())]),
            ])
    }

    private static func page(of group: CommandGroup, among groups: [CommandGroup]) -> ManualPage {
        let synopsis = group.commands.flatMap { [Roff.bold("alcove " + $0.name) + " " + Roff.text($0.usage), ".br"] }
        let shared = group.sharedOptions
        var sections: [Section] = [("SYNOPSIS", synopsis)]
        if group.commands.count == 1 {
            let command = group.commands[0]
            sections += [
                ("DESCRIPTION", Roff.paragraph(command.summary)), ("OPTIONS", shared.flatMap(Roff.entry)),
                ("EXAMPLES", Roff.examples(command.examples)),
            ]
        } else {
            let commands = group.commands.flatMap { command -> [String] in
                let own = command.allOptions.filter { !shared.contains($0) }
                return [".SS " + Roff.text("alcove " + command.name)] + Roff.paragraph(command.summary)
                    + own.flatMap(Roff.entry) + Roff.examples(command.examples)
            }
            sections += [("COMMANDS", commands), ("OPTIONS OF EVERY COMMAND", shared.flatMap(Roff.entry))]
        }
        return made(
            "alcove-" + group.name, summary: group.summary,
            sections: sections + [exitStatus, ("SEE ALSO", [Roff.list(["alcove"])])])
    }

    private typealias Section = (title: String, lines: [String])

    private static var exitStatus: Section {
        ("EXIT STATUS", ExitCode.allCases.flatMap { Roff.entry(Roff.bold("\($0.rawValue)"), $0.meaning) })
    }

    private static func made(_ name: String, summary: String, sections: [Section]) -> ManualPage {
        let head = [
            ".TH \(Roff.text(name.uppercased())) 1 \"\" \"Alcove \(Core.version)\" \"Alcove\"",
            ".SH NAME", Roff.text("\(name) - \(summary)"),
        ]
        let lines = head + sections.flatMap { [".SH " + $0.title] + $0.lines }
        return ManualPage(name: name + ".1", text: lines.joined(separator: "\n") + "\n")
    }
}

extension CommandGroup {
    /// The options that all of its commands take.
    fileprivate var sharedOptions: [Arguments.Option] {
        (commands.first?.allOptions ?? []).filter { option in
            commands.allSatisfy { $0.allOptions.contains(option) }
        }
    }
}
