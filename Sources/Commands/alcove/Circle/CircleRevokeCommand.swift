import AppCore
import Host

/// `alcove circle revoke`
struct CircleRevokeCommand: ReportingCommand {
    static let reference = CommandReference(
        "circle revoke", "NAME --yes [--now | --wait TIME]",
        "end the trust in a person: all keys go at once, and these are never accepted again",
        takes: .one("NAME"),
        options: ProfileOptions.all + CircleVisit.options(patience: patience) + [
            .flag("yes", "really do it: trust again needs a new verified meeting"),
            .flag("now", "do not look for the other person first, to tell them"),
        ],
        examples: ["alcove circle revoke Ben --yes", "alcove circle revoke Ben --yes --now"])

    /// Two who never met without a code look for each other in two places in turns, up to 30 seconds in each.
    private static let patience = "40s"

    let arguments: Arguments
    private let operand: String

    init(arguments: Arguments) throws {
        operand = arguments.operands[0]
        guard arguments.has("yes") else {
            throw UsageError("this deletes every key you share with \(operand); say --yes if that is meant")
        }
        self.arguments = arguments
    }

    func result() async throws -> CommandResult {
        try await ProfileOptions.attached(arguments, startsHost: !arguments.has("now")) { host in
            let room = try await RoomOperand(text: operand, isPerson: true, meansEvery: true).find(
                in: host, fits: \.canRevoke)
            guard room.canRevoke else {
                let reason = room.status == .revoked ? "the trust in \(room.title) has ended already" : nil
                throw CommandFailure(
                    reason ?? "\(room.title) is not in your circle, so there is no trust to end", .noInput)
            }
            // A connected peer hears it at once. The command does not need one.
            let isThere = try await tellsThem(host, room)
            let told = await host.read { Set($0.notices.map(\.id)) }
            await host.dispatch(.circle(.revokeTrust(room: room.id, reason: nil)))
            try await RoomChange.settle(host, about: room.id, told: told)
            let others = isThere ? "they were told" : "they were not there to be told"
            return CommandResult(
                "Trust in \(room.title) is revoked; \(others). The keys are gone: alcove circle tombstones",
                json: ["id": .string(room.id.text), "name": .string(room.title), "told": .bool(isThere)])
        }
    }

    /// Whether the other person is there within the time that was asked for.
    private func tellsThem(_ host: any ProfileHost, _ room: Room) async throws -> Bool {
        guard !arguments.has("now") else { return false }
        let visit = try CircleVisit(host, room, arguments, patience: Self.patience)
        do { try await visit.begin("the trust is revoked without them") } catch { return false }
        return true
    }
}
