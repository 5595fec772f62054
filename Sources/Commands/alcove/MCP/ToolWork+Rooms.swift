import AgentProtocols
import Agents
import AppCore
import Host

/// Rooms: over the host process if one runs, else with the profile for a moment. A profile with a passphrase has to be open in a host process: a
/// program opens nothing.
extension ToolWork {
    private struct Listed: Encodable {
        var id: String
        var name: String
        var status: String
        var lastActivity: ISOTime
        /// Whether what is said there stays on the disk.
        var kept: Bool
    }

    func listRooms(_ given: MCPArguments) async throws -> MCPResult {
        try given.check(only: "room")
        let rooms = try await withHost { host in
            await host.read { state in
                state.rooms.sorted { $1.lastActivity < $0.lastActivity }.map { room in
                    Listed(
                        id: room.id.text, name: room.spokenName, status: room.status.rawValue,
                        lastActivity: ISOTime(room.lastActivity), kept: !room.keepsNothing)
                }
            }
        }
        return try Self.list(rooms, from: "the person's rooms")
    }

    func readRoom(_ given: MCPArguments, _ about: Described) async throws -> MCPResult {
        try given.check(only: "room", "last")
        let name = try given.text("room", atMost: ToolLimits.nameBytes)
        let count = try given.number("last", in: 1...ToolLimits.messages) ?? 50
        let lines = try await withHost { host in
            let room = try await find(name, host)
            about.note(room.id.text)
            guard !room.keepsNothing else {
                throw CommandFailure("this room keeps nothing, so there is nothing to read", .noPermission)
            }
            return room.messages.page(before: .max).suffix(count).map { SaidLine($0, in: room.spokenName) }
        }
        return try Self.list(lines, from: "messages of a room", keepsNewest: true)
    }

    func draftMessage(_ given: MCPArguments, _ about: Described) async throws -> MCPResult {
        try given.check(only: "room", "text")
        let name = try given.text("room", atMost: ToolLimits.nameBytes)
        let text = try given.text("text", atMost: RoomLimits.textBytes)
        try await withHost { host in
            let room = try await find(name, host).id
            about.note(room.text)
            let before = await host.read { $0.composers.text(in: room, of: nil) }
            await host.dispatch(.chat(.leaveDraft(room: room, text: text, author: client)))
            // Somebody in the room may have taken it over at once.
            let isLeft = await host.read { state in
                state.composers.text(in: room, of: nil) != before || state.notices.last?.kind == .information
            }
            guard isLeft else {
                throw CommandFailure("the room takes no draft: it is over, or the draft is too long", .failure)
            }
        }
        return MCPResult.done("The draft waits in the room. The person sends it, or not.")
    }

    private func find(_ name: String, _ host: any ProfileHost) async throws -> Room {
        let found = await host.read { state in
            let named = state.rooms.filter { $0.id.text == name }
            guard named.isEmpty else { return named }
            let called = state.rooms.filter { CalledByName(name).means($0.spokenName) }
            let living = called.filter(\.isLiving)
            return living.isEmpty ? called : living
        }
        guard found.count <= 1 else {
            let ids = found.prefix(10).map(\.id.text).joined(separator: ", ")
            throw CommandFailure("several rooms have this name; their ids: \(ids)", .usage)
        }
        guard let room = found.first else { throw CommandFailure("there is no such room", .noInput) }
        return room
    }

    private func withHost<Value>(_ body: (any ProfileHost) async throws -> Value) async throws -> Value {
        try await ProfileOptions.attached(arguments, unlocks: false, front: false) { host in
            guard await !host.read({ $0.lock.isLocked }) else {
                throw CommandFailure(
                    "the profile is locked; the person can open it with: alcove host run", .noPermission)
            }
            return try await body(host)
        }
    }
}

extension Room {
    /// Its name for a program: without the code that lets somebody in, which the name of an unnamed room shows.
    fileprivate var spokenName: String { name.isEmpty ? "unnamed" : name }
}
