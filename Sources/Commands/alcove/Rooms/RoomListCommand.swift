import AppCore
import Foundation
import Host

/// `alcove room list`
struct RoomListCommand: Command {
    static let reference = CommandReference(
        "room list", "[--json]",
        "show the rooms of this profile",
        options: ProfileOptions.all + [.flag("json", "print a JSON array")],
        examples: ["alcove room list", "alcove room list --json"])

    let arguments: Arguments

    private struct Line: Encodable {
        var id: String
        var name: String
        var status: String
        var code: String?
        var pinned: Bool
        var messages: Int
        var server: String
        var lastActivity: Int64
    }

    func run() async throws {
        let host = try await ProfileOptions.host(arguments)
        let lines = await host.read { state in
            state.rooms.map { room in
                Line(
                    id: room.id.text, name: room.title, status: room.status.rawValue, code: room.code,
                    pinned: room.pin != nil, messages: room.messages.count, server: room.server,
                    lastActivity: room.lastActivity.milliseconds)
            }.sorted { ($0.pinned ? 0 : 1, -$0.lastActivity) < ($1.pinned ? 0 : 1, -$1.lastActivity) }
        }
        await host.stop()
        if arguments.has("json") {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
            Terminal.print(.json(String(decoding: try encoder.encode(lines), as: UTF8.self)))
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
