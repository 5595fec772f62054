package import Components
internal import Foundation

/// The program that the person has chosen for URLs.
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
        #if os(Linux) || os(macOS)
        #if os(Linux)
        let opener = "xdg-open"
        #else
        let opener = "open"
        #endif
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // The URL is one argument and begins with its scheme, so it is never taken for an option.
        process.arguments = [opener, url.text]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { throw .text("no program was found that opens \(url)") }
        #else
        throw .text("this host cannot open \(url)")
        #endif
    }
}
