internal import Cryptography
internal import Platform
internal import Wire

/// The count of passphrase attempts on the disk. It has its whole size from the beginning and is overwritten where it lies, so
/// that an attempt needs no room on the disk.
///
/// There are two slots, a page apart, and the older one is overwritten. A write that a power cut tears leaves the count before it,
/// and no attempt is made before its count is on the disk: so nobody gains one by it, and nobody is locked out.
struct AttemptsFile: Sendable {
    private static let slotByteCount = 4096
    private static let slots = 2
    private static let byteCount = slotByteCount * slots

    let path: String

    /// What the file says.
    enum Content: Equatable {
        /// No file: nothing was counted.
        case missing
        case counted(UnlockThrottle)
        /// Neither slot can be read, or it is no such file.
        case unreadable
    }

    func read() throws(FileError) -> Content {
        guard let bytes = try bytes() else { return .missing }
        // Before it had slots it held the count alone.
        guard bytes.count == Self.byteCount else {
            return (try? UnlockThrottle(bytes)).map(Content.counted) ?? .unreadable
        }
        return Self.newest(in: bytes).map { .counted($0.throttle) } ?? .unreadable
    }

    /// When it returns, the count survives a power cut. Only a file that is missing, or not of its size, takes room.
    func write(_ throttle: UnlockThrottle) throws(FileError) {
        guard let bytes = try bytes(), bytes.count == Self.byteCount else {
            var fresh = Self.slot(throttle, number: 1)
            // Not a hole: it would take room later.
            fresh += [UInt8](repeating: 0xff, count: Self.byteCount - fresh.count)
            return try AtomicFile.write(fresh, to: path, through: unfinished)
        }
        let newest = Self.newest(in: bytes)
        let number = (newest?.number ?? 0) &+ 1
        let file = try FileDescriptor(path, flags: O_WRONLY | O_NOFOLLOW)
        try file.write(
            Self.slot(throttle, number: number)[...], at: newest?.slot == 0 ? Int64(Self.slotByteCount) : 0)
        try file.synchronizeData()
    }

    /// Makes it if it is missing or of another size, with the count that there is. One that cannot be read stays, because it is not
    /// known here how long to wait.
    func prepare() throws(FileError) {
        if let bytes = try bytes(), bytes.count == Self.byteCount { return }
        switch try read() {
        case .missing: try write(UnlockThrottle())
        case .counted(let throttle): try write(throttle)
        case .unreadable: break
        }
    }

    /// The name of the file while it is written.
    var unfinished: String { path + ".new" }

    private func bytes() throws(FileError) -> [UInt8]? {
        do { return try AtomicFile.read(path, atMost: 1 << 16) } catch {
            switch error.code {
            case .missing: return nil
            case .tooLong: return []
            default: throw error
            }
        }
    }

    // A slot begins with its number, the count, and a digest of both.

    private static func slot(_ throttle: UnlockThrottle, number: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        writer.writeInteger(number)
        writer.writeBytes(throttle.bytes)
        return writer.bytes + HashFunction.sha256.digest(writer.bytes)
    }

    private static func newest(in bytes: [UInt8]) -> (slot: Int, number: UInt64, throttle: UnlockThrottle)? {
        let readable = (0..<slots).compactMap { slot -> (slot: Int, number: UInt64, throttle: UnlockThrottle)? in
            var reader = ByteReader(Array(bytes[(slot * slotByteCount)...].prefix(slotByteCount)))
            guard let number = try? reader.readInteger(UInt64.self),
                let count = try? reader.readBytes(UnlockThrottle.byteCount),
                let throttle = try? UnlockThrottle(Array(count)),
                let digest = try? reader.readBytes(HashFunction.sha256.byteCount),
                Array(digest) == HashFunction.sha256.digest(Self.slot(throttle, number: number).dropLast(digest.count))
            else { return nil }
            return (slot, number, throttle)
        }
        return readable.max { $0.number < $1.number }
    }
}
