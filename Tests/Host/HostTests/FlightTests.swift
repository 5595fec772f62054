import AppCore
import Foundation
import Scenarios
import Testing

@testable import Host

/// What a profile knows about its last run, for a bug report.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct FlightTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("flight-\(UUID().uuidString)")
        .path

    private func replay(_ flight: RecordedFlight) -> Core {
        var core = Core(state: flight.start)
        for input in flight.inputs { _ = core.dispatch(input) }
        return core
    }

    @Test func `a run is recorded without what was said, and replays to the state it ended in`() async throws {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        try await hosts.say(hosts.ada, "a very particular sentence")
        try await hosts.untilHeard(hosts.ben, ["a very particular sentence"])
        await hosts.stop()
        let live = await hosts.ben.read { $0.redacted }
        let flight = try #require(try RecordedFlight.read(profile: hosts.folder + "/ben", withContent: false) { "" })
        #expect(flight.inputs.count > 5)
        #expect(replay(flight).state.rooms == live.rooms)
        #expect(!String(decoding: try JSON.encode(flight.inputs), as: UTF8.self).contains("particular"))
        #expect(!String(decoding: try JSON.encode(flight.start), as: UTF8.self).contains("particular"))
    }

    @Test func `nothing that was recorded outlives the deletion of a room`() async throws {
        let scenario = try Scenario.named("rooms_list")
        try AppHost.fill(profile: folder, with: scenario)
        let host = try AppHost(HostConfiguration(profile: folder))
        await host.start()
        let room = try #require(await host.read { $0.rooms.first?.id })
        await host.dispatch(.rooms(.renameRoom(room: room, name: "Carl")))
        await host.dispatch(.rooms(.deleteRoom(room: room)))
        await host.stop()
        let flight = try #require(try RecordedFlight.read(profile: folder, withContent: false) { "" })
        #expect(!String(decoding: try JSON.encode(flight.inputs), as: UTF8.self).contains(room.text))
        #expect(!flight.start.rooms.contains { $0.id == room })
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test(arguments: ["rooms_list", "outbox_offline", "file_half_received", "settings"])
    func `a real host begins where a scenario ends`(name: String) async throws {
        let scenario = try Scenario.named(name)
        try AppHost.fill(profile: folder, with: scenario)
        let host = try AppHost(HostConfiguration(profile: folder))
        await host.start()
        let expected = try scenario.play().driver.state
        let state = await host.read { $0 }
        #expect(Set(state.rooms.map(\.id)) == Set(expected.rooms.map(\.id)))
        for room in expected.rooms { #expect(state.rooms[room.id]?.messages.all.count == room.messages.all.count) }
        #expect(state.settings == expected.settings)
        await host.stop()
        #expect(throws: ProfileError.self) { try AppHost.fill(profile: folder, with: scenario) }
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func `a long run keeps its last two segments, which replay as one`() throws {
        let performance = try Scenario.named("verified_chat").play()
        let room = try #require(performance.driver.state.rooms.first?.id)
        var (core, clock) = (performance.driver.core, performance.driver.clock)
        var log = FlightLog(nextSegment: 1)
        log.begin(with: core.state, continues: false)
        var disk: [String: FlightPart] = [:]
        for number in 0..<(FlightLog.segmentLength * 5 / 2) {
            let input = clock.input(.chat(.setDraft(room: room, text: "draft \(number % 7)")))
            _ = core.dispatch(input)
            log.record(input)
            if log.isFull { log.begin(with: core.state, continues: true) }
            guard number % 333 == 0 else { continue }
            for part in log.unwritten { disk["\(part.segment)/\(part.place)"] = part }
            log.markWritten()
            disk = disk.filter { $0.value.segment >= log.oldestSegment }
        }
        for part in log.unwritten { disk["\(part.segment)/\(part.place)"] = part }
        let parts = try disk.values.map { try JSON.decode(FlightPart.self, from: JSON.encode($0)) }
        let flight = try #require(RecordedFlight(parts))
        #expect(flight.inputs.count > FlightLog.segmentLength)
        #expect(flight.inputs.count < FlightLog.segmentLength * 2)
        #expect(replay(flight).state.rooms == core.state.redacted.rooms)
    }

    @Test func `a segment ends when its inputs have grown large`() throws {
        var (log, clock) = (FlightLog(nextSegment: 1), LogicalClock())
        log.begin(with: AppState(), continues: false)
        let spans = [NoteSpan(text: String(repeating: "secret ", count: FlightLog.segmentBytes / 7 + 1))]
        #expect(!log.isFull)
        log.record(clock.input(.event(.noteText(effect: EffectID(1), revision: "r", spans: spans))))
        #expect(log.isFull)
        log.markWritten()
        #expect(log.unwritten.isEmpty && log.isFull)
    }

    /// A peer who says as much as a room takes does not make the record of a run longer than anybody else.
    @Test func `a long history costs the recorder no more than a short one`() async throws {
        let driver = try Scenario.named("verified_chat").play().driver
        var (core, clock) = (driver.core, driver.clock)
        let room = try #require(core.state.rooms.first?.id)
        let text = String(repeating: "a long story. ", count: RoomLimits.textBytes / 14)
        for number in 0..<500 as Range<UInt64> {
            let said = Event.messageReceived(
                room: room, message: MessageID("m\(number)"), sequence: number + 1, sentAt: clock.now,
                body: .text(text))
            _ = core.dispatch(clock.input(.event(said)))
        }
        let redacted = core.state.redacted
        #expect(try JSON.encode(redacted).count < 256 << 10)
        #expect(redacted.rooms[room]?.messages.last?.id == "m499")
        #expect(redacted.redacted == redacted)

        let messages = try #require(core.state.rooms[room]).messages.all
        let keys = [RecordKey.room(room)] + messages.map { RecordKey.message(room, $0.id) }
        let profile = try Profile(path: folder)
        try profile.save(try keys.map { (key: $0, value: try core.record(for: $0)) }, durably: true)
        profile.close()
        let host = try AppHost(HostConfiguration(profile: folder))
        await host.start()
        #expect(await host.read { $0.rooms.first?.messages.count } == core.state.rooms.first?.messages.count)
        await host.stop()
        let flight = try #require(try RecordedFlight.read(profile: folder, withContent: false) { "" })
        let written = String(decoding: try JSON.encode(flight.start), as: UTF8.self)
        #expect(written.utf8.count < 256 << 10 && !written.contains("story"))
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func `pieces without a beginning are no flight`() {
        #expect(RecordedFlight([]) == nil)
        #expect(RecordedFlight([FlightPart(segment: 1, place: 5, continues: false, start: nil, inputs: [])]) == nil)
    }
}
