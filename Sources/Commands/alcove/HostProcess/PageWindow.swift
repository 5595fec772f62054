import Foundation
import HostFunctions

/// A window of a browser that shows the page.
enum PageWindow {
    /// Opens one, without the browser's own fields and buttons where that is possible.
    ///
    /// The browser is started with a file that leads to the address: on a command line every user of this machine would see it.
    /// - Parameter folder: where the file goes; only its owner may read in it.
    /// - Returns: false if there is no display, or no browser.
    static func open(_ address: String, folder: String) throws -> Bool {
        guard SystemBrowser.hasDisplay else { return false }
        let path = try opening(address, in: folder)
        return openBare(path) || SystemBrowser.open(file: path)
    }

    private static func openBare(_ path: String) -> Bool {
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

    private static func opening(_ address: String, in folder: String) throws -> String {
        let path = folder + "/open.html"
        let page = """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>Alcove</title>
            <meta http-equiv="refresh" content="0; url=\(address)"><a href="\(address)">Open the page</a></html>
            """
        try? FileManager.default.removeItem(atPath: path)
        guard
            FileManager.default.createFile(
                atPath: path, contents: Data(page.utf8), attributes: [.posixPermissions: 0o600])
        else { throw CommandFailure("\(path) cannot be written; try it with --no-browser", .cannotCreate) }
        return path
    }
}
