import AppCore
import Foundation
import Rooms
import Testing

@testable import Host

/// The ends of links, and what comes after them.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LeavingTests {
    @Test func `a room that is opened again the moment it was left is talked in again`() async throws {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        let room = try await hosts.expect(hosts.ada, "a room") { $0.rooms.first?.id }
        for round in 1...3 {
            await hosts.ada.dispatch(.rooms(.leaveRoom(room: room)))
            await hosts.ada.dispatch(.rooms(.openRoom(room: room)))
            try await hosts.untilTalking(hosts.ada)
            try await hosts.say(hosts.ada, "\(round)")
            try await hosts.untilHeard(hosts.ben, (1...round).map(String.init))
        }
        await hosts.stop()
    }

    @Test func `who was away when the other side deleted the room is told that it is gone`() async throws {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        await hosts.ben.stop()
        let room = try await hosts.expect(hosts.ada, "a room") { $0.rooms.first?.id }
        await hosts.ada.dispatch(.rooms(.deleteRoom(room: room)))
        try await hosts.expect(hosts.ada, "the deletion") { $0.pendingEffects.byID.isEmpty ? true : nil }
        hosts.ben = try await TwoHosts.host(hosts.folder + "/ben", hosts.url)
        try await hosts.expect(hosts.ben, "the end of the room") { $0.rooms.first?.status == .closed ? true : nil }
        await hosts.stop()
    }

    @Test func `a side that missed the last confirmation of the words proves them once more`() async throws {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        let room = try await hosts.expect(hosts.ben, "a room") { $0.rooms.first?.id }
        let profile = await hosts.ben.profile
        await hosts.ben.rooms.closeLink(room.text)
        await hosts.ben.rooms.pause()
        var keys = try #require(try profile.load(room: room.text))
        (keys.resumption, keys.pinned, keys.trust) = (nil, nil, .unmet)
        try profile.save(keys, room: room.text)
        await hosts.ben.stop()
        hosts.ben = try await TwoHosts.host(hosts.folder + "/ben", hosts.url)
        try await hosts.untilTalking(hosts.ben)
        for host in [hosts.ada, hosts.ben] {
            try await hosts.expect(host, "the proof") { $0.rooms.first?.live.verification == .verified ? true : nil }
        }
        await hosts.stop()
    }

    @Test func `erasing everything leaves a folder of received files that is not the profile's own`() async throws {
        let hosts = try await TwoHosts()
        let folder = hosts.folder + "/downloads"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await hosts.ada.profile.erase(folders: [folder])
        #expect(FileManager.default.fileExists(atPath: folder))
        await hosts.stop()
    }
}
