import Foundation
import Networking
import Peers

/// A Chromium without a window.
final class Browser: Sendable {
    struct NotThere: Error {}

    private let process: ChildProcess
    private let profile = FileManager.default.temporaryDirectory.appending(path: "web-gui-\(UUID().uuidString)")

    /// Starts with an empty profile.
    init() throws {
        try FileManager.default.createDirectory(at: profile, withIntermediateDirectories: true)
        process = try ChildProcess(
            program: Programs.chromium(),
            arguments: [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
                "--disable-background-networking", "--disable-component-update", "--remote-debugging-port=0",
                "--user-data-dir=\(profile.path)", "about:blank",
            ])
    }

    /// Opens a tab, as if its address had been typed in.
    func open(_ address: String) async throws {
        var request = HTTPRequest(method: "PUT", path: "/json/new")
        request.verbatimTarget = "/json/new?\(address)"
        let server = try await ServerURL(host: "127.0.0.1", port: debuggingPort())
        guard try await HTTPClient().send(request, to: server, timeout: .seconds(60)).status == 200 else {
            throw NotThere()
        }
    }

    /// It writes the port to its profile when it is ready.
    private func debuggingPort() async throws -> Int {
        for _ in 0..<1200 {
            let file = try? String(contentsOf: profile.appending(path: "DevToolsActivePort"), encoding: .utf8)
            if let line = file?.split(separator: "\n").first, let port = Int(line) { return port }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw NotThere()
    }

    func end() {
        process.end(grace: .milliseconds(0))
        try? FileManager.default.removeItem(at: profile)
    }
}
