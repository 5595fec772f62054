import AppCore
import Host

/// How a person names a room on the command line: by its name, its join code, its id or the beginning of its id.
struct RoomOperand {
    let text: String

    func find(in host: AppHost) async throws -> Room {
        try await host.read { state in Result { () throws(CommandFailure) in try find(in: state.rooms) } }.get()
    }

    func find(in rooms: RoomList) throws(CommandFailure) -> Room {
        let digits = text.prefix { $0.isNumber }
        let candidates: [[Room]] = [
            rooms.filter { $0.id.text == text },
            rooms.filter { $0.name == text },
            rooms.filter { $0.code != nil && $0.code == String(digits) },
            rooms.filter { text.count >= 4 && $0.id.text.hasPrefix(text) },
        ]
        guard let found = candidates.first(where: { !$0.isEmpty }) else {
            throw CommandFailure("there is no room \"\(text)\"; alcove room list shows the rooms", .noInput)
        }
        guard found.count == 1, let room = found.first else {
            throw CommandFailure("\(found.count) rooms are called \"\(text)\"; name it by its id", .usage)
        }
        return room
    }
}
