import AppCore
import Catalogues
import Foundation
import ProgramRunner
import Storage
import Testing

@testable import Host

/// A profile on a real disk of a few megabytes that gets full.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: SmallDisk.isAvailable, "it takes the right to mount"))
struct FullDiskTests {
    private static func onDisk(
        kilobytes: Int = 8192, _ body: (SmallDisk, ProfilePlace) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "disk-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await SmallDisk.at(folder, kilobytes: kilobytes) { disk in
            let place = ProfilePlace(folder.path + "/profile")
            do { try await body(disk, place) } catch {
                await place.stop()
                throw error
            }
            await place.stop()
        }
    }

    private static func isTold(_ state: AppState) -> Bool? { state.storageFailure?.code == .diskFull ? true : nil }

    @Test func `what was said before a full disk is noticed is kept, and nothing new is begun until there is room`()
        async throws
    {
        try await Self.onDisk { disk, place in
            try place.fill(with: "verified_chat")
            let host = try await place.start(isActive: false)
            let room = try #require(await host.read { $0.rooms.first?.id })
            #expect(await host.profile.reserve.isKept)
            try disk.fill()
            // The database has some room of its own.
            var said: [String] = []
            while await host.read({ $0.storageFailure == nil }), said.count < 200 {
                said.append("number \(said.count) " + String(repeating: "words ", count: 10_000))
                await host.dispatch(.chat(.sendText(room: room, text: said.last ?? "")))
                await Task.yield()
            }
            try await place.expect("the banner") { Self.isTold($0) }
            #expect(await host.isSaved, "it is saved in the place of the reserve")
            await host.dispatch(.chat(.sendText(room: room, text: "one too many")))
            #expect(try await !place.texts().contains("one too many"))
            #expect(await host.read { $0.notices.last?.sentence.contains("disk is full") } == true)
            // Others take what the reserve gave.
            try disk.fill()
            try await place.start(isActive: false)
            let kept = try await Set(place.texts())
            #expect(said.dropLast().allSatisfy { kept.contains($0.trimmingCharacters(in: .whitespaces)) })
            try await place.expect("the banner of the next process") { Self.isTold($0) }
            try disk.makeRoom()
            try await place.expect("room again") { $0.storageFailure == nil ? true : nil }
            let again = try #require(place.host)
            await again.dispatch(.chat(.sendText(room: room, text: "there is room")))
            try await place.until("it to be saved") { await again.isSaved }
            try await place.start(isActive: false)
            #expect(try await place.texts().contains("there is room"))
        }
    }

    @Test func `a profile behind a passphrase opens on a disk that is full, with its reserve`() async throws {
        try await Self.onDisk { disk, place in
            try place.fill(with: "verified_chat")
            try await place.start()
            try await place.setPassphrase("one", current: nil)
            let texts = try await place.texts()
            await place.stop()
            try disk.fill()
            try await place.start(passphrase: "one")
            #expect(try await place.texts() == texts)
            try await place.expect("the banner") { Self.isTold($0) }
        }
    }

    /// Gives the reserve to others, and what is free.
    private static func spendReserve(_ disk: SmallDisk, _ place: ProfilePlace) throws {
        try FileManager.default.removeItem(atPath: place.file("reserve"))
        try disk.fill()
    }

    @Test func `a profile behind a passphrase opens on a disk that is full to the last byte`() async throws {
        try await Self.onDisk { disk, place in
            try place.fill(with: "verified_chat")
            try await place.start()
            try await place.setPassphrase("one", current: nil)
            let texts = try await place.texts()
            await place.stop()
            try Self.spendReserve(disk, place)
            let host = try await place.start()
            await host.dispatch(.app(.unlock(passphrase: host.pass(secret: "wrong"))))
            try await place.expect("the refusal") { $0.lock.attempt == nil ? true : nil }
            #expect(await host.read { $0.notices.last?.sentence }?.hasPrefix("The passphrase is wrong.") == true)
            try await place.start(passphrase: "one")
            #expect(try await place.texts() == texts)
            try await place.expect("the banner") { Self.isTold($0) }
            // A change takes room, and says so at once.
            let opened = try #require(place.host)
            await opened.dispatch(
                .app(.setPassphrase(passphrase: opened.pass(secret: "two"), current: opened.pass(secret: "one"))))
            try await place.expect("the answer") { $0.changesPassphrase ? nil : true }
            #expect(await opened.read { $0.notices.last?.sentence } == "The disk is full. Make room, then try again.")
            try await place.start(passphrase: "one")
        }
    }

    @Test func `an attempt that cannot be counted for want of room ends, and does not call the passphrase wrong`()
        async throws
    {
        try await Self.onDisk { disk, place in
            try place.fill(with: "verified_chat")
            try await place.start()
            try await place.setPassphrase("one", current: nil)
            await place.stop()
            try FileManager.default.removeItem(atPath: place.file("attempts"))
            try Self.spendReserve(disk, place)
            let host = try await place.start()
            await host.dispatch(.app(.unlock(passphrase: host.pass(secret: "one"))))
            try await place.expect("the answer") { $0.lock.attempt == nil ? true : nil }
            #expect(await host.read { $0.notices.last?.sentence } == "The disk is full. Make room, then try again.")
            #expect(await host.read(\.lock.isLocked))
            try disk.makeRoom()
            try await place.start(passphrase: "one")
        }
    }

    @Test(arguments: [false, true])
    func `everything can be erased on a disk that is full to the last byte`(isLocked: Bool) async throws {
        try await Self.onDisk { disk, place in
            try place.fill(with: "verified_chat")
            try await place.start()
            if isLocked { try await place.setPassphrase("one", current: nil) }
            await place.stop()
            try Self.spendReserve(disk, place)
            let host = try await place.start()
            await host.dispatch(.app(.eraseAll))
            try await place.expect("the end") { $0.erases || $0.lock.isLocked ? nil : true }
            #expect(!FileManager.default.fileExists(atPath: place.file("erasing")))
            try disk.makeRoom()
            try await place.until("the new profile to be saved") { await host.isSaved }
            try await place.start()
            #expect(await place.host?.read { $0.rooms.isEmpty && !$0.lock.isLocked } == true)
        }
    }

    @Test func `a profile opens and can be read on a disk that is full to the last byte`() async throws {
        try await Self.onDisk { disk, place in
            try place.fill(with: "verified_chat")
            try await place.start()
            let texts = try await place.texts()
            await place.stop()
            try FileManager.default.removeItem(atPath: place.file("reserve"))
            try disk.fill()
            try await place.start()
            #expect(try await place.texts() == texts)
            try await place.expect("the banner") { Self.isTold($0) }
        }
    }

    @Test func `everything can be erased on a full disk, with the key and without it`() async throws {
        for isLocked in [false, true] {
            try await Self.onDisk { disk, place in
                try place.fill(with: "verified_chat")
                try await place.start()
                if isLocked { try await place.setPassphrase("one", current: nil) }
                await place.stop()
                try disk.fill()
                let host = try await place.start()
                await host.dispatch(.app(.eraseAll))
                try await place.expect("the end") { $0.erases || $0.lock.isLocked ? nil : true }
                try disk.makeRoom()
                try await place.start()
                #expect(await place.host?.read { $0.rooms.isEmpty && !$0.lock.isLocked } == true)
            }
        }
    }

    @Test func `a room can be deleted on a full disk, which makes room`() async throws {
        try await Self.onDisk { disk, place in
            try place.fill(with: "verified_chat")
            let host = try await place.start()
            let room = try #require(await host.read { $0.rooms.first?.id })
            try disk.fill()
            await host.dispatch(.rooms(.deleteRoom(room: room)))
            try await place.until("it to be saved") { await host.isSaved }
            try disk.makeRoom()
            try await place.start()
            #expect(await place.host?.read { $0.rooms.contains { $0.id == room } } == false)
        }
    }
}
