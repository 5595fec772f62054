/// `alcove completion`
struct CompletionCommand: Command {
    static let name = "completion"
    static let summary = "print the script with which a shell completes the words of alcove"
    static let usage = "bash|zsh|fish"
    static let options: [Arguments.Option] = []
    static let examples = [
        "source <(alcove completion bash)", "alcove completion fish > ~/.config/fish/completions/alcove.fish",
    ]

    private let script: String

    init(_ arguments: Arguments) throws {
        let shell = try arguments.operands(1...1, "bash, zsh or fish")[0]
        let groups = CommandGroup.groups(of: Alcove.commands)
        switch shell {
        case "bash": script = Completion.bash(groups)
        case "zsh": script = Completion.zsh(groups)
        case "fish": script = Completion.fish(groups)
        default: throw UsageError("there is no completion for \"\(shell)\"; there is one for bash, zsh and fish")
        }
    }

    func run() async throws { Terminal.print(.text(script)) }
}
