import Foundation

/// Where the bytes of a command go: standard output, or a file that is there when it is whole and not before.
final class ByteOutput {
    /// What standard output gets. Files get every byte as it is.
    enum Content {
        /// Bytes that say nothing to a person: refused where standard output is a terminal.
        case binary
        /// Every byte for a file or a pipe, and on a terminal text that it does not obey.
        case shown
        /// Text that no terminal would obey, also for a pipe, which may lead to one.
        case text
        /// Every byte, whatever reads it: the person asked for that.
        case raw
    }

    private let handle: FileHandle
    /// The file's name at the end and for now; nil for standard output.
    private let names: (final: String, temporary: String)?
    private let isEscaped: Bool
    /// Bytes of a line whose end has not come.
    private var line: [UInt8] = []
    private var isFinished = false

    /// A line that is longer is shown in parts.
    private static let lineLimit = 65_536

    /// No path, or `-`, is standard output.
    init(_ path: String?, forOwnerOnly: Bool, content: Content = .binary) throws(CommandFailure) {
        // A reader that has seen enough is an error to report, not a reason to die.
        signal(SIGPIPE, SIG_IGN)
        guard let path, path != "-" else {
            (handle, names) = (.standardOutput, nil)
            isEscaped = content == .text || (content == .shown && Terminal.isInteractive)
            guard content != .binary || !Terminal.isInteractive else {
                throw CommandFailure("this is not for a terminal: write it to a file, with > FILE", .usage)
            }
            return
        }
        isEscaped = false
        let temporary = "\(path).\(UInt64.random(in: 0...UInt64.max)).new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, forOwnerOnly ? 0o600 : 0o644)
        guard descriptor >= 0 else {
            throw CommandFailure("\(path) cannot be written: \(ErrorWords.reason(number: errno))", .cannotCreate)
        }
        (handle, names) = (FileHandle(fileDescriptor: descriptor, closeOnDealloc: true), (path, temporary))
    }

    deinit {
        if let names, !isFinished { unlink(names.temporary) }
    }

    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        guard isEscaped else { return try put(bytes[...]) }
        line += bytes
        // A character may go on in the next bytes, but never over the end of a line.
        let end =
            line.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? (line.count > Self.lineLimit ? line.count : 0)
        try show(line.prefix(end))
        line.removeFirst(end)
    }

    /// Says that everything has been written: now the file gets its name.
    func finish() throws(CommandFailure) {
        try show(line[...])
        line = []
        guard let names else { return }
        guard fsync(handle.fileDescriptor) == 0, rename(names.temporary, names.final) == 0 else {
            throw CommandFailure("\(names.final) cannot be written: \(ErrorWords.reason(number: errno))", .cannotCreate)
        }
        isFinished = true
    }

    private func show(_ bytes: ArraySlice<UInt8>) throws(CommandFailure) {
        guard !bytes.isEmpty else { return }
        try put(Array(TerminalText.text(String(decoding: bytes, as: UTF8.self)).escaped.utf8)[...])
    }

    private func put(_ bytes: ArraySlice<UInt8>) throws(CommandFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(handle.fileDescriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let reason = errno == EPIPE ? "its reader is gone" : ErrorWords.reason(number: errno)
                throw CommandFailure("\(names?.final ?? "standard output") cannot be written: \(reason)", .inputOutput)
            }
            rest = rest.dropFirst(count)
        }
    }
}
