import Foundation

/// A redis-server on loopback for as long as the value lives, which can be killed and started again at the same port.
package final class RedisServer {
    package let port: UInt16
    private let folder: URL
    private let options: [String]
    private var process: ChildProcess?

    package var url: String { "redis://127.0.0.1:\(port)" }

    struct NotStarted: Error {}

    /// - Parameter options: further options of its command line.
    package init(_ options: [String] = []) async throws {
        port = try LoopbackPort.free()
        folder = FileManager.default.temporaryDirectory.appending(path: "redis-\(UUID().uuidString)")
        self.options = options
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await start()
    }

    deinit {
        process?.end(grace: .seconds(0))
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts it again, with what its files have.
    package func start() async throws {
        let arguments = [
            "--bind", "127.0.0.1", "--port", "\(port)", "--dir", folder.path, "--save", "", "--logfile", "log",
            "--daemonize", "no",
        ]
        process = try ChildProcess(program: Programs.redisServer(), arguments: arguments + options)
        for _ in 0..<3000 {
            if LoopbackPort.isTaken(port) { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw NotStarted()
    }

    /// Holds it, as if it were too slow to answer.
    package func pause() { process?.pause() }

    package func resume() { process?.resume() }

    /// Ends it as SIGKILL does.
    package func kill() {
        process?.end(grace: .seconds(0))
        process = nil
    }
}
