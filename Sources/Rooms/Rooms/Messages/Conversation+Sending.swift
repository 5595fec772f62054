import DataChannels
import Sealing

/// Sending: numbered messages, each sealed to its own key, and signals.
extension Conversation {
    /// How many messages are sealed at once, on all cores.
    private static let batch = 32

    /// Accepts a message. It is then delivered once, whatever happens to the connection. After a restart its owner
    /// delivers it again, and it keeps its number.
    ///
    /// A file is read first. Messages that are delivered meanwhile are sent before it.
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

    /// If it was sent already it arrives; if it is lost with the connection, the next connection sends an empty message
    /// in its place.
    func withdraw(_ id: MessageID, _ sequence: UInt64) {
        let empty = Envelope.message(.init(id: id, sequence: sequence, sentAt: 0, content: .withdrawn)).bytes
        outbox.withdraw(id, with: empty)
        pump()
    }

    /// Sends everything that the other side does not have, in order. Messages without a key wait until there is one.
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

    /// While this process lives, the same message is sent as the same bytes, because its key must not seal anything
    /// else.
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

    /// The other side could not open a message. It is sent again under another key, a few times for each connection.
    func sealAgain(_ sequence: UInt64, because code: SealingError.Code) {
        guard sequence > 0, sequence <= sent else { return }
        let stale = outbox.entries(after: sequence - 1, atMost: 1).first?.sealed.flatMap {
            try? SealingSession.peek($0)
        }
        guard let stale, outbox.unseal(sequence, atMost: SealingSession.retryLimit) else { return }
        // Messages that were sealed to the same key have the same problem, and so have those sealed to keys beside a
        // used one.
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
            // Sends nothing more until there is room; then a hello finds out what is missing.
            if channel == .messages { isFlowing = false }
        } catch {
            // A channel that refuses is about to close; the next connection sends the message.
        }
        return false
    }
}
