import Foundation
import Testing

/// `alcove profile export|import|verify`, as in `docs/backup.md`.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ProfileTests {
    private final class Fixture {
        let folder: String

        init() throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("backup-\(UUID().uuidString)").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data("four words for it\n".utf8).write(to: URL(fileURLWithPath: folder + "/words"))
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func attempt(_ words: String, profile: String = "old") async throws -> Shell {
            try await Shell("cd '\(folder)' && '\(AlcoveProcess.program)' \(words) --profile '\(profile)' 2>&1")
        }

        @discardableResult
        func run(_ words: String, profile: String = "old") async throws -> String {
            let shell = try await attempt(words, profile: profile)
            #expect(shell.code == 0, "\(words): \(shell.output)")
            return shell.output.trimmingCharacters(in: .newlines)
        }
    }

    @Test func `notes, apps with their data and grants, and settings are there on the other machine`() async throws {
        let fixture = try Fixture()
        try await fixture.run("note new 'Für 明日' '* oat milk'")
        try await fixture.run("app install '\(AppFixture.samples)/checklist' --yes")
        try await fixture.run("app run checklist add shopping 'zwei Äpfel' --in-process")
        try Data(#"{"server": "http://127.0.0.1:1"}"#.utf8).write(
            to: URL(fileURLWithPath: fixture.folder + "/old/settings.json"))
        let written = try await fixture.run("profile export file --move --passphrase-file words")
        #expect(written.contains("1 note, 1 app") && written.contains("has ended here"), "\(written)")

        for command in ["note list", "app list", "room list", "profile export again --passphrase-file words"] {
            let refused = try await fixture.attempt(command)
            #expect(refused.code == 73 || refused.code == 74, "\(command): \(refused.code)")
            #expect(refused.output.contains("was moved into"), "\(command): \(refused.output)")
        }

        let checked = try await Shell(
            "cd '\(fixture.folder)' && '\(AlcoveProcess.program)' profile verify file --passphrase-file words --json")
        #expect(checked.code == 0 && checked.output.contains(#""notes":1"#), "\(checked.output)")
        let restored = try await fixture.run("profile import file --passphrase-file words", profile: "new")
        #expect(restored.contains("1 note, 1 app"), "\(restored)")
        #expect(try await fixture.run("note show 'Für 明日'", profile: "new").contains("oat milk"))
        try await fixture.run("note append 'Für 明日' '* bread'", profile: "new")
        #expect(
            try await fixture.run("app run checklist show shopping --in-process", profile: "new").contains("zwei Äpfel")
        )
        let settings = FileManager.default.contents(atPath: fixture.folder + "/new/settings.json")
        #expect(settings.map { String(decoding: $0, as: UTF8.self) }?.contains("127.0.0.1:1") == true)
        #expect(try await fixture.run("room list", profile: "new").contains("No rooms yet"))
        let mode = try FileManager.default.attributesOfItem(atPath: fixture.folder + "/file")[.posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o600)
    }

    @Test func `what goes wrong ends with a sentence and its own code`() async throws {
        let fixture = try Fixture()
        try Data("other words\n".utf8).write(to: URL(fileURLWithPath: fixture.folder + "/wrong"))
        try await fixture.run("note new Groceries")
        try await fixture.run("profile export file --passphrase-file words")
        let cases: [(String, String, Int32, String)] = [
            ("profile import file --passphrase-file words", "old", 73, "move it away"),
            ("profile import file --passphrase-file wrong", "new", 77, "the passphrase is not the one of this file"),
            ("profile import words --passphrase-file words", "new", 65, "not written by alcove profile export"),
            ("profile import missing --passphrase-file words", "new", 74, "missing"),
            ("profile import file", "new", 77, "--passphrase-file"),
            ("profile export file --passphrase-file words", "old", 74, "choose another name"),
            ("profile export other --passphrase-file words", "none", 66, "there is no profile"),
            ("profile export", "old", 64, "one file"),
        ]
        for (words, profile, code, sentence) in cases {
            let shell = try await fixture.attempt("\(words) </dev/null", profile: profile)
            #expect(shell.code == code, "\(words): \(shell.code)")
            #expect(shell.output.contains(sentence), "\(words): \(shell.output)")
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: fixture.folder).sorted() == [
                "file", "old", "words", "wrong",
            ])
    }
}
