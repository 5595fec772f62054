/// Commands whose names begin with the same word, such as `note new` and `note list`; or one command that is alone.
struct CommandGroup {
    /// The first word.
    let name: String
    let summary: String
    let commands: [CommandEntry]

    /// Whether the first word alone is not a command.
    var needsVerb: Bool { commands.contains { $0.words.count > 1 } }

    /// All of them, in the order in which the commands are listed.
    static func groups(of commands: [CommandEntry]) -> [CommandGroup] {
        var names: [String] = []
        for word in commands.compactMap(\.words.first) where !names.contains(word) { names.append(word) }
        return names.map { name in
            let commands = commands.filter { $0.words.first == name }
            return CommandGroup(name: name, summary: summaries[name] ?? commands[0].summary, commands: commands)
        }
    }

    private static let summaries = [
        "agent": "coding agents and language models, to talk to",
        "app": "apps that others wrote, and what each of them may do",
        "circle": "the people you trust, found again without a code",
        "folder": "folders of notes",
        "kas": "a key access service for NanoTDF files",
        "mcp": "notes, rooms and apps for assistants of other makers, as far as you grant it",
        "note": "notes in plain files, which merge by themselves",
        "passphrase": "protect a profile with a passphrase",
        "profile": "a whole profile as one sealed file",
        "room": "the rooms of a profile",
        "server": "rendezvous servers of one's own, or of others",
        "sim": "the simulator: the whole product without network or display",
        "tdf": "NanoTDF files for any key and any policy",
    ]
}
