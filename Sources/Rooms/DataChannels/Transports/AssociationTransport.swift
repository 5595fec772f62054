internal import SCTP

/// An association of our own (``SCTP/Association``), driven from the connection's loop.
///
/// Packets are taken one by one; answers and messages leave once, at the end of the round of events, so that a burst is
/// acknowledged by one SACK.
final class AssociationTransport: SCTPTransport {
    private let handlers: SCTPHandlers
    private let maxMessageSize: Int
    private let alarm: Alarm
    private var association: Association
    private let scratch: LoopScratch
    private var reassembly: Reassembly
    private(set) var state = SCTPState.connecting
    private var mayFragment = false
    /// The weights that the association knows.
    private var priorities: [UInt16: DataChannelConfiguration.Priority] = [:]

    init(
        loop: EventLoop, configuration: Configuration, maxMessageSize: Int, handlers: SCTPHandlers
    ) {
        self.handlers = handlers
        scratch = loop.scratch
        self.maxMessageSize = maxMessageSize
        var configuration = configuration
        // Announcements may be longer than messages, and empty messages travel as one byte.
        configuration.maxMessageSize = max(maxMessageSize, Reassembly.largestControlMessage)
        var generator = SystemRandomNumberGenerator()
        association = Association(configuration, seed: (0..<32).map { _ in generator.next() })
        reassembly = Reassembly(limit: maxMessageSize)
        alarm = Alarm(loop: loop)
        alarm.ring = { [unowned self] in
            self.association.advance(to: Self.now)
            self.handlers.pending()
        }
    }

    deinit { close() }

    private static var now: Nanoseconds { Alarm.now * 1000 }

    func connect() {
        association.connect(now: Self.now)
        handlers.pending()
    }

    func receive(_ packet: UnsafeRawBufferPointer) {
        guard isAlive else { return }
        association.receive(packet.bytes, now: Self.now)
        handlers.pending()
    }

    func attend() { handlers.pending() }

    func deliver() {
        guard isAlive else { return }
        handleEvents()
        deliverMessages()
    }

    func flush() {
        guard isAlive else { return }
        transmit()
        handleEvents()
        schedule()
    }

    private var isAlive: Bool { state == .connecting || state == .connected }

    private func transmit() {
        let now = Self.now
        repeat {
            scratch.packets.removeAll()
            association.transmit(into: &scratch.packets, now: now)
            if association.needsFragments != mayFragment {
                mayFragment.toggle()
                handlers.mayFragment(mayFragment)
            }
            scratch.packets.forEach(handlers.transmit)
        } while !scratch.packets.isEmpty
    }

    /// Sets the timer to the next moment at which the association has something to do.
    private func schedule() {
        guard isAlive, let deadline = association.nextDeadline else { return alarm.cancel() }
        alarm.set(microseconds: (deadline + 999) / 1000)
    }

    func close() {
        guard isAlive else { return }
        state = .closed
        alarm.remove()
        association.abort("the connection is closed")
        transmit()
    }

    private func finish(_ final: SCTPState) {
        guard isAlive else { return }
        state = final
        alarm.remove()
        handlers.stateChanged(final)
    }

    var streams: UInt16 { association.outgoingStreams }

    var roundTripTime: Double? { association.statistics.roundTrip.map { Double($0) / 1e9 } }

    var congestionWindow: Int? { state == .connected ? association.statistics.congestionWindow : nil }

    /// Everything that the association counts.
    var figures: SCTP.Statistics { association.statistics }
}

// MARK: - Sending

extension AssociationTransport {
    /// Takes whole messages, while few bytes wait inside: the rest waits in the queue of the connection, where it can
    /// still be dropped.
    func send(_ bytes: [UInt8], stream: UInt16, identifier: UInt32, policy: SCTPPolicy) -> SCTPSendResult {
        guard state == .connected else { return .failed }
        guard association.isWritable else { return .full }
        if priorities[stream] ?? .low != policy.priority {
            priorities[stream] = policy.priority
            association.setWeight(policy.priority.weight, stream: stream)
        }
        let reliability: SCTP.Reliability =
            switch policy.reliability {
            case .reliable: .reliable
            case .maxRetransmits(let count): .maxRetransmits(count)
            case .maxPacketLifeTime(let milliseconds): .lifetime(.milliseconds(Int64(milliseconds)))
            }
        let message = OutgoingMessage(
            bytes, stream: stream, identifier: identifier, isOrdered: policy.isOrdered, reliability: reliability)
        do {
            try association.send(message, now: Self.now)
            return .taken
        } catch {
            return .failed
        }
    }

    func discardUnsent(_ stream: UInt16) { association.discardUnsent(stream: stream) }

    func reset(_ streams: [UInt16]) {
        guard state == .connected, (try? association.reset(streams, now: Self.now)) != nil else { return }
        handlers.pending()
    }
}

// MARK: - Receiving

extension AssociationTransport {
    private func deliverMessages() {
        while isAlive, handlers.mayReceive(), let delivery = association.nextDelivery() {
            switch delivery {
            case .message(let stream, let identifier, let bytes):
                received(bytes, stream: stream, identifier: identifier)
            case .streamsReset(let streams):
                reassembly.forget(streams)
                handlers.incomingReset(streams)
            }
        }
    }

    private func received(_ bytes: [UInt8], stream: UInt16, identifier: UInt32) {
        switch reassembly.add(bytes, stream: stream, identifier: identifier) {
        case .incomplete: break
        case .complete(let message): handlers.message(stream, identifier, message)
        case .tooLarge: tooLarge()
        }
    }

    private func tooLarge() {
        finish(
            .failed(
                PeerConnectionError(
                    .messageTooLarge, "the peer sent a message of more than \(maxMessageSize) bytes")))
    }

    private func handleEvents() {
        while let event = association.nextEvent() {
            switch event {
            case .established where state == .connecting:
                state = .connected
                handlers.stateChanged(.connected)
            case .established: break
            case .restarted:
                // Below one DTLS association there is one SCTP association: a peer that begins anew has lost its channels.
                finish(.failed(PeerConnectionError(.transport, "the peer began its SCTP association anew")))
            case .writable: handlers.writable()
            case .resetDone(let streams, _): handlers.outgoingReset(streams)
            case .abandoned: break
            case .closed(let reason): closed(reason)
            }
        }
    }

    private func closed(_ reason: CloseReason) {
        // What tells the peer so still waits.
        transmit()
        func failure(_ what: String) -> SCTPState { .failed(PeerConnectionError(.transport, what)) }
        switch reason {
        case .shutdown, .abortedHere, .abortedByPeer:
            finish(state == .connecting ? failure("the peer refused the SCTP association") : .closed)
        case .violation(let what): finish(failure("the peer broke the rules of SCTP: \(what)"))
        case .messageTooLarge: tooLarge()
        case .handshakeTimedOut: finish(failure("the peer did not answer on SCTP"))
        case .peerGone: finish(failure("the peer acknowledges nothing any more"))
        }
    }
}
