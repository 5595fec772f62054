import Cryptography
import Foundation
import Synchronization
import Testing

@testable import Rooms

/// Files are read before they are offered, without delaying other messages.
@Suite(.timeLimit(.minutes(5)))
struct FileReadingTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("reading-\(UUID().uuidString)")

    private func digest(_ path: String, atMost limit: UInt64 = .max) throws -> FileDigest {
        try FileDigest(of: path, atMost: limit, FileQueue.Cancellation()) { _ in }
    }

    @Test func `texts overtake a file that is being read`() async throws {
        let pair = try ConversationPair()
        await pair.connect()
        try await pair.settle()
        let (held, hold) = AsyncStream<Void>.makeStream()
        let release = DispatchSemaphore(value: 0)
        let queue = await pair.ada.conversation.fileQueue
        let reading = Task {
            try await queue.run { _ in
                hold.finish()
                release.wait()
            }
        }
        for await _ in held {}
        let path = pair.folder + "/sent"
        try Data(count: 100).write(to: URL(fileURLWithPath: path))
        let file = OutgoingMessage(
            id: OutboxTests.id(1), sentAt: 0, content: .file(path: path, name: "sent", voice: nil))
        let offering = Task { [conversation = pair.ada.conversation] in try await conversation.deliver(file) }
        let text = OutgoingMessage(id: OutboxTests.id(2), sentAt: 0, content: .ready(.text("meanwhile")))
        pair.ada.messages.append(text)
        try await pair.ada.conversation.deliver(text)
        try await pair.settle()
        #expect(pair.ben.heard == ["meanwhile"])
        #expect(pair.ben.transfers.isEmpty)
        release.signal()
        try await reading.value
        try await offering.value
        try await pair.settle()
        #expect(pair.ben.transfers[file.id]?.state == .offered)
    }

    @Test func `a file that was called off while it was read is not offered`() async throws {
        let pair = try ConversationPair()
        await pair.connect()
        try await pair.settle()
        let release = DispatchSemaphore(value: 0)
        let (held, hold) = AsyncStream<Void>.makeStream()
        let queue = await pair.ada.conversation.fileQueue
        let reading = Task {
            try await queue.run { _ in
                hold.finish()
                release.wait()
            }
        }
        for await _ in held {}
        let path = pair.folder + "/sent"
        try Data(count: 100).write(to: URL(fileURLWithPath: path))
        let file = OutgoingMessage(
            id: OutboxTests.id(1), sentAt: 0, content: .file(path: path, name: "sent", voice: nil))
        let offering = Task { [conversation = pair.ada.conversation] in try await conversation.deliver(file) }
        offering.cancel()
        release.signal()
        try await reading.value
        await #expect(throws: CancellationError.self) { try await offering.value }
        try await pair.settle()
        #expect(pair.ada.store.files.isEmpty && pair.ben.transfers.isEmpty)
    }

    /// The person cancels a file before the other side got the offer.
    @Test(arguments: [true, false]) func `a file that was cancelled while it was read is never heard of`(
        restarts: Bool
    ) async throws {
        let pair = try ConversationPair()
        await pair.connect()
        try await pair.settle()
        let path = pair.folder + "/sent"
        try Data(count: 100).write(to: URL(fileURLWithPath: path))
        let file = OutgoingMessage(
            id: OutboxTests.id(1), sentAt: 0, content: .file(path: path, name: "sent", voice: nil))
        pair.ada.messages.append(file)
        try await pair.ada.conversation.cancelFile(file.id, beforeOffer: true)
        if restarts { try await pair.ada.restart() } else { try await pair.ada.conversation.deliver(file) }
        await pair.connect()
        try await pair.settle()
        #expect(pair.ada.messages.isEmpty)
        #expect(pair.ben.transfers.isEmpty)
        for side in pair.sides { #expect(side.store.files.isEmpty) }
    }

    @Test func `a file is read again after a restart only if it has changed`() async throws {
        let pair = try ConversationPair()
        await pair.connect()
        let id = try await pair.offer(1)
        let first = try #require(pair.ada.store.files.first)
        #expect(first.stamp != nil)
        // The stored digest is used as long as inode, size and time are the same.
        var altered = first
        altered.offer.sha256 = Array(repeating: 7, count: 32)
        try pair.ada.store.save(altered, room: "room")
        try await pair.ada.restart()
        #expect(pair.ada.store.files.first?.offer == altered.offer)
        try Data(repeating: 3, count: 10).write(to: URL(fileURLWithPath: first.path))
        try await pair.ada.restart()
        let last = try #require(pair.ada.store.files.first)
        #expect(last.id == id && last.offer.bytes == 10)
        #expect(last.offer.sha256 == HashFunction.sha256.digest([UInt8](repeating: 3, count: 10)))
    }

    @Test func `a file has the digest of its bytes, and how far it is read is told`() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path + "/sparse"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let bytes = 2 * FileDigest.reportStep + 5
        try FileHandle(forWritingTo: URL(fileURLWithPath: path)).truncate(atOffset: bytes)
        var told: [UInt64] = []
        let digest = try FileDigest(of: path, atMost: bytes, FileQueue.Cancellation()) { told.append($0) }
        var expected = IncrementalHash(.sha256)
        expected.update([UInt8](repeating: 0, count: Int(bytes)))
        #expect(digest.bytes == bytes && digest.sha256 == expected.finalize())
        #expect(told == [FileDigest.reportStep, 2 * FileDigest.reportStep])
        #expect(throws: RoomsFailure(.fileTooLarge)) { try self.digest(path, atMost: bytes - 1) }
    }

    @Test(arguments: ["/dev/zero", "/nowhere", "/tmp"]) func `what is no file is refused`(path: String) throws {
        let error = #expect(throws: RoomsFailure.self) { try digest(path) }
        #expect(error?.code == .fileUnreadable)
    }

    @Test func `reading ends when nobody wants it any more`() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path + "/file"
        try Data(count: 10).write(to: URL(fileURLWithPath: path))
        let cancellation = FileQueue.Cancellation()
        cancellation.cancel()
        #expect(throws: CancellationError.self) { try FileDigest(of: path, atMost: 10, cancellation) { _ in } }
    }
}
