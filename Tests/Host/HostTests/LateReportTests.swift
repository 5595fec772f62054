import AppCore
import Foundation
import Rooms
import Synchronization
import Testing

@testable import Host

/// What comes at a time when it means something else.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LateReportTests {
    @Test func `a report of a link that was replaced says nothing about the one that took its place`() async throws {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        let room = try await hosts.expect(hosts.ada, "a room") { $0.rooms.first?.id }
        let first = try #require(await hosts.ada.held.links[room])
        await hosts.ada.dispatch(.rooms(.leaveRoom(room: room)))
        await hosts.ada.dispatch(.rooms(.openRoom(room: room)))
        try await hosts.untilTalking(hosts.ada)
        let second = try #require(await hosts.ada.held.links[room])
        #expect(first != second)
        await hosts.ada.handle(.link(room: room.text, number: first.number, .reconnecting, path: nil))
        await hosts.ada.handle(.trust(room: room.text, number: first.number, .refused, safetyNumber: nil))
        await hosts.ada.handle(.linkFailed(room: room.text, number: first.number, .roomGone))
        #expect(await hosts.ada.held.links[room] == second)
        let after = try await hosts.expect(hosts.ada, "the room") { $0.rooms.first }
        #expect(after.status == .accepted && after.isTalking && after.live.verification == .verified)
        await hosts.ada.handle(.linkFailed(room: room.text, number: second.number, .roomGone))
        #expect(await hosts.ada.read { $0.rooms.first?.status } == .closed)
        await hosts.stop()
    }

    @Test func `a report of a watch that was replaced does not end the other one`() async throws {
        let hosts = try await TwoHosts()
        await hosts.ada.dispatch(.rooms(.createRoom(name: "Ben", expiresIn: 300)))
        let room = try await hosts.expect(hosts.ada, "a watched room") {
            $0.rooms.first.flatMap { $0.live.isWatched ? $0 : nil }
        }
        let watch = try #require(room.live.watchEffect)
        await hosts.ada.handle(.watchEnded(room: room.id.text, number: watch.number + 1))
        await hosts.ada.handle(.accepted(room: room.id.text, number: watch.number + 1, serverRoom: "elsewhere"))
        #expect(await hosts.ada.read { $0.rooms.first?.status } == .pending)
        #expect(await hosts.ada.held.watches[room.id] == watch)
        await hosts.stop()
    }

    @Test(arguments: [86_401, -86_401] as [Int64])
    func `an alarm comes when the clock is set past its time, or back`(seconds: Int64) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("alarm-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let ahead = Clock()
        let host = try AppHost(HostConfiguration(profile: folder, clock: { ahead.now }))
        await host.start()
        let alarm = ahead.now.advanced(bySeconds: 86_400)
        await host.execute(Effect(id: EffectID(1), kind: .schedule(at: alarm)))
        let first = try #require(await host.alarm)
        ahead.jump(seconds: seconds)
        await first.value
        #expect(!first.isCancelled)
        await host.stop()
    }

    private final class Clock: Sendable {
        private let offset = Mutex<Int64>(0)
        var now: Timestamp { HostConfiguration.systemClock().advanced(bySeconds: offset.withLock { $0 }) }
        func jump(seconds: Int64) { offset.withLock { $0 += seconds } }
    }
}
