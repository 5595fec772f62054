import Foundation
import Peers
import Platform

/// A folder for profiles, a rendezvous server on a free loopback port, and the people who use it. Everything that was
/// started is stopped when the test is over.
final class RoomFixture {
    let folder: String
    private(set) var url = ""
    private var server: AlcoveProcess?
    private var people: [AlcoveProcess] = []
    private var terminals: [TerminalProcess] = []

    init() async throws {
        // A write to a process that has ended is an error, not the end of the tests.
        Glibc.signal(SIGPIPE, SIG_IGN)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("fixture-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await startServer(listen: "127.0.0.1:\(LoopbackPort.free())")
    }

    deinit {
        for process in people { process.signal(SIGKILL) }
        for process in terminals { process.signal(SIGKILL) }
        server?.signal(SIGKILL)
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func startServer(listen: String) async throws {
        let started = try AlcoveProcess("serve", "--listen", listen, "--store", "sqlite:\(folder)/rooms.db", "--json")
        let line = try await started.expect("\"url\"")
        url = line.split(separator: "\"").map(String.init).first { $0.hasPrefix("http") } ?? ""
        server = started
    }

    /// Kills the server where it stands.
    func killServer() async throws {
        server?.signal(SIGKILL)
        try await server?.exitCode()
    }

    /// Starts it again under the same address.
    func restartServer() async throws {
        try await startServer(listen: String(url.dropFirst("http://".count)))
    }

    /// The options of one person.
    func options(_ name: String) -> [String] {
        ["--profile", "\(folder)/\(name)", "--server", url, "--bind", "127.0.0.1"]
    }

    func chat(_ name: String, _ words: String...) throws -> AlcoveProcess { try chat(name, words) }

    /// Later words win over the options of the fixture.
    func chat(_ name: String, _ words: [String]) throws -> AlcoveProcess {
        let process = try AlcoveProcess(["chat"] + options(name) + words)
        people.append(process)
        return process
    }

    /// A conversation in a terminal.
    func terminal(
        _ name: String, _ words: [String], columns: UInt16 = 200, environment: [String: String] = [:]
    ) throws -> TerminalProcess {
        let process = try TerminalProcess(
            ["chat"] + words + options(name), columns: columns, environment: environment)
        terminals.append(process)
        return process
    }

    func run(_ name: String, _ words: String...) throws -> AlcoveProcess {
        let process = try AlcoveProcess(words + ["--profile", "\(folder)/\(name)"])
        people.append(process)
        return process
    }

    /// Opens a room and reads its code.
    func create(_ name: String) async throws -> (process: AlcoveProcess, code: String) {
        let process = try chat(name, "--create")
        return (process, try await Self.code(from: process))
    }

    /// Reads the join code that a person is to pass on.
    static func code(from process: AlcoveProcess) async throws -> String {
        let line = try await process.expect("Pass on this code: ")
        return line.split(separator: " ").first { $0.first?.isNumber == true }.map(String.init) ?? ""
    }

    /// Two people in one room, connected and verified.
    func pair() async throws -> (ada: AlcoveProcess, ben: AlcoveProcess, code: String) {
        let (ada, code) = try await create("ada")
        let ben = try chat("ben", code)
        for process in [ada, ben] { try await process.expect("Connected, verified") }
        return (ada, ben, code)
    }
}
