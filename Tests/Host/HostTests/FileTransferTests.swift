import AppCore
import Foundation
import Testing

@testable import Host
@testable import Rooms

/// Files between two hosts.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct FileTransferTests {
    private static func send(_ host: AppHost, _ path: String, bytes: Int64) async throws {
        let room = try #require(await host.read { $0.rooms.first?.id })
        await host.dispatch(
            .chat(.sendFile(room: room, name: "film.mkv", bytes: bytes, handle: path, media: nil)))
    }

    private static func transfer(_ state: AppState) -> Transfer? {
        state.rooms.first?.messages.all.compactMap(\.transfer).first
    }

    /// Keeps the queue of files busy until the test lets go.
    private static func hold(_ host: AppHost) async -> (release: DispatchSemaphore, work: Task<Void, any Error>) {
        let (held, hold) = AsyncStream<Void>.makeStream()
        let release = DispatchSemaphore(value: 0)
        let queue = await host.rooms.fileQueue
        let work = Task {
            try await queue.run { _ in
                hold.finish()
                release.wait()
            }
        }
        for await _ in held {}
        return (release, work)
    }

    @Test func `what is said while a file is read arrives before it, and the file arrives too`() async throws {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        let path = hosts.folder + "/film.mkv"
        let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        try content.write(to: URL(fileURLWithPath: path))
        let disk = await Self.hold(hosts.ada)
        try await Self.send(hosts.ada, path, bytes: 300_000)
        for number in 1...5 { try await hosts.say(hosts.ada, "\(number)") }
        try await hosts.untilHeard(hosts.ben, (1...5).map(String.init))
        #expect(await hosts.ben.read(Self.transfer) == nil)
        disk.release.signal()
        try await disk.work.value
        let offer = try await hosts.expect(hosts.ben, "the offer") { state in
            state.rooms.first?.messages.all.first { $0.transfer != nil }
        }
        let room = try #require(await hosts.ben.read { $0.rooms.first?.id })
        await hosts.ben.dispatch(.chat(.acceptFile(room: room, message: offer.id)))
        let arrived = try await hosts.expect(hosts.ben, "the file") {
            Self.transfer($0).flatMap { $0.state == .finished ? $0.path : nil }
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: arrived)) == content)
        try await hosts.expect(hosts.ada, "its arrival") { Self.transfer($0)?.state == .finished ? true : nil }

        let place = hosts.folder + "/mine.mkv"
        for copy in [place, hosts.folder + "/mine (2).mkv"] {
            await hosts.ben.dispatch(.chat(.saveFile(room: room, message: offer.id, to: place)))
            let words = Words.key("notice.file_saved", ["path": .said(copy)])
            try await hosts.expect(hosts.ben, "the copy") { $0.notices.last?.text == words ? true : nil }
            #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == content)
        }
        await hosts.ben.dispatch(.chat(.saveFile(room: room, message: offer.id, to: "/proc/nowhere/file")))
        try await hosts.expect(hosts.ben, "the refusal") {
            $0.notices.last?.text == Words(Failure(.placeUnwritable)) ? true : nil
        }
        try FileManager.default.removeItem(atPath: arrived)
        await hosts.ben.dispatch(.chat(.saveFile(room: room, message: offer.id, to: place)))
        try await hosts.expect(hosts.ben, "what is missing") {
            $0.notices.last?.text == Words(Failure(.fileUnreadable)) ? true : nil
        }
        await hosts.stop()
    }

    @Test func `a file that is cancelled while it is read is not offered`() async throws {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        let path = hosts.folder + "/film.mkv"
        try Data(count: 1000).write(to: URL(fileURLWithPath: path))
        let disk = await Self.hold(hosts.ada)
        try await Self.send(hosts.ada, path, bytes: 1000)
        let room = try #require(await hosts.ada.read { $0.rooms.first })
        let message = try #require(room.messages.last)
        await hosts.ada.dispatch(.chat(.cancelFile(room: room.id, message: message.id)))
        try await hosts.expect(hosts.ada, "the cancellation") { state in
            state.pendingEffects.byID.values.contains { if case .cancelFile = $0 { true } else { false } } ? nil : true
        }
        disk.release.signal()
        try await disk.work.value
        try await hosts.expect(hosts.ada, "the end of the delivery") {
            $0.rooms.first?.messages.last?.status == .pending ? nil : true
        }
        try await hosts.say(hosts.ada, "after it")
        try await hosts.untilHeard(hosts.ben, ["after it"])
        #expect(await hosts.ben.read(Self.transfer) == nil)
        #expect(await hosts.ada.read(Self.transfer)?.state == .cancelled)
        await hosts.stop()
    }
}
