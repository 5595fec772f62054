import Layout

/// One thing `alcove` can do.
protocol Command {
    static var reference: CommandReference { get }

    /// Takes what the command line says, as far as it can be judged before anything is done.
    /// - Throws: ``UsageError``.
    init(arguments: Arguments) throws
    /// Does it. What it throws is printed on standard error and decides the exit code.
    func run() async throws
}

/// What the help text, the manual page and the completions of shells say about a command, and what it takes.
struct CommandReference {
    /// The words that call it, for example `room list`.
    let name: String
    /// The words after the name, for the help text.
    let usage: String
    /// One line for the list of commands.
    let summary: String
    let takes: Operands
    let options: [Arguments.Option]
    let examples: [String]

    init(
        _ name: String, _ usage: String, _ summary: String, takes: Operands = .none,
        options: [Arguments.Option], examples: [String]
    ) {
        self.name = name
        self.usage = usage
        self.summary = summary
        self.takes = takes
        self.options = options
        self.examples = examples
    }

    /// The same with more options.
    func adding(_ more: [Arguments.Option]) -> CommandReference {
        CommandReference(name, usage, summary, takes: takes, options: options + more, examples: examples)
    }

    /// The words that call it.
    var words: [String] { name.split(separator: " ").map(String.init) }

    /// What it takes, as the help text, the manual page and the completions of shells show it.
    var allOptions: [Arguments.Option] { options + [.flag("help", "show this text")] }

    var help: String {
        let rows = allOptions.map { (left: $0.written, right: $0.help) }
        let lines =
            [summary, "", "usage: alcove \(name)\(usage.isEmpty ? "" : " " + usage)", "", "options:"] + columns(rows)
            + ["", examples.count == 1 ? "example:" : "examples:"] + examples.map { "  " + $0 }
        return lines.joined(separator: "\n")
    }
}

/// A command as the command line finds it: a ``Command``, or a line of a table of many that are alike.
@dynamicMemberLookup
struct CommandEntry {
    let reference: CommandReference
    let run: (Arguments) async throws -> Void

    init(_ reference: CommandReference, run: @escaping (Arguments) async throws -> Void) {
        self.reference = reference
        self.run = run
    }

    init(_ command: any Command.Type) {
        let ownOptions = command is any ReportingCommand.Type ? [CommandResult.option] : []
        self.init(command.reference.adding(ownOptions)) { try await command.init(arguments: $0).run() }
    }

    static func each(_ commands: [any Command.Type]) -> [CommandEntry] { commands.map(CommandEntry.init) }

    subscript<Value>(dynamicMember property: KeyPath<CommandReference, Value>) -> Value {
        reference[keyPath: property]
    }
}

/// Two columns. The second begins at the same place in every line, and continues there in the next line where the window
/// ends.
func columns(_ rows: [(left: String, right: String)]) -> [String] {
    let left = 2 + (rows.map { PlainText.cells($0.left) }.max() ?? 0) + 2
    // Too little room for a column of its own is wrapped like any text.
    let room = Terminal.isInteractive ? Terminal.columns() - left : 0
    var table = Table(margin: 2)
    for row in rows {
        let lines = room >= 24 ? PlainText.lines(of: row.right, columns: room) : [row.right]
        for (index, line) in lines.enumerated() { table.add(index == 0 ? row.left : "", line) }
    }
    return table.lines(width: nil)
}

/// A reason to end with something other than success, said so that a person knows what to do next.
struct CommandFailure: Error {
    let explanation: String
    let code: ExitCode

    init(_ explanation: String, _ code: ExitCode) {
        self.explanation = explanation
        self.code = code
    }
}

/// The exit codes of `sysexits.h` that we use.
enum ExitCode: Int32, CaseIterable {
    case success = 0
    case failure = 1
    case usage = 64
    case dataError = 65
    case noInput = 66
    case unavailable = 69
    case software = 70
    case cannotCreate = 73
    case inputOutput = 74
    case temporaryFailure = 75
    case noPermission = 77
    case configuration = 78
}
