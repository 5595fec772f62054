internal import Wire

/// Takes the bytes of an opened archive in parts and returns the records in them. It refuses records in an order that
/// makes no sense. Pure; it never holds more than two chunks.
package struct ArchiveParser: Sendable {
    /// How deeply folders may be nested. Those of apps are up to 256 deep, below four of the profile's own.
    package static let depthLimit = 272
    /// The most folders, files and links. Each takes room in the tables of the file system, however short it is.
    package static let entryLimit: UInt64 = 10_000_000

    private var bytes: [UInt8] = []
    private var position = 0
    private var hasBegun = false
    private var isInFile = false
    private var isOver = false
    /// The depth of the current folder.
    package private(set) var depth = 0
    package private(set) var entries: UInt64 = 0
    /// The bytes of all files.
    package private(set) var fileBytes: UInt64 = 0

    package init() {}

    /// Adds what comes next.
    package mutating func feed(_ more: [UInt8]) {
        bytes.removeSubrange(..<position)
        position = 0
        bytes += more
    }

    /// The next record; nil if more bytes are needed, or after the last one.
    package mutating func next() throws(ArchiveError) -> ArchiveRecord? {
        var reader = ByteReader(bytes[position...])
        guard !reader.isAtEnd else { return nil }
        guard !isOver else { throw ArchiveError(.invalid, "there is something behind the last record") }
        let record: ArchiveRecord
        do throws(WireError) {
            record = try ArchiveRecord(&reader)
        } catch {
            guard error.code != .truncated else { return nil }
            throw ArchiveError(.invalid, "what the file holds is not an archive: \(error.message)")
        }
        position += reader.offset
        try accept(record)
        return record
    }

    /// Says that there are no more bytes.
    package func finish() throws(ArchiveError) {
        guard isOver, position == bytes.count else {
            throw ArchiveError(.invalid, "what the file holds is not complete")
        }
    }

    private mutating func accept(_ record: ArchiveRecord) throws(ArchiveError) {
        let isPlaced: Bool
        switch record {
        case .about:
            isPlaced = !hasBegun
            hasBegun = true
        case .enter:
            isPlaced = hasBegun && !isInFile && depth < Self.depthLimit
            depth += 1
            entries += 1
        case .leave:
            isPlaced = !isInFile && depth > 0
            depth -= 1
        case .file:
            isPlaced = hasBegun && !isInFile
            isInFile = true
            entries += 1
        case .data(let bytes):
            isPlaced = isInFile
            fileBytes += UInt64(bytes.count)
        case .endOfFile:
            isPlaced = isInFile
            isInFile = false
        case .link:
            isPlaced = hasBegun && !isInFile
            entries += 1
        case .attribute: isPlaced = hasBegun && (isInFile || depth > 0)
        case .end(let entries, let bytes):
            isPlaced = hasBegun && !isInFile && depth == 0 && entries == self.entries && bytes == fileBytes
            isOver = true
        }
        guard isPlaced else { throw ArchiveError(.invalid, "the records of the file are in no order that makes sense") }
        guard entries <= Self.entryLimit else {
            throw ArchiveError(.invalid, "the file holds more than \(Self.entryLimit) files and folders")
        }
    }
}
