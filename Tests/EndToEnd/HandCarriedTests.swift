import Foundation
import Testing

/// What is sealed to a person of the circle and carried in a file: messages, files, and the notice that the trust has ended.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct HandCarriedTests {
    @Test func `a message carried by hand opens once, for the one it is meant for, and not for others`() async throws {
        let fixture = try await RoomFixture()
        let (ada, ben) = try await fixture.members()
        try await RoomFixture.quit(ada, ben)
        let file = fixture.folder + "/message.ntdf"
        let shell = try await Shell(
            "echo 'by hand' | '\(AlcoveProcess.program)' circle seal Ben --profile '\(fixture.folder)/ada' > '\(file)'")
        #expect(shell.code == 0)
        let open = "'\(AlcoveProcess.program)' circle open --profile '\(fixture.folder)/%' < '\(file)' 2>&1"
        let first = try await Shell(open.replacingOccurrences(of: "%", with: "ben"))
        #expect(first.code == 0)
        #expect(first.output == "Ada: by hand\n")
        let named = "'\(AlcoveProcess.program)' circle open --profile '\(fixture.folder)/ben' '\(file)' 2>&1"
        let second = try await Shell(named)
        #expect(second.code == 65)
        #expect(second.output.contains("before"))
        let stranger = try await Shell(open.replacingOccurrences(of: "%", with: "eve"))
        #expect(stranger.code == 65)
        #expect(!stranger.output.contains("by hand"))
    }

    @Test func `each seal prints the message it sealed, or a sentence and nothing`() async throws {
        let fixture = try await RoomFixture()
        let (ada, ben) = try await fixture.members()
        try await RoomFixture.quit(ada, ben)
        let profile = "--profile '\(fixture.folder)/ada'"
        let seal = "'\(AlcoveProcess.program)' circle seal Ben \(profile)"
        let file = fixture.folder + "/message.ntdf"
        // What a run leaves that is killed between sealing and printing: a message with its file. Here the file is kept.
        #expect(try await Shell("echo 'the first' | \(seal) > '\(file)'").code == 0)
        let left = fixture.folder + "/ada/Sealed"
        let names = try Self.carried(fixture.folder + "/ada")
        #expect(!names.isEmpty)
        for name in names {
            try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: file, toPath: left + "/\(name).ntdf")
        }
        let cases: [(input: String, code: Int32, sentence: String)] = [
            ("printf ''", 65, "nothing to seal"), ("printf ' \\n'", 65, "nothing to seal"),
            ("printf '\\377x'", 65, "not UTF-8"), ("head -c 70000 /dev/zero", 65, "more than 65536 bytes"),
        ]
        for (input, code, sentence) in cases {
            let refused = try await Shell("\(input) | \(seal) 2> '\(fixture.folder)/errors'")
            let errors = try String(contentsOfFile: fixture.folder + "/errors", encoding: .utf8)
            #expect(refused.code == code, "\(input): \(errors)")
            #expect(refused.output.isEmpty, "\(input)")
            #expect(errors.contains(sentence) && !errors.contains("Error Domain"), "\(input): \(errors)")
        }
        #expect(try await Shell("echo 'the second' | \(seal) > '\(file)'").code == 0)
        let opened = try await Shell(
            "'\(AlcoveProcess.program)' circle open --profile '\(fixture.folder)/ben' < '\(file)' 2>&1")
        #expect(opened.output == "Ada: the second\n")
        let revoke = "'\(AlcoveProcess.program)' circle revoke Ben --yes --now \(profile)"
        #expect(try await Shell(revoke).code == 0)
        let after = try await Shell("echo x | \(seal) 2>&1")
        #expect(after.code == 77)
        #expect(after.output.contains("The trust between you has ended"), "\(after.output)")
    }

    /// The ids of the messages that were sealed by hand, as a report with content tells them.
    private static func carried(_ profile: String) throws -> Set<String> {
        let report = profile + "-report.json"
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: AlcoveProcess.program)
        shell.arguments = ["report", report, "--with-content", "--profile", profile]
        try shell.run()
        shell.waitUntilExit()
        let text = try String(contentsOfFile: report, encoding: .utf8)
        return Set(text.matches(of: /Sealed\/([^"\/]+)\.ntdf/).map { String($0.1) })
    }

    @Test func `a file is sealed to a person of the circle and opens once`() async throws {
        let fixture = try await RoomFixture()
        let (ada, ben) = try await fixture.members()
        try await RoomFixture.quit(ada, ben)
        let (plain, sealed) = (fixture.folder + "/plan.bin", fixture.folder + "/plan.ntdf")
        let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try bytes.write(to: URL(fileURLWithPath: plain))
        let program = "'\(AlcoveProcess.program)' tdf"
        let seal = try await Shell(
            "\(program) seal --to Ben --profile '\(fixture.folder)/ada' -o '\(sealed)' '\(plain)'")
        #expect(seal.code == 0)
        let open = "\(program) open --mine --profile '\(fixture.folder)/ben' -o '\(plain).2' '\(sealed)' 2>&1"
        #expect(try await Shell(open).code == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: plain + ".2")) == bytes)
        let second = try await Shell(open)
        #expect(second.code == 65)
        #expect(second.output.contains("opened before"))
    }

    @Test func `a message by hand takes one key, and the commands say when keys are few or used more than once`()
        async throws
    {
        let fixture = try await RoomFixture()
        let (ada, ben) = try await fixture.members()
        try await RoomFixture.quit(ada, ben)
        let (letter, alcove) = (fixture.folder + "/letter", "'\(AlcoveProcess.program)'")
        let (hers, his) = ("--profile '\(fixture.folder)/ada'", "--profile '\(fixture.folder)/ben'")
        func seal() async throws -> (left: Int, output: String) {
            let shell = try await Shell("echo 'by hand' | \(alcove) circle seal Ben --json \(hers) 2>&1")
            #expect(shell.code == 0)
            let object = shell.output.split(separator: "\n").last.map { Data($0.utf8) } ?? Data()
            let report = try #require(try JSONSerialization.jsonObject(with: object) as? [String: Any])
            let message = try #require((report["message"] as? String).flatMap { Data(base64Encoded: $0) })
            try message.write(to: URL(fileURLWithPath: letter))
            return (try #require((report["keys"] as? [String: Any])?["keys_left"] as? Int), shell.output)
        }
        let first = try await seal()
        #expect(first.output.contains(#""seal":"one_time""#) && !first.output.contains("warning"))
        for count in 1...3 { #expect(try await seal().left == first.left - count) }

        // As if the keys had been used up, all but two, and then all.
        let database = "import sqlite3; d = sqlite3.connect('\(fixture.folder)/ada/profile.sqlite')"
        func change(_ statement: String) async throws {
            let script = "\(database); d.execute('\(statement)'); d.commit()"
            #expect(try await Shell("python3 -c \"\(script)\"").code == 0)
        }
        try await change("DELETE FROM sealing_peer_keys WHERE first > (SELECT min(first) FROM sealing_peer_keys)")
        try await change("UPDATE sealing_peer_keys SET keys = substr(keys, 1, 130)")
        let few = try await seal()
        #expect(few.left == 1 && few.output.contains("one-time keys are left to write with"))
        try await change("DELETE FROM sealing_peer_keys")
        let last = try await seal()
        #expect(last.output.contains("used more than once") && last.output.contains(#""seal":"last_resort""#))
        let open = try await Shell("\(alcove) circle open --json \(his) < '\(letter)' 2>&1")
        #expect(open.code == 0 && open.output.contains("used more than once"))
        #expect(open.output.contains(#""text":"by hand""#) && open.output.contains(#""seal":"last_resort""#))
        let options = "--to Ben --json -o '\(letter).2' '\(letter)' \(hers)"
        let sealed = try await Shell("echo plan > '\(letter)'; \(alcove) tdf seal \(options) 2>&1")
        #expect(sealed.output.contains("used more than once") && sealed.output.contains(#""keys_left":0"#))
        let back = "\(alcove) tdf open --mine --json -o '\(letter).3' '\(letter).2' \(his) 2>&1"
        let opened = try await Shell(back)
        #expect(opened.output.contains("used more than once") && opened.output.contains(#""seal":"last_resort""#))

        // As if their time were over.
        try await change("UPDATE sealing_peer_pools SET not_after = 1")
        for command in ["circle seal Ben --json \(hers)", "tdf seal \(options)"] {
            let refused = try await Shell("echo late | \(alcove) \(command) 2>&1")
            #expect(refused.code == 69 && refused.output.contains("no key to seal with"), "\(refused.output)")
        }
        try await change("UPDATE sealing_peer_pools SET not_after = 9000000000000")
        #expect(try await Shell("\(alcove) circle list \(hers)").code == 0)
        let left = try? FileManager.default.contentsOfDirectory(atPath: fixture.folder + "/ada/Sealed")
        #expect(left ?? [] == [])
    }

    #if os(Linux)
    @Test func `a clock that was wrong for a while destroys no keys`() async throws {
        let fixture = try await RoomFixture()
        let (ada, ben) = try await fixture.members()
        try await RoomFixture.quit(ada, ben)
        let (letter, alcove) = (fixture.folder + "/letter", "'\(AlcoveProcess.program)'")
        let (hers, his) = ("--profile '\(fixture.folder)/ada'", "--profile '\(fixture.folder)/ben'")
        #expect(try await Shell("echo before | \(alcove) circle seal Ben \(hers) > '\(letter)'").code == 0)
        let before = RoomFixture.pools(fixture.folder + "/ben").sorted()
        let clock = try await ShiftedClock(in: fixture.folder)
        for days: Int64 in [130, -130, 400, 0] {
            try clock.set(seconds: days * 86_400, sleepingFor: 0)
            for profile in [hers, his] {
                #expect(try await Shell("'\(clock.program)' circle list --json \(profile)").code == 0)
            }
            #expect(RoomFixture.pools(fixture.folder + "/ben").sorted() == before, "\(days)")
        }
        let open = try await Shell("\(alcove) circle open \(his) < '\(letter)'")
        #expect(open.code == 0 && open.output.contains("before"))
        #expect(try await Shell("echo after | \(alcove) circle seal Ben \(hers)").code == 0)
    }
    #endif

    @Test func `who was not there when trust was revoked gets the notice by hand`() async throws {
        let fixture = try await RoomFixture()
        let (ada, ben) = try await fixture.members()
        try await RoomFixture.quit(ada, ben)
        let circle = "'\(AlcoveProcess.program)' circle"
        #expect(try await Shell("\(circle) revoke Ben --yes --now --profile '\(fixture.folder)/ada'").code == 0)
        let notice = fixture.folder + "/notice"
        #expect(
            try await Shell("\(circle) tombstones --notice Ben --profile '\(fixture.folder)/ada' > '\(notice)'").code
                == 0
        )
        let altered = fixture.folder + "/altered"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: notice))
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: URL(fileURLWithPath: altered))
        #expect(try await Shell("\(circle) open --profile '\(fixture.folder)/ben' < '\(altered)' 2>&1").code == 65)
        #expect(!RoomFixture.pools(fixture.folder + "/ben").isEmpty)
        let read = try await Shell("\(circle) open --profile '\(fixture.folder)/ben' < '\(notice)' 2>&1")
        #expect(read.code == 0)
        #expect(read.output.contains("Ada has ended the trust"))
        #expect(RoomFixture.pools(fixture.folder + "/ben").isEmpty)
    }
}
