import AppCore
import Foundation
import Networking
import Testing

/// The simulator as a person and a script use it.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct SimulatorTests {
    private let path = NSTemporaryDirectory() + "sim-\(UUID().uuidString.prefix(8)).sock"

    /// Runs a command against the simulator of this test.
    private func sim(_ words: String..., expecting code: Int32 = 0) async throws -> String {
        let process = try AlcoveProcess(["sim"] + words + ["--socket", path])
        #expect(try await process.exitCode() == code, "\(words): \(process.lines)")
        return process.lines.joined(separator: "\n")
    }

    private func walk(_ words: String...) async throws -> String {
        let process = try AlcoveProcess(["sim", "walk"] + words)
        #expect(try await process.exitCode() == 0)
        return process.lines.joined(separator: "\n")
    }

    /// Writes a line and reads one, as a script for the earlier simulator does.
    private func ask(_ line: String) async throws -> JSONValue {
        let client = try LineClient(path: path)
        defer { client.close() }
        return try JSON.decode(JSONValue.self, from: try await client.ask(Array(line.utf8), within: .seconds(60)))
    }

    private func serving(_ words: String..., body: () async throws -> Void) async throws {
        let server = try AlcoveProcess(["sim", "serve", "--socket", path] + words)
        try await server.expect("simulator: ")
        try await body()
        _ = try await sim("shutdown")
        #expect(try await server.exitCode() == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a talk is played from the first screen to the last by tapping and typing`() async throws {
        try await serving {
            _ = try await sim("assert-screen", "rooms")
            _ = try await sim("tap", "rooms.create")
            _ = try await sim("type-text", "create.name", "Ann")
            _ = try await sim("tap", "create.submit")
            _ = try await sim("wait", "--contains", "Code")
            _ = try await sim("peer", #"{"do":"come"}"#)
            _ = try await sim("wait", "--contains", "Connected", "--timeout-ms", "60000")
            _ = try await sim("type-text", "chat.draft", "Hello there")
            _ = try await sim("keypress", "Enter")
            _ = try await sim("wait", "--contains", "Seen")
            _ = try await sim("assert-effect", "--type", "deliver")
            _ = try await sim("assert-no-error")
            let trace = NSTemporaryDirectory() + "trace-\(UUID().uuidString).json"
            _ = try await sim("export-replay", trace)
            _ = try await sim("assert-replay", trace, "--live")
            #expect(try await sim("replay", trace).contains("Hello there"))
            #expect(try await sim("replay", trace, "--until", "1").contains("step 1 of"))
            try FileManager.default.removeItem(atPath: trace)
            #expect(try await sim("tree").contains("Hello there"))
            #expect(try await sim("view", "--once").contains("Hello there"))
            #expect(try await sim("assert-text", "Goodbye", expecting: 1).contains("Goodbye"))
        }
    }

    @Test func `a line that is too long is answered, and so is the next one`() async throws {
        try await serving {
            let client = try LineClient(path: path)
            defer { client.close() }
            let long = Array(#"{"id":1,"method":"status","params":""#.utf8) + [UInt8](repeating: 97, count: 20 << 20)
            let refusal = try JSON.decode(
                JSONValue.self, from: try await client.ask(long + Array("\"}".utf8), within: .seconds(120)))
            #expect(refusal["ok"] == .bool(false) && refusal["result"] == .null && refusal["id"] == .null)
            #expect(refusal["error"]?.string?.contains("longer than 16 MiB") == true)
            let answer = try await client.ask(Array(#"{"id":2,"method":"status"}"#.utf8), within: .seconds(60))
            #expect(try JSON.decode(JSONValue.self, from: answer)["id"] == .integer(2))
        }
    }

    @Test func `fields and nodes have the names of the earlier simulator`() async throws {
        try await serving("--scenario", "verified_chat") {
            let pressed = try await sim("keypress", "a", "--node-id", "chat.draft")
            #expect(pressed.contains("report"))
            // A person at a terminal does not read the whole state after each key.
            let terminal = try TerminalProcess(["sim", "keypress", "b", "--node-id", "chat.draft", "--socket", path])
            try await terminal.expect("\"screen\"")
            #expect(!terminal.text.contains("final_state"))
            #expect(await terminal.exitCode() == 0)
            #expect(try await sim("set-field", "moon", "x", expecting: 64).contains("device_name"))
            // Our own core has other actions.
            #expect(try await sim("set-field", "pair.code", "1", expecting: 1).contains("unknown type"))
            #expect(try await sim("gesture", "swipe_up").contains("accepted"))
        }
    }

    @Test func `options may stand before the verb`() async throws {
        let early = try AlcoveProcess("sim", "--scenario", "verified_chat", "screenshot")
        #expect(try await early.exitCode() == 0)
        #expect(early.lines.joined().contains("Is anybody there?"))
        let server = try AlcoveProcess("sim", "--socket", path)
        try await server.expect("simulator: ")
        _ = try await sim("shutdown")
        #expect(try await server.exitCode() == 0)
    }

    @Test func `it begins in the background, for this user only, and once`() async throws {
        _ = try await sim("start", "--scenario", "verified_chat")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try await sim("start", expecting: 69).contains("already"))
        #expect(try await sim("tree").contains("Is anybody there?"))
        _ = try await sim("shutdown")
        #expect(try await sim("status", expecting: 69).contains("alcove sim start"))
    }

    @Test func `scripts for the earlier simulator get what they expect`() async throws {
        try await serving("--scenario", "verified_chat") {
            let status = try await ask(#"{"id":7,"method":"status","params":{}}"#)
            #expect(status["id"] == .integer(7))
            #expect(status["ok"] == .bool(true))
            let result = try #require(status["result"])
            #expect(result["socket_path"]?.string == path)
            for key in ["started_at_ms", "screen", "connection_state", "message_count", "transition_count"] {
                #expect(result[key] != nil, "\(key) is missing")
            }
            let tree = try await ask(#"{"id":"a","method":"tree"}"#)
            let root = try #require(tree["result"]?["root"]?.object)
            for key in [
                "id", "role", "label", "visible", "enabled", "focused", "supported_actions", "bounds", "children",
            ] {
                #expect(root.keys.contains(key), "\(key) is missing")
            }
            let refused = try await ask(#"{"id":1,"method":"tap_at","params":{"x":-5,"y":-5}}"#)
            #expect(refused["ok"] == .bool(false))
            #expect(refused["error"]?.string?.isEmpty == false)
        }
    }

    @Test(arguments: [
        "", "{", "null", "[]", "\"tap\"", "{}", #"{"id":1}"#, #"{"method":5}"#, #"{"id":1,"method":"fly"}"#,
        #"{"id":1,"method":"tap","params":[]}"#, #"{"id":1,"method":"tap","params":{"node_id":"nowhere"}}"#,
        #"{"id":1,"method":"dispatch","params":{"action":{"type":"fly"}}}"#,
        #"{"id":1,"method":"hit_test","params":{"x":1e308,"y":-1e308}}"#,
        #"{"id":1,"method":"advance","params":{"ms":9223372036854775807}}"#,
        #"{"id":1,"method":"scroll","params":{"node_id":"chat.messages","delta_y":-9223372036854775808}}"#,
        "\u{0}\u{1}\u{FFFD}",
    ])
    func `no line stops it, and every line gets an answer`(line: String) async throws {
        try await serving("--scenario", "verified_chat") {
            let text = line.isEmpty ? " " : line
            let answer = try await ask(text)
            #expect(answer["ok"] == .bool(false))
            let status = try await ask(#"{"id":1,"method":"status"}"#)
            #expect(status["ok"] == .bool(true))
        }
    }

    @Test func `deep, huge and broken lines stop nothing, and idle clients block nobody`() async throws {
        try await serving {
            let idle = try (0..<20).map { _ in try LineClient(path: path) }
            let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
            let client = try LineClient(path: path)
            for line in [Array(deep.utf8), [0xFF, 0xFE, 0xC0], [UInt8](repeating: 0x61, count: 5 << 20)] {
                let answer = try await client.ask(line, within: .seconds(60))
                #expect(String(decoding: answer, as: UTF8.self).contains(#""ok":false"#))
            }
            let waiting = Task {
                try await ask(#"{"id":1,"method":"wait","params":{"contains":"nobody says this","timeout_ms":3000}}"#)
            }
            for _ in 0..<20 {
                let tree = try await ask(#"{"id":1,"method":"tree"}"#)
                #expect(tree["ok"] == .bool(true))
            }
            let waited = try await waiting.value
            #expect(waited["ok"] == .bool(false))
            for client in idle { client.close() }
        }
    }

    @Test func `pictures, differences and findings need no simulator that runs`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (svg, png, change) = (
            folder.path + "/chat.svg", folder.path + "/chat.png", folder.path + "/change.svg"
        )
        _ = try await sim("screenshot", "--scenario", "verified_chat", "--output", svg)
        #expect(try String(contentsOfFile: svg, encoding: .utf8).contains("Is anybody there?"))
        _ = try await sim("screenshot", "--scenario", "verified_chat", "--output", png)
        #expect(FileManager.default.contents(atPath: png)?.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
        #expect(try await sim("diff", "verified_chat", "message_seen", "--output", change).contains("How are you?"))
        #expect(try String(contentsOfFile: change, encoding: .utf8).contains("<svg"))
        #expect(try await sim("lint").contains("0 findings"))
        #expect(try await walk("--steps", "500").contains("nothing found"))
        #expect(try await sim("load-scenario", "nowhere", expecting: 69).contains("alcove sim start"))
    }
}
