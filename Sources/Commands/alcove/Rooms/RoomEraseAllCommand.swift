import AppCore
import Host

/// `alcove room erase-all`
struct RoomEraseAllCommand: ReportingCommand {
    static let reference = CommandReference(
        "room erase-all", "--yes [--passphrase-lost]",
        "delete every room and everything else in this profile",
        options: ProfileOptions.all + [
            .flag("yes", "really do it: nothing can be brought back"),
            .flag(
                "passphrase-lost", "do not ask for the passphrase: erasing takes no key, and the servers are not told"),
        ],
        examples: ["alcove room erase-all --yes", "alcove room erase-all --yes --passphrase-lost"])

    let arguments: Arguments

    init(arguments: Arguments) throws {
        guard arguments.has("yes") else {
            throw UsageError(
                "this deletes every room, every message and every note in the profile; say --yes if that is meant")
        }
        self.arguments = arguments
    }

    func result() async throws -> CommandResult {
        try await ProfileOptions.attached(arguments, unlocks: !arguments.has("passphrase-lost")) { host in
            await host.dispatch(.app(.eraseAll))
            try await RoomChange.settle(host)
        }
        return CommandResult(json: ["erased": .bool(true)])
    }
}
