import Foundation

/// A sentinel on loopback that watches one Redis by the name `rooms`, and makes its replica the master when it dies.
package final class RedisSentinel {
    package let port: UInt16
    private let folder: URL
    private let process: ChildProcess

    package init(watching redis: UInt16) async throws {
        port = try LoopbackPort.free()
        folder = FileManager.default.temporaryDirectory.appending(path: "sentinel-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let settings = folder.appending(path: "settings")
        let text = """
            port \(port)
            bind 127.0.0.1
            dir \(folder.path)
            logfile log
            sentinel monitor rooms 127.0.0.1 \(redis) 1
            sentinel down-after-milliseconds rooms 500
            sentinel failover-timeout rooms 5000

            """
        try Data(text.utf8).write(to: settings)
        process = try ChildProcess(program: Programs.redisServer(), arguments: [settings.path, "--sentinel"])
        for _ in 0..<3000 {
            if LoopbackPort.isTaken(port) { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw RedisServer.NotStarted()
    }

    deinit {
        process.end(grace: .seconds(0))
        try? FileManager.default.removeItem(at: folder)
    }
}
