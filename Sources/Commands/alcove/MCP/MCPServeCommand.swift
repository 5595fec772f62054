import Agents
import AppCore
import Dispatch
import Foundation

/// `alcove mcp serve`, or `alcove mcp` alone, as assistants are told to start it.
struct MCPServeCommand: Command {
    static let reference = CommandReference(
        "mcp serve", "--client NAME",
        "let a program use notes, rooms and apps over the Model Context Protocol, as far as you granted it",
        options: [
            .value("client", "NAME", "the program, as you call it; it may do what alcove mcp grant NAME says"),
            .value("session", "ID", "the session with an agent in which each use is shown"), ProfileOptions.profile,
        ] + NoteOptions.place,
        examples: ["alcove mcp serve --client helper", "alcove mcp serve --client helper --dir ~/Notes"])

    let arguments: Arguments
    private let client: String?

    init(arguments: Arguments) throws {
        self.arguments = arguments
        client = try arguments["client"].map(MCPCommands.checked(client:))
    }

    func run() async throws {
        let folder = try MCPCommands.folder(arguments)
        if client == nil {
            Terminal.log("without --client NAME nothing can be granted, so nothing can be used")
        } else if isatty(STDIN_FILENO) == 1 {
            Terminal.log("this talks to a program on standard input; give an assistant this command to start")
        }
        let session = MCPSession(
            client: client, work: ToolWork(arguments: arguments, client: client ?? ""),
            grants: ToolGrants(folder: folder), log: ToolLog(folder: folder))
        await session.run(StandardInput())
    }
}

/// Standard input piece by piece: the next one is read when it is wanted, so that nothing piles up.
struct StandardInput: Sendable {
    /// Reading blocks, so it has a thread of its own.
    private let queue = DispatchQueue(label: "standard input")

    /// - Returns: nil at the end.
    func next() async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            queue.async {
                var bytes = [UInt8](repeating: 0, count: 64 << 10)
                var count = read(STDIN_FILENO, &bytes, bytes.count)
                while count < 0, errno == EINTR { count = read(STDIN_FILENO, &bytes, bytes.count) }
                continuation.resume(returning: count > 0 ? Array(bytes[..<count]) : nil)
            }
        }
    }
}
