import AppCore
import Host

/// `alcove circle add`
struct CircleAddCommand: ReportingCommand {
    static let reference = CommandReference(
        "circle add", "ROOM [--name NAME]",
        "take the person of a verified room into your circle; both have to say it within 2 minutes, or --wait",
        takes: .one("ROOM"),
        options: ProfileOptions.all + CircleVisit.options() + [.value("name", "NAME", "what to call the person")],
        examples: ["alcove circle add 482913 --name Ben"])

    let arguments: Arguments
    private var operand: String { arguments.operands[0] }

    init(arguments: Arguments) throws {
        if let name = arguments["name"] { try WrittenName.check(name) }
        self.arguments = arguments
    }

    func result() async throws -> CommandResult {
        try await ProfileOptions.attached(arguments, startsHost: true) { host in
            let room = try await RoomOperand(text: operand).find(in: host, fits: { !$0.status.isOver })
            guard !room.isMember else { return try await rename(room, on: host) }
            let visit = try CircleVisit(host, room, arguments)
            try await visit.begin("they run alcove circle add, too, or type /trust in a chat") {
                $0.canTrust || $0.trustGiven != nil
            }
            await host.dispatch(.circle(.trustPeer(room: room.id, name: arguments["name"])))
            try await visit.wait(
                "\(room.title) has been asked and has not answered yet: they say alcove circle add, too; then say it once more"
            ) { $0.isMember ? true : nil }
            let isDelivered = await visit.delivers(.trust)
            let member = try await RoomOperand(text: room.id.text).find(in: host)
            if !isDelivered {
                Terminal.complain("\(member.title) does not know it yet; they learn it when you meet next")
            }
            return CommandResult(
                "\(member.title) is in your circle. From now on: alcove chat \"\(member.title)\", without a code",
                json: CircleListCommand.Line(member))
        }
    }

    /// A person who is a member already may get a name.
    private func rename(_ room: Room, on host: any ProfileHost) async throws -> CommandResult {
        guard let name = arguments["name"] else {
            return CommandResult("\(room.title) is in your circle already.", json: CircleListCommand.Line(room))
        }
        await host.dispatch(.circle(.trustPeer(room: room.id, name: name)))
        let member = try await RoomOperand(text: room.id.text).find(in: host)
        return CommandResult(
            "\(room.title) is in your circle already, and is called \(member.title) now.",
            json: CircleListCommand.Line(member))
    }
}
