import AppCore
import Foundation
import Host

/// `alcove circle list`
struct CircleListCommand: Command {
    static let reference = CommandReference(
        "circle list", "[--json]",
        "show the people of your circle and how many one-time keys are left",
        options: ProfileOptions.all + [.flag("json", "print a JSON array")],
        examples: ["alcove circle list", "alcove circle list --json"])

    let arguments: Arguments

    /// A person, as a script reads it.
    struct Line: Encodable {
        var id: String
        var name: String
        var since: ISOTime?
        var fingerprint: String?
        var keys: KeyState?

        init(_ room: Room) {
            id = room.id.text
            name = room.title
            since = [room.trustGiven, room.trustReceived].compactMap(\.self).max().map(ISOTime.init)
            fingerprint = room.identity?.fingerprint
            keys = room.live.keys
        }
    }

    func run() async throws {
        let lines = try await ProfileOptions.attached(arguments) { host in
            await host.read { $0.rooms.filter(\.isMember).map(Line.init).sorted { $0.name < $1.name } }
        }
        if arguments.has("json") { return try Terminal.print(json: lines) }
        guard !lines.isEmpty else {
            return Terminal.print("Nobody yet. Meet in a room, then: alcove circle add ROOM")
        }
        var table = Table()
        for line in lines {
            let keys =
                line.keys.map { "\($0.theirs) keys to write with, \($0.ours) to be written with" } ?? "no keys yet"
            table.add(line.name, keys, String(line.id.prefix(8)))
        }
        table.show()
    }
}
