internal import Platform
internal import Synchronization

/// How a stream ended.
enum StreamEnd: Equatable {
    /// The other side closed it.
    case ended
    /// It broke: a sentence and the kind of failure.
    case failed(String, NetworkingError.Code = .cannotConnect)
    /// This side cut it.
    case cut
}

/// What happens on a stream; told on the loop's thread, or while the stream is started.
protocol StreamOwner: AnyObject, Sendable {
    /// Connected, and with TLS if there is TLS. The first call.
    func streamOpened()
    /// Some bytes, valid during the call.
    func streamReceived(_ bytes: UnsafeRawBufferPointer)
    /// Everything that waited to be sent is with the kernel.
    func streamDrained()
    /// The other side sends nothing more. Returns whether this side still has something to send; if not, the stream
    /// ends now.
    func streamHasMoreToSay() -> Bool
    /// The last call, and exactly one.
    func streamClosed(_ end: StreamEnd)
}

extension StreamOwner {
    func streamDrained() {}
    func streamHasMoreToSay() -> Bool { false }
}

/// A TCP connection, perhaps with TLS. Clients and servers use it alike.
///
/// Sending and closing are allowed from any thread at any time, also after the end; what does not fit into the kernel
/// waits in a bounded buffer.
final class ByteStream: EventSource {
    enum Phase {
        case handshaking
        case open
        /// Everything is sent; what still comes in is thrown away until the other side ends.
        case lingering
        case closed
    }

    struct State {
        var descriptor: Int32
        var id: UInt64 = 0
        var phase: Phase
        var owner: (any StreamOwner)?
        var output = OutputBuffer()
        var endsWhenSent = false
        /// The events for which the poller watches.
        var reads = true
        var writes = false
        /// Whether the owner wants to receive.
        var isReceiving = true
        /// TLS can only continue once the socket takes bytes.
        var tlsWantsWrite = false
    }

    let loop: EventLoop
    let tls: TLSSession?
    let state: Mutex<State>

    /// - Parameter descriptor: a connected socket, the stream's from now on.
    init(_ descriptor: Int32, loop: EventLoop, tls: TLSSession?) {
        self.loop = loop
        self.tls = tls
        state = Mutex(State(descriptor: descriptor, phase: tls == nil ? .open : .handshaking))
    }

    /// Begins to tell the owner what happens. Returns false if the descriptor cannot be watched; nothing is told then.
    func start(_ owner: any StreamOwner) -> Bool {
        let isOpen: Bool? = state.withLock { state in
            state.owner = owner
            guard let id = loop.add(self, state.descriptor, reads: true, writes: false) else {
                Socket.shut(state.descriptor)
                state.phase = .closed
                state.owner = nil
                return nil
            }
            state.id = id
            return state.phase == .open
        }
        // The client begins the handshake; the server acts when the client's bytes arrive.
        if isOpen == true { owner.streamOpened() } else if isOpen == false { loop.perform { self.handshake() } }
        return isOpen != nil
    }

    func ready(_ event: Poller.Event) {
        let (phase, isReceiving) = state.withLock { ($0.phase, $0.isReceiving) }
        switch phase {
        case .handshaking: handshake()
        case .open, .lingering:
            // Otherwise the poller would report the unread bytes for ever.
            if event.isBroken, !isReceiving { return close(.failed("the connection broke", .closed)) }
            if event.isWritable { flush() }
            if event.isReadable { receive() }
        case .closed: break
        }
    }

    // MARK: Opening

    private func handshake() {
        guard let tls, state.withLock({ $0.phase }) == .handshaking else { return }
        switch state.withLock({ _ in tls.handshake() }) {
        case .done:
            state.withLock { state in
                state.phase = .open
                state.tlsWantsWrite = false
                updateInterest(&state)
            }
            opened()
        case .wantsRead: wantWrite(false)
        case .wantsWrite: wantWrite(true)
        case .ended, .failed:
            let refusal = tls.certificateFailure ?? (.noTLS, "TLS could not be agreed on")
            close(.failed(refusal.words, refusal.code))
        }
    }

    private func wantWrite(_ wants: Bool) {
        state.withLock { state in
            state.tlsWantsWrite = wants
            updateInterest(&state)
        }
    }

    private func opened() {
        state.withLock { $0.owner }?.streamOpened()
        flush()
    }

    // MARK: Ending

    /// Ends at once. The owner is told before this returns. On the loop's thread only.
    func close(_ end: StreamEnd) {
        let owner: (any StreamOwner)? = state.withLock { state in
            guard state.phase != .closed else { return nil }
            if state.phase == .open { tls?.end() }
            state.phase = .closed
            state.output.removeAll()
            loop.remove(state.id, state.descriptor)
            Socket.shut(state.descriptor)
            defer { state.owner = nil }
            return state.owner
        }
        owner?.streamClosed(end)
    }

    /// Gives up a stream that was never started.
    func discard() {
        state.withLock { state in
            state.phase = .closed
            Socket.shut(state.descriptor)
        }
    }

    /// Cuts the connection without waiting for anything.
    func cut() { loop.perform { [self] in close(.cut) } }

    /// Cuts the connection so that the other side sees an error and not an end.
    func abort() {
        state.withLock { if $0.phase != .closed { Socket.breakWhenShut($0.descriptor) } }
        cut()
    }

    /// Sends what is queued, tells the other side that nothing follows, and waits for it to end. The owner sets the
    /// limit to that wait.
    func finish() {
        state.withLock { state in
            guard state.phase != .closed, !state.endsWhenSent else { return }
            state.endsWhenSent = true
            if state.output.isEmpty { endWriting(&state) }
        }
    }

    func endWriting(_ state: inout State) {
        guard state.phase == .open else { return }
        tls?.end()
        Socket.endWriting(state.descriptor)
        state.phase = .lingering
        state.isReceiving = true
        updateInterest(&state)
    }

    /// Whether the owner receives. While it does not, the other side is held back by TCP.
    func setReceiving(_ isReceiving: Bool) {
        state.withLock { state in
            state.isReceiving = isReceiving
            updateInterest(&state)
        }
    }

    func updateInterest(_ state: inout State) {
        guard state.phase != .closed else { return }
        let writes = state.tlsWantsWrite || !state.output.isEmpty
        guard state.reads != state.isReceiving || state.writes != writes else { return }
        state.reads = state.isReceiving
        state.writes = writes
        loop.poller.change(state.descriptor, id: state.id, reads: state.reads, writes: writes)
    }
}
