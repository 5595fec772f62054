public import Errors

// What the program sends.
extension Association {
    /// Takes a message. It never blocks; before the association is established, messages wait.
    ///
    /// - Throws: ``SCTPError`` with `notConnected` when the association is closing or closed, `emptyMessage`,
    ///   `noSuchStream`, or `limit` when ``Configuration/sendLimit`` bytes wait.
    public mutating func send(_ message: OutgoingMessage, now: Nanoseconds) throws(SCTPError) {
        self.now = max(self.now, now)
        switch phase {
        case .idle, .cookieWait, .cookieEchoed, .established: break
        case .shutdownPending, .shutdownSent, .shutdownReceived, .shutdownAcknowledgementSent, .closed:
            throw SCTPError(.notConnected, "the association is closing or closed: nothing can be sent on it")
        }
        guard !message.bytes.isEmpty else { throw SCTPError(.emptyMessage, "SCTP cannot carry an empty message") }
        guard message.stream < outgoingStreams else {
            throw SCTPError(
                .noSuchStream, "there is no stream \(message.stream): the peer accepts \(outgoingStreams) streams")
        }
        guard outgoing.unsent + message.bytes.count <= configuration.sendLimit else {
            throw SCTPError(.limit, "\(outgoing.unsent) bytes wait already: send on when they are fewer")
        }
        var queued = QueuedMessage(
            bytes: message.bytes, identifier: message.identifier, isOrdered: message.isOrdered,
            maxTransmissions: .max, expiry: .max)
        switch message.reliability {
        case .reliable: break
        case .maxRetransmits(let count): queued.maxTransmissions = count
        case .lifetime(let time): queued.expiry = now + max(0, min(time, .seconds(1 << 32)))
        }
        outgoing.append(queued, to: message.stream)
        if outgoing.unsent >= configuration.sendThreshold { owesWritable = true }
    }

    /// Sets the share of a stream relative to others that have something to send. 256 is normal; RFC 8831 section 6.4 has
    /// 128, 256, 512 and 1024.
    public mutating func setWeight(_ weight: UInt16, stream: UInt16) { outgoing.setWeight(weight, of: stream) }

    /// Bytes of all streams that are not in packets yet.
    public var unsentBytes: Int { outgoing.unsent }

    /// Bytes of a stream that are not in packets yet.
    public func unsentBytes(stream: UInt16) -> Int { outgoing.unsent(stream) }

    /// Whether the buffer is short: fewer than ``Configuration/sendThreshold`` bytes wait. After it was false,
    /// ``AssociationEvent/writable`` tells when it is true again.
    public var isWritable: Bool { outgoing.unsent < configuration.sendThreshold }

    /// Drops the messages of a stream of which nothing is in packets.
    public mutating func discardUnsent(stream: UInt16) { outgoing.discard(stream) }

    /// Resets our direction of streams (RFC 6525), once everything that was sent on them is in packets. What is sent
    /// on them afterwards waits for the answer, which ``AssociationEvent/resetDone(_:performed:)`` tells.
    ///
    /// - Throws: ``SCTPError`` with `notConnected` unless the association is established, or if the peer does not know
    ///   RFC 6525.
    public mutating func reset(_ streams: [UInt16], now: Nanoseconds) throws(SCTPError) {
        self.now = max(self.now, now)
        guard phase == .established, abilities.contains(.reconfiguration) else {
            throw SCTPError(.notConnected, "streams can be reset only while connected, by peers with RFC 6525")
        }
        for stream in streams where stream < outgoingStreams { outgoing.wantReset(stream, &resets.wanted) }
    }
}
