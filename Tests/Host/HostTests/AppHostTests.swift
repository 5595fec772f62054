import AppCore
import Foundation
import Testing

@testable import Host

@Suite(.serialized, .timeLimit(.minutes(5)))
struct AppHostTests {
    @Test func `a replay of what was recorded gives the same states, byte for byte`() async throws {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        try await hosts.say(hosts.ada, "one")
        try await hosts.say(hosts.ben, "two")
        try await hosts.untilHeard(hosts.ben, ["one"])
        try await hosts.untilHeard(hosts.ada, ["two"])
        await hosts.stop()
        for (name, host) in [("ada", hosts.ada), ("ben", hosts.ben)] {
            let folder = hosts.folder + "/" + name
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
        let hosts = try await TwoHosts()
        try await hosts.meet()
        let room = try await hosts.expect(hosts.ada, "a room") { $0.rooms.first?.id }
        for round in 1...3 {
            await hosts.ada.sever(room)
            for number in 1...5 { try await hosts.say(hosts.ada, "\(round).\(number)") }
            let expected = (1...round).flatMap { round in (1...5).map { "\(round).\($0)" } }
            try await hosts.untilHeard(hosts.ben, expected)
            for host in [hosts.ada, hosts.ben] { try await hosts.untilTalking(host) }
        }
        await hosts.stop()
    }

    @Test func `a host that stops and starts again goes on where it was, verified and without the words`() async throws
    {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        var words: [SecretRef] = []
        for host in [hosts.ada, hosts.ben] {
            words.append(try await hosts.expect(host, "the words") { $0.rooms.first?.words })
        }
        await hosts.ben.stop()
        try await hosts.say(hosts.ada, "are you there?")
        hosts.ben = try await TwoHosts.host(hosts.folder + "/ben", hosts.url)
        let room = try await hosts.expect(hosts.ben, "the room") { $0.rooms.first?.id }
        await hosts.ben.dispatch(.rooms(.openRoom(room: room)))
        try await hosts.untilHeard(hosts.ben, ["are you there?"])
        let verification = await hosts.ben.read { $0.rooms.first?.live.verification }
        #expect(verification == .verified)
        for (host, words) in zip([hosts.ada, hosts.ben], words) {
            try await hosts.expect(host, "the end of the words") { state in
                state.rooms.first?.words == nil && !state.pendingEffects.byID.values.contains(where: \.isForgetting)
                    ? true : nil
            }
            #expect(await host.secret(words) == nil)
        }
        await hosts.stop()
    }

    @Test func `locking closes the link, hides what was said and forgets the key; unlocking brings it back`()
        async throws
    {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        try await hosts.say(hosts.ada, "between us")
        try await hosts.untilHeard(hosts.ben, ["between us"])
        await hosts.ben.dispatch(
            .app(.setPassphrase(passphrase: hosts.ben.pass(secret: "correct horse"), current: nil)))
        try await hosts.expect(hosts.ben, "the passphrase") { $0.settings.hasPassphrase ? true : nil }
        await hosts.ben.dispatch(.app(.lock))
        try await hosts.expect(hosts.ben, "the lock") { $0.lock.isLocked && $0.rooms.isEmpty ? true : nil }
        let hidden = try await hosts.ben.read { String(decoding: try JSON.encode($0), as: UTF8.self) }
        #expect(!hidden.contains("between us"))
        try await hosts.say(hosts.ada, "while you were away")
        await hosts.ben.dispatch(.app(.unlock(passphrase: hosts.ben.pass(secret: "incorrect horse"))))
        try await hosts.expect(hosts.ben, "the refusal") {
            $0.lock.isLocked && $0.lock.attempt == nil ? true : nil
        }
        try await Task.sleep(for: .seconds(2))
        await hosts.ben.dispatch(.app(.unlock(passphrase: hosts.ben.pass(secret: "correct horse"))))
        try await hosts.untilHeard(hosts.ben, ["between us", "while you were away"])
        await hosts.stop()
    }

    @Test func `erasing everything leaves nothing on the disk and nothing on the server`() async throws {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        try await hosts.say(hosts.ada, "a sentence to look for")
        try await hosts.untilHeard(hosts.ben, ["a sentence to look for"])
        await hosts.ben.dispatch(.app(.eraseAll))
        try await hosts.expect(hosts.ben, "the end") { state in
            state.rooms.isEmpty && state.pendingEffects.byID.values.allSatisfy { $0.name != "erase_all" } ? true : nil
        }
        #expect(try await hosts.ben.profile.records().allSatisfy { $0.key.isReadableWhileLocked })
        await hosts.stop()
    }

    @Test func `nothing that was said and no secret lies readable in the profile`() async throws {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        try await hosts.say(hosts.ada, "a sentence to look for")
        try await hosts.untilHeard(hosts.ben, ["a sentence to look for"])
        await hosts.stop()
        for name in ["ada", "ben"] {
            let folder = hosts.folder + "/" + name
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
