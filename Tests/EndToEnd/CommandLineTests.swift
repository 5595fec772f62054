import Foundation
import Platform
import Testing

/// What the program promises about its words, its exit codes and its JSON.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct CommandLineTests {
    @Test func `the demo does everything it says, and its JSON says so`() async throws {
        let demo = try AlcoveProcess("demo", "--messages", "5", "--json")
        let code = try await demo.exitCode()
        try #require(code == 0, "\(demo.lines)")
        let line = try #require(demo.lines.first)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(report["ok"] as? Bool == true)
        #expect(report["verified"] as? Bool == true)
        #expect(report["path"] as? String == "direct")
        #expect(report["reconnected"] as? Bool == true)
        #expect(report["purged"] as? Bool == true)
        #expect((report["code"] as? String)?.split(separator: "-").count == 3)
        #expect(report["connectMs"] as? Double ?? 0 > 0)
        let times = try #require(report["rttMicros"] as? [String: Any])
        #expect(times["p50"] as? Int ?? 0 > 0)
        let messages = try #require(report["messages"] as? [String: Int])
        #expect(messages == ["sent": 20, "delivered": 20, "acknowledged": 20, "duplicated": 0, "lost": 0])
        let file = try #require(report["file"] as? [String: Any])
        #expect(file["sha256Match"] as? Bool == true)
        #expect(file["bytes"] as? Int == 32 << 20)
    }

    @Test(arguments: [
        (["frobnicate"], "there is no command"), (["chat"], "missing"),
        (["chat", "--create", "--expires", "7m"], "7m"),
        (["serve", "--listen", "nowhere"], "HOST:PORT"), (["serve", "--tls-cert", "x"], "go together"),
        (["demo", "--messages", "many"], "number"), (["demo", "--loud"], "no option"),
        (["chat", "12345"], "six digits"), (["room", "erase-all"], "--yes"),
        (["chat", "--create", "--name", " "], "can be seen"), (["room", "rename", "482913", ""], "can be seen"),
        (["circle", "add", "482913", "--name", ""], "can be seen"), (["agent", "add", "a@b", "--", "x"], "has an @"),
        (["agent", "sessions", "rename", "Qk3v", " "], "can be seen"), (["agent", "sessions", "rename"], "ID TITLE"),
        (["agent", "sessions", "rename", "Qk3v"], "ID TITLE"), (["agent", "sessions", "delete"], "takes ID"),
        (["agent", "ask", "helper", " \n"], "say what you want to ask"), (["report", "-", "--json"], "name a file"),
    ])
    func `words that make no sense are answered with what would`(words: [String], hint: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let needsProfile = words.first == "chat"
        let process = try AlcoveProcess(words + (needsProfile ? ["--profile", folder] : []))
        #expect(try await process.exitCode() == 64)
        #expect(process.lines.joined(separator: "\n").contains(hint))
    }

    @Test(arguments: [
        (["circle", "trust", "Ben"], Int32(66), "alcove circle list"),
        (["room", "pin", "Ben"], 66, "alcove room list"),
        (["app", "install", "/nowhere"], 66, "nothing at /nowhere"),
        (["agent", "log", "nobody"], 66, "alcove agent list"),
        (["circle", "open", "/nowhere"], 66, "there is no file /nowhere"),
        (["chat", "Ben"], 64, "there is no room of this name, and a join code begins with six digits"),
        (["passphrase", "set"], 77, "--new-passphrase-file FILE"),
        (["profile", "export", "/dev/null/file"], 77, "--passphrase-file FILE"),
    ])
    func `an error says what to do next`(words: [String], code: Int32, hint: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let process = try AlcoveProcess(words + ["--profile", folder])
        #expect(try await process.exitCode() == code)
        #expect(process.lines.joined(separator: "\n").contains(hint), "\(process.lines)")
    }

    @Test(arguments: [
        "demo", "serve", "chat", "room list", "room rename", "room pin", "room leave", "room delete", "room erase-all",
        "room mute",
        "open", "room history", "room search", "passphrase set", "passphrase remove", "report", "tdf seal", "tdf open",
        "tdf inspect", "sim serve",
        "sim start", "sim view", "sim tree", "sim tap",
        "sim screenshot", "sim diff", "sim load-scenario", "sim replay", "sim assert-replay", "sim export-replay",
        "sim lint", "sim walk", "sim inject-fault", "sim assert-node", "sim wait",
    ])
    func `every command explains itself with an example`(command: String) async throws {
        let process = try AlcoveProcess(command.split(separator: " ").map(String.init) + ["--help"])
        #expect(try await process.exitCode() == 0)
        let text = process.lines.joined(separator: "\n")
        #expect(text.contains("usage: alcove \(command)"))
        #expect(text.contains("example"))
    }

    @Test func `rooms are listed, renamed, pinned and deleted from the command line`() async throws {
        let fixture = try await RoomFixture()
        let (ada, ben, code) = try await fixture.pair()
        ada.type("A melon, two Äpfel and a pear")
        try await ben.expect("a pear")
        // She waits until he has said that he has everything.
        ada.type("/quit")
        #expect(try await ada.exitCode() == 0)
        ben.type("/quit")
        #expect(try await ben.exitCode() == 0)
        let digits = String(code.prefix(6))
        for words in [["room", "rename", digits, "Ben"], ["room", "mute", "Ben"], ["room", "pin", "Ben", "--json"]] {
            let process = try AlcoveProcess(words + ["--profile", fixture.folder + "/ada"])
            #expect(try await process.exitCode() == 0)
            #expect(process.lines.joined().contains("\"pinned\":true") == words.contains("--json"))
        }
        let list = try fixture.run("ada", "room", "list", "--json")
        #expect(try await list.exitCode() == 0)
        let text = list.lines.joined(separator: "\n")
        #expect(text.contains("\"name\":\"Ben\"") && text.contains("\"pinned\":true"))
        #expect(text.contains("\"muted\":true"))
        #expect(text.contains(/"last_activity":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/))
        for words in [
            ["history", "Ben"], ["search", "APFEL", "melon"], ["search", "--room", "Ben", "--json", "pear"],
        ] {
            let said = try AlcoveProcess(["room"] + words + ["--profile", fixture.folder + "/ada"])
            #expect(try await said.exitCode() == 0)
            #expect(said.lines.joined().contains("A melon, two Äpfel and a pear"), "\(said.lines)")
        }
        let nothing = try fixture.run("ada", "room", "search", "lemon")
        try await nothing.expect("Nothing was found")
        let delete = try fixture.run("ada", "room", "delete", "Ben", "--json")
        #expect(try await delete.exitCode() == 0)
        #expect(delete.lines.joined().contains("\"deleted\":true"))
        let erase = try fixture.run("ben", "room", "erase-all", "--yes")
        #expect(try await erase.exitCode() == 0)
        for name in ["ada", "ben"] {
            let empty = try fixture.run(name, "room", "list")
            try await empty.expect("No rooms yet")
        }
    }

    @Test func `a passphrase keeps everybody out who does not have it`() async throws {
        let fixture = try await RoomFixture()
        let (ada, _) = try await fixture.create("ada")
        ada.signal(SIGTERM)
        try await ada.exitCode()
        let (right, wrong) = (fixture.folder + "/right", fixture.folder + "/wrong")
        try "correct horse\n".write(toFile: right, atomically: true, encoding: .utf8)
        try "incorrect horse\n".write(toFile: wrong, atomically: true, encoding: .utf8)
        let set = try fixture.run("ada", "passphrase", "set", "--new-passphrase-file", right)
        try await set.expect("The passphrase is set")
        let without = try fixture.run("ada", "room", "list")
        #expect(try await without.exitCode() == 77)
        let with = try fixture.run("ada", "room", "list", "--passphrase-file", wrong)
        #expect(try await with.exitCode() == 77)
        #expect(!with.lines.joined().contains("pending"))
        // The delay after a wrong attempt has to pass first.
        try await Task.sleep(for: .seconds(2))
        let list = try fixture.run("ada", "room", "list", "--passphrase-file", right)
        #expect(try await list.exitCode() == 0)
        let remove = try fixture.run("ada", "passphrase", "remove", "--passphrase-file", right)
        try await remove.expect("The passphrase is removed")
        let open = try fixture.run("ada", "room", "list")
        #expect(try await open.exitCode() == 0)
    }

    @Test func `one profile is for one process`() async throws {
        let fixture = try await RoomFixture()
        _ = try await fixture.create("ada")
        let second = try fixture.run("ada", "room", "list")
        try await second.expect("another alcove is using the profile")
        #expect(try await second.exitCode() == 75)
    }

    @Test func `a bug report holds what happened and not what was said, and plays`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (profile, file) = (folder + "/profile", folder + "/report.json")
        let listing = try AlcoveProcess("room", "list", "--profile", profile, "--scenario", "rooms_list")
        #expect(try await listing.exitCode() == 0)
        let renaming = try AlcoveProcess("room", "rename", "Ann", "Annabel", "--profile", profile)
        #expect(try await renaming.exitCode() == 0)
        let report = try AlcoveProcess("report", file, "--profile", profile, "--json")
        #expect(try await report.exitCode() == 0)
        #expect(report.lines.joined().contains(#""redacted":true"#))
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("rename_room"))
        #expect(!text.contains("Annabel") && !text.contains("482913"))
        let replay = try AlcoveProcess("sim", "replay", file)
        #expect(try await replay.exitCode() == 0)
        #expect(replay.lines.joined(separator: "\n").contains("rename_room"))
        let printed = try await Shell("'\(AlcoveProcess.program)' report - --profile '\(profile)'")
        #expect(printed.code == 0 && printed.output.hasPrefix("{") && printed.output.contains("rename_room"))
        let nothing = try AlcoveProcess("report", file, "--profile", folder + "/nowhere")
        #expect(try await nothing.exitCode() == 66)
        for words in ["report /nowhere/report.json --profile '\(profile)'", "manual /dev/null/pages"] {
            let lost = try await Shell("'\(AlcoveProcess.program)' \(words) 2>&1")
            #expect(lost.code == 73 && lost.output.contains("cannot be written: "), "\(lost.output)")
            #expect(!lost.output.contains("could not be completed"), "\(lost.output)")
        }
    }
}
