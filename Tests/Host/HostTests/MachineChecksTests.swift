import AppCore
import Foundation
import Peers
import Testing

@testable import Host

@Suite(.timeLimit(.minutes(2))) struct MachineChecksTests {
    @Test func aServerAnswersAndAnotherDoesNot() async throws {
        let hosts = try await TwoHosts()
        await hosts.ada.dispatch(.app(.checkServer))
        let good = try await hosts.expect(hosts.ada, "the answer") { $0.serverCheck?.at == nil ? nil : $0.serverCheck }
        #expect(good.failure == nil && good.server == hosts.url)
        await hosts.ada.dispatch(.app(.setServer(url: "http://127.0.0.1:1")))
        await hosts.ada.dispatch(.app(.checkServer))
        let bad = try await hosts.expect(hosts.ada, "no answer") { $0.serverCheck?.failure }
        #expect(bad.code == .serverUnreachable)
        await hosts.stop()
    }

    @Test func serversThatWereAddedAreTriedWithTheirPasswordsAndKeptInTheProfile() async throws {
        let hosts = try await TwoHosts()
        let relay = try TURNServer()
        try await relay.ready()
        let place = "127.0.0.1:\(relay.port)"
        for (url, password) in [
            ("stun:\(place)", nil), ("turn:\(place)", TURNServer.password),
            ("turn:\(place)?transport=tcp", "not-the-word"),
            ("stun:127.0.0.1:\(try LoopbackPort.free())", nil),
        ] {
            var credential: SecretRef?
            if let password { credential = try await hosts.ada.keep(secret: password) }
            let name = password == nil ? nil : TURNServer.username
            await hosts.ada.dispatch(.app(.addIceServer(url: url, username: name, credential: credential)))
        }
        await hosts.ada.dispatch(.app(.checkIceServers))
        let checks = try await hosts.expect(hosts.ada, "what came of each") { state in
            state.iceServerChecks.flatMap { $0.allSatisfy { $0.at != nil } ? $0 : nil }
        }
        #expect(checks.map { $0.failure?.code } == [nil, nil, .iceServerRefused, .iceServerSilent])
        await hosts.ada.stop()
        // Neither in the records nor in the flight log, nor anywhere else in the clear.
        let files = FileManager.default.enumerator(atPath: hosts.folder + "/ada")?.compactMap { $0 as? String } ?? []
        for file in files {
            let bytes = FileManager.default.contents(atPath: hosts.folder + "/ada/" + file) ?? Data()
            #expect(bytes.range(of: Data("not-the-word".utf8)) == nil, "\(file)")
        }
        // A new process knows them, and forgets a password with its server.
        let ada = try await TwoHosts.host(hosts.folder + "/ada", hosts.url)
        let servers = await ada.read { $0.settings.addedIceServers ?? [] }
        #expect(servers.count == 4)
        let credential = try #require(servers[2].server.credential)
        #expect(await ada.secret(credential) == "not-the-word")
        await ada.dispatch(.app(.removeIceServer(server: servers[2].id)))
        try await hosts.expect(ada, "the password to be forgotten") { state in
            state.pendingEffects.byID.values.contains { if case .forgetSecrets = $0 { true } else { false } }
                ? nil : true
        }
        #expect(await ada.secret(credential) == nil)
        await ada.stop()
        hosts.ada = ada
        await hosts.stop()
    }

    @Test func whatAProfileTakesOfTheDiskIsToldApart() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("usage-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (files, notes) = (folder + "/Files", folder + "/Notes")
        for (path, bytes) in [("alcove.db", 5), ("Files/Sent/a", 70), ("Notes/one/log", 300)] {
            let url = URL(fileURLWithPath: folder + "/" + path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(count: bytes).write(to: url)
        }
        try FileManager.default.createSymbolicLink(atPath: files + "/link", withDestinationPath: "/usr")
        let usage = StorageMeasurement(profile: folder, files: files, notes: notes).usage()
        #expect(usage == StorageUsage(folder: folder, database: 5, files: 70, notes: 300))
        let outside = StorageMeasurement(profile: folder + "/Files", files: folder + "/none", notes: notes).usage()
        #expect(outside == StorageUsage(folder: files, database: 70, files: 0, notes: 300))
    }

    @Test(arguments: [("482913-maple-otter", true), (String(repeating: "x", count: 513), false)])
    func aClientHasACodeDrawn(text: String, isDrawn: Bool) async throws {
        try await AttachedProfile.with { profile in
            let channel = try profile.line()
            try await channel.greet()
            channel.say(.ask(n: 1, query: HostQuery.qrCode.rawValue, text: text))
            let answer = try await channel.hear { if case .reply = $0 { true } else { false } }
            guard case .reply(_, let result, let code) = answer else { return }
            let rows = result?["rows"]?.array ?? []
            #expect(code == (isDrawn ? nil : .misfit))
            #expect(rows.isEmpty != isDrawn && rows.allSatisfy { $0.string?.count == rows.count })
        }
    }
}
