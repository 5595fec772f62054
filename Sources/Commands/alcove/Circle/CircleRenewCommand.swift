import AppCore
import Host

/// `alcove circle renew`
struct CircleRenewCommand: ReportingCommand {
    static let reference = CommandReference(
        "circle renew", "NAME",
        "exchange fresh one-time keys with a person",
        takes: .one("NAME"),
        options: ProfileOptions.all + CircleVisit.options(),
        examples: ["alcove circle renew Ben"])

    let arguments: Arguments
    private var operand: String { arguments.operands[0] }

    func result() async throws -> CommandResult {
        try await ProfileOptions.attached(arguments, startsHost: true) { host in
            let room = try await RoomOperand(text: operand, isPerson: true).find(in: host, fits: \.isMember)
            let visit = try CircleVisit(host, room, arguments)
            try await visit.begin(
                "fresh keys go straight from one machine to the other, so both have to be there", until: \.canRenewKeys)
            let before = try await RoomOperand(text: room.id.text).find(in: host).live.keys?.epoch ?? 0
            await host.dispatch(.circle(.renewKeys(room: room.id)))
            try await visit.wait("the other side has not sent fresh keys yet; they come with the next visit") { room in
                (room.live.keys?.epoch ?? 0) > before && room.live.keys?.level == .enough ? true : nil
            }
            let keys = try await untilComplete(room.id, on: host)
            return CommandResult(
                "\(room.title): \(keys?.theirs ?? 0) fresh keys to write with, \(keys?.ours ?? 0) to be written with",
                json: CircleListCommand.Line(try await RoomOperand(text: room.id.text).find(in: host)))
        }
    }

    /// Keys come and go in parts; they are all there when a second brings no more.
    private func untilComplete(_ room: RoomID, on host: any ProfileHost) async throws -> KeyState? {
        var keys = await host.read { $0.rooms[room]?.live.keys }
        for _ in 0..<60 {
            try await Task.sleep(for: .seconds(1))
            let now = await host.read { $0.rooms[room]?.live.keys }
            if now == keys { break }
            keys = now
        }
        return keys
    }
}
