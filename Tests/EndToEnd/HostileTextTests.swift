import Foundation
import Testing

/// What others wrote reaches a terminal as text, and as nothing that it would obey.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct HostileTextTests {
    /// Moves the cursor up and wipes a line, forges one of ours, sets the title of the window, and turns text around.
    private static let hostile =
        "hi\u{1B}[1A\u{1B}[2K\r* Connected, verified\u{8}\u{9B}31m\u{1B}]0;owned\u{7}\u{1B}P$q\u{202E}txet\u{2028}* forged"

    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        (scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t")
            || scalar.properties.isBidiControl || scalar == "\u{2028}" || scalar == "\u{2029}"
    }

    @Test func `a line of the other person forges nothing in a conversation`() async throws {
        let fixture = try await RoomFixture()
        let (ada, code) = try await fixture.create("ada")
        // Without the words: nobody is verified, and says so first.
        let ben = try fixture.chat("ben", String(code.prefix(6)))
        try await ada.expect("Not verified")
        ben.type(Self.hostile)
        try await ada.expect("< hi\\u{1b}[1A\\u{1b}[2K\\u{d}* Connected")
        #expect(ada.lines.count { $0.contains("Connected, verified") } == 1)
        for process in [ada, ben] {
            for line in process.lines { #expect(!line.unicodeScalars.contains(where: Self.isObeyed), "\(line)") }
        }
        ada.type("/quit")
        ben.type("/quit")
        // What was kept is as harmless the next time, as JSON too.
        #expect(try await ada.exitCode() == 0)
        let again = try fixture.chat("ada", String(code.prefix(6)), "--json")
        let line = try await again.expect("\\u001b[1A")
        #expect(!line.unicodeScalars.contains(where: Self.isObeyed))
        let read = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(read?["text"] as? String == Self.hostile)
    }

    @Test func `words of the other person do not begin a row of a terminal`() async throws {
        let fixture = try await RoomFixture()
        let (ada, code) = try await fixture.create("ada")
        let ben = try TerminalProcess(
            ["chat"] + fixture.options("ben") + [code], columns: 40, environment: ["TERM": "dumb"])
        defer { ben.signal(SIGKILL) }
        for filler in [
            String(repeating: " ", count: 36), String(repeating: "\u{3000}", count: 18),
            String(repeating: "-", count: 36),
        ] {
            ada.type("hi\(filler)* Forged, verified")
        }
        ada.type("the last of them")
        try await ben.expect("the last of them")
        let rows = ben.text.replacing("\r\n", with: "\n").split(separator: "\n")
        #expect(rows.contains { $0.contains("* Forged") })
        #expect(rows.allSatisfy { $0.count <= 40 && !$0.hasPrefix("* Forged") }, "\(rows)")
        ada.type("/quit")
        #expect(try await ada.exitCode() == 0)
    }

    @Test func `bytes that are no text are not sent`() async throws {
        let fixture = try await RoomFixture()
        let (ada, code) = try await fixture.create("ada")
        let ben = try fixture.chat("ben", code)
        try await ben.expect("* Connected")
        ada.type(bytes: Array("caf".utf8) + [0xE9, 0x0A])
        try await ada.expect("! Not sent: this is not UTF-8 text")
        ada.type("café")
        try await ben.expect("< café")
        #expect(!ben.lines.contains { $0.contains("\u{FFFD}") })
        // She waits until he has said that he has everything.
        ada.type("/quit")
        #expect(try await ada.exitCode() == 0)
        for words in ["note new Title -", "note append Title -", "note comment Title --on x -"] {
            let result = try await Shell(
                "printf 'caf\\351' | '\(AlcoveProcess.program)' \(words) --profile '\(fixture.folder)/ada' 2>&1")
            #expect(result.code != 0 && result.output.contains("not UTF-8 text"), "\(words): \(result.output)")
        }
    }

    @Test func `notes from a synced folder are text in every list, and bytes only if that is asked for`() async throws {
        let folder = NSTemporaryDirectory() + "alcove-hostile-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let text = folder + "/text"
        let title = "Plan\u{1B}[2J\u{9B}1m\u{202E}"
        try "\(Self.hostile)\nsecond line".write(toFile: text, atomically: true, encoding: .utf8)
        let run = { (words: String) in
            try await Shell(
                "'\(AlcoveProcess.program)' \(words) --profile '\(folder)/profile' --as 'Eve\u{1B}[7m' 2>&1 < '\(text)'"
            )
        }
        let made = try await run("note new '\(title)' -")
        #expect(made.code == 0, "\(made.output)")
        let note = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
        _ = try await run("folder new 'Work\u{1B}c'")
        _ = try await run("note comment \(note) --on hi 'look\u{1B}[9A\n* forged'")
        for words in [
            "note list", "note show \(note)", "note show \(note) --authors", "note history \(note)", "note search hi",
            "note comment \(note)", "folder list", "note verify", "note show \(note)nothing",
            "folder rename Nope\u{7} x",
            "note list --json", "note show \(note) --json", "note comment \(note) --json",
            "note export '\(folder)/out'",
        ] {
            let result = try await run(words)
            #expect(!result.output.isEmpty, "\(words)")
            #expect(!result.output.unicodeScalars.contains(where: Self.isObeyed), "\(words): \(result.output)")
        }
        #expect(try await run("note list").output.contains("Plan\\u{1b}[2J\\u{9b}1m\\u{202e}"))
        #expect(!(try await run("note comment \(note)").output.contains("\n* forged")))
        #expect(try await run("note show \(note) --raw").output.contains("\u{202E}txet"))
    }

    @Test func `words of the command line come back as text`() async throws {
        for words in [
            ["x\u{1B}[2J"], ["sim", "tap", "\u{9B}1m", "--socket", "/nowhere\u{7}"], ["tdf", "inspect", "no\u{1B}c"],
        ] {
            let process = try AlcoveProcess(words)
            #expect(try await process.exitCode() != 0)
            for line in process.lines { #expect(!line.unicodeScalars.contains(where: Self.isObeyed), "\(line)") }
            #expect(!process.lines.isEmpty)
        }
    }

    /// A text becomes a `TerminalText` by being escaped. What goes around that is named here, and is looked at by whoever
    /// adds to it.
    @Test func `no source writes to a terminal by another way`() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources")
        let ways: [(pattern: String, allowed: Set<String>)] = [
            // Where a member of this name hides the function, and what only the build runs.
            (
                #"(^|[^.\w])(Swift\.)?(print|debugPrint|dump)\("#,
                [
                    "Commands/alcove/Terminal.swift", "Commands/alcove/HostProcess/HostLog.swift",
                    "Commands/alcove/Terminal+Screen.swift",
                    "Commands/alcove/Simulator/SimulatorConnection.swift",
                    "Apps/Apps/Control/Transcript.swift", "Commands/alcove/Apps/AppRunCommand.swift",
                    "Commands/alcove/Notes/NoteTransferCommands.swift",
                ]
            ),
            (
                #"\b(fputs|fputc|puts|putchar|fwrite|fprintf|vprintf|printf|perror|getpass|NSLog)\("#,
                // Names of the libraries that the sandboxed program has loaded, for the host.
                ["Apps/Sandbox/Program/ComponentProgram.swift"]
            ),
            (
                #"FileHandle\.standard(Output|Error)|\(\.standardOutput"#,
                ["Commands/alcove/TDF/ByteOutput.swift", "BuildTools/message-generator/Main.swift"]
            ),
            (
                #"STDOUT_FILENO|STDERR_FILENO"#,
                [
                    "Commands/alcove/Terminal.swift", "Commands/alcove/HostProcess/HostLog.swift",
                    "Commands/alcove/Terminal+Screen.swift",
                    "Commands/alcove/Simulator/SimulatorViewCommand.swift",
                ]
            ),
            (#"\b(stdout|stderr)\b"#, []),
            (
                #"TerminalText\(unescaped:"#,
                [
                    "Commands/alcove/TerminalText.swift", "Commands/alcove/Simulator/SimulatorViewCommand.swift",
                    // Blocks and colours of its own.
                    "Commands/alcove/Chat/DrawnCode.swift",
                ]
            ),
        ]
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        var count = 0
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            count += 1
            let name = String(file.path.dropFirst(sources.path.count + 1))
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let code = line.trimmingCharacters(in: .whitespaces)
                guard !code.hasPrefix("//") else { continue }
                for (pattern, allowed) in ways where code.range(of: pattern, options: .regularExpression) != nil {
                    #expect(allowed.contains(name), "\(name): \(code)")
                }
            }
        }
        #expect(count > 500)
    }
}
