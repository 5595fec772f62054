import AppCore
import Foundation
import Host
import HostFunctions

/// `alcove open`
struct OpenCommand: ReportingCommand {
    static let reference = CommandReference(
        "open", "[--no-browser] [--port N]",
        "show rooms and conversations in a page of this machine, in a browser",
        options: ProfileOptions.all + ProfileOptions.network + NoteOptions.place + [
            .flag("no-browser", "only print the address, which lets one browser in, once and within a minute"),
            .value("port", "N", "where the page is served (default: where it was before, or a free port)"),
        ],
        examples: ["alcove open", "alcove open --no-browser --port 8765"])

    let arguments: Arguments

    func result() async throws -> CommandResult {
        let port = try arguments.integer("port", in: 1...65_535)
        let address = try await ProfileOptions.attached(arguments, startsHost: true, unlocks: false) { host in
            guard let remote = host as? RemoteHost else {
                throw CommandFailure("no host process could be started; see alcove host run --help", .unavailable)
            }
            do { return try await remote.pageAddress(port: port) } catch {
                throw CommandFailure("the page cannot be served: \(error)", .unavailable)
            }
        }
        if !arguments.has("no-browser"), SystemBrowser.hasDisplay {
            let file = try OpeningFile(ProfileOptions.absolute(ProfileOptions.path(arguments)), address)
            if Self.openWindow(file.path) || SystemBrowser.open(file: file.path) {
                return CommandResult("the page opens in a browser", json: ["opened": .bool(true)])
            }
        }
        return CommandResult(
            "open this in a browser within a minute: \(address)", json: ["address": .string(address)])
    }

    /// Opens a window without the browser's own fields and buttons.
    /// - Returns: false if no browser that can do so is there.
    private static func openWindow(_ path: String) -> Bool {
        let names = ["chromium", "google-chrome", "microsoft-edge", "brave-browser"]
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        for name in names {
            guard let program = folders.lazy.map({ "\($0)/\(name)" }).first(where: FileManager.default.isExecutableFile)
            else { continue }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = ["--app=file://\(path)"]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            if (try? process.run()) != nil { return true }
        }
        return false
    }
}

/// A file that leads a browser to the address. On a command line every user of this machine would see it.
private struct OpeningFile {
    let path: String

    init(_ profile: String, _ address: String) throws {
        path = profile + "/open.html"
        let page = """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>Alcove</title>
            <meta http-equiv="refresh" content="0; url=\(address)"><a href="\(address)">Open the page</a></html>
            """
        try? FileManager.default.removeItem(atPath: path)
        guard
            FileManager.default.createFile(
                atPath: path, contents: Data(page.utf8), attributes: [.posixPermissions: 0o600])
        else { throw CommandFailure("\(path) cannot be written; try alcove open --no-browser", .cannotCreate) }
    }
}
