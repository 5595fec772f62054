import AppCore
import Foundation
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
