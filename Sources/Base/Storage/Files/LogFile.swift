internal import Platform
internal import Synchronization

/// A file that grows line by line, up to a limit: then it gets the name `PATH.1`, in place of the one that had it, and a new one
/// begins. Only its owner may read it.
///
/// A line that was appended survives the end of the process, and a power cut some seconds later. One process writes at a time: several have to agree on
/// that.
package final class LogFile: Sendable {
    private struct State {
        var file: FileDescriptor
        var size: Int
        /// Whether whoever wrote last was stopped in the middle of a line.
        var isBroken: Bool
    }

    private let path: String
    private let limit: Int
    private let state: Mutex<State>

    /// Opens the file, or makes it.
    /// - Parameter limit: bytes of one file.
    package init(path: String, limit: Int = 64 << 20) throws(FileError) {
        self.path = path
        self.limit = limit
        let file = try Self.open(path)
        let size = try file.size()
        let end = try file.read(at: Int64(max(size - 1, 0)), atMost: 1)
        let isBroken = !end.isEmpty && end != [UInt8(ascii: "\n")]
        state = Mutex(State(file: file, size: size, isBroken: isBroken))
    }

    /// Writes one line. The whole line is in the file when this returns; if it throws, nothing of it is.
    package func append(_ line: String) throws(FileError) {
        try state.withLock { (state) throws(FileError) in
            let bytes = Array(((state.isBroken ? "\n" : "") + line + "\n").utf8)
            if state.size > 0, state.size + bytes.count > limit {
                guard rename(path, path + ".1") == 0 else { throw .last("put aside", path) }
                state.file = try Self.open(path)
                (state.size, state.isBroken) = (0, false)
            }
            do throws(FileError) { try state.file.write(bytes[...]) } catch {
                try? state.file.truncate(to: Int64(state.size))
                throw error
            }
            state.size += bytes.count
            state.isBroken = false
        }
    }

    /// Whether a line of so many bytes can be written now. It is tried, because a disk that is full says so only then.
    package func hasRoom(for count: Int) -> Bool {
        state.withLock { state in
            let isWritten = (try? state.file.write([UInt8](repeating: UInt8(ascii: " "), count: count)[...])) != nil
            return (try? state.file.truncate(to: Int64(state.size))) != nil && isWritten
        }
    }

    private static func open(_ path: String) throws(FileError) -> FileDescriptor {
        try FileDescriptor(path, flags: O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW)
    }
}
