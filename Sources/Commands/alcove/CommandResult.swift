import AppCore

/// What a command has done: a sentence for a person, if there is one, and one JSON object for a script.
struct CommandResult {
    static let option = Arguments.Option.flag("json", "print what was done as one JSON object")

    private let sentence: TerminalText?
    private let value: any Encodable

    /// - Parameter sentence: nil for a command that says nothing if it works.
    init(_ sentence: TerminalText? = nil, json value: some Encodable) {
        (self.sentence, self.value) = (sentence, value)
    }

    /// A result of a few members, which has no type of its own.
    init(_ sentence: TerminalText? = nil, json members: [String: JSONValue]) {
        (self.sentence, value) = (sentence, JSONValue.object(members))
    }

    func show(_ arguments: Arguments) throws {
        if arguments.has("json") { return try Terminal.print(json: value) }
        if let sentence { Terminal.print(sentence) }
    }
}

/// A command that does one thing, and then says what it was. Each takes `--json`.
protocol ReportingCommand: Command {
    var arguments: Arguments { get }
    /// Does it.
    func result() async throws -> CommandResult
}

extension ReportingCommand {
    func run() async throws { try await result().show(arguments) }
}
