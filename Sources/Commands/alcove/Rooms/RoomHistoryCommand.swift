import AppCore
import Host

/// `alcove room history`
struct RoomHistoryCommand: Command {
    static let reference = CommandReference(
        "room history", "ROOM [--last N] [--json]",
        "show what was said in a room and is kept",
        takes: .one("ROOM: its name, its code, its id or the beginning of one"),
        options: ProfileOptions.all + [
            .value("last", "N", "how many of the newest messages (default 50)"),
            .flag("json", "print a JSON array"),
        ],
        examples: ["alcove room history Ben", "alcove room history Ben --last 1000 --json"])

    let arguments: Arguments

    private static let most = 1_000_000

    func run() async throws {
        let count = try arguments.integer("last", in: 1...Self.most) ?? 50
        let lines = try await ProfileOptions.attached(arguments) { host in
            let room = try await RoomOperand(text: arguments.operands[0]).find(in: host)
            return try await Self.newest(count, of: room.id, host).map { SaidLine($0, in: room.title) }
        }
        if arguments.has("json") { return try Terminal.print(json: lines) }
        for line in lines { Terminal.print(line.text) }
    }

    /// Pages come until there are enough; each is read before the next, because memory holds only some.
    static func newest(_ count: Int, of room: RoomID, _ host: any ProfileHost) async throws -> [Message] {
        var found: [Message] = []
        while true {
            let oldest = found.first?.order ?? .max
            found = await host.read { $0.rooms[room]?.messages.page(before: oldest) ?? [] } + found
            guard found.count < count, let first = found.first,
                await host.read({ $0.rooms[room]?.messages.isMissing(before: first.id) }) == true
            else { return found.suffix(count) }
            await host.dispatch(.chat(.loadEarlier(room: room, message: first.id)))
            let isThere: Bool? = await host.wait(upTo: .seconds(30)) { state in
                state.rooms[room]?.messages.isMissing(before: first.id) == false ? true : nil
            }
            guard isThere == true else {
                throw CommandFailure("older messages could not be read; look at alcove host status", .temporaryFailure)
            }
        }
    }
}

/// What somebody said, as a script and a person read it.
struct SaidLine: Encodable {
    var id: String
    var room: String
    var at: ISOTime
    var by: String
    var said: String?
    var file: String?
    var note: String?

    init(_ message: Message, in room: String) {
        self.room = room
        (id, at) = (message.id.text, ISOTime(message.at))
        by = message.direction.rawValue
        if case .file(let offer) = message.body { file = offer.name } else { said = message.body.text }
        if said == nil, file == nil { note = message.body.type.split(separator: "_").joined(separator: " ") }
    }

    init(_ hit: MessageHit, in room: String) {
        self.room = room
        (id, at, by, said) = (hit.message.text, ISOTime(hit.at), hit.direction.rawValue, hit.snippet)
    }

    /// Who said it, for a person.
    var speaker: String {
        by == Message.Direction.sent.rawValue ? "You" : by == Message.Direction.received.rawValue ? room : "·"
    }

    /// Without the room.
    var text: TerminalText {
        "\(WrittenTime.text(at.milliseconds))  \(speaker): \(said ?? file.map { "file \($0)" } ?? note ?? "")"
    }
}
