import AppCore
import Foundation
import Host

/// `alcove open`
struct OpenCommand: ReportingCommand {
    static let reference = CommandReference(
        "open", "[--no-browser] [--port N]",
        "show rooms, notes, apps, agents, the circle and the settings in a page of this machine, in a browser",
        options: ProfileOptions.all + ProfileOptions.network + NoteOptions.place + [
            .flag("no-browser", "only print the address, which lets one browser in, once and within a minute"),
            .value("port", "N", "where the page is served (default: where it was before, or a free port)"),
        ],
        examples: ["alcove open", "alcove open --no-browser --port 8765"])

    let arguments: Arguments

    func result() async throws -> CommandResult {
        let port = try arguments.integer("port", in: 1...65_535)
        let folder = ProfileOptions.absolute(ProfileOptions.path(arguments))
        let window = PageWindow(folder: folder, isWanted: !arguments.has("no-browser"))
        let address: String
        do {
            address = try await ProfileOptions.attached(
                arguments, startsHost: true, unlocks: false, hearsOfMove: { window.wait($0, of: $1) }
            ) { host in
                guard let remote = host as? RemoteHost else {
                    throw CommandFailure("no host process could be started; see alcove host run --help", .unavailable)
                }
                do { return try await remote.pageAddress(port: port) } catch {
                    throw CommandFailure("the page cannot be served: \(ErrorWords.sentence(error))", .unavailable)
                }
            }
        } catch {
            window.end(ErrorWords.sentence(error))
            throw error
        }
        if try window.open(address) {
            return CommandResult(
                "the page opens in a browser; if it does not: alcove open --no-browser", json: ["opened": .bool(true)])
        }
        return CommandResult(
            "open this in a browser within a minute: \(address)", json: ["address": .string(address)])
    }
}
