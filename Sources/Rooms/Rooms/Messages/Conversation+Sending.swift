import DataChannels
import Sealing

/// What goes out: numbered messages, each sealed to a key of its own, and signals.
extension Conversation {
    /// Messages that are sealed at once, on all cores.
    private static let batch = 32

    /// Takes a message in: from here on it is delivered once, whatever happens to the connection. After a restart of the
    /// process its owner delivers it again, and it goes on under the number that it had.
    ///
    /// A file is read first. What is delivered meanwhile goes out before it.
    func deliver(_ message: OutgoingMessage) async throws {
        guard try takes(message.id) else { return }
        let content = try await content(of: message)
        guard try takes(message.id) else { return }
        let known = outbox.sequence(of: message.id)
        let sequence = known ?? outbox.last + 1
        let bytes = Envelope.message(
            .init(id: message.id, sequence: sequence, sentAt: message.sentAt, content: content)
        ).bytes
        guard bytes.count <= Envelope.Limit.envelope - SealedHeader.overhead else {
            throw RoomsFailure(.messageTooLarge)
        }
        if known == nil {
            try store.append(message.id, sequence: sequence, room: room)
            outbox.append(message.id, bytes)
        } else {
            outbox.fill(sequence, with: bytes)
        }
        pump()
    }

    /// - Returns: false if the message waits already.
    private func takes(_ id: MessageID) throws -> Bool {
        let known = outbox.sequence(of: id)
        if let known, outbox.holds(known) { return false }
        guard known != nil || !outbox.isFull else {
            throw RoomsFailure(.badRequest, "\(Outbox.limit) messages wait for the other side already")
        }
        return true
    }

    func withdraw(_ messages: [MessageID]) throws {
        for id in messages {
            if let sequence = outbox.sequence(of: id) { withdraw(id, sequence) }
            try forgetFile(id)
        }
    }

    /// If it was sent already it arrives; if it is lost with the connection, the next one carries nothing in its place.
    func withdraw(_ id: MessageID, _ sequence: UInt64) {
        let empty = Envelope.message(.init(id: id, sequence: sequence, sentAt: 0, content: .withdrawn)).bytes
        outbox.withdraw(id, with: empty)
        pump()
    }

    /// Sends everything that the other side does not have, in order. What there is no key for waits until there is one.
    func pump() {
        while isFlowing, !awaitsKeys {
            let entries = outbox.entries(after: sent, atMost: Self.batch)
            guard !entries.isEmpty, let sealed = sealed(entries) else { return }
            for (entry, bytes) in zip(entries, sealed) {
                sent = entry.sequence
                send(bytes, on: .messages)
                guard isFlowing else { return }
            }
        }
    }

    /// The same message goes out as the same bytes for as long as this process lives: its key seals nothing else.
    private func sealed(_ entries: ArraySlice<Outbox.Entry>) -> [[UInt8]]? {
        let missing = entries.filter { $0.sealed == nil }
        let contents = missing.compactMap { entry in entry.bytes.map { (content: $0, sequence: entry.sequence) } }
        guard contents.count == missing.count else { return nil }
        do throws(SealingError) {
            let made: [[UInt8]] =
                switch contents.count {
                case 0: []
                case 1: [try session.seal(contents[0].content, sequence: contents[0].sequence)]
                default: try session.sealBatch(contents)
                }
            for (entry, bytes) in zip(missing, made) {
                outbox.note(entry.sequence, sealed: bytes)
                keyWasUsed()
            }
        } catch {
            if error.code != .noKeysYet { refuse(error) }
            return nil
        }
        let ready = outbox.entries(after: sent, atMost: entries.count).compactMap(\.sealed)
        return ready.count == entries.count ? ready : nil
    }

    /// The other side could not open a message. It goes out again under another key, a few times a connection.
    func sealAgain(_ sequence: UInt64, because code: SealingError.Code) {
        guard sequence > 0, sequence <= sent else { return }
        let stale = outbox.entries(after: sequence - 1, atMost: 1).first?.sealed.flatMap {
            try? SealingSession.peek($0)
        }
        guard let stale, outbox.unseal(sequence, atMost: SealingSession.retryLimit) else { return }
        // What was sealed to the same key shares its fate. So does what was sealed to keys beside one that was used already.
        if stale.isLastResort || code == .replayed {
            outbox.unseal(after: sequence) { sealed in
                guard let header = try? SealingSession.peek(sealed) else { return false }
                return header.isLastResort == stale.isLastResort && header.epoch == stale.epoch
            }
        }
        // There may be no other key yet.
        if stale.isLastResort { awaitsKeys = session.state.keysToSeal == 0 }
        sent = sequence - 1
        pump()
    }

    func say(_ signal: Envelope.Signal) {
        if isFlowing { send(signal) }
    }

    /// - Returns: whether the channel took it.
    @discardableResult
    func send(_ signal: Envelope.Signal, on channel: RoomLink.Channel = .messages) -> Bool {
        send(Envelope.signal(signal).bytes, on: channel)
    }

    @discardableResult
    private func send(_ bytes: [UInt8], on channel: RoomLink.Channel) -> Bool {
        guard let open = channels[channel] else { return false }
        do {
            try open.send(bytes)
            return true
        } catch let error as PeerConnectionError where error.code == .limit {
            // Nothing more until there is room; then a hello finds out what is missing.
            if channel == .messages { isFlowing = false }
        } catch {
            // A channel that refuses is about to close; the next connection makes up for it.
        }
        return false
    }
}
