import AppCore
import Foundation
import Testing

@testable import Host

/// Erasing takes no key, and is finished whatever comes between.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ErasingTests {
    private static let passphrase = "correct horse"

    /// A profile with messages behind a passphrase, whose host has ended.
    private static func locked() async throws -> ProfilePlace {
        let place = ProfilePlace()
        try place.fill(with: "verified_chat")
        try await place.start()
        #expect(try await !place.texts().isEmpty)
        try await place.setPassphrase(passphrase, current: nil)
        await place.stop()
        try Data("received".utf8).write(to: URL(fileURLWithPath: place.folder).appending(path: "Files-note"))
        try FileManager.default.createDirectory(atPath: place.file("Files"), withIntermediateDirectories: true)
        try Data("received".utf8).write(to: URL(fileURLWithPath: place.file("Files/photo")))
        try FileManager.default.createDirectory(atPath: place.file("Gateway"), withIntermediateDirectories: true)
        try Data("key".utf8).write(to: URL(fileURLWithPath: place.file("Gateway/key.pem")))
        return place
    }

    /// Nothing is left of what there was, for this process and for the next.
    private static func expectNothing(in place: ProfilePlace) async throws {
        try await place.expect("the end") { $0.rooms.isEmpty && !$0.erases && !$0.lock.isLocked ? true : nil }
        #expect(!FileManager.default.fileExists(atPath: place.file("Files/photo")))
        #expect(!FileManager.default.fileExists(atPath: place.file("Gateway")))
        try await place.start()
        let state = try await #require(place.host).read { $0 }
        #expect(!state.lock.isLocked && !state.settings.hasPassphrase && state.rooms.isEmpty)
        // It is a profile like any other.
        await place.host?.dispatch(.rooms(.createRoom(name: "New", expiresIn: 300)))
        await place.stop()
        try await place.start()
        #expect(await place.host?.read { $0.rooms.count } == 1)
        await place.stop()
    }

    @Test func `whoever lost the passphrase erases everything, and nothing is back after a restart`() async throws {
        let place = try await Self.locked()
        let host = try await place.start()
        #expect(await host.read(\.lock.isLocked))
        await host.dispatch(try #require(await host.tree.children.first { $0.id == "lock.erase" }?.offers.first).action)
        try await Self.expectNothing(in: place)
    }

    @Test func `a process that ends between the wish and the deed is followed by one that erases`() async throws {
        let place = try await Self.locked()
        let profile = try Profile(path: place.folder)
        #expect(profile.isLocked)
        try profile.save([(key: .erasing, value: Array(#"{"effect":4000}"#.utf8))], durably: true)
        profile.close()
        try await place.start()
        try await Self.expectNothing(in: place)
    }

    @Test(arguments: ["", "vault", "device.key", "profile.sqlite", "pools"])
    func `a process that ends in the middle is followed by one that finishes`(gone: String) async throws {
        let place = try await Self.locked()
        let note = #"{"folders":["pools","Sealed","NoteIndex","Files","../outside",".","Apps"]}"#
        let outside = place.folder + "-outside"
        let sibling = URL(fileURLWithPath: place.folder).deletingLastPathComponent().appending(path: "outside")
        try FileManager.default.createDirectory(at: sibling, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: sibling) }
        try Data(note.utf8).write(to: URL(fileURLWithPath: place.file("erasing")))
        if !gone.isEmpty { try? FileManager.default.removeItem(atPath: place.file(gone)) }
        try await place.start()
        #expect(FileManager.default.fileExists(atPath: sibling.path), "what lies outside stays")
        #expect(!FileManager.default.fileExists(atPath: place.file("erasing")) && !outside.isEmpty)
        try await Self.expectNothing(in: place)
    }

    @Test func `a note of an erasure that cannot be read is followed all the same`() async throws {
        let place = try await Self.locked()
        try Data("{".utf8).write(to: URL(fileURLWithPath: place.file("erasing")))
        try await place.start()
        try await Self.expectNothing(in: place)
    }

    @Test func `erasing with the vault open leaves nothing either`() async throws {
        let place = try await Self.locked()
        try await place.start(passphrase: Self.passphrase)
        await place.host?.dispatch(.app(.eraseAll))
        try await Self.expectNothing(in: place)
    }
}
