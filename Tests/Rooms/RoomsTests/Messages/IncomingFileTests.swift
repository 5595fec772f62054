import Cryptography
import Foundation
import Testing

@testable import Rooms

struct IncomingFileTests {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("incoming-\(UUID().uuidString)").path
    let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func stored(_ name: String = "photo.jpg", sha256: [UInt8]? = nil) -> StoredFile {
        StoredFile(
            id: EnvelopeTests.id, direction: .incoming,
            offer: OfferedFile(
                name: name, bytes: UInt64(content.count), sha256: sha256 ?? HashFunction.sha256.digest(content)),
            path: folder + "/.partial", isAccepted: true)
    }

    @Test func `a file that comes in pieces is whole at the end, and its name is never taken from another`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for expected in ["photo.jpg", "photo (2).jpg", "photo (3).jpg"] {
            var file = try IncomingFile(stored())
            for start in stride(from: 0, to: content.count, by: 65_536) {
                let end = min(start + 65_536, content.count)
                let wasNext = try file.write(Array(content[start..<end]), at: UInt64(start))
                #expect(wasNext)
            }
            #expect(file.isWhole)
            let path = try file.finish(in: folder)
            #expect(path == folder + "/" + expected)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path ?? "")) == Data(content))
            Conversation.removePart(file.stored)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 3)
    }

    @Test func `a file counts as arrived only when its folder is on the disk`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        struct PowerCut: Error {}
        var file = try IncomingFile(stored())
        _ = try file.write(content, at: 0)
        #expect(throws: PowerCut.self) {
            try file.finish(in: folder) { flushed in
                #expect(flushed == folder)
                #expect(FileManager.default.fileExists(atPath: folder + "/photo.jpg"))
                throw PowerCut()
            }
        }
        #expect(try file.finish(in: folder) == folder + "/photo.jpg")
    }

    @Test func `a file that was put in its place before the process died is not put there twice`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for _ in 1...2 {
            var file = try IncomingFile(stored())
            if !file.isWhole { _ = try file.write(content, at: 0) }
            let path = try file.finish(in: folder)
            #expect(path == folder + "/photo.jpg")
        }
    }

    @Test func `an interrupted file goes on where it was, and its hash with it`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var first = try IncomingFile(stored())
        _ = try first.write(Array(content[..<100_000]), at: 0)
        var second = try IncomingFile(stored())
        #expect(second.offset == 100_000)
        let (again, rest) = (
            try second.write(Array(content[..<10]), at: 0), try second.write(Array(content[100_000...]), at: 100_000)
        )
        #expect(!again && rest)
        let path = try second.finish(in: folder)
        #expect(path != nil)
    }

    @Test func `bytes that are not those that were offered leave nothing behind`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var file = try IncomingFile(stored(sha256: Array(repeating: 0, count: 32)))
        _ = try file.write(content, at: 0)
        let path = try file.finish(in: folder)
        #expect(path == nil)
        Conversation.removePart(file.stored)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test func `more bytes than were offered are refused`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var file = try IncomingFile(stored())
        let wasNext = try file.write(content + [0], at: 0)
        #expect(!wasNext)
        #expect(file.offset == 0)
    }
}
