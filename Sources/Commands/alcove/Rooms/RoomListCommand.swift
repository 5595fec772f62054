import AppCore
import Host

/// `alcove room list`
struct RoomListCommand: Command {
    static let reference = CommandReference(
        "room list", "[--json]",
        "show the rooms of this profile",
        options: ProfileOptions.all + [.flag("json", "print a JSON array")],
        examples: ["alcove room list", "alcove room list --json"])

    let arguments: Arguments

    func run() async throws {
        let lines = try await ProfileOptions.attached(arguments) { host in
            await host.read { state in
                state.rooms.sorted {
                    ($0.pin == nil ? 1 : 0, $1.lastActivity) < ($1.pin == nil ? 1 : 0, $0.lastActivity)
                }.map(RoomLine.init)
            }
        }
        if arguments.has("json") {
            try Terminal.print(json: lines)
        } else if lines.isEmpty {
            Terminal.print("No rooms yet. Open one with: alcove chat --create")
        } else {
            var table = Table(cuts: [1])
            for line in lines {
                table.add(
                    line.pinned ? "*" : " ", line.name, line.status, "\(line.messages) messages",
                    line.code.map { "code \($0)" } ?? "", String(line.id.prefix(8)))
            }
            table.show()
        }
    }
}

/// A room, as a script reads it.
struct RoomLine: Encodable {
    var id: String
    var name: String
    var status: String
    var code: String?
    var pinned: Bool
    /// Whether it sends no notifications.
    var muted: Bool
    var messages: Int
    var server: String
    var lastActivity: ISOTime

    init(_ room: Room) {
        (id, name, status, code) = (room.id.text, room.title, room.status.rawValue, room.code)
        (pinned, muted) = (room.pin != nil, room.isMuted ?? false)
        (messages, server) = (room.messages.count, room.server)
        lastActivity = ISOTime(room.lastActivity)
    }
}
