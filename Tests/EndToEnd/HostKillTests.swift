import AppCore
import Foundation
import Host
import Testing

/// The host process is killed at instants that a seed decides, while three clients make rooms as fast as they can.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct HostKillTests {
    /// What was acknowledged is there once after each kill. What was not is asked for again by the clients, which come back by themselves, and
    /// is there once. `ALCOVE_KILLS` says how many kills; otherwise there are as many as 30 seconds have room for.
    @Test func `a killed host has done everything once`() async throws {
        let wanted = ProcessInfo.processInfo.environment["ALCOVE_KILLS"].flatMap(Int.init)
        let deadline = ContinuousClock.now + .seconds(30)
        var random = SplitMix64(seed: 7)
        var starts: [Duration] = []
        var rooms = 0
        while starts.count < wanted ?? 200, wanted != nil || starts.isEmpty || .now < deadline {
            // A new profile now and then: the server does not answer, so every room that ever was is still to be deleted there.
            let made = try await Self.round(kills: 10, &random, &starts)
            #expect(made > 0)
            rooms += made
        }
        starts.sort()
        let (median, most) = (starts[starts.count / 2], starts[starts.count - 1])
        print("\(starts.count) kills, \(rooms) rooms; the next host process listens after \(median), at most \(most)")
    }

    /// Kills the host process of a new profile so many times.
    /// - Returns: how many rooms were made.
    private static func round(
        kills: Int, _ random: inout SplitMix64, _ starts: inout [Duration]
    ) async throws -> Int {
        let fixture = try await RoomFixture()
        try await fixture.killServer()
        let folder = fixture.folder + "/ada"
        var host = try await start(fixture)
        defer { host.signal(SIGKILL) }
        var makers: [Maker] = []
        for name in ["one", "two", "three"] { makers.append(try await Maker(name, folder)) }
        let work = makers.map { maker in Task { await maker.run() } }
        for _ in 0..<kills {
            try await Task.sleep(for: .microseconds(Int.random(in: 0..<50_000, using: &random)))
            host.signal(SIGKILL)
            try await host.exitCode()
            let begin = ContinuousClock.now
            host = try await start(fixture)
            starts.append(.now - begin)
            try await check(makers, folder)
        }
        for maker in makers { await maker.end() }
        for task in work { await task.value }
        try await check(makers, folder)
        var made = 0
        for maker in makers { made += await maker.next }
        return made
    }

    /// Starts the host process of one person, and waits until it listens.
    private static func start(_ fixture: RoomFixture) async throws -> AlcoveProcess {
        let process = try AlcoveProcess(["host", "run"] + fixture.options("ada"))
        try await process.expect("host.sock")
        return process
    }

    /// What was acknowledged by now is there, and nothing twice. Then it goes, so that a profile of a usual size is loaded each time.
    private static func check(_ makers: [Maker], _ folder: String) async throws {
        var acknowledged: Set<String> = []
        for maker in makers { acknowledged.formUnion(await maker.takeAcknowledged()) }
        let client = try await RemoteHost(profile: folder, front: false)
        let rooms = await client.read { $0.rooms.map { (id: $0.id, name: $0.name) } }
        let names = rooms.map(\.name)
        let repeated = names.count - Set(names).count
        #expect(repeated == 0, "something was done twice")
        let missing = acknowledged.subtracting(names).count
        #expect(missing == 0, "acknowledged, and not there")
        for room in rooms where acknowledged.contains(room.name) {
            await client.dispatch(.rooms(.deleteRoom(room: room.id)))
        }
        #expect(await client.ending == nil)
        await client.stop()
    }
}

/// A client that makes one room after the other.
private actor Maker {
    private let name: String
    private let client: RemoteHost
    private var isEnding = false
    /// How many rooms were acknowledged.
    private(set) var next = 0
    private var acknowledged: Set<String> = []

    init(_ name: String, _ folder: String) async throws {
        self.name = name
        client = try await RemoteHost(profile: folder)
    }

    /// Rooms that may wait to be looked at: a profile has only so many.
    private static let limit = 10

    func run() async {
        while !isEnding {
            if acknowledged.count >= Self.limit {
                try? await Task.sleep(for: .milliseconds(1))
                continue
            }
            let room = "\(name)/\(next)"
            await client.dispatch(.rooms(.createRoom(name: room, expiresIn: 300)))
            guard await client.ending == nil else { break }
            acknowledged.insert(room)
            next += 1
        }
        await client.stop()
    }

    func end() { isEnding = true }

    /// The names of the rooms that were acknowledged since the last time.
    func takeAcknowledged() -> Set<String> {
        defer { acknowledged = [] }
        return acknowledged
    }
}
