import Foundation
import Platform
import Testing

/// How a passphrase is asked for in a terminal, and read from files and pipes.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct PassphraseTests {
    private static let right = "violin parsnip gravel monday"

    /// A profile with this passphrase.
    private final class Protected {
        let folder = NSTemporaryDirectory() + "alcove-passphrase-\(UUID().uuidString)"
        var profile: String { folder + "/profile" }
        var file: String { folder + "/right" }

        init() async throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try "\(PassphraseTests.right)\r\nanother line\n".write(toFile: file, atomically: true, encoding: .utf8)
            let set = try AlcoveProcess("passphrase", "set", "--profile", profile, "--new-passphrase-file", file)
            try await set.expect("The passphrase is set")
            #expect(try await set.exitCode() == 0)
            #expect(!set.lines.joined().contains("easy to guess"))
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func list() throws -> TerminalProcess { try TerminalProcess(["room", "list", "--profile", profile]) }

        func shell(_ line: String) async throws -> Shell {
            let script = line.replacingOccurrences(of: "ALCOVE", with: "'\(AlcoveProcess.program)'")
                .replacingOccurrences(of: "PROFILE", with: "--profile '\(profile)'")
                .replacingOccurrences(of: "FILE", with: "'\(file)'")
            return try await Shell("bash -c \"\(script)\" 2>&1")
        }
    }

    @Test func `whoever lost the passphrase erases everything without it`() async throws {
        let protected = try await Protected()
        let secret = protected.profile + "/Notes/notes"
        try FileManager.default.createDirectory(atPath: secret, withIntermediateDirectories: true)
        let erased = try AlcoveProcess(
            "room", "erase-all", "--yes", "--passphrase-lost", "--profile", protected.profile)
        #expect(try await erased.exitCode() == 0)
        #expect(!FileManager.default.fileExists(atPath: secret))
        // It is a profile like any other, and asks for nothing.
        let list = try protected.list()
        #expect(await list.exitCode() == 0)
        #expect(!list.text.contains("Passphrase"))
    }

    @Test(arguments: [("\u{3}", -SIGINT), ("half of\u{3}", -SIGINT), ("\u{4}", 66)])
    func `a key that ends a program ends the prompt, and the terminal is as before`(keys: String, code: Int32)
        async throws
    {
        let protected = try await Protected()
        let process = try protected.list()
        try await process.expect("Passphrase: ", hidden: true)
        try process.press(keys)
        #expect(await process.exitCode() == code)
        #expect(process.echoes)
        #expect(!process.text.contains("half of"))
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func `a signal ends the prompt, and the terminal is as before`(number: Int32) async throws {
        let protected = try await Protected()
        let process = try protected.list()
        try await process.expect("Passphrase: ", hidden: true)
        process.signal(number)
        #expect(await process.exitCode() == -number)
        #expect(process.echoes)
    }

    @Test func `what is mended or interrupted while typing is no part of the passphrase`() async throws {
        let protected = try await Protected()
        let process = try protected.list()
        try await process.expect("Passphrase: ", hidden: true)
        // Control-Z: nobody could call this process back, so the system lets it go on, and it asks again.
        try process.press("viol\u{1A}")
        try await process.expect("Passphrase: ", hidden: true)
        try process.press("something else\u{15}" + Self.right + "x\u{7F}\n")
        try await process.expect("No rooms yet")
        #expect(await process.exitCode() == 0)
        #expect(process.echoes)
        #expect(!process.text.contains("parsnip"))
    }

    @Test func `a new passphrase is typed twice, and one that is easy to guess is called so`() async throws {
        let folder = NSTemporaryDirectory() + "alcove-passphrase-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let different = try TerminalProcess(["passphrase", "set", "--profile", folder])
        try await different.expect("New passphrase: ", hidden: true)
        try different.press("hunter2\n")
        try await different.expect("easy to guess: it has fewer than 12 characters")
        try await different.expect("Once more: ", hidden: true)
        try different.press("hunter3\n")
        try await different.expect("the two are not the same; nothing was changed")
        #expect(await different.exitCode() == 65)
        let same = try TerminalProcess(["passphrase", "set", "--profile", folder])
        for question in ["New passphrase: ", "Once more: "] {
            try await same.expect(question, hidden: true)
            try same.press(Self.right + "\n")
        }
        try await same.expect("The passphrase is set")
        #expect(await same.exitCode() == 0)
        #expect(!same.text.contains("easy to guess"))
    }

    @Test(arguments: [
        "ALCOVE room list PROFILE --passphrase-file FILE", "ALCOVE room list PROFILE --passphrase-file - < FILE",
        "cat FILE | ALCOVE room list PROFILE --passphrase-file -",
        "ALCOVE room list PROFILE --passphrase-file <(cat FILE)",
        "ALCOVE room list PROFILE --passphrase-file /dev/fd/9 9< FILE",
        "printf '%s' '\(right)' | ALCOVE room list PROFILE --passphrase-file /dev/stdin",
        "(cat FILE; echo) | ALCOVE passphrase remove PROFILE --passphrase-file - && ALCOVE room list PROFILE",
        "printf 'x\\ny y y\\n' | cat FILE - | (head -c 0; ALCOVE room list PROFILE --passphrase-file -)",
    ])
    func `a passphrase comes from a file, a pipe, a descriptor or standard input`(line: String) async throws {
        let protected = try await Protected()
        let result = try await protected.shell(line)
        #expect(result.code == 0, "\(result.output)")
        #expect(result.output.contains("No rooms yet"))
    }

    @Test(arguments: [
        ("--passphrase-file /nowhere", 66, "/nowhere cannot be read"),
        ("--passphrase-file - < /dev/null", 66, "is empty"),
        ("--passphrase-file - < /dev/zero", 65, "more than 4095 bytes"),
        ("--passphrase-file <(printf '\\377\\n')", 65, "not UTF-8"), ("< /dev/null", 77, "--passphrase-file FILE"),
    ])
    func `what is no passphrase is refused in a sentence`(words: String, code: Int32, sentence: String) async throws {
        let protected = try await Protected()
        let result = try await protected.shell("ALCOVE room list PROFILE \(words)")
        #expect(result.code == code)
        #expect(result.output.contains(sentence), "\(result.output)")
    }

    @Test func `the right passphrase is not called wrong while the wait after wrong ones lasts`() async throws {
        let protected = try await Protected()
        let wrong = protected.folder + "/wrong"
        try "wrong\n".write(toFile: wrong, atomically: true, encoding: .utf8)
        // Until the wait is long enough for another start on a slow machine.
        for _ in 0..<12 {
            let output = try await protected.shell("ALCOVE room list PROFILE --passphrase-file \(wrong)").output
            #expect(output.contains("passphrase is wrong") || output.contains("was not tried"), "\(output)")
            let seconds = output.split(separator: " ").compactMap { Int($0) }.last ?? 0
            if output.contains("minute") || seconds >= 8 { break }
            try await Task.sleep(for: .seconds(seconds))
        }
        let result = try await protected.shell("ALCOVE room list PROFILE --passphrase-file FILE")
        #expect(result.code == 77)
        #expect(result.output.contains("was not tried") && result.output.contains("Try again in"), "\(result.output)")
        #expect(!result.output.contains("The passphrase is wrong"))
    }
}
