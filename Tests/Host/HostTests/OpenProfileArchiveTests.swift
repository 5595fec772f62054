import AppCore
import Cryptography
import Foundation
import Storage
import Synchronization
import Testing

@testable import Host

/// The whole profile as a file while a host has it open, and another one in the place of an empty one.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct OpenProfileArchiveTests {
    private static let passphrase = "maple otter harbour violin"

    /// The archive that the settings of the main view show.
    private func export(_ place: ProfilePlace) async throws -> KeptFile {
        let host = try #require(place.host)
        await host.dispatch(.app(.exportProfile(passphrase: host.pass(secret: Self.passphrase))))
        let handle = try await place.expect("the archive") { $0.views.first?.archive.exported?.handle }
        return try #require(await host.archive(handle))
    }

    @Test func aProfileInUseIsExportedAndStandsWhereAnEmptyOneWas() async throws {
        let place = ProfilePlace()
        try place.fill(with: "verified_chat")
        try await place.start(isActive: false)
        let texts = try await place.texts()
        let kept = try await export(place)
        #expect(kept.name.hasPrefix("alcove-") && kept.name.hasSuffix(".backup"))
        #expect(await place.host?.archive("../profile.sqlite") == nil)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("archive-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try FileManager.default.copyItem(atPath: kept.path, toPath: file)
        await place.stop()
        try await place.start(isActive: false)
        #expect(!FileManager.default.fileExists(atPath: kept.path), "the next process knows of no archive")
        await place.stop()

        let empty = ProfilePlace()
        try await empty.start(isActive: false)
        try Data("{}".utf8).write(to: URL(fileURLWithPath: empty.file("page.json")))
        let isAsked = Mutex(false)
        let asked: @Sendable () -> Void = { isAsked.withLock { $0 = true } }
        let host = try #require(empty.host)
        await host.whenRestored(asked)
        for (words, code) in [("wrong words", Failure.Code.passphraseWrong), (Self.passphrase, nil)]
            as [(String, Failure.Code?)]
        {
            await host.dispatch(.app(.restoreProfile(handle: file, passphrase: host.pass(secret: words))))
            guard let code else { break }
            try await empty.expect("the refusal") { state in
                state.notices.contains { $0.text == Words(Failure(code)) } ? true : nil
            }
            let wasAsked = isAsked.withLock { $0 }
            #expect(!wasAsked)
        }
        let end = ContinuousClock.now + ProfilePlace.patience
        while !isAsked.withLock({ $0 }), .now < end { try await Task.sleep(for: .milliseconds(20)) }
        let restored = try #require(await host.restored)
        await empty.stop()
        try restored.replace(empty.folder)
        #expect(!FileManager.default.fileExists(atPath: empty.folder + ".restoring/former"))
        #expect(FileManager.default.fileExists(atPath: empty.file("page.json")), "browsers stay let in")
        try await empty.start(isActive: false)
        #expect(try await empty.texts() == texts && !texts.isEmpty)
        await empty.stop()
    }

    @Test func aProfileThatHoldsSomethingIsNotReplaced() async throws {
        let place = ProfilePlace()
        try await place.start(isActive: false)
        let kept = try await export(place)
        let host = try #require(place.host)
        await host.whenRestored {}
        // The core has not looked at the notes; the host has.
        try FileManager.default.createDirectory(
            atPath: place.file("Notes/notes/one"), withIntermediateDirectories: true)
        await host.dispatch(.app(.restoreProfile(handle: kept.path, passphrase: host.pass(secret: Self.passphrase))))
        try await place.expect("the refusal") { state in
            state.notices.contains { $0.text == Words(Failure(.profileNotEmpty)) } ? true : nil
        }
        #expect(await host.restored == nil)
        await place.stop()
    }
}
