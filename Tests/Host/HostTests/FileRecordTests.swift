import Foundation
import Rooms
import Storage
import Synchronization
import Testing

@testable import Host

struct FileRecordTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("files-\(UUID().uuidString)").path

    private static func file(_ digit: String) throws -> StoredFile {
        StoredFile(
            id: try MessageID(String(repeating: digit, count: 32)), direction: .incoming,
            offer: OfferedFile(name: "x", bytes: 1, sha256: Array(repeating: 0, count: 32)), path: "/x",
            isAccepted: true)
    }

    @Test func `how a file ended outlives the process`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var file = try Self.file("1")
        file.end = FileEnd(outcome: .arrived(path: "/there"), isOurs: true)
        let before = try Profile(path: folder)
        try before.save(file, room: "room")
        before.close()
        let after = try Profile(path: folder)
        #expect(try after.file(file.id, room: "room") == file)
        after.close()
    }

    @Test func `a record that is damaged does not take the others with it`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let profile = try Profile(path: folder)
        let files = [try Self.file("1"), try Self.file("2")]
        for file in files { try profile.save(file, room: "room") }
        try profile.write { database in
            try database.execute(
                "UPDATE files SET value = ? WHERE message = ?", [0] as [UInt8], files[0].id.description)
        }
        #expect(try profile.files(room: "room") == [files[1]])
        profile.close()
    }
}
