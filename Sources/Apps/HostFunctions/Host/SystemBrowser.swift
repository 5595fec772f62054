package import Components
internal import Foundation

/// The programs that the person has chosen for URLs and files.
package enum SystemBrowser {
    /// Whether there is a display to show it on, as far as the environment tells.
    package static var hasDisplay: Bool {
        #if os(Linux)
        let environment = ProcessInfo.processInfo.environment
        return ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
        #elseif os(macOS)
        return true
        #else
        return false
        #endif
    }

    package static func open(_ url: ExternalURL) async throws(NativeError) {
        // It begins with its scheme, so it is never taken for an option.
        guard start(with: url.text) else { throw .text("no program was found that opens \(url)") }
    }

    /// Shows a file.
    /// - Parameter path: from the root.
    /// - Returns: false if there is no such file, or no program to start.
    package static func open(file path: String) -> Bool {
        path.hasPrefix("/") && FileManager.default.isReadableFile(atPath: path) && start(with: path)
    }

    /// Returns whether there is a program that could be started.
    private static func start(with argument: String) -> Bool {
        #if os(Linux) || os(macOS)
        #if os(Linux)
        let opener = "xdg-open"
        #else
        let opener = "open"
        #endif
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [opener, argument]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return (try? process.run()) != nil
        #else
        return false
        #endif
    }
}
