import Foundation
import Synchronization

/// A redis-server on loopback for as long as the value lives, which can be killed and started again at the same port.
package final class RedisServer: Sendable {
    package let port: UInt16
    private let folder: URL
    private let options: [String]
    private let isSecure: Bool
    private let process = Mutex<ChildProcess?>(nil)

    package var url: String { "\(isSecure ? "rediss" : "redis")://127.0.0.1:\(port)" }

    struct NotStarted: Error {}

    /// - Parameters:
    ///   - options: further options of its command line.
    ///   - identity: what it shows to clients, which then need TLS.
    ///   - authority: whose certificates clients need; nil if they need none.
    package init(
        _ options: [String] = [], identity: TestAuthority.Identity? = nil, clientsOf authority: TestAuthority? = nil
    ) async throws {
        var options = options
        if let identity {
            options += ["--tls-cert-file", identity.certificate, "--tls-key-file", identity.key]
            options += ["--tls-ca-cert-file", authority?.own.certificate ?? identity.certificate]
            options += ["--tls-auth-clients", authority == nil ? "no" : "yes", "--tls-replication", "yes"]
        }
        isSecure = identity != nil
        port = try LoopbackPort.free()
        folder = FileManager.default.temporaryDirectory.appending(path: "redis-\(UUID().uuidString)")
        self.options = options
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await start()
    }

    deinit {
        process.withLock { $0 }?.end(grace: .seconds(0))
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts it again, with what its files have.
    package func start() async throws {
        let arguments =
            [
                "--bind", "127.0.0.1", isSecure ? "--tls-port" : "--port", "\(port)", "--dir", folder.path, "--save",
                "",
                "--logfile", "log", "--daemonize", "no",
            ] + (isSecure ? ["--port", "0"] : [])
        let started = try ChildProcess(program: Programs.redisServer(), arguments: arguments + options)
        process.withLock { $0 = started }
        for _ in 0..<3000 {
            if LoopbackPort.isTaken(port) { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw NotStarted()
    }

    /// Holds it, as if it were too slow to answer.
    package func pause() { process.withLock { $0 }?.pause() }

    package func resume() { process.withLock { $0 }?.resume() }

    /// Ends it as SIGKILL does.
    package func kill() {
        let ended = process.withLock { process in
            defer { process = nil }
            return process
        }
        ended?.end(grace: .seconds(0))
    }
}
