import AppCore
import Foundation
import Rooms
import Testing

@testable import Host

/// The ends of links, and what comes after them.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LeavingTests {
    @Test func `a room that is opened again the moment it was left is talked in again`() async throws {
        let stage = try await TwoHosts()
        try await stage.meet()
        let room = try await stage.expect(stage.ada, "a room") { $0.rooms.first?.id }
        for round in 1...3 {
            await stage.ada.dispatch(.rooms(.leaveRoom(room: room)))
            await stage.ada.dispatch(.rooms(.openRoom(room: room)))
            try await stage.untilTalking(stage.ada)
            try await stage.say(stage.ada, "\(round)")
            try await stage.untilHeard(stage.ben, (1...round).map(String.init))
        }
        await stage.stop()
    }

    @Test func `who was away when the other side deleted the room is told that it is gone`() async throws {
        let stage = try await TwoHosts()
        try await stage.meet()
        await stage.ben.stop()
        let room = try await stage.expect(stage.ada, "a room") { $0.rooms.first?.id }
        await stage.ada.dispatch(.rooms(.deleteRoom(room: room)))
        try await stage.expect(stage.ada, "the deletion") { $0.pendingEffects.byID.isEmpty ? true : nil }
        stage.ben = try await TwoHosts.host(stage.folder + "/ben", stage.url)
        try await stage.expect(stage.ben, "the end of the room") { $0.rooms.first?.status == .closed ? true : nil }
        await stage.stop()
    }

    @Test func `a side that missed the last confirmation of the words proves them once more`() async throws {
        let stage = try await TwoHosts()
        try await stage.meet()
        let room = try await stage.expect(stage.ben, "a room") { $0.rooms.first?.id }
        let profile = await stage.ben.profile
        await stage.ben.rooms.closeLink(room.text)
        await stage.ben.rooms.pause()
        var keys = try #require(try profile.load(room: room.text))
        (keys.resumption, keys.pinned, keys.trust) = (nil, nil, .unmet)
        try profile.save(keys, room: room.text)
        await stage.ben.stop()
        stage.ben = try await TwoHosts.host(stage.folder + "/ben", stage.url)
        try await stage.untilTalking(stage.ben)
        for host in [stage.ada, stage.ben] {
            try await stage.expect(host, "the proof") { $0.rooms.first?.live.verification == .verified ? true : nil }
        }
        await stage.stop()
    }

    @Test func `erasing everything leaves a folder of received files that is not the profile's own`() async throws {
        let stage = try await TwoHosts()
        let folder = stage.folder + "/downloads"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await stage.ada.profile.erase(folders: [folder])
        #expect(FileManager.default.fileExists(atPath: folder))
        await stage.stop()
    }
}
