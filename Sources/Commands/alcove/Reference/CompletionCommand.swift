/// `alcove completion`
struct CompletionCommand: Command {
    static let reference = CommandReference(
        "completion", "bash|zsh|fish",
        "print the script with which a shell completes the words of alcove",
        takes: .one("bash, zsh or fish"),
        options: [],
        examples: [
            "source <(alcove completion bash)", "alcove completion fish > ~/.config/fish/completions/alcove.fish",
        ])

    private let script: String

    init(arguments: Arguments) throws {
        let shell = arguments.operands[0]
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
