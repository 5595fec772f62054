import Testing
import Wire

@testable import NoteFiles

@Suite("Formats of files that are read whole, and of logs")
struct FormatTests {
    private let golden = [UInt8](hex: "0d 0000018b95fb2123 ac02 010203")

    @Test("A record of a log is the golden bytes, both ways")
    func record() throws {
        #expect(UpdateLog.header == [UInt8](hex: "4e434c47 01"))
        #expect(UpdateLog.encode(timestamp: 1_699_028_345_123, sequence: 300, payload: [1, 2, 3]) == golden)
        guard case .record(let timestamp, let sequence, let payload, let count)? = try UpdateLog.next(in: golden[...])
        else {
            Issue.record("no record")
            return
        }
        #expect(timestamp == 1_699_028_345_123 && sequence == 300 && payload == [1, 2, 3] && count == golden.count)
        for length in 0..<golden.count { #expect(try UpdateLog.next(in: golden.prefix(length)) == nil) }
    }

    @Test(
        "Absurd numbers in a log are refused at once",
        arguments: [
            "ffffffffffffff0f 00", "ffffffffffffffffff01", "8080808008", "08 0000000000000000",
            "0a 0000000000000000 ffff",
            "12 0000000000000000 ffffffffffffffffff01",
        ])
    func absurd(hex: String) {
        #expect(throws: WireError.self) { try UpdateLog.next(in: [UInt8](hex: hex)[...]) }
    }

    @Test("A snapshot is the golden bytes; an incomplete one is waited for; a broken one is refused")
    func snapshot() throws {
        let bytes = [UInt8](hex: "4e435353 01 01 01 026931 ac02 f0a204 09 662e637264746c6f67 0000")
        let snapshot = try SnapshotFile(bytes)
        #expect(snapshot.isComplete && snapshot.state == [0, 0])
        #expect(snapshot.entries == [.init(instance: "i1", sequence: 300, offset: 70_000, file: "f.crdtlog")])
        #expect(try !SnapshotFile([UInt8](hex: "4e435353 01 00 01")).isComplete)
        for length in 0..<bytes.count - 2 {
            #expect(throws: WireError.self) { try SnapshotFile(Array(bytes.prefix(length))) }
        }
        #expect(throws: WireError.self) { try SnapshotFile([UInt8](hex: "4e435353 01 01 ffffffff0f")) }
        #expect(throws: WireError.self) { try SnapshotFile([UInt8](hex: "4e435353 02 01 00")) }
    }

    private static let snapshotJSON =
        #"{"version":1,"noteId":"n","timestamp":5,"totalChanges":2,"documentState":[0,0,255],"maxSequences":{"i":1}}"#
    private static let packJSON =
        #"{"version":1,"sequenceRange":[0,1],"updates":[{"seq":0,"timestamp":7,"data":[0,0]},{"seq":1,"data":[9]}]}"#
    private static let compressedSnapshot = [UInt8](
        hex: """
            28b52ffd207e6d03005287181c806b3a1cb144f3b75b9deea3340f090a9c7744c37620f38783191d015174686508ddb2d17c18c93cd2f20f
            c807cb05cb9307ee94233f033a372db39aeb6998e327e896084d0982222d5b1f805eacb42d975adf6ab453c865ea1f5a996a8d74180a0200
            2b324c813303
            """)

    private func pieces(_ kind: FileKind, _ bytes: [UInt8], _ name: String) throws -> [[UInt8]]? {
        try kind.pieces(of: bytes, name: name, path: "x/\(name)")?.map { piece in
            switch piece {
            case .record(let record): record.payload
            case .snapshot(let state): state.payload
            }
        }
    }

    @Test("Files of the older generation are read with a flag, without one, and compressed", arguments: [true, false])
    func older(flagged: Bool) throws {
        let flag: [UInt8] = flagged ? [1] : []
        let state = try pieces(.snapshots, flag + Self.compressedSnapshot, "snapshot_2_i.yjson.zst")
        #expect(state == [[1, 1, 1, 0, 4, 1, 1, 116, 2, 97, 98, 0]])
        #expect(try pieces(.snapshots, flag + Array(Self.snapshotJSON.utf8), "snapshot_2_i.yjson") == [[0, 0, 255]])
        #expect(try pieces(.packs, flag + Array(Self.packJSON.utf8), "i_pack_0-1.yjson") == [[0, 0], [9]])
        for update in [
            "010101000401017402616200", "0000", "000101010101",
            "0101ac02002801086d657461646174610764656c65746564017900",
        ] {
            let bytes = [UInt8](hex: update)
            #expect(try pieces(.updates, flag + bytes, "i_n_5-0.yjson") == [bytes])
        }
    }

    @Test("What its writer has not finished is waited for, and what is no file of this kind is refused")
    func olderUnfinished() throws {
        #expect(try pieces(.updates, [0] + [UInt8](hex: "010101000401017402616200"), "i_n_5-0.yjson") == nil)
        #expect(try pieces(.updates, [], "i_n_5-0.yjson") == nil)
        #expect(try pieces(.packs, [0] + Array(Self.packJSON.utf8), "i_pack_0-1.yjson") == nil)
        #expect(throws: WireError.self) { try pieces(.updates, [1, 9, 9, 9], "i_n_5-0.yjson") }
        #expect(throws: WireError.self) { try pieces(.packs, [1] + Array(#"{"version":2}"#.utf8), "i_pack_0-1.yjson") }
        #expect(throws: WireError.self) { try pieces(.snapshots, [7, 7], "snapshot_2_i.yjson") }
    }

    @Test("What grows too much when decompressed is refused before it is in memory")
    func bomb() throws {
        // A frame whose one block repeats a byte 128 KiB often, again and again (RFC 8878, sections 3.1.1.1 and 3.1.1.2).
        let block: [UInt8] = [0x02, 0x00, 0x10, 0x20]
        let bomb = Zstandard.magic + [0x00, 0x38] + Array(repeatElement(block, count: 200).joined())
        #expect(throws: WireError.self) { try Zstandard.decompress(bomb, atMost: 1 << 20) }
    }

    @Test(
        "The time and number of an update are in its name",
        arguments: [
            ("i_n_1700-12.yjson", 1700, 12), ("i_a_b_1700-0.yjson.zst", 1700, 0), ("i_n_1700.yjson", 1700, 0),
            ("x", 0, 0),
        ])
    func particulars(name: String, timestamp: Int64, sequence: UInt64) {
        #expect(OlderUpdate.particulars(name) == (timestamp, sequence))
    }
}
