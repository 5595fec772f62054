import Foundation

/// A coturn server on loopback for as long as the value lives.
package final class TURNServer {
    package static let username = "interop"
    package static let password = "secret"

    package let port: UInt16
    private let process: ChildProcess
    private let folder: URL

    /// - Parameter secret: the names and passwords are made from it, and count for a time (`use-auth-secret`); nil for the
    ///   fixed ones above.
    package init(secret: String? = nil) throws {
        port = try LoopbackPort.free()
        folder = FileManager.default.temporaryDirectory.appending(path: "turn-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let arguments = [
            "-n", "--listening-ip=127.0.0.1", "--relay-ip=127.0.0.1", "--listening-port=\(port)", "--realm=interop",
            "--lt-cred-mech", "--allow-loopback-peers", "--no-tls", "--no-dtls", "--no-cli",
            "--no-rfc5780", "--log-file=\(folder.path)/log", "--simple-log", "--pidfile=\(folder.path)/pid",
            "--db=\(folder.path)/db",
        ]
        let access =
            secret.map { ["--use-auth-secret", "--static-auth-secret=\($0)"] }
            ?? ["--user=\(Self.username):\(Self.password)"]
        process = try ChildProcess(program: Programs.turnServer(), arguments: arguments + access)
    }

    deinit {
        process.end(grace: .seconds(0))
        try? FileManager.default.removeItem(at: folder)
    }

    /// Waits until the server answers.
    package func ready() async throws {
        let log = folder.appending(path: "log")
        for _ in 0..<1000 {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            for file in files where file.hasPrefix("log") {
                let text = (try? String(contentsOf: folder.appending(path: file), encoding: .utf8)) ?? ""
                if text.contains("Total General servers") { return }
            }
            if !process.isRunning { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw NotStarted(log: log.path)
    }

    struct NotStarted: Error {
        let log: String
    }
}
