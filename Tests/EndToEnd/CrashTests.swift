import AppCore
import Foundation
import Host
import Platform
import Testing

/// A program that is killed at any instant leaves a profile that opens again, with everything in it that it ever showed
/// or acknowledged.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct CrashTests {
    private static let rounds = 20

    /// What one profile holds, as its own program would show it.
    private struct Held {
        var sent: [String] = []
        var received: [String] = []
        /// Received files, by name.
        var files: [String: Transfer] = [:]
        var isWaiting = false

        init(profile: String) async throws {
            let host = try AppHost(HostConfiguration(profile: profile))
            await host.start()
            // What only the disk has comes into memory in pages.
            while let (room, first) = await host.read({ $0.rooms.lazy.compactMap(\.missingBefore).first }) {
                await host.dispatch(.chat(.loadEarlier(room: room, message: first)))
                let isThere = await host.wait(upTo: .seconds(60)) { state in
                    state.rooms[room]?.messages.isMissing(before: first) == false ? true : nil
                }
                try #require(isThere == true)
            }
            let messages = await host.read { $0.rooms.flatMap(\.messages.all) }
            await host.stop()
            for message in messages {
                isWaiting = isWaiting || message.status == .pending || message.transfer?.state == .running
                let name: String
                switch message.body {
                case .text(let text): name = text
                case .file(let offer):
                    name = offer.name
                    if message.direction == .received { files[name] = message.transfer }
                default: continue
                }
                if message.direction == .sent { sent.append(name) } else { received.append(name) }
            }
        }
    }

    /// What a process printed of its own or of the other person's messages.
    private static func printed(_ process: AlcoveProcess, _ mark: String) -> Set<String> {
        Set(
            process.lines.filter { $0.hasPrefix(mark) && $0.contains("#") }
                .compactMap { $0.dropFirst(2).split(separator: " ").first.map(String.init) })
    }

    /// Waits a while that is different each time, to die in the middle of anything.
    private static func pause(_ random: inout SeededGenerator, upTo milliseconds: Int) async throws {
        try await Task.sleep(for: .microseconds(Int.random(in: 0...milliseconds * 1000, using: &random)))
    }

    @Test func `nothing that was shown is lost and nothing comes twice, whenever a process is killed`() async throws {
        var random = SeededGenerator(seed: 20_261_121)
        let fixture = try await RoomFixture()
        let names = ["ada", "ben"]
        let (ada, ben, code) = try await fixture.pair()
        var people = [ada, ben]
        var shown: [Set<String>] = [[], []]
        var heard: [Set<String>] = [[], []]
        var started: [Int] = []
        for round in 1...Self.rounds {
            // Some die while they start, some in the middle of a talk.
            if Bool.random(using: &random), let index = started.first {
                try await people[index].expect("Connected, verified")
            }
            for line in 1...6 {
                for (index, name) in names.enumerated() { people[index].type("\(name)#\(round).\(line)") }
            }
            let file = fixture.folder + "/file#\(round)"
            try Data(repeating: UInt8(round), count: 50_000).write(to: URL(fileURLWithPath: file))
            people[round % 2].type("/file \(file)")
            people[(round + 1) % 2].type("/accept")
            try await Self.pause(&random, upTo: 300)
            started = Self.victims(&random)
            for index in started {
                people[index].signal(SIGKILL)
                try await people[index].exitCode()
                shown[index].formUnion(Self.printed(people[index], ">"))
                heard[index].formUnion(Self.printed(people[index], "<"))
                let held = try await Held(profile: "\(fixture.folder)/\(names[index])")
                #expect(shown[index].subtracting(held.sent).isEmpty)
                #expect(heard[index].subtracting(held.received).isEmpty)
                people[index] = try fixture.chat(names[index], String(code.prefix(6)))
            }
        }
        for process in people {
            process.signal(SIGKILL)
            try await process.exitCode()
        }
        try await Self.finish(fixture, String(code.prefix(6)))
    }

    private static func victims(_ random: inout SeededGenerator) -> [Int] {
        [[0], [1], [0, 1]].randomElement(using: &random) ?? [0]
    }

    /// Lets both live until everything has arrived, and compares what they have.
    private static func finish(_ fixture: RoomFixture, _ digits: String) async throws {
        var people = try ["ada", "ben"].map { try fixture.chat($0, digits) }
        for process in people {
            try await process.expect("Connected, verified")
            process.type("the end")
        }
        let file = fixture.folder + "/last#255"
        try Data(repeating: 255, count: 50_000).write(to: URL(fileURLWithPath: file))
        people[0].type("/file \(file)")
        try await people[1].expect("< last#255")
        people[1].type("/accept")
        try await people[1].expect("< last#255 (50 kB)  [Received: ")
        try await people[0].expect("> last#255 (50 kB)  [The other person has the file]")
        for _ in 0..<20 {
            try await Task.sleep(for: .milliseconds(500))
            for process in people { process.type("/quit") }
            for process in people { try await process.exitCode() }
            guard try await isWaiting(fixture) else { break }
            people = try ["ada", "ben"].map { try fixture.chat($0, digits) }
            for process in people { try await process.expect("Connected, verified") }
        }
        #expect(try await isWaiting(fixture) == false)
        let (ada, ben) = (
            try await Held(profile: fixture.folder + "/ada"), try await Held(profile: fixture.folder + "/ben")
        )
        for (from, to) in [(ada, ben), (ben, ada)] {
            // A file takes its place among the messages when it has been read, so what is said meanwhile may come before it.
            #expect(from.sent.filter { !$0.hasPrefix("file#") } == to.received.filter { !$0.hasPrefix("file#") })
            #expect(from.sent.sorted() == to.received.sorted())
            #expect(Set(from.sent).count == from.sent.count)
            #expect(from.sent.count > rounds)
        }
        for (name, held) in [("ada", ada), ("ben", ben)] { try compareFiles(fixture.folder + "/\(name)/Files", held) }
    }

    private static func isWaiting(_ fixture: RoomFixture) async throws -> Bool {
        for name in ["ada", "ben"] {
            if try await Held(profile: fixture.folder + "/" + name).isWaiting { return true }
        }
        return false
    }

    /// Every file that is said to be there is there, whole and once.
    private static func compareFiles(_ folder: String, _ held: Held) throws {
        let there = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        #expect(Set(there) == Set(held.files.filter { $0.value.state == .finished }.keys))
        for name in there {
            let content = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
            #expect(content == Data(repeating: UInt8(name.split(separator: "#")[1]) ?? 0, count: 50_000))
        }
    }
}

/// SplitMix64: the same numbers on every machine.
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension Room {
    /// The first message in memory, if the disk has more before it.
    fileprivate var missingBefore: (RoomID, AppCore.MessageID)? {
        guard let first = messages.all.first?.id, messages.isMissing(before: first) else { return nil }
        return (id, first)
    }
}
