internal import Wire

/// The format of `.snapshot` files: the state of a document, and which records of which logs are in it.
///
/// The entries are for those who skip what a snapshot holds. We read everything, so we check them and let them go.
struct SnapshotFile: Equatable {
    struct Entry: Equatable {
        let instance: String
        let sequence: UInt64
        let offset: UInt64
        let file: String
    }

    static let suffix = ".snapshot"
    static let magic = Array("NCSS".utf8)
    static let byteLimit = 65 << 20
    static let entryLimit = 65_536

    /// Whether its writer finished it.
    let isComplete: Bool
    let entries: [Entry]
    /// A Yjs update (V1).
    let state: [UInt8]

    init(_ bytes: [UInt8]) throws(WireError) {
        var reader = ByteReader(bytes)
        guard try reader.readBytes(Self.magic.count) == Self.magic, try reader.readByte() == 1 else {
            throw WireError(.malformed, "it does not begin as a snapshot of version 1 does")
        }
        let status = try reader.readByte()
        guard status <= 1 else { throw WireError(.malformed, "its status is neither incomplete nor complete") }
        isComplete = status == 1
        guard isComplete else {
            (entries, state) = ([], [])
            return
        }
        let count = try reader.readVarint()
        guard count <= Self.entryLimit else {
            throw WireError(.limitExceeded, "it has more than \(Self.entryLimit) entries")
        }
        var entries: [Entry] = []
        for _ in 0..<count { entries.append(try Self.entry(&reader)) }
        self.entries = entries
        state = Array(reader.readRemaining())
    }

    private static func entry(_ reader: inout ByteReader) throws(WireError) -> Entry {
        Entry(
            instance: try name(&reader), sequence: try reader.readVarint(), offset: try reader.readVarint(),
            file: try name(&reader))
    }

    private static func name(_ reader: inout ByteReader) throws(WireError) -> String {
        let count = try reader.readVarint()
        guard count <= 255 else { throw WireError(.limitExceeded, "a name in it is longer than 255 bytes") }
        guard let name = String(validating: try reader.readSlice(Int(count)), as: UTF8.self) else {
            throw WireError(.malformed, "a name in it is no UTF-8")
        }
        return name
    }
}
