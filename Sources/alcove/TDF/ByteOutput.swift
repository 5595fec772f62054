import Foundation

/// Where the bytes of a command go: standard output, or a file that is there when it is whole and not before.
final class ByteOutput {
    private let handle: FileHandle
    /// The file's name at the end and for now; nil for standard output.
    private let names: (final: String, temporary: String)?
    private var isFinished = false

    /// No path, or `-`, is standard output.
    init(_ path: String?, forOwnerOnly: Bool) throws(CommandFailure) {
        // A reader that has seen enough is an error to report, not a reason to die.
        signal(SIGPIPE, SIG_IGN)
        guard let path, path != "-" else {
            (handle, names) = (.standardOutput, nil)
            return
        }
        let temporary = "\(path).\(UInt64.random(in: 0...UInt64.max)).new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, forOwnerOnly ? 0o600 : 0o644)
        guard descriptor >= 0 else {
            throw CommandFailure("\(path) cannot be written: \(String(cString: strerror(errno)))", .cannotCreate)
        }
        (handle, names) = (FileHandle(fileDescriptor: descriptor, closeOnDealloc: true), (path, temporary))
    }

    deinit {
        if let names, !isFinished { unlink(names.temporary) }
    }

    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(handle.fileDescriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let reason = errno == EPIPE ? "its reader is gone" : String(cString: strerror(errno))
                throw CommandFailure("\(names?.final ?? "standard output") cannot be written: \(reason)", .inputOutput)
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Says that everything has been written: now the file gets its name.
    func finish() throws(CommandFailure) {
        guard let names else { return }
        guard fsync(handle.fileDescriptor) == 0, rename(names.temporary, names.final) == 0 else {
            throw CommandFailure("\(names.final) cannot be written: \(String(cString: strerror(errno)))", .cannotCreate)
        }
        isFinished = true
    }
}
