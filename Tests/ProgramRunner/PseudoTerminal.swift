public import Foundation
import Platform

/// A terminal that a test looks at and types into, while a program has the other side of it.
public struct PseudoTerminal: Sendable {
    /// What the system said where there was none to be had.
    public struct Unavailable: Error, CustomStringConvertible {
        public let description: String
    }

    /// What the test writes here is typed, and what it reads is shown.
    public let keys: FileHandle
    /// The other side, for the program.
    public let path: String

    /// - Parameters:
    ///   - columns: how many characters a row has.
    ///   - rows: how many of them there are.
    public init(columns: UInt16, rows: UInt16 = 50) throws(Unavailable) {
        // As `posix_openpt`, `unlockpt` and `ptsname` do, which Swift's Glibc module leaves out.
        let (unlocking, asking) = (UInt(0x4004_5431), UInt(0x8004_5430))
        var (unlocked, number) = (Int32(0), Int32(0))
        let main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard main >= 0, ioctl(main, unlocking, &unlocked) == 0, ioctl(main, asking, &number) == 0 else {
            throw Unavailable(description: "there is no terminal to be had: \(String(cString: strerror(errno)))")
        }
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard ioctl(main, UInt(TIOCSWINSZ), &size) == 0 else {
            throw Unavailable(description: "the terminal takes no size: \(String(cString: strerror(errno)))")
        }
        path = "/dev/pts/\(number)"
        keys = FileHandle(fileDescriptor: main, closeOnDealloc: true)
    }

    /// Opens the other side, so that the terminal stays while no program has it.
    public func kept() -> FileHandle {
        FileHandle(fileDescriptor: open(path, O_RDWR | O_NOCTTY | O_CLOEXEC), closeOnDealloc: true)
    }

    /// Reads what is shown until the terminal is gone, and holds the thread.
    public func follow(_ shown: (String) -> Void) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        var rest: [UInt8] = []
        while true {
            let count = read(keys.fileDescriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest += bytes[..<count]
            let end = Self.endOfWholeCharacters(rest)
            shown(String(decoding: rest[..<end], as: UTF8.self))
            rest.removeFirst(end)
        }
    }

    /// A character may come in two pieces.
    private static func endOfWholeCharacters(_ bytes: [UInt8]) -> Int {
        guard let start = bytes.indices.suffix(4).last(where: { bytes[$0] & 0xC0 != 0x80 }) else { return bytes.count }
        let length =
            switch bytes[start] {
            case 0xC0..<0xE0: 2
            case 0xE0..<0xF0: 3
            case 0xF0...: 4
            default: 1
            }
        return start + length > bytes.count ? start : bytes.count
    }
}
