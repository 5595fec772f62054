import Foundation
import ProgramRunner
import Testing

@testable import Rooms

/// A file that fills the disk is removed when it fails, and the other side is told.
@Suite(.timeLimit(.minutes(5)))
struct FullDiskTests {
    private static func half(_ pair: ConversationPair) async throws -> MessageID {
        await pair.connect()
        let id = try await pair.offer(1)
        try await pair.settle()
        pair.ben.transfers[id]?.state = .running
        try await pair.ben.conversation.acceptFile(id)
        await pair.ada.conversation.received(try #require(pair.ben.channels[.messages]?.take()))
        await pair.ben.conversation.received(try #require(pair.ada.channels[.files]?.take()))
        return id
    }

    private static func parts(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".partial") }
    }

    @Test func `a file that failed leaves nothing on a full disk, and the other side hears of it`() async throws {
        let pair = try ConversationPair()
        let id = try await Self.half(pair)
        #expect(try Self.parts(pair.ben.folder).count == 1)
        pair.ben.store.refusesFiles = true
        await pair.ben.conversation.fail(id, RoomsFailure(.storageFailed))
        #expect(try Self.parts(pair.ben.folder).isEmpty)
        try await pair.settle()
        #expect(pair.ben.transfers[id]?.state == .failed(.storageFailed))
        #expect(pair.ada.transfers[id]?.state == .failed(.fileCancelled))
        // The store takes it later, and nothing is requested again.
        pair.ben.store.refusesFiles = false
        await pair.cut()
        await pair.connect()
        try await pair.settle()
        #expect(try Self.parts(pair.ben.folder).isEmpty)
        for side in pair.sides { #expect(side.store.files.isEmpty) }
    }

    @Test func `a file whose arrival cannot be stored yet is reported once it is`() async throws {
        let pair = try ConversationPair()
        let id = try await Self.half(pair)
        pair.ben.store.refusesFiles = true
        try await pair.settle()
        #expect(pair.ben.transfers[id]?.state == .running)
        #expect(pair.ada.transfers[id]?.isOpen == true)
        pair.ben.store.refusesFiles = false
        await pair.cut()
        await pair.connect()
        try await pair.settle()
        for side in pair.sides { #expect(side.transfers[id]?.state == .finished) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: pair.ben.folder) == ["file-1"])
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "only root can mount a disk"))
    func `a disk that fills up while a file comes is free of it again`() async throws {
        let pair = try ConversationPair()
        let folder = URL(fileURLWithPath: pair.ben.folder)
        try await SmallDisk.at(folder, kilobytes: 40 << 10) { disk in
            let id = try await Self.half(pair)
            try disk.fill()
            try await pair.settle()
            #expect(pair.ben.transfers[id]?.state == .failed(.storageFailed))
            #expect(pair.ada.transfers[id]?.state == .failed(.fileCancelled))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["filling"])
        }
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "only root can mount a disk"))
    func `a file for which there is no room is not begun`() async throws {
        let pair = try ConversationPair()
        let folder = URL(fileURLWithPath: pair.ben.folder)
        try await SmallDisk.at(folder, kilobytes: 64) { disk in
            await pair.connect()
            let id = try await pair.offer(1)
            try await pair.settle()
            pair.ben.transfers[id]?.state = .running
            try await pair.ben.conversation.acceptFile(id)
            try await pair.settle()
            #expect(pair.ben.transfers[id]?.state == .failed(.storageFailed))
            #expect(pair.ada.transfers[id]?.state == .failed(.fileCancelled))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test(arguments: [
        (UInt64(0), UInt64(0), UInt64(0), true), (0, 10, 10, true), (FreeSpace.reserve, 1, 0, false),
        (FreeSpace.reserve + 1, 1, 0, true), (FreeSpace.reserve + 1, 3, 1, false), (FreeSpace.reserve + 2, 3, 1, true),
        (.max, .max, 0, false), (FreeSpace.reserve - 1, 0, 5, true),
    ])
    func `some room is left for everything else`(free: UInt64, bytes: UInt64, there: UInt64, isEnough: Bool) {
        #expect(FreeSpace.isEnough(free: free, for: bytes, ofWhich: there) == isEnough)
    }
}
