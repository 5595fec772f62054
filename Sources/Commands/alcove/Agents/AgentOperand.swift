import AppCore
import Catalogues
import Host

/// How a person names an agent on the command line: by its name, or by the beginning of its id.
struct AgentOperand {
    let text: String

    func find(in host: any ProfileHost) async throws -> Agent {
        let found = await host.read { state in
            state.agents.named(text).map { [$0] }
                ?? state.agents.inOrder.filter { CalledByName(text).begins($0.id.text) }
        }
        guard let agent = found.first else {
            throw CommandFailure("there is no agent \"\(text)\"; alcove agent list shows the agents", .noInput)
        }
        guard found.count == 1 else { throw CalledByName(text).ambiguity(found.map { ($0.id.text, $0.name) }) }
        return agent
    }
}

extension ProfileHost {
    /// Changes the list of agents.
    /// - Throws: ``CommandFailure`` with what the core says against it.
    func change(agents action: AgentAction) async throws(CommandFailure) {
        let told = Set(await read { $0.notices.map(\.id) })
        await dispatch(.agents(action))
        // What others are told meanwhile is no answer to this.
        let own = await view == .main ? nil : view
        let problem = await read { state in
            state.notices.last {
                $0.kind == .problem && $0.room == nil && $0.view == own && !told.contains($0.id)
            }?.sentence
        }
        if let problem { throw CommandFailure(problem, .usage) }
    }
}

/// An agent, as a script reads it. The key stays where it is.
struct AgentLine: Encodable {
    var id: String
    var name: String
    var kind: String
    var command: [String]?
    var url: String?
    var model: String?
    var hasKey: Bool?
    var sandbox: AgentSandbox?
    var fingerprint: String?
    var addedAt: ISOTime
    /// Whose it is, if it is not this person's.
    var owner: String?
    var readOnly: Bool?
    /// Who may use it.
    var shares: [ShareLine]?

    struct ShareLine: Encodable {
        var room: String
        var member: String
        var folder: String?
        var readOnly: Bool
        var ownerDecides: Bool
        var sharedAt: ISOTime
    }

    /// - Parameter rooms: the members that shares are with, or whose agent it is.
    init(_ agent: Agent, _ rooms: [RoomID: String] = [:]) {
        (id, name, addedAt) = (agent.id.text, agent.name, ISOTime(agent.addedAt))
        switch agent.place {
        case .program(let command, let sandbox, _): (kind, self.command, self.sandbox) = ("acp", command, sandbox)
        case .modelServer(let url, let model, let key):
            (kind, self.url, self.model, hasKey) = ("openai", url, model, key != nil)
        case .gateway(let url, let fingerprint, _): (kind, self.url, self.fingerprint) = ("gateway", url, fingerprint)
        case .member(let room, _, let readOnly):
            (kind, owner, self.readOnly) = ("member", rooms[room] ?? "", readOnly)
        }
        let lines = agent.shares.map {
            ShareLine(
                room: $0.room.text, member: rooms[$0.room] ?? "", folder: $0.folder, readOnly: $0.readOnly,
                ownerDecides: $0.ownerDecides, sharedAt: ISOTime($0.sharedAt))
        }
        shares = lines.isEmpty ? nil : lines
    }

    /// Where it is, and who uses it, for a person.
    var place: String {
        let with = (shares ?? []).map { $0.member + ($0.readOnly ? " (read-only)" : "") }
        return ownPlace + (with.isEmpty ? "" : "; shared with \(with.joined(separator: ", "))")
    }

    private var ownPlace: String {
        if let owner { return "an agent of \(owner)" + (readOnly == true ? ", read-only" : "") }
        if let command {
            let wall = sandbox.map { "in a sandbox\($0.network ? " with network" : ""): " } ?? ""
            return wall + ShellWords.written(command)
        }
        if kind == "gateway" { return "gateway \(url ?? "")\(fingerprint == nil ? "" : ", key known")" }
        return [url, model.map { "model \($0)" }, hasKey == true ? "with a key" : nil].compactMap(\.self)
            .joined(separator: ", ")
    }
}

/// Words as a shell would take them.
enum ShellWords {
    static func written(_ words: [String]) -> String { words.map(written).joined(separator: " ") }

    private static func written(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-_./:=@%+,".utf8.contains(byte) || byte >= 0x80
        }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
