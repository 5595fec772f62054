import AppCore
import Cryptography
import Foundation
import ProgramRunner
import Scenarios
import Storage
import Testing

@testable import Host

/// Exporting and restoring on a disk that gets full, and in processes that are killed at random instants.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ArchiveCrashTests {
    private static let kills = 30

    /// A profile with a few hundred files.
    private static func filled(_ folder: String? = nil) throws -> ArchivePlace {
        let place = try ArchivePlace(folder)
        try AppHost.fill(profile: place.path("profile"), with: .named("verified_chat"))
        for number in 0..<200 {
            try place.write(SecureRandom.bytes(number * 50), to: "profile/Notes/notes/\(number)/logs/log")
        }
        return place
    }

    private static func expectWhole(_ profile: String, in place: ArchivePlace, _ records: [String: String]) throws {
        #expect(try place.records(profile) == records)
        for number in 0..<200 {
            let name = "/Notes/notes/\(number)/logs/log"
            #expect(place.read(profile + name) == place.read("profile" + name), "\(profile)\(name)")
        }
    }

    @Test func `a killed import leaves nothing or a whole profile, and the next one clears up`() async throws {
        let place = try Self.filled()
        let records = try place.records("profile")
        try place.export()
        var random = SystemRandomNumberGenerator()
        var whole = 0
        for round in 0..<Self.kills {
            let target = "target-\(round)"
            try await Self.runAndKill(
                ["import", place.path("backup"), place.path(target)],
                afterMilliseconds: UInt32.random(in: 0...400, using: &random))
            for name in try place.contents() where name.hasPrefix(target + ".") && !name.hasSuffix(".restoring") {
                try Self.expectWhole(name, in: place, records)
                whole += 1
                try FileManager.default.removeItem(atPath: place.path(name))
            }
            // The one that was under way goes on from nothing.
            for name in try place.contents() where name.hasSuffix(".restoring") {
                try place.restore(to: String(name.dropLast(".restoring".count)))
                #expect(try !place.contents().contains(name))
                try FileManager.default.removeItem(atPath: place.path(String(name.dropLast(".restoring".count))))
            }
        }
        try place.restore()
        try Self.expectWhole("restored", in: place, records)
        #expect(try place.contents() == ["backup", "profile", "restored"])
    }

    @Test func `a killed export leaves whole archives, and a profile that is exported again`() async throws {
        let place = try Self.filled()
        let records = try place.records("profile")
        var random = SystemRandomNumberGenerator()
        for round in 0..<Self.kills {
            try await Self.runAndKill(
                ["export", place.path("profile"), place.path("backup-\(round)")],
                afterMilliseconds: UInt32.random(in: 0...400, using: &random))
            for name in try place.contents() where name.hasPrefix("backup") {
                if !name.hasSuffix(".part") {
                    _ = try ProfileArchive.verify(
                        place.path(name), passphrase: ArchivePlace.passphrase, progress: { _, _ in true })
                }
                try FileManager.default.removeItem(atPath: place.path(name))
            }
        }
        try place.export()
        #expect(try !FileManager.default.contentsOfDirectory(atPath: place.path("profile")).contains("copy"))
        try place.restore()
        try Self.expectWhole("restored", in: place, records)
    }

    private static func runAndKill(_ words: [String], afterMilliseconds milliseconds: UInt32) async throws {
        let complaints = Pipe()
        let program = try RunningProgram(
            [Program.products.appending(path: "archive-crash-helper").path] + words,
            errors: complaints.fileHandleForWriting)
        try await Task.sleep(for: .milliseconds(milliseconds))
        let endedByItself = !program.isRunning
        program.signal(SIGKILL)
        _ = await program.exitCode()
        try complaints.fileHandleForWriting.close()
        let said = String(decoding: complaints.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(!endedByItself, "it ended by itself: \(said)")
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "it takes the right to mount"))
    func `a full disk is told, leaves nothing, and does no harm`() async throws {
        let source = try Self.filled()
        try source.write(SecureRandom.bytes(3 << 20), to: "profile/Notes/media/picture")
        try source.export()
        let folder = FileManager.default.temporaryDirectory.appending(path: "disk-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try SmallDisk.at(folder, kilobytes: 4096) { disk in
            let error = ArchivePlace.refusal {
                _ = try ProfileArchive.restore(
                    source.path("backup"), to: folder.path + "/profile", passphrase: ArchivePlace.passphrase,
                    progress: { _, _ in true })
            }
            #expect(error?.code == .diskFull)
            let written = ArchivePlace.refusal {
                _ = try ProfileArchive.export(
                    profile: source.path("profile"), to: folder.path + "/backup", passphrase: ArchivePlace.passphrase,
                    isMove: true, cost: ArchivePlace.cost(), progress: { _, _ in true })
            }
            // The disk may be just large enough for the archive, and never for the profile.
            #expect(written == nil || written?.code == .diskFull)
            try? FileManager.default.removeItem(atPath: folder.path + "/backup")
            let left = try FileManager.default.contentsOfDirectory(atPath: disk.folder.path)
            #expect(left.isEmpty)
        }
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "it takes the right to mount"))
    func `a profile on a full disk is exported to another one as soon as there is room for its database`() async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "disk-\(UUID().uuidString)")
        let target = try ArchivePlace()
        defer { try? FileManager.default.removeItem(at: folder) }
        try SmallDisk.at(folder, kilobytes: 8192) { disk in
            let place = try Self.filled(folder.path + "/place")
            func export() throws {
                _ = try ProfileArchive.export(
                    profile: place.path("profile"), to: target.path("backup"), passphrase: ArchivePlace.passphrase,
                    cost: ArchivePlace.cost(), progress: { _, _ in true })
            }
            try FileManager.default.removeItem(atPath: place.path("profile/reserve"))
            try disk.fill()
            #expect(ArchivePlace.refusal(export)?.code == .diskFull)
            #expect(try target.contents().isEmpty)
            try disk.makeRoom()
            try export()
            try target.restore()
            #expect(try target.records("restored") == place.records("profile"))
        }
    }
}
