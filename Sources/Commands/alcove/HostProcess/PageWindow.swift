import Foundation
import HostFunctions
import Synchronization

/// A window of a browser that shows the page.
///
/// The browser is started with a file that leads to the address: on a command line every user of this machine would see it. While the
/// messages of an older profile are moved, the file says how far they are, and the browser reads it again and again.
final class PageWindow: Sendable {
    private let file: PageOpening
    private let isWanted: Bool
    private let isOpen = Mutex(false)

    /// - Parameters:
    ///   - folder: where the file goes; only its owner may read in it.
    ///   - isWanted: without it no browser is started.
    init(folder: String, isWanted: Bool) {
        file = PageOpening(folder: folder)
        self.isWanted = isWanted && SystemBrowser.hasDisplay
    }

    /// Leads to the address, in the window that waits for it or in a new one.
    /// - Returns: false if there is no display, or no browser.
    func open(_ address: String) throws -> Bool {
        guard isWanted else { return false }
        do { try file.lead(to: address) } catch {
            throw CommandFailure("\(file.path) cannot be written; try it with --no-browser", .cannotCreate)
        }
        return isOpen.withLock(\.self) || start()
    }

    /// Opens a window of a profile whose host is this process, by the command that a person would use.
    /// - Returns: false if there is no display, or the command cannot be started.
    static func open(of profile: String) -> Bool {
        guard SystemBrowser.hasDisplay else { return false }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: HostStart.program)
        process.arguments = ["open", "--profile", profile]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return (try? process.run()) != nil
    }

    /// Says how many messages have been moved, and of how many.
    func wait(_ done: Int, of all: Int) {
        guard isWanted, (try? file.wait(done, of: all)) != nil else { return }
        isOpen.withLock { isOpen in isOpen = isOpen || start() }
    }

    /// Says in a window that waits why it waits in vain.
    func end(_ reason: String) { if isOpen.withLock(\.self) { try? file.end(reason) } }

    private func start() -> Bool { Self.openBare(file.path) || SystemBrowser.open(file: file.path) }

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
}
