import Foundation
import ProgramRunner

/// A message bus of its own, and a program on it that shows notifications, for as long as the value lives.
final class Desktop {
    let address: String
    private let bus: RunningProgram
    private var server: RunningProgram?
    private let (said, input) = (Pipe(), Pipe())
    private let lines: AsyncStream<String>

    struct Silent: Error {}

    /// - Parameter capabilities: what the program can do; without them there is only the bus.
    init(capabilities: [String]?) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bus-\(UUID().uuidString.prefix(8))").path
        let printed = Pipe()
        bus = try RunningProgram(
            ["/usr/bin/dbus-daemon", "--session", "--nofork", "--print-address=1", "--address=unix:path=\(folder)"],
            environment: ProcessInfo.processInfo.environment, output: printed.fileHandleForWriting)
        guard let address = await Self.lines(of: printed).first(where: { _ in true }) else { throw Silent() }
        self.address = address
        lines = Self.lines(of: said)
        guard let capabilities else { return }
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
            path: "notification_server.py")
        server = try RunningProgram(
            ["/usr/bin/python3", script.path] + capabilities,
            environment: ProcessInfo.processInfo.environment.merging(["DBUS_SESSION_BUS_ADDRESS": address]) { $1 },
            input: input.fileHandleForReading, output: said.fileHandleForWriting)
        guard try await next().ready == true else { throw Silent() }
    }

    deinit {
        server?.signal(SIGKILL)
        bus.signal(SIGKILL)
    }

    /// What the program was asked or did.
    struct Line: Decodable {
        var ready: Bool?
        var did: String?
        var call: String?
        var number: Int?
        var replaced: Int?
        var title: String?
        var text: String?
        var actions: [String]?
        var urgency: Int?
    }

    /// The next thing that the program was asked or did.
    func next() async throws -> Line {
        guard let line = await lines.first(where: { _ in true }) else { throw Silent() }
        return try JSONDecoder().decode(Line.self, from: Data(line.utf8))
    }

    private static func lines(of pipe: Pipe) -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                var rest = ""
                while case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
                    rest += String(decoding: data, as: UTF8.self)
                    var lines = rest.split(separator: "\n", omittingEmptySubsequences: false)
                    rest = lines.popLast().map(String.init) ?? ""
                    for line in lines { continuation.yield(String(line)) }
                }
                continuation.finish()
            }
        }
    }

    /// Has the person, or the program, do something.
    func obey(_ line: String) async throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
        while try await next().did != line {}
    }

    /// The bus ends, and with it every connection.
    func endBus() { bus.signal(SIGKILL) }
}
