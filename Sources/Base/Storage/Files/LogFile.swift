internal import Platform
internal import Synchronization

/// A file that grows line by line, up to a limit: then it gets the name `PATH.1`, in place of the one that had it, and a new one
/// begins. Only its owner may read it.
///
/// A line that was appended survives the end of the process, and a power cut some seconds later.
package final class LogFile: Sendable {
    private struct State {
        var file: FileDescriptor
        var size: Int
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
        state = Mutex(State(file: file, size: size))
    }

    /// Writes one line. The whole line is in the file when this returns.
    package func append(_ line: String) throws(FileError) {
        let bytes = Array((line + "\n").utf8)
        try state.withLock { (state) throws(FileError) in
            if state.size > 0, state.size + bytes.count > limit {
                guard rename(path, path + ".1") == 0 else { throw .last("put aside", path) }
                state.file = try Self.open(path)
                state.size = 0
            }
            try state.file.write(bytes[...])
            state.size += bytes.count
        }
    }

    private static func open(_ path: String) throws(FileError) -> FileDescriptor {
        try FileDescriptor(path, flags: O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW)
    }
}
