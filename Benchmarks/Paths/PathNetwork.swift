import Foundation
import Peers

/// Two network name spaces with a path between them.
final class PathNetwork: Sendable {
    struct Failure: Error, CustomStringConvertible { let description: String }

    static let addresses = ["10.77.0.1", "10.77.0.2"]

    private let names = ["alcove-a-\(getpid())", "alcove-b-\(getpid())"]
    private let emulator: PathProcess

    /// Whether this process may make such networks.
    static var isPossible: Bool { geteuid() == 0 && access("/dev/net/tun", R_OK | W_OK) == 0 }

    init(_ shape: PathShape) async throws {
        let words = ["--emulate-path", String(decoding: try JSONEncoder().encode(shape), as: UTF8.self)]
        emulator = try PathProcess(CommandLine.arguments[0], words)
        var isReady = false
        for await line in emulator.lines {
            isReady = line == "ready"
            break
        }
        guard isReady else { throw Failure(description: "the emulator of the path did not start") }
        for (index, name) in names.enumerated() {
            let device = PathEmulator.devices[index]
            try Self.ip("netns add \(name)")
            try Self.ip("link set \(device) netns \(name)")
            let peer = Self.addresses[1 - index]
            try Self.ip("-n \(name) address add \(Self.addresses[index]) peer \(peer) dev \(device)")
            // Room for a burst, so that the path's own queue is the one that fills.
            try Self.ip("-n \(name) link set \(device) mtu 1500 txqueuelen 20000 up")
            try Self.ip("-n \(name) link set lo up")
        }
    }

    /// Starts a program at one end.
    func start(at end: Int, _ program: String, _ words: [String]) throws -> PathProcess {
        try PathProcess("/usr/sbin/ip", ["netns", "exec", names[end], program] + words)
    }

    func close() {
        emulator.end()
        for name in names { try? Self.ip("netns delete \(name)") }
    }

    private static func ip(_ words: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/sbin/ip")
        process.arguments = words.split(separator: " ").map(String.init)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(description: "`ip \(words)` failed") }
    }
}

/// A program that says one thing a line.
final class PathProcess: Sendable {
    let lines: AsyncStream<String>
    private let process: ChildProcess
    private let input: FileHandle

    init(_ program: String, _ words: [String]) throws {
        let (to, from) = (Pipe(), Pipe())
        let (lines, sink) = AsyncStream<String>.makeStream()
        self.lines = lines
        input = to.fileHandleForWriting
        process = try ChildProcess(
            program: URL(filePath: program), arguments: words, input: to.fileHandleForReading,
            output: from.fileHandleForWriting)
        try to.fileHandleForReading.close()
        try from.fileHandleForWriting.close()
        let output = from.fileHandleForReading
        Thread.detachNewThread {
            var pending = Data()
            while case let data = output.availableData, !data.isEmpty {
                pending += data
                while let end = pending.firstIndex(of: 0x0A) {
                    sink.yield(String(decoding: pending[..<end], as: UTF8.self))
                    pending = Data(pending[(end + 1)...])
                }
            }
            sink.finish()
        }
    }

    func say(_ line: String) { try? input.write(contentsOf: Data((line + "\n").utf8)) }

    /// It goes when its input does.
    func end() {
        try? input.close()
        process.end(grace: .seconds(2))
    }
}
