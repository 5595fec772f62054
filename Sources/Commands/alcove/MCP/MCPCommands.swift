import Agents
import AppCore
import Host
import Storage

/// `alcove mcp` and what is beneath it.
enum MCPCommands {
    static var all: [CommandEntry] {
        CommandEntry.each([
            MCPServeCommand.self, MCPGrantCommand.self, MCPRevokeCommand.self, MCPListCommand.self, MCPLogCommand.self,
        ])
    }

    /// Where the grants and the log of a profile are.
    static func folder(_ arguments: Arguments) throws(CommandFailure) -> String {
        do {
            return ProfileDirectory.toolsFolder(of: try ProfileDirectory(path: ProfileOptions.path(arguments)).path)
        } catch {
            throw CommandFailure("\(error)", .cannotCreate)
        }
    }

    static func checked(client name: String) throws(UsageError) -> String {
        guard ToolGrants.isName(name) else {
            throw UsageError("a program's name is one line of at most \(ToolGrants.nameBytes) bytes")
        }
        return name
    }

    static func grants(_ words: some Sequence<String>) throws(UsageError) -> Set<ToolGrant> {
        var grants: Set<ToolGrant> = []
        for word in words {
            guard let grant = ToolGrant(rawValue: word) else {
                let known = ToolGrant.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError("there is no grant \(word); there is: \(known)")
            }
            grants.insert(grant)
        }
        return grants
    }
}

/// What a program may do, as a script reads it.
struct ToolClientLine: Encodable {
    var client: String
    var grants: [String]

    init(_ client: String, _ grants: some Collection<ToolGrant>) {
        (self.client, self.grants) = (client, grants.map(\.rawValue).sorted())
    }
}

/// `alcove mcp grant`
struct MCPGrantCommand: ReportingCommand {
    static let reference = CommandReference(
        "mcp grant", "NAME GRANT…",
        "let a program use more: " + ToolGrant.allCases.map(\.rawValue).joined(separator: ", "),
        takes: .some(2...(1 + ToolGrant.allCases.count), "NAME and what it may do, for example read-notes"),
        options: [ProfileOptions.profile], examples: ["alcove mcp grant helper read-notes draft-messages"])

    let arguments: Arguments
    private let client: String
    private let grants: Set<ToolGrant>

    init(arguments: Arguments) throws {
        self.arguments = arguments
        client = try MCPCommands.checked(client: arguments.operands[0])
        grants = try MCPCommands.grants(arguments.operands.dropFirst())
    }

    func result() async throws -> CommandResult {
        let book = ToolGrants(folder: try MCPCommands.folder(arguments))
        do {
            guard try book.grant(grants, to: client) else {
                throw CommandFailure(
                    "\(ToolGrants.clients) programs have grants already; take one's back with alcove mcp revoke NAME",
                    .failure)
            }
            let all = try book.granted(to: client)
            let words = ToolGrant.allCases.filter(all.contains).map(\.words).joined(separator: "; ")
            return CommandResult("\(client) may now \(words)", json: ToolClientLine(client, all))
        } catch let error as FileError { throw CommandFailure(error.message, .inputOutput) }
    }
}

/// `alcove mcp revoke`
struct MCPRevokeCommand: ReportingCommand {
    static let reference = CommandReference(
        "mcp revoke", "NAME [GRANT…]", "take back what a program may do, or all of it; it counts at its next call",
        takes: .some(1...(1 + ToolGrant.allCases.count), "NAME"),
        options: [ProfileOptions.profile],
        examples: ["alcove mcp revoke helper draft-messages", "alcove mcp revoke helper"])

    let arguments: Arguments
    private let client: String
    private let grants: Set<ToolGrant>?

    init(arguments: Arguments) throws {
        self.arguments = arguments
        client = arguments.operands[0]
        let words = arguments.operands.dropFirst()
        grants = words.isEmpty ? nil : try MCPCommands.grants(words)
    }

    func result() async throws -> CommandResult {
        let book = ToolGrants(folder: try MCPCommands.folder(arguments))
        do {
            guard try book.all().contains(where: { $0.client == client }) else {
                throw CommandFailure(
                    "nothing was granted to \"\(client)\"; alcove mcp list shows who may what", .noInput)
            }
            try book.revoke(grants, of: client)
            return CommandResult(json: ToolClientLine(client, try book.granted(to: client)))
        } catch let error as FileError { throw CommandFailure(error.message, .inputOutput) }
    }
}

/// `alcove mcp list`
struct MCPListCommand: Command {
    static let reference = CommandReference(
        "mcp list", "[--json]", "show which programs may do what",
        options: [ProfileOptions.profile, .flag("json", "print a JSON array")],
        examples: ["alcove mcp list", "alcove mcp list --json"])

    let arguments: Arguments

    func run() async throws {
        let lines: [ToolClientLine]
        do {
            lines = try ToolGrants(folder: MCPCommands.folder(arguments)).all().map {
                ToolClientLine($0.client, $0.grants)
            }
        } catch let error as FileError { throw CommandFailure(error.message, .inputOutput) }
        if arguments.has("json") { return try Terminal.print(json: lines) }
        guard !lines.isEmpty else {
            return Terminal.print("No program may use anything. Allow it with: alcove mcp grant NAME read-notes")
        }
        var table = Table(cuts: [])
        for line in lines { table.add(line.client, line.grants.joined(separator: ", ")) }
        table.show()
    }
}

/// `alcove mcp log`
struct MCPLogCommand: Command {
    static let reference = CommandReference(
        "mcp log", "[--lines N] [--json]", "show what programs had done, and what they were refused; never the content",
        options: [
            ProfileOptions.profile, .value("lines", "N", "how many of the newest (default 100)"),
            .flag("json", "print a JSON array"),
        ], examples: ["alcove mcp log", "alcove mcp log --lines 1000 --json"])

    let arguments: Arguments

    func run() async throws {
        let count = try arguments.integer("lines", in: 1...100_000) ?? 100
        let entries = ToolLog(folder: try MCPCommands.folder(arguments)).last(count)
        if arguments.has("json") { return try Terminal.print(json: entries) }
        for entry in entries {
            let time = WrittenTime.milliseconds(entry.at).map { WrittenTime.text($0) } ?? entry.at
            let says = entry.says.map { " (says \($0))" } ?? ""
            let words = [time, "\(entry.client)\(says)", entry.tool, entry.about ?? "-", entry.outcome.rawValue]
            Terminal.print(.line(words.joined(separator: "  ")))
        }
    }
}
