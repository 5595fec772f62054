import Foundation
import Platform
import Testing

/// The line in which a person writes in a terminal, as another terminal shows it.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct PromptTests {
    private static let ready = "/help lists what else there is"

    /// Ada in a terminal, and Ben, whose lines a test types.
    private static func pair(
        columns: UInt16 = 80, kind: String = "xterm-256color"
    ) async throws -> (fixture: RoomFixture, ada: TerminalProcess, ben: AlcoveProcess) {
        let fixture = try await RoomFixture()
        let ada = try fixture.terminal("ada", ["--create"], columns: columns, environment: ["TERM": kind])
        try await ada.expect("Pass on this code: ")
        try await ada.expect("valid until")
        // In a narrow window it stands on a row of its own.
        let code = ada.text.split(separator: "Pass on this code:").dropFirst().first?.split { $0.isWhitespace }.first
        let ben = try fixture.chat("ben", String(code ?? ""))
        try await ben.expect("Connected, verified")
        return (fixture, ada, ben)
    }

    private static func expect(_ ada: TerminalProcess, _ isShown: (Screen) -> Bool) async throws -> Screen {
        let deadline = ContinuousClock.now + AlcoveProcess.patience
        var screen = try await Screen(of: ada)
        while !isShown(screen), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(50))
            screen = try await Screen(of: ada)
        }
        #expect(isShown(screen), "\(screen.rows.joined(separator: "\n"))")
        return screen
    }

    @Test(arguments: [([], 80, true), (["--no-qr"], 80, false), ([], 30, false)] as [([String], UInt16, Bool)])
    func `the code is drawn for a camera where there is room, and stays above the line`(
        options: [String], columns: UInt16, isDrawn: Bool
    ) async throws {
        let fixture = try await RoomFixture()
        let ada = try fixture.terminal(
            "ada", ["--create"] + options, columns: columns, environment: ["NO_COLOR": ""])
        // What follows it does not fit into a row of a narrow window.
        try await ada.expect("Pass on this code:")
        try ada.press("hello")
        let isBlock: (String) -> Bool = { $0.contains("\u{2580}") || $0.contains("\u{2588}") }
        let screen = try await Self.expect(ada) {
            $0.bottom.last == "Say: hello" && $0.rows.contains(where: isBlock) == isDrawn
        }
        let drawn = screen.rows.filter(isBlock)
        // Version 2 has 25 modules; two stand in one row, and four rows are the quiet zone.
        #expect(drawn.count == (isDrawn ? 13 : 0), "\(screen.rows.joined(separator: "\n"))")
        ada.signal(SIGKILL)
    }

    @Test func `what arrives leaves what is being typed, and each message is there once`() async throws {
        let (fixture, ada, ben) = try await Self.pair()
        try await ada.expect(Self.ready)
        try ada.press("half of a sentence")
        try await ada.expect("half of a sentence")
        for number in 1...3 { ben.type("line \(number)") }
        var screen = try await Self.expect(ada) { $0.rows.contains("< line 3") }
        #expect(screen.bottom.last == "Say: half of a sentence")
        #expect(screen.bottom.first?.hasSuffix("Connected, verified · Direct") == true)
        #expect(screen.cursor == (23, screen.rows.count - 1))
        try ada.press("\u{1}The other \u{5}, and the end\n")
        try await ben.expect("< The other half of a sentence, and the end")
        screen = try await Self.expect(ada) { $0.rows.contains { $0.hasSuffix("the end  [Seen]") } }
        #expect(screen.rows.filter { $0.contains("and the end") }.count == 1)
        #expect(screen.bottom.last == "Say:")
        try ada.press("\u{1B}[A!\n")
        try await ben.expect("< The other half of a sentence, and the end!")
        withExtendedLifetime(fixture) {}
    }

    @Test func `a paste is one message with its indentation, and one that is too long comes back`() async throws {
        let (fixture, ada, ben) = try await Self.pair()
        try await ada.expect(Self.ready)
        try ada.press("\u{1B}[200~/def f():\n    return 1\n\u{1B}[201~\n")
        try await ben.expect("< /def f():")
        try await ben.expect("      return 1")
        let lines = (1...10_000).map { "line \($0)\n" }.joined()
        // The terminal takes a part at a time.
        for part in ("\u{1B}[200~" + lines + "\u{1B}[201~\n").split(separator: "\n", omittingEmptySubsequences: false) {
            try ada.press(part + "\n")
        }
        try await ada.expect("longer than 64 KiB")
        _ = try await Self.expect(ada) { $0.bottom.last?.hasSuffix("↵line 10000") == true }
        ben.type("still there?")
        _ = try await Self.expect(ada) {
            $0.rows.contains("< still there?") && $0.bottom.last?.hasPrefix("Say: <") == true
        }
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: [
        "\u{1B}[2J\u{1B}[H* Connected, verified", "\u{1B}[10A\u{1B}]0;x\u{7}", "\u{202E}diefirev", "\r> I said this",
        "我们今晚八点在桥边见面好吗不要忘记带上钥匙还有手电筒和那本书谢谢你晚安", "שלום, אני מגיע בשמונה",
        "👩🏽‍🚀👩🏽‍🚀👩🏽‍🚀 e\u{301}\u{302}\u{303}\u{304}", "\u{1B}7\u{1B}8\u{9B}5A",
    ]) func `nobody else moves the cursor, in a narrow window too`(text: String) async throws {
        let (fixture, ada, ben) = try await Self.pair(columns: 40)
        try await ada.expect("Write a line")
        try ada.press("mine")
        try await ada.expect("mine")
        let before = try await Screen(of: ada).rows.dropLast(2)
        ben.type(text)
        ben.type("and after it")
        let screen = try await Self.expect(ada) { $0.rows.contains("< and after it") }
        #expect(screen.rows.prefix(before.count) == before)
        #expect(screen.bottom.last == "Say: mine")
        #expect(screen.cursor == (9, screen.rows.count - 1))
        #expect(screen.rows.allSatisfy { !$0.hasPrefix(">") })
        withExtendedLifetime(fixture) {}
    }

    @Test func `the window may become narrower, and the terminal is given back`() async throws {
        let (fixture, ada, ben) = try await Self.pair()
        try await ada.expect(Self.ready)
        try ada.press(String(repeating: "long ", count: 14))
        ada.resize(columns: 30)
        try await ada.expect("Say: <")
        #expect(!ada.echoes)
        // Control-Z: nobody could call this process back, so the system lets it go on.
        try ada.press("\u{1A}")
        try await ada.expect("\u{1B}[?2004l")
        try await ada.expect("Say: <")
        try ada.press("\u{15}/quit\n")
        #expect(await ada.exitCode() == 0)
        #expect(ada.echoes)
        #expect(ada.text.hasSuffix("\u{1B}[?2004l"))
        withExtendedLifetime((fixture, ben)) {}
    }

    @Test(arguments: [SIGINT, SIGTERM]) func `a signal gives the terminal back`(number: Int32) async throws {
        let (fixture, ada, ben) = try await Self.pair()
        try await ada.expect(Self.ready)
        if number == SIGINT { try ada.press("half\u{3}") } else { ada.signal(number) }
        #expect(await ada.exitCode() == 0)
        #expect(ada.echoes)
        withExtendedLifetime((fixture, ben)) {}
    }

    @Test func `a signal ends it also when the terminal takes nothing any more`() async throws {
        let (fixture, ada, ben) = try await Self.pair()
        try await ada.expect(Self.ready)
        ada.freeze(true)
        let long = String(repeating: "and so on ", count: 500)
        for number in 1...20 { ben.type("\(number) \(long)") }
        try await ben.expect("> 20 and so on")
        // They are on their way, and more than a terminal holds. Where the machine is too slow for that, it ends as always.
        try await Task.sleep(for: .seconds(1))
        ada.signal(SIGTERM)
        let code = await ada.exitCode()
        #expect([0, 75].contains(code), "\(code)")
        #expect(ada.echoes)
        ada.freeze(false)
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: ["dumb", ""]) func `a terminal that only prints gets lines`(kind: String) async throws {
        let (fixture, ada, ben) = try await Self.pair(kind: kind)
        try await ada.expect("Connected, verified")
        ben.type("hello")
        try await ada.expect("< hello")
        try ada.press("hello yourself\n")
        try await ben.expect("< hello yourself")
        #expect(!ada.text.contains("\u{1B}"))
        withExtendedLifetime(fixture) {}
    }

    @Test func `several files go at once: with blanks in their names, and those of a folder`() async throws {
        let (fixture, ada, ben) = try await Self.pair()
        try await ada.expect(Self.ready)
        let files = fixture.folder + "/some files"
        try FileManager.default.createDirectory(atPath: files + "/deep", withIntermediateDirectories: true)
        for name in ["one.txt", "deep/two.txt", ".hidden"] {
            try Data(repeating: 65, count: 5000).write(to: URL(fileURLWithPath: files + "/" + name))
        }
        try Data("c".utf8).write(to: URL(fileURLWithPath: fixture.folder + "/with space.txt"))
        try ada.press("/file \"\(files)\" \(fixture.folder)/with\\ space.txt /nowhere\n")
        try await ada.expect("/nowhere is no file that can be read")
        // Each is offered when it has been read.
        for _ in 1...3 { try await ben.expect("[/accept or /decline]") }
        let offers = ben.lines.filter { $0.contains("[/accept or /decline]") }.sorted()
        #expect(
            offers.map { $0.prefix { $0 != "[" } } == [
                "< one.txt (5 kB)  ", "< two.txt (5 kB)  ", "< with space.txt (1 byte)  ",
            ])
        ben.type("/accept")
        try await ben.expect("[Received: \(fixture.folder)/ben/Files/")
    }
}
