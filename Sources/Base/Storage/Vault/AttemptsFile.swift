internal import Cryptography
internal import Platform
internal import Wire

/// The count of passphrase attempts on the disk. It has its full size from the beginning and is overwritten in place,
/// so that an attempt needs no room on the disk.
///
/// There are two slots, a page apart, and the older one is overwritten. If a power cut tears a write, the previous
/// count remains. No attempt is made before its count is on the disk. So a power cut neither gains an attempt nor locks
/// a person out.
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
        // Earlier versions had no slots and held only the count.
        guard bytes.count == Self.byteCount else {
            return (try? UnlockThrottle(bytes)).map(Content.counted) ?? .unreadable
        }
        return Self.newest(in: bytes).map { .counted($0.throttle) } ?? .unreadable
    }

    /// When it returns, the count survives a power cut. Only a file that is missing, or not of its size, takes room.
    func write(_ throttle: UnlockThrottle) throws(FileError) {
        guard let bytes = try bytes(), bytes.count == Self.byteCount else {
            var fresh = Self.slot(throttle, number: 1)
            // Not a hole in the file, which would take room later.
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

    /// Makes it if it is missing or has another size, with the current count. A file that cannot be read stays, because
    /// its wait is not known here.
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
