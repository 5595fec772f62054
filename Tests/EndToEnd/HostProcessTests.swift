import AppCore
import Foundation
import Host
import Networking
import Platform
import ProgramRunner
import Testing

/// One process holds the profile, and other processes use it.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct HostProcessTests {
    /// Starts the host process of one person, and waits until it listens.
    private func start(_ name: String, _ fixture: RoomFixture, _ more: String...) async throws -> AlcoveProcess {
        let process = try AlcoveProcess(["host", "run"] + fixture.options(name) + more)
        try await process.expect("host.sock")
        return process
    }

    private func profile(_ name: String, _ fixture: RoomFixture) -> [String] {
        ["--profile", "\(fixture.folder)/\(name)"]
    }

    @Test func `two chats of one profile talk at once, and the talk goes on without them`() async throws {
        let fixture = try await RoomFixture()
        let host = try await start("ada", fixture)
        defer { host.signal(SIGKILL) }
        let ada = profile("ada", fixture)
        let first = try AlcoveProcess(["chat", "--create", "--name", "Ben"] + ada)
        let code = try await RoomFixture.code(from: first)
        let ben = try fixture.chat("ben", code)
        for process in [first, ben] { try await process.expect("Connected, verified") }
        let second = try AlcoveProcess(["chat", "Ben"] + ada)
        try await second.expect("Connected, verified")
        first.type("from the first")
        try await ben.expect("< from the first")
        try await second.expect("> from the first")
        second.type("from the second")
        try await ben.expect("< from the second")
        ben.type("to both")
        for process in [first, second] { try await process.expect("< to both") }
        let example = Program.repository.appending(path: "Examples/host-socket-in-python/rooms.py").path
        let said = try await Shell("python3 '\(example)' '\(fixture.folder)/ada' Ben 'from a program' 2>&1")
        #expect(said.output == "said\n")
        try await ben.expect("< from a program")
        #expect(try await Shell("python3 '\(example)' '\(fixture.folder)/ada'").output == "Ben accepted\n")
        for process in [first, second] {
            process.signal(SIGINT)
            #expect(try await process.exitCode() == 0)
        }
        ben.type("is anybody there?")
        try await ben.expect("> is anybody there?")
        let third = try AlcoveProcess(["chat", "Ben"] + ada)
        try await third.expect("< is anybody there?")
        let list = try await Shell("\(AlcoveProcess.program) room list --json \(ada.joined(separator: " "))")
        #expect(list.code == 0 && list.output.contains("\"Ben\""))
    }

    @Test func `status tells who is attached, and stop ends it`() async throws {
        let fixture = try await RoomFixture()
        let ada = profile("ada", fixture)
        let words = ada.joined(separator: " ")
        func run(_ command: String) async throws -> (code: Int32, output: String) {
            let shell = try await Shell("\(AlcoveProcess.program) \(command) \(words) 2>&1 </dev/null")
            return (shell.code, shell.output)
        }
        #expect(try await run("host status").output.contains("no host process"))
        let host = try await start("ada", fixture)
        #expect(try await run("host status").output.contains("0 attached"))
        #expect(try await run("notifications").output.hasPrefix("hidden:"))
        #expect(try await run("notifications full").output.hasPrefix("full:"))
        #expect(try await run("notifications --json").output.contains(#""notifications":"full""#))
        #expect(try await run("notifications loud").code == 64)
        #expect(try await run("room list --server http://x").code == 64)
        let refused = try await run("chat --create --relay-only")
        #expect(refused.code == 64 && refused.output.contains("with another --relay-only"))
        let other = try await run("chat --create --server http://127.0.0.1:9")
        #expect(other.code == 64 && other.output.contains("with another --server"))
        #expect(try await run("chat --create --server \(fixture.url) --bind 127.0.0.1").code == 0)
        try "archive".write(toFile: fixture.folder + "/secret", atomically: true, encoding: .utf8)
        let exclusive = try await run(
            "profile export \(fixture.folder)/copy --passphrase-file \(fixture.folder)/secret")
        #expect(exclusive.code == 75 && exclusive.output.contains("alcove host stop"), "\(exclusive.output)")
        #expect(try await run("room erase-all --yes").code == 0)
        #expect(try await run("room list --json").output == "[]\n")
        #expect(try await run("host run").output.contains("host process"))
        #expect(try await run("host stop").output.contains("has ended"))
        #expect(try await host.exitCode() == 0)
        #expect(try await run("host stop").output.contains("no host process"))
        #expect(!FileManager.default.fileExists(atPath: fixture.folder + "/ada/host.sock"))
    }

    @Test func `a chat starts the host process, which goes on without it`() async throws {
        let fixture = try await RoomFixture()
        let first = try AlcoveProcess(["chat", "--create", "--name", "Ben"] + fixture.options("ada"), startsHost: true)
        let code = try await RoomFixture.code(from: first)
        let ben = try fixture.chat("ben", code)
        for process in [first, ben] { try await process.expect("Connected, verified") }
        let second = try AlcoveProcess(["chat", "Ben"] + fixture.options("ada"), startsHost: true)
        try await second.expect("Connected, verified")
        first.signal(SIGINT)
        #expect(try await first.exitCode() == 0)
        second.type("still here")
        try await ben.expect("< still here")
        // Whoever is there starts another one when it is killed.
        let client = try await RemoteHost(profile: fixture.folder + "/ada", front: false)
        let process = try #require(try await client.status()["pid"]?.integer.flatMap(pid_t.init(exactly:)))
        await client.stop()
        kill(process, SIGKILL)
        second.type("after the kill")
        try await ben.expect("< after the kill")
        second.type("/quit")
        #expect(try await second.exitCode() == 0)
        let ada = profile("ada", fixture).joined(separator: " ")
        let stopped = try await Shell("\(AlcoveProcess.program) host stop \(ada)")
        #expect(stopped.output.contains("has ended"))
        let log = try String(contentsOfFile: fixture.folder + "/ada/host.log", encoding: .utf8)
        #expect(log.contains("listens") && !log.contains("still here"))
    }

    @Test func `letters, files and reports are made while a host process runs`() async throws {
        let fixture = try await RoomFixture()
        let (ada, ben) = try await fixture.members()
        try await RoomFixture.quit(ada, ben)
        let hers = try await start("ada", fixture)
        var his = try await start("ben", fixture)
        defer { for process in [hers, his] { process.signal(SIGKILL) } }
        let folder = fixture.folder
        func run(_ command: String, as name: String) async throws -> Shell {
            try await Shell(
                "cd '\(folder)' && '\(AlcoveProcess.program)' \(command) --profile '\(folder)/\(name)' 2>&1")
        }
        try "At eight.".write(toFile: folder + "/text", atomically: true, encoding: .utf8)
        #expect(try await run("circle seal Ben < text > letter", as: "ada").code == 0)
        #expect(try await run("circle open < letter", as: "ben").output == "Ada: At eight.\n")
        #expect(try await run("circle open < letter", as: "ben").code == 65)
        // Longer than a frame.
        let plan = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        try plan.write(to: URL(fileURLWithPath: folder + "/plan"))
        #expect(try await run("tdf seal --to Ben plan -o sealed", as: "ada").code == 0)
        let lost = try await run("tdf open --mine sealed -o /nowhere/file", as: "ben")
        #expect(lost.code == 73, "\(lost.output)")
        #expect(try await run("tdf open --mine sealed -o opened", as: "ben").code == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/opened")) == plan)
        #expect(try await run("tdf open --mine sealed -o again", as: "ben").code == 65)
        let report = try await run("report report.json --json", as: "ada")
        #expect(report.code == 0 && report.output.contains("\"redacted\":true"), "\(report.output)")
        #expect(try await run("report all.json --with-content", as: "ada").code == 0)
        #expect(try String(contentsOfFile: folder + "/all.json", encoding: .utf8).contains("At eight."))
        #expect(try await run("host stop", as: "ben").code == 0)
        #expect(try await run("circle revoke Ben --yes --now", as: "ada").code == 0)
        #expect(try await run("circle tombstones --notice Ben > notice", as: "ada").code == 0)
        #expect(try await run("host stop", as: "ada").code == 0)
        his = try await start("ben", fixture)
        #expect(try await run("circle open < notice", as: "ben").output.contains("ended the trust"))
    }

    @Test func `a host process that nobody needs makes way for other options`() async throws {
        let fixture = try await RoomFixture()
        let folder = fixture.folder + "/ada"
        let spare = try await start("ada", fixture, "--idle", "1h")
        let words = ["chat", "--create", "--ice-server", "stun:127.0.0.1:9"] + fixture.options("ada")
        let chat = try AlcoveProcess(words, startsHost: true)
        _ = try await RoomFixture.code(from: chat)
        #expect(try await spare.exitCode() == 0)
        let refused = try AlcoveProcess(
            ["chat", "--create", "--relay-only"] + fixture.options("ada"), startsHost: true)
        #expect(try await refused.exitCode() == 64, "somebody uses it")
        let client = try await RemoteHost(profile: folder, front: false)
        await client.endHost()
        await client.stop()
        _ = try await chat.exitCode()
        #expect(chat.lines.last?.contains("has ended; go on in another one with: alcove chat 'Room ") == true)
        #expect(chat.lines.count { $0.contains("Pass on this code") } == 1, "\(chat.lines)")
    }

    @Test func `several that start at once share one host process`() async throws {
        let fixture = try await RoomFixture()
        let chats = try (0..<4).map { number in
            try AlcoveProcess(["chat", "--create", "--name", "\(number)"] + fixture.options("ada"), startsHost: true)
        }
        for chat in chats { _ = try await RoomFixture.code(from: chat) }
        let client = try await RemoteHost(profile: fixture.folder + "/ada", front: false)
        #expect(await client.read { $0.rooms.count } == 4)
        for chat in chats { chat.signal(SIGINT) }
        for chat in chats { #expect(try await chat.exitCode() == 0) }
        await client.endHost()
        await client.stop()
    }

    @Test func `a host process that does not start says why`() async throws {
        let fixture = try await RoomFixture()
        let folder = fixture.folder + "/ada"
        let chat = try AlcoveProcess(
            ["chat", "--create", "--core", "/nowhere"] + fixture.options("ada"), startsHost: true)
        #expect(try await chat.exitCode() != 0)
        #expect(chat.lines.joined().contains("/nowhere"), "\(chat.lines)")
        let list = try AlcoveProcess("room", "list", "--profile", folder)
        #expect(try await list.exitCode() == 0)
    }

    @Test func `a host process ends when nobody needs it`() async throws {
        let fixture = try await RoomFixture()
        let host = try await start("ada", fixture, "--idle", "1s")
        #expect(try await host.exitCode() == 0)
        // Somebody who waits with a code is not left alone.
        let waiting = try await start("ada", fixture, "--idle", "1s")
        // On a slow machine the chat is there only after more than that second.
        let holder = try await RemoteHost(profile: fixture.folder + "/ada", front: false)
        let chat = try AlcoveProcess(["chat", "--create"] + profile("ada", fixture))
        _ = try await RoomFixture.code(from: chat)
        await holder.stop()
        chat.signal(SIGINT)
        #expect(try await chat.exitCode() == 0)
        try await Task.sleep(for: .seconds(3))
        let client = try await RemoteHost(profile: fixture.folder + "/ada", front: false)
        await client.endHost()
        await client.stop()
        #expect(try await waiting.exitCode() == 0)
    }

    @Test func `a restart keeps conversations and the key, and a kill loses the key`() async throws {
        let fixture = try await RoomFixture()
        let ada = profile("ada", fixture).joined(separator: " ")
        func run(_ command: String) async throws -> Shell {
            try await Shell("'\(AlcoveProcess.program)' \(command) \(ada) 2>&1 </dev/null")
        }
        let file = fixture.folder + "/passphrase"
        try "violin parsnip gravel monday\n".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try await run("passphrase set --new-passphrase-file '\(file)'").code == 0)
        var host = try await start("ada", fixture)
        defer { host.signal(SIGKILL) }
        #expect(try await run("room list").code == 77, "nobody has opened it")
        let chat = try AlcoveProcess(
            ["chat", "--create", "--name", "Ben", "--passphrase-file", file] + profile("ada", fixture))
        let ben = try fixture.chat("ben", try await RoomFixture.code(from: chat))
        for process in [chat, ben] { try await process.expect("Connected, verified") }
        let before = try await run("host status --json").output
        let restarted = try await run("host restart")
        #expect(restarted.code == 0 && restarted.output.contains("goes on"), "\(restarted.output)")
        #expect(try await run("room list").code == 0)
        let after = try await run("host status --json").output
        #expect(after.contains("\"locked\":false"))
        let number = /"pid":(\d+)/
        #expect(try number.firstMatch(in: before)?.1 == number.firstMatch(in: after)?.1)
        chat.type("as before")
        try await ben.expect("< as before")
        host.signal(SIGKILL)
        try await host.exitCode()
        host = try await start("ada", fixture)
        #expect(try await chat.exitCode() == 77)
        #expect(chat.lines.joined().contains("locked"), "\(chat.lines)")
        #expect(try await run("host status --json").output.contains("\"locked\":true"))
    }

    private static let conformance = Program.repository.appending(
        path: "Examples/host-socket-in-python/conformance.py"
    ).path

    @Test func `the host process is what its page says`() async throws {
        let fixture = try await RoomFixture()
        try await fixture.killServer()
        let host = try await start("ada", fixture)
        let result = try await Shell("python3 '\(Self.conformance)' '\(fixture.folder)/ada' --stop 2>&1")
        #expect(result.code == 0 && result.output.contains("stop, bye: ending"), "\(result.output)")
        #expect(try await host.exitCode() == 0)
        // Locked, most of it is covered.
        let file = fixture.folder + "/passphrase"
        try "violin parsnip gravel monday".write(toFile: file, atomically: true, encoding: .utf8)
        let set = try fixture.run("ada", "passphrase", "set", "--new-passphrase-file", file)
        #expect(try await set.exitCode() == 0)
        let locked = try await start("ada", fixture)
        defer { locked.signal(SIGKILL) }
        let checked = try await Shell("python3 '\(Self.conformance)' '\(fixture.folder)/ada' 2>&1")
        #expect(checked.code == 0, "\(checked.output)")
        #expect(checked.output.split(separator: "\n").contains { $0.hasPrefix("ask: locked") && $0.hasSuffix(" ok") })
    }

    @Test func `a host process that differs does not pass`() async throws {
        let folder = NSTemporaryDirectory() + "alcove-host-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = LineChannelServer(path: AttachServer.path(of: folder)) { channel in
            guard await channel.next() != nil else { return }
            channel.send(AttachLine.encode(HostFrame.welcome(v: 2, view: "a", session: "s", locked: false)))
        }
        try server.start()
        let result = try await Shell("python3 '\(Self.conformance)' '\(folder)' 2>&1")
        await server.stop()
        #expect(result.code == 1 && result.output.contains("v is 1"), "\(result.output)")
    }
}
