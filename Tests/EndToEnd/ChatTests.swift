import Foundation
import Platform
import Testing

/// People in processes of their own, through a server in a process of its own.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ChatTests {
    @Test func `two people meet by code and words, talk, send a file and leave`() async throws {
        let fixture = try await RoomFixture()
        let (ada, ben, _) = try await fixture.pair()
        ada.type("good evening")
        try await ben.expect("< good evening")
        try await ada.expect("> good evening  [Seen]")
        ben.type("//slashes too")
        try await ada.expect("< /slashes too")

        let file = fixture.folder + "/thesis.pdf"
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        ada.type("/file \(file)")
        try await ben.expect("thesis.pdf")
        ben.type("/accept")
        try await ben.expect("[Received: \(fixture.folder)/ben/Files/thesis.pdf]")
        try await ada.expect("[The other person has the file]")
        #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.folder + "/ben/Files/thesis.pdf")) == Data(bytes))

        let copy = fixture.folder + "/my copy.pdf"
        ben.type("/save \(copy)")
        try await ben.expect("Saved as \(copy).")
        ben.type("/save '\(copy)'")
        try await ben.expect("Saved as \(fixture.folder)/my copy (2).pdf.")
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data(bytes))
        ben.type("/save /nowhere/at/all")
        try await ben.expect("Nothing can be saved there.")

        ben.type("/leave")
        #expect(try await ben.exitCode() == 0)
        try await ada.expect("The other person left")
    }

    @Test func `messages are answered, reacted to, changed and deleted, as far as the other side follows`() async throws
    {
        let fixture = try await RoomFixture()
        let (ada, ben, _) = try await fixture.pair()
        ada.type("shall we meet at ate?")
        try await ben.expect("< shall we meet at ate?")
        ben.type("/reply at ate?")
        try await ada.expect("< at ate?  [Answers \u{201C}shall we meet at ate?\u{201D}]")
        ada.type("/edit shall we meet at eight?")
        try await ben.expect("< shall we meet at eight?  [Edited]")
        ben.type("/react \u{1F44D}")
        try await ada.expect("Reactions: \u{1F44D}")
        ada.type("/delete #5")
        try await ada.expect("there is no such message of yours")
        ada.type("/delete")
        try await ben.expect("The other person deleted this message.")
        try await ada.expect("You deleted this message.")
        ada.type("this stays")
        try await ben.expect("< this stays")
        ada.type("/react thumb")
        try await ada.expect("/react [#N] EMOJI")
    }

    @Test func `who asks too often is told to wait, and waits`() async throws {
        let fixture = try await RoomFixture()
        // More codes than one address may make at once.
        let body = #"{"joinid":"'$n'","client1":"x","expiresInSeconds":60}"#
        let post = "curl -s -o /dev/null -X POST --data '\(body)' \(fixture.url)/api/rooms"
        #expect(try await Shell("for n in $(seq 100000 100040); do \(post); done").code == 0)
        // Every six seconds one more is allowed: it must not be left for her.
        async let others = Shell("for n in $(seq 100041 100240); do \(post); done")
        let ada = try fixture.chat("ada", ["--create"])
        try await ada.expect("Trying again in")
        _ = try await others
        let code = try await RoomFixture.code(from: ada)
        #expect(code.count > 6)
    }

    @Test func `without the words the talk is unverified and the safety numbers are the same`() async throws {
        let fixture = try await RoomFixture()
        let (ada, code) = try await fixture.create("ada")
        let ben = try fixture.chat("ben", String(code.prefix(6)))
        var numbers: [String] = []
        for process in [ada, ben] {
            try await process.expect("Connected, not verified")
            process.type("/safety")
            numbers.append(try await process.expect("the same on both sides"))
        }
        #expect(numbers[0] == numbers[1])
        #expect(numbers[0].filter(\.isNumber).count == 60)
        for process in [ada, ben] {
            process.type("/compare yes")
            try await process.expect("Connected, verified")
        }
    }

    @Test func `wrong words end the room on both sides before anything is said`() async throws {
        let fixture = try await RoomFixture()
        let (ada, code) = try await fixture.create("ada")
        ada.type("a secret")
        let digits = code.prefix(6)
        let wrong = code.hasSuffix("otter") ? "\(digits)-otter-otter" : "\(digits)-acorn-otter"
        let eve = try fixture.chat("eve", wrong)
        for process in [ada, eve] {
            try await process.expect("The words did not match")
            #expect(try await process.exitCode() == 69)
        }
        #expect(!eve.lines.contains { $0.contains("a secret") })
        let again = try fixture.chat("eve2", code)
        try await again.expect("used up")
        #expect(try await again.exitCode() != 0)
    }

    @Test func `a third person at the door is refused, and those inside talk on`() async throws {
        let fixture = try await RoomFixture()
        let (ada, ben, code) = try await fixture.pair()
        let eve = try fixture.chat("eve", code)
        #expect(try await eve.exitCode() == 69)
        ada.type("still here")
        try await ben.expect("< still here")
    }

    @Test func `a server that is killed and comes back does not disturb the talk, and is there for the next one`()
        async throws
    {
        let fixture = try await RoomFixture()
        let (ada, ben, code) = try await fixture.pair()
        try await fixture.killServer()
        ada.type("without a server")
        try await ben.expect("< without a server")
        try await fixture.restartServer()
        // Ben's machine dies; what Ada says meanwhile arrives once Ben is back, through the restarted server.
        ben.signal(SIGKILL)
        try await ben.exitCode()
        ada.type("into the void")
        ada.type("and once more")
        let back = try fixture.chat("ben", String(code.prefix(6)))
        try await back.expect("< into the void")
        try await back.expect("< and once more")
        try await ada.expect("Connected, verified")
        #expect(back.lines.count { $0.contains("< into the void") } == 1)
    }

    @Test func `a code that nobody made is refused with a sentence`() async throws {
        let fixture = try await RoomFixture()
        let lost = try fixture.chat("lost", "000000-acorn-otter")
        try await lost.expect("No room waits under this code")
        #expect(try await lost.exitCode() == 69)
    }

    @Test func `what was typed ahead into a room that never opens does not keep the program`() async throws {
        let fixture = try await RoomFixture()
        let lost = try fixture.chat("lost", "000000-acorn-otter")
        lost.type("hello?")
        lost.endInput()
        #expect(try await lost.exitCode() == 69)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends a talk in order, and the other side sees it at once`(signal: Int32) async throws {
        let fixture = try await RoomFixture()
        let (ada, ben, code) = try await fixture.pair()
        ben.signal(signal)
        #expect(try await ben.exitCode() == 0)
        try await ada.expect("Waiting for the other person")
        let back = try fixture.chat("ben", String(code.prefix(6)))
        try await back.expect("Connected, verified")
    }

    @Test func `what is no file is not sent`() async throws {
        let fixture = try await RoomFixture()
        let (ada, _, _) = try await fixture.pair()
        #expect(mkfifo(fixture.folder + "/pipe", 0o600) == 0)
        for path in ["\(fixture.folder)/pipe", "\(fixture.folder)/nowhere", "/dev/zero"] {
            ada.type("/file \(path)")
            try await ada.expect("no file that can be read")
        }
    }

    @Test func `a server that is out of reach is named, not waited for`() async throws {
        let fixture = try await RoomFixture()
        try await fixture.killServer()
        let ada = try fixture.chat("ada", "--create")
        try await ada.expect("No server answers at")
        #expect(try await ada.exitCode() == 69)
        // What was never made is not in the list.
        let list = try fixture.run("ada", "room", "list", "--json")
        #expect(try await list.exitCode() == 0)
        #expect(list.lines == ["[]"])
    }

    @Test func `what is piped in is said and delivered before the end`() async throws {
        let fixture = try await RoomFixture()
        let (ada, code) = try await fixture.create("ada")
        let ben = try fixture.chat("ben", code)
        ben.type("line one")
        ben.type("line two")
        ben.endInput()
        #expect(try await ben.exitCode() == 0)
        try await ada.expect("< line one")
        try await ada.expect("< line two")
    }

    @Test func `each line that is refused is told, and comes back`() async throws {
        let fixture = try await RoomFixture()
        let (ada, ben, _) = try await fixture.pair()
        for letter in ["a", "b", "c"] {
            ada.type(String(repeating: letter, count: 66_000))
            try await ada.expect("Not sent; you wrote: \(letter)\(letter)")
        }
        ada.type("short enough")
        try await ben.expect("< short enough")
        #expect(ada.lines.count { $0.contains("longer than 64 KiB") } == 3)
        let back = ada.lines.filter { $0.contains("Not sent; you wrote: ") }
            .compactMap { $0.split(separator: " ").last }
        #expect(back.map(\.count) == [66_000, 66_000, 66_000])
        ada.type("/quit")
        #expect(try await ada.exitCode() == 0)
    }

    @Test func `both creating at once makes two rooms, each with its own code`() async throws {
        let fixture = try await RoomFixture()
        let (ada, ben) = (try fixture.chat("ada", "--create"), try fixture.chat("ben", "--create"))
        let codes = [try await RoomFixture.code(from: ada), try await RoomFixture.code(from: ben)]
        #expect(codes[0].prefix(6) != codes[1].prefix(6))
    }

    @Test func `both leaving at once ends cleanly on both sides`() async throws {
        let fixture = try await RoomFixture()
        let (ada, ben, _) = try await fixture.pair()
        ada.type("/leave")
        ben.type("/leave")
        #expect(try await ada.exitCode() == 0)
        #expect(try await ben.exitCode() == 0)
    }

    @Test func `both agree on how long messages stay`() async throws {
        let fixture = try await RoomFixture()
        let (ada, ben, _) = try await fixture.pair()
        ada.type("/lifetime 1h")
        try await ben.expect("/agree or /disagree")
        ben.type("/agree")
        for process in [ada, ben] { try await process.expect("You both agreed") }
    }

    @Test func `who leaves broke nothing, and blanks ahead of a text stay`() async throws {
        let fixture = try await RoomFixture()
        let (ada, ben, _) = try await fixture.pair()
        ada.type("    four blanks")
        try await ben.expect("<     four blanks")
        ada.type("/leave")
        #expect(try await ada.exitCode() == 0)
        try await ben.expect("The other person left")
        // The state of the link is told before that or after it.
        let deadline = ContinuousClock.now + AlcoveProcess.patience
        let waits = {
            (ben.lines.split { $0.contains("four blanks") }.last ?? []).contains {
                $0.contains("Waiting for the other person")
            }
        }
        while !waits(), ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(10)) }
        #expect(waits())
        #expect(!ben.lines.contains { $0.contains("broke") }, "\(ben.lines)")
        ben.type("/quit")
        #expect(try await ben.exitCode() == 0)
    }

    @Test func `without input a room is opened and shown, or the end says that it was not`() async throws {
        let fixture = try await RoomFixture()
        let made = try await Shell(
            "'\(AlcoveProcess.program)' chat --no-host --create --profile '\(fixture.folder)/ada' --server \(fixture.url) < /dev/null"
        )
        #expect(made.code == 0)
        #expect(made.output.contains("Pass on this code: "))
        try await fixture.killServer()
        for words in ["--create", "482913-maple-otter"] {
            let refused = try await Shell(
                "'\(AlcoveProcess.program)' chat --no-host \(words) --profile '\(fixture.folder)/ada' --server \(fixture.url)"
                    + " < /dev/null 2>&1")
            #expect(refused.code == 69)
            #expect(refused.output.contains("could not be opened"))
        }
    }
}
