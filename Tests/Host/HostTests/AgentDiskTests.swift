import AgentProtocols
import Agents
import AppCore
import Foundation
import ProgramRunner
import Storage
import Synchronization
import Testing
import Wire

@testable import Host

/// What is kept about agents, on a disk that gets full, and with two processes at once.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: SmallDisk.isAvailable, "it takes the right to mount"))
struct AgentDiskTests {
    private static func onDisk(_ body: (SmallDisk, ProfilePlace) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "disk-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await SmallDisk.at(folder, kilobytes: 16384) { disk in
            let place = ProfilePlace(folder.path + "/profile")
            do { try await body(disk, place) } catch {
                await place.stop()
                throw error
            }
            await place.stop()
        }
    }

    /// A session with an agent that was never started.
    private static func session(_ place: ProfilePlace) async throws -> AgentSessionID {
        let host = try #require(place.host)
        await host.dispatch(.agents(.addAgent(name: "helper", command: ["/no/such/program"])))
        let agent = try await place.expect("the agent") { $0.agents.inOrder.first?.id }
        await host.dispatch(.agents(.newAgentSession(agent: agent, folder: "/")))
        return try await place.expect("the session") { $0.talks.inOrder.first?.id }
    }

    @Test func `a picture that does not fit on the disk is refused, and one that fits later is taken`() async throws {
        try await Self.onDisk { disk, place in
            let host = try await place.start(isActive: false)
            let session = try await Self.session(place)
            try await place.until("the session on the disk") { await host.isSaved }
            let file = NSTemporaryDirectory() + "picture-\(UUID().uuidString).gif"
            defer { try? FileManager.default.removeItem(atPath: file) }
            let bytes = Array("GIF89a".utf8) + [UInt8](repeating: 7, count: 3_000_000)
            try Data(bytes).write(to: URL(fileURLWithPath: file))
            let attach = Action.agents(
                .attachToPrompt(session: session, name: "a.gif", bytes: Int64(bytes.count), handle: file))
            try disk.fill()
            await host.dispatch(attach)
            try await place.expect("an answer") { state in
                state.pendingEffects.contains { if case .keepPicture = $0 { true } else { false } } ? nil : true
            }
            #expect(await host.read { $0.talks[session]?.session.pictures } == nil)
            #expect(await host.read { !$0.notices.isEmpty || $0.storageFailure != nil })
            try disk.makeRoom()
            try await place.expect("room again") { $0.storageFailure == nil ? true : nil }
            await host.dispatch(attach)
            let kept = try await place.expect("the picture") { $0.talks[session]?.session.pictures?.first }
            #expect(try await host.profile.picture(kept.id).bytes == bytes)
            try await place.until("it on the disk") { await host.isSaved }
            // The next process shows it, and nothing of the one that did not fit is left.
            let again = try await place.start(isActive: false)
            #expect(await again.read { $0.talks.pictures } == [kept.id])
            let rows = try await again.profile.database.withLock { database in
                try database.first("SELECT count(*) FROM agent_pictures") { try $0[0] as Int }
            }
            #expect(rows == 1)
        }
    }

    @Test
    func
        `what is said for a member while the disk is full comes to them, and after a start the rest is told as missing`()
        async throws
    {
        try await Self.onDisk { disk, place in
            let host = try await place.start(isActive: false)
            let key = Profile.SharedLogKey(room: "r", session: "s")
            let store = SharedLogPlace(profile: await host.profile, key: key, share: "a")
            let journal = SharedJournal(session: "s", log: SharedLog(), store: store)
            let frames = Mutex<[SharingFrame.Content]>([])
            journal.follow(after: 0, isLive: true) { frame in frames.withLock { $0.append(frame) } }
            func say(_ number: Int) {
                let text = "\(number) " + String(repeating: "x", count: 8000)
                journal.add([SharedEvent(.text, ["text": .string(text)])])
                journal.received(through: number)
            }
            for number in 1...5 { say(number) }
            try disk.fill()
            for number in 6...400 { say(number) }
            try disk.makeRoom()
            for number in 401...405 { say(number) }
            let sent = frames.withLock {
                $0.compactMap { if case .event(_, let number, _) = $0 { number } else { nil } }
            }
            #expect(sent == Array(1...405), "nobody waits for the disk")
            await place.stop()
            let again = try await place.start(isActive: false)
            let kept = try #require(try await again.profile.sharedLog(key))
            var log = kept.log
            #expect(kept.share == "a" && log.summary.next == 406)
            // A member who had less than the disk has hears that something is missing, and then everything else, once.
            var member = MemberSession(session: "s", agent: "a", heard: 3)
            _ = member.linked()
            var outputs = member.receive(log.follow("s", after: 3))
            while let entry = log.nextToSend() {
                outputs += member.receive(.event(session: "s", sequence: entry.sequence, entry.event))
            }
            #expect(member.heard == 405)
            #expect(
                !outputs.contains { if case .send(.resume) = $0 { true } else { false } }, "it asks for nothing in vain"
            )
        }
    }

    @Test func `nothing is recorded in half on a full disk, and the log goes on when there is room`() async throws {
        try await Self.onDisk { disk, place in
            let log = ToolLog(folder: place.folder + "/tools")
            func entry(_ about: String) -> ToolLog.Entry {
                .init(client: "a", says: nil, tool: "read_note", about: about, outcome: .done)
            }
            try FileManager.default.createDirectory(atPath: place.folder, withIntermediateDirectories: true)
            try log.append(entry("before"))
            try disk.fill()
            #expect(!log.isWritable, "it is known before something is done")
            var refused = 0
            for number in 0..<100 { do { try log.append(entry("\(number)")) } catch { refused += 1 } }
            #expect(refused > 0)
            try disk.makeRoom()
            #expect(log.isWritable)
            try log.append(entry("after"))
            let abouts = log.last(200).compactMap(\.about)
            #expect(abouts.first == "before" && abouts.last == "after" && abouts.count == 102 - refused)
        }
    }

    @Test func `a second process does not get at the journal and the pictures of the first one`() async throws {
        let place = ProfilePlace()
        let host = try await place.start(isActive: false)
        let session = try await Self.session(place)
        try await place.until("the session on the disk") { await host.isSaved }
        #expect(throws: (any Error).self) { try AppHost(HostConfiguration(profile: place.folder)) }
        let picture = try #require(PromptPicture(Array("GIF89a".utf8) + [0]))
        let kept = try await host.profile.keep(picture, named: "a")
        #expect(try await host.profile.picture(kept.id) == picture)
        #expect(await host.read { $0.talks[session] != nil })
        await place.stop()
    }
}
