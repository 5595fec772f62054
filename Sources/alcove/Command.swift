/// One thing `alcove` can do.
protocol Command {
    /// The words that call it, for example `room list`.
    static var name: String { get }
    /// One line for the list of commands.
    static var summary: String { get }
    /// The words after the name, for the help text.
    static var usage: String { get }
    static var options: [Arguments.Option] { get }
    static var examples: [String] { get }

    init(_ arguments: Arguments) throws
    /// Does it. What it throws is printed on standard error and decides the exit code.
    func run() async throws
}

extension Command {
    static var help: String {
        var lines = [summary, "", "usage: alcove \(name)\(usage.isEmpty ? "" : " " + usage)"]
        let all = options + [Arguments.Option(name: "help", value: nil, help: "show this text")]
        let names = all.map { "--" + $0.name + ($0.value.map { " " + $0 } ?? "") }
        let width = names.map(\.count).max() ?? 0
        lines += ["", "options:"]
        lines += zip(names, all).map { name, option in
            "  " + name + String(repeating: " ", count: width - name.count + 2) + option.help
        }
        lines += ["", examples.count == 1 ? "example:" : "examples:"] + examples.map { "  " + $0 }
        return lines.joined(separator: "\n")
    }
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
enum ExitCode: Int32 {
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
