import AppCore
import Foundation
import Testing

@testable import Host

@Suite(.serialized, .timeLimit(.minutes(5)))
struct AppHostTests {
    @Test func `a replay of what was recorded gives the same states, byte for byte`() async throws {
        let stage = try await TwoHosts()
        try await stage.meet()
        try await stage.say(stage.ada, "one")
        try await stage.say(stage.ben, "two")
        try await stage.untilHeard(stage.ben, ["one"])
        try await stage.untilHeard(stage.ada, ["two"])
        await stage.stop()
        for (name, host) in [("ada", stage.ada), ("ben", stage.ben)] {
            let folder = stage.folder + "/" + name
            let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jsonl") }
            let recording = try String(contentsOfFile: folder + "/" + (try #require(files.first)), encoding: .utf8)
            var (first, second) = (Core(), Core())
            var steps = 0
            for line in recording.split(separator: "\n") {
                let input = try JSON.decode(Input.self, from: line.utf8)
                #expect(first.dispatch(input) == second.dispatch(input))
                #expect(try JSON.encode(first.state) == JSON.encode(second.state))
                steps += 1
            }
            #expect(steps > 10)
            let live = try await host.read { try JSON.encode($0) }
            #expect(try JSON.encode(first.state) == live)
        }
    }

    @Test func `what is written while the network is gone arrives once and in order`() async throws {
        let stage = try await TwoHosts()
        try await stage.meet()
        let room = try await stage.expect(stage.ada, "a room") { $0.rooms.first?.id }
        for round in 1...3 {
            await stage.ada.sever(room)
            for number in 1...5 { try await stage.say(stage.ada, "\(round).\(number)") }
            let expected = (1...round).flatMap { round in (1...5).map { "\(round).\($0)" } }
            try await stage.untilHeard(stage.ben, expected)
            for host in [stage.ada, stage.ben] { try await stage.untilTalking(host) }
        }
        await stage.stop()
    }

    @Test func `a host that stops and starts again goes on where it was, verified and without the words`() async throws
    {
        let stage = try await TwoHosts()
        try await stage.meet()
        var words: [SecretRef] = []
        for host in [stage.ada, stage.ben] {
            words.append(try await stage.expect(host, "the words") { $0.rooms.first?.words })
        }
        await stage.ben.stop()
        try await stage.say(stage.ada, "are you there?")
        stage.ben = try await TwoHosts.host(stage.folder + "/ben", stage.url)
        let room = try await stage.expect(stage.ben, "the room") { $0.rooms.first?.id }
        await stage.ben.dispatch(.rooms(.openRoom(room: room)))
        try await stage.untilHeard(stage.ben, ["are you there?"])
        let verification = await stage.ben.read { $0.rooms.first?.live.verification }
        #expect(verification == .verified)
        for (host, words) in zip([stage.ada, stage.ben], words) {
            try await stage.expect(host, "the end of the words") { state in
                state.rooms.first?.words == nil && !state.pendingEffects.byID.values.contains(where: \.isForgetting)
                    ? true : nil
            }
            #expect(await host.secret(words) == nil)
        }
        await stage.stop()
    }

    @Test func `locking closes the link, hides what was said and forgets the key; unlocking brings it back`()
        async throws
    {
        let stage = try await TwoHosts()
        try await stage.meet()
        try await stage.say(stage.ada, "between us")
        try await stage.untilHeard(stage.ben, ["between us"])
        await stage.ben.dispatch(
            .app(.setPassphrase(passphrase: stage.ben.pass(secret: "correct horse"), current: nil)))
        try await stage.expect(stage.ben, "the passphrase") { $0.settings.hasPassphrase ? true : nil }
        await stage.ben.dispatch(.app(.lock))
        try await stage.expect(stage.ben, "the lock") { $0.lock.isLocked && $0.rooms.isEmpty ? true : nil }
        let hidden = try await stage.ben.read { String(decoding: try JSON.encode($0), as: UTF8.self) }
        #expect(!hidden.contains("between us"))
        try await stage.say(stage.ada, "while you were away")
        await stage.ben.dispatch(.app(.unlock(passphrase: stage.ben.pass(secret: "incorrect horse"))))
        try await stage.expect(stage.ben, "the refusal") {
            $0.lock.isLocked && $0.lock.attempt == nil ? true : nil
        }
        try await Task.sleep(for: .seconds(2))
        await stage.ben.dispatch(.app(.unlock(passphrase: stage.ben.pass(secret: "correct horse"))))
        try await stage.untilHeard(stage.ben, ["between us", "while you were away"])
        await stage.stop()
    }

    @Test func `erasing everything leaves nothing on the disk and nothing on the server`() async throws {
        let stage = try await TwoHosts()
        try await stage.meet()
        try await stage.say(stage.ada, "a sentence to look for")
        try await stage.untilHeard(stage.ben, ["a sentence to look for"])
        await stage.ben.dispatch(.app(.eraseAll))
        try await stage.expect(stage.ben, "the end") { state in
            state.rooms.isEmpty && state.pendingEffects.byID.values.allSatisfy { $0.name != "erase_all" } ? true : nil
        }
        #expect(try await stage.ben.profile.records().allSatisfy { $0.key.isReadableWhileLocked })
        await stage.stop()
    }

    @Test func `nothing that was said and no secret lies readable in the profile`() async throws {
        let stage = try await TwoHosts()
        try await stage.meet()
        try await stage.say(stage.ada, "a sentence to look for")
        try await stage.untilHeard(stage.ben, ["a sentence to look for"])
        await stage.stop()
        for name in ["ada", "ben"] {
            let folder = stage.folder + "/" + name
            for file in try FileManager.default.subpathsOfDirectory(atPath: folder) where !file.hasSuffix(".jsonl") {
                var isFolder: ObjCBool = false
                guard FileManager.default.fileExists(atPath: folder + "/" + file, isDirectory: &isFolder),
                    !isFolder.boolValue
                else { continue }
                let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file))
                #expect(bytes.range(of: Data("a sentence".utf8)) == nil, "\(name)/\(file)")
            }
        }
    }

    @Test func `a profile whose erasing was interrupted opens again, and one that lost its vault says so`() async throws
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("profile-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Profile(path: folder).close()
        try FileManager.default.removeItem(atPath: folder + "/vault")
        let again = try Profile(path: folder)
        _ = try again.keep(secret: "words")
        again.close()
        try FileManager.default.removeItem(atPath: folder + "/vault")
        #expect(throws: ProfileError.self) { try Profile(path: folder) }
    }
}

extension Effect.Kind {
    fileprivate var isForgetting: Bool { if case .forgetSecrets = self { true } else { false } }

    /// The name of the effect, as its JSON has it.
    fileprivate var name: String {
        let json = (try? JSON.encode(Effect(id: EffectID(1), kind: self))).map { String(decoding: $0, as: UTF8.self) }
        return json?.split(separator: "\"").last(where: { $0 == "erase_all" }).map(String.init) ?? ""
    }
}
