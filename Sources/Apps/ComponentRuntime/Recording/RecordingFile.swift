internal import Components
internal import Platform
internal import Synchronization
internal import Wire

/// Writes a recording, entry by entry.
final class RecordingFile: Sendable {
    private struct State {
        var written: Int
        var isOpen = true
    }

    private let descriptor: Int32
    private let limit: Int
    private let state: Mutex<State>

    /// - Parameter path: a file that does not exist yet.
    init(_ path: String, launch: ComponentLaunch, limit: Int) throws(ComponentError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw ComponentError(.unavailable, "the run cannot be recorded: \(path) cannot be made, or exists already")
        }
        self.limit = limit
        let header = RecordingFormat.magic + RecordingFormat.frame([RecordingFormat.launch] + launch.encoded)
        state = Mutex(State(written: header.count))
        state.withLock { append(header, &$0) }
    }

    deinit { close(descriptor) }

    func add(_ sort: UInt8, _ message: PortMessage) { add(RecordingFormat.entry(sort, message)) }

    func end(_ reason: ComponentEnd) {
        var writer = FrameWriter(RecordingFormat.ended)
        writer.write("\(reason)")
        add(Array(writer.bytes.dropFirst(4)))
    }

    private func add(_ body: [UInt8]) {
        state.withLock { state in
            guard state.isOpen else { return }
            state.written += body.count + 8
            if state.written <= limit { return append(RecordingFormat.frame(body), &state) }
            append(RecordingFormat.frame([RecordingFormat.cut]), &state)
            state.isOpen = false
        }
    }

    /// What cannot be written ends the recording, not the run.
    private func append(_ bytes: [UInt8], _ state: inout State) {
        bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
                if count > 0 { done += count } else if count == 0 || errno != EINTR { return state.isOpen = false }
            }
        }
    }
}
