import Agents
import AppCore
import Storage

/// The devices that `alcove agent serve` lets in.
enum GatewayFolder {
    /// Where they are, and the key of the gateway.
    static func path(_ arguments: Arguments) -> String {
        ProfileOptions.absolute(ProfileOptions.path(arguments)) + "/Gateway"
    }

    static func devices(_ arguments: Arguments) -> GatewayDevices { GatewayDevices(folder: path(arguments)) }

    static func attempt<Value>(_ body: () throws(FileError) -> Value) throws -> Value {
        do { return try body() } catch { throw CommandFailure("\(error)", .inputOutput) }
    }
}

/// A device, as a script reads it.
struct GatewayDeviceLine: Encodable {
    let id: String
    let name: String
    let pairedAt: ISOTime
    let lastSeen: ISOTime?

    init(_ device: GatewayDevice) {
        (id, name) = (device.id, device.name)
        pairedAt = ISOTime(Timestamp(milliseconds: device.pairedAt))
        lastSeen = device.lastSeen.map { ISOTime(Timestamp(milliseconds: $0)) }
    }
}

/// `alcove agent devices`
struct AgentDevicesCommand: Command {
    static let reference = CommandReference(
        "agent devices", "[--json]", "show the devices that alcove agent serve lets in",
        options: [ProfileOptions.profile, .flag("json", "print a JSON array")],
        examples: ["alcove agent devices", "alcove agent devices --json"])

    let arguments: Arguments

    func run() async throws {
        let devices = try GatewayFolder.attempt { () throws(FileError) in try GatewayFolder.devices(arguments).all() }
        if arguments.has("json") { return try Terminal.print(json: devices.map(GatewayDeviceLine.init)) }
        guard !devices.isEmpty else {
            return Terminal.print("No devices. alcove agent serve NAME shows a code to let one in.")
        }
        var table = Table(cuts: [0])
        for device in devices {
            let seen = device.lastSeen.map { "last here \(WrittenTime.text($0))" } ?? "never here"
            table.add(device.name, "let in \(WrittenTime.text(device.pairedAt))", seen, String(device.id.prefix(8)))
        }
        table.show()
    }
}

/// `alcove agent revoke`
struct AgentRevokeCommand: ReportingCommand {
    static let reference = CommandReference(
        "agent revoke", "DEVICE", "let a device in no more; what it is connected to ends at once",
        takes: .one("DEVICE"),
        options: [ProfileOptions.profile], examples: ["alcove agent revoke \"A phone\""])

    let arguments: Arguments

    func result() async throws -> CommandResult {
        let named = arguments.operands[0]
        let gone = try GatewayFolder.attempt { () throws(FileError) in
            let devices = GatewayFolder.devices(arguments)
            let whole = try devices.revoke(named)
            guard whole.isEmpty else { return whole }
            // The list shows the beginnings of ids.
            let begun = try devices.all().filter { named.count >= 4 && $0.id.hasPrefix(named) }
            return begun.count == 1 ? try devices.revoke(begun[0].id) : []
        }
        guard !gone.isEmpty else {
            throw CommandFailure("there is no device \"\(named)\"; alcove agent devices shows them", .noInput)
        }
        return CommandResult(json: ["revoked": .array(gone.map { .string($0.id) })])
    }
}
