internal import Cryptography
internal import Platform
internal import Synchronization
internal import Wire

/// A file of slots of 64 bytes, each of which is written, read and erased alone. The millionth costs as much as the
/// first.
///
/// A slot never crosses a page, so a write in place is one block of the disk. Slots that were never written, and those that
/// were erased, read as zeros. The file is open while it is in use: ``close()`` gives its descriptor back until it is used
/// again, so that there may be many more files than descriptors.
package final class SlotFile: Sendable {
    /// Bytes of one slot.
    package static let slotByteCount = 64
    /// The largest file is 4 GiB.
    package static let slotLimit = 1 << 26
    /// Bytes of ``identifier``.
    package static let identifierByteCount = 16

    /// How many slots there are.
    package let count: Int
    /// Random bytes that identify this file. Bind them into the content of the slots.
    package let identifier: [UInt8]
    private let path: String
    private let file: Mutex<FileDescriptor?>

    private static let magic = Array("ALCSLOTS".utf8)
    private static let version: UInt16 = 1

    /// Makes a file of empty slots. It replaces an existing one.
    package static func create(at path: String, count: Int) throws(FileError) -> SlotFile {
        guard (1...slotLimit).contains(count) else {
            throw FileError(.failed, "a slot file has 1 to \(slotLimit) slots, not \(count)")
        }
        try AtomicFile.remove(path)
        let file = try FileDescriptor(path, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
        let identifier = SecureRandom.bytes(identifierByteCount)
        try file.write(header(count: count, identifier: identifier)[...], at: 0)
        try file.truncate(to: Int64(offset(of: count)))
        try file.synchronize()
        try AtomicFile.synchronizeFolder(of: path)
        return SlotFile(file, at: path, count: count, identifier: identifier)
    }

    /// Opens a file that ``create(at:count:)`` made.
    package convenience init(at path: String) throws(FileError) {
        let file = try FileDescriptor(path, flags: O_RDWR | O_NOFOLLOW)
        guard let (count, identifier) = try? Self.parse(file.read(at: 0, atMost: Self.slotByteCount)),
            try file.size() == Self.offset(of: count)
        else { throw FileError(.damaged, "\(path) is damaged or no file of slots") }
        self.init(file, at: path, count: count, identifier: identifier)
    }

    private init(_ file: FileDescriptor, at path: String, count: Int, identifier: [UInt8]) {
        self.file = Mutex(file)
        self.path = path
        self.count = count
        self.identifier = identifier
    }

    /// The 64 bytes of a slot.
    package func read(_ slot: Int) throws(FileError) -> [UInt8] {
        try check(slot, count: 1)
        let bytes = try withFile { (file) throws(FileError) in
            try file.read(at: Int64(Self.offset(of: slot)), atMost: Self.slotByteCount)
        }
        guard bytes.count == Self.slotByteCount else { throw FileError(.damaged, "\(path) became shorter") }
        return bytes
    }

    /// Writes whole slots one after another. They survive the end of the process at once, and a power cut after
    /// ``synchronize()``.
    package func write(_ bytes: [UInt8], at slot: Int) throws(FileError) {
        guard bytes.count.isMultiple(of: Self.slotByteCount) else {
            throw FileError(.failed, "slots are written as a whole")
        }
        try check(slot, count: bytes.count / Self.slotByteCount)
        try withFile { (file) throws(FileError) in try file.write(bytes[...], at: Int64(Self.offset(of: slot))) }
    }

    /// Overwrites a slot with zeros.
    package func erase(_ slot: Int) throws(FileError) {
        try write(Self.empty, at: slot)
    }

    /// Returns when everything written before is on the disk.
    package func synchronize() throws(FileError) {
        try withFile { (file) throws(FileError) in try file.synchronizeData() }
    }

    /// Gives the descriptor back. The next use opens the file again.
    package func close() {
        file.withLock { $0 = nil }
    }

    private func withFile<Value: Sendable>(
        _ body: (FileDescriptor) throws(FileError) -> Value
    ) throws(FileError) -> Value {
        try file.withLock { kept throws(FileError) in
            let file = if let open = kept.take() { open } else { try FileDescriptor(path, flags: O_RDWR | O_NOFOLLOW) }
            let value = try body(file)
            kept = file
            return value
        }
    }

    /// The content of a slot that was never written, or was erased.
    package static let empty = [UInt8](repeating: 0, count: slotByteCount)

    private func check(_ slot: Int, count wanted: Int) throws(FileError) {
        guard slot >= 0, slot <= count, wanted <= count - slot else {
            throw FileError(.failed, "there is no slot \(slot)")
        }
    }

    private static func offset(of slot: Int) -> Int { (slot + 1) * slotByteCount }

    /// Magic (8), version (2), size of a slot (2), number of slots (4), identifier (16), zeros.
    private static func header(count: Int, identifier: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(reserving: slotByteCount)
        writer.writeBytes(magic)
        writer.writeInteger(version)
        writer.writeInteger(UInt16(slotByteCount))
        writer.writeInteger(UInt32(count))
        writer.writeBytes(identifier)
        writer.writeBytes(repeatElement(0, count: slotByteCount - writer.bytes.count))
        return writer.bytes
    }

    private static func parse(_ header: [UInt8]) throws(WireError) -> (count: Int, identifier: [UInt8]) {
        var reader = ByteReader(header)
        guard try reader.readBytes(magic.count) == magic, try reader.readInteger(UInt16.self) == version,
            try reader.readInteger(UInt16.self) == UInt16(slotByteCount)
        else { throw WireError(.malformed, "this is not a file of slots of this version") }
        let count = Int(try reader.readInteger(UInt32.self))
        guard (1...slotLimit).contains(count) else { throw WireError(.limitExceeded, "the file has too many slots") }
        return (count, try reader.readBytes(identifierByteCount))
    }
}
