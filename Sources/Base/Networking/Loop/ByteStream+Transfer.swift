internal import Platform
internal import Synchronization

extension ByteStream {
    enum SendResult {
        case queued
        /// The buffer has no room; nothing was taken.
        case full
        case closed
    }

    /// Sends now what the kernel takes and queues the rest, if then at most `limit` bytes wait. An empty buffer takes
    /// any amount.
    func send(_ bytes: some Sequence<UInt8>, limit: Int = .max) -> SendResult {
        Array(bytes).withUnsafeBytes { send($0, limit: limit) }
    }

    func send(_ bytes: UnsafeRawBufferPointer, limit: Int = .max) -> SendResult {
        state.withLock { state in
            guard state.phase != .closed, state.phase != .lingering, !state.endsWhenSent else { return .closed }
            guard state.output.isEmpty || state.output.count + bytes.count <= limit else { return .full }
            var sent = 0
            if state.output.isEmpty, state.phase == .open {
                sent = write(bytes, &state)
            }
            if sent < bytes.count {
                state.output.append(UnsafeRawBufferPointer(rebasing: bytes[sent...]))
                updateInterest(&state)
            }
            return .queued
        }
    }

    /// How many bytes the kernel took. A broken connection takes none; the poller will report it.
    private func write(_ bytes: UnsafeRawBufferPointer, _ state: inout State) -> Int {
        var sent = 0
        while sent < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
            guard let tls else {
                guard case .bytes(let count) = Socket.write(state.descriptor, rest) else { return sent }
                sent += count
                continue
            }
            guard case .done(let count) = tls.write(rest) else { return sent }
            sent += count
        }
        return sent
    }

    /// Sends more of what is queued.
    func flush() {
        let owner: (any StreamOwner)? = state.withLock { state in
            guard state.phase == .open else { return nil }
            state.tlsWantsWrite = false
            let waited = !state.output.isEmpty
            // Taken out for this call, because Swift cannot change the buffer and the rest of the state at the same
            // time.
            var output = state.output
            state.output.removeAll()
            output.consume { write($0, &state) }
            state.output = output
            if state.output.isEmpty, state.endsWhenSent { endWriting(&state) }
            updateInterest(&state)
            return waited && state.output.isEmpty ? state.owner : nil
        }
        owner?.streamDrained()
    }

    /// Bytes that wait to be sent.
    var queued: Int { state.withLock { $0.output.count } }

    /// Bytes that were sent and that the other side has not acknowledged yet, here and in the kernel.
    var unacknowledged: Int {
        state.withLock { state in
            guard state.phase != .closed else { return 0 }
            return state.output.count + Socket.unacknowledged(state.descriptor)
        }
    }

    /// Reads what is there, up to a bound, so that one busy stream does not starve the others.
    func receive() {
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 16) { buffer in
            for _ in 0..<8 {
                guard let (outcome, owner) = read(buffer) else { return }
                switch outcome {
                case .bytes(let count):
                    owner?.streamReceived(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
                    if count < buffer.count, tls == nil { return }
                case .wouldBlock: return
                case .ended:
                    guard let owner, owner.streamHasMoreToSay() else { return close(.ended) }
                    return setReceiving(false)
                case .failed: return close(.failed("the connection broke", .closed))
                }
            }
        }
    }

    /// One read; nil if nothing should be read. A stream that lingers has no owner to notify.
    private func read(_ buffer: UnsafeMutableRawBufferPointer) -> (Socket.Outcome, (any StreamOwner)?)? {
        state.withLock { state in
            guard state.phase == .open || state.phase == .lingering, state.isReceiving else { return nil }
            let owner = state.phase == .open ? state.owner : nil
            guard let tls, state.phase == .open else { return (Socket.read(state.descriptor, buffer), owner) }
            switch tls.read(buffer) {
            case .done(let count): return (.bytes(count), owner)
            case .wantsRead: return (.wouldBlock, owner)
            case .wantsWrite:
                state.tlsWantsWrite = true
                updateInterest(&state)
                return (.wouldBlock, owner)
            case .ended: return (.ended, owner)
            case .failed: return (.failed, owner)
            }
        }
    }
}
