import Foundation
import Synchronization

/// A server under measurement in a process of its own, so that its memory and its open files are its own.
final class ServerProcess {
    /// What a child process serves, by the argument that this program starts it with.
    static let roles: [String: @Sendable () async throws -> Int] = [
        "--serve-network": Suite.serveEchoes, "--serve-rendezvous": Suite.serveRendezvous,
        "--serve-node": Suite.serveNode, "--flood-as-agent": Suite.floodAsAgent,
        "--serve-web-files": Suite.serveWebFiles, "--hold-pairs": HeldPair.connect,
    ]
    private static let farewells = Mutex<[@Sendable () async -> Void]>([])

    /// Serves until the parent goes away, if this process was started to do that.
    static func serveIfAsked() async throws {
        guard let argument = CommandLine.arguments.dropFirst().first, let start = roles[argument] else { return }
        print(try await start())
        fflush(nil)
        while readLine() != nil {}
        for farewell in farewells.withLock({ $0 }) { await farewell() }
        exit(0)
    }

    /// What a child process does before it ends.
    static func atExit(_ farewell: @escaping @Sendable () async -> Void) { farewells.withLock { $0.append(farewell) } }

    let port: Int
    private let process = Process()
    private let input = Pipe()
    private var share: CPUShare?

    /// - Parameter words: what the child is told besides its role.
    init(_ role: String, _ words: String...) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = [role] + words
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) { line += byte }
        guard let port = Int(String(decoding: line, as: UTF8.self)) else {
            throw LoadSocket.Failure(description: "the server process did not start")
        }
        self.port = port
    }

    /// Memory that the process really occupies, in bytes.
    var residentBytes: Int { Machine.residentBytes(of: process.processIdentifier) }

    /// Processor time that the process has used, in seconds: a measure that other people's load does not blur.
    var processorSeconds: Double {
        let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)) ?? ""
        // After the name in parentheses: state, ten more fields, then user and system time in clock ticks.
        let fields = text.drop { $0 != ")" }.split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    static func processorSeconds(of servers: [ServerProcess]) -> Double {
        servers.map(\.processorSeconds).reduce(0, +)
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        share?.remove()
    }

    /// Limits the process to a part of a core until it ends. False if this machine lets nobody do that.
    func limit(toCores share: Double) -> Bool {
        self.share = CPUShare(share, of: process.processIdentifier)
        return self.share != nil
    }

    /// How many sockets this process may open besides what it needs itself, up to 20 000.
    static var socketAllowance: Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return max(0, min(20_000, Int(clamping: limit.rlim_cur) - 100))
    }
}
