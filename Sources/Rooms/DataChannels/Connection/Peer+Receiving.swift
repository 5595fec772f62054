internal import Platform

extension Peer {
    func received(_ bytes: [UInt8], identifier: UInt32, stream: UInt16) {
        if identifier == PayloadIdentifier.control { return receivedControl(bytes, stream: stream) }
        guard let record = channels.byID[stream], !record.isAbandoned,
            let message = DataChannelMessage(identifier: identifier, bytes: bytes)
        else { return }
        // Data implies the acknowledgement.
        record.isAcknowledged = true
        statistics.messagesReceived += 1
        statistics.bytesReceived += UInt64(message.byteCount)
        if let handlers = record.handlers { return handlers.onMessage(message) }
        if let reader = record.reader {
            record.reader = nil
            if reader.answer(message) { return }
        }
        channels.keep(message, for: record)
    }

    private func receivedControl(_ bytes: [UInt8], stream: UInt16) {
        guard let message = try? DCEP(bytes) else { return }
        switch message {
        case .acknowledge: channels.byID[stream]?.isAcknowledged = true
        case .open(let open):
            // The peer must use its own parity. Opening a stream that is in use, or too many, is a mistake of the peer, which
            // is ignored.
            guard !channels.isFull, shared.claim(stream: stream) else { return }
            let claim = claim(bytes.count)
            let channel = DataChannel(
                label: open.label, configuration: DataChannelConfiguration(open), peer: self, claim: claim)
            let record = ChannelRecord(channel)
            record.isAcknowledged = true
            channels.insert(record, id: stream)
            announce(.acknowledge, on: stream)
            record.isOpen = true
            _ = channel.markOpen()
            emit(.dataChannel(channel))
        }
    }

    /// Calls the handlers for past events, and for new ones from now on.
    func install(_ handlers: DataChannelHandlers, on channel: DataChannel) {
        guard channel.state != .closed, let record = channels.record(of: channel) else {
            while let message = channel.takeUnread() { handlers.onMessage(message) }
            if channel.state == .closed { handlers.onClose() }
            return
        }
        record.reader?.answer(nil)
        record.reader = nil
        record.handlers = handlers
        if record.isOpen { handlers.onOpen() }
        let wasFull = !mayReceive
        while let message = channels.takeKept(of: record) { handlers.onMessage(message) }
        if wasFull { receiveSoon() }
    }

    /// From now on messages wait for a reader.
    func removeHandlers(of channel: DataChannel) { channels.record(of: channel)?.handlers = nil }

    /// Gives the next message to the reader, now or when it arrives.
    func read(_ channel: DataChannel, for reader: MessageReader) {
        guard channel.state != .closed, let record = channels.record(of: channel) else {
            if let message = channel.firstUnread {
                if reader.answer(message) { channel.takeUnread() }
            } else {
                reader.answer(nil)
            }
            return
        }
        guard let message = record.backlog.first else {
            record.reader?.answer(nil)
            record.reader = reader
            return
        }
        guard reader.answer(message) else { return }
        let wasFull = !mayReceive
        _ = channels.takeKept(of: record)
        if wasFull && mayReceive { receiveSoon() }
    }

    /// Whether messages may be read from SCTP: not while too many bytes wait for the application.
    var mayReceive: Bool { channels.unread + unaccepted < ChannelTable.unreadLimit }

    /// Counts a channel that the peer opens as waiting for the application, like messages.
    private func claim(_ count: Int) -> OpenClaim {
        let bytes = count + ChannelTable.messageOverhead
        unaccepted += bytes
        return OpenClaim(bytes, peer: self)
    }

    /// The application has begun to use, or released, a channel that the peer opened.
    func accepted(_ bytes: Int) {
        let wasFull = !mayReceive
        unaccepted -= bytes
        if wasFull && mayReceive { receiveSoon() }
    }

    /// Reads the messages that SCTP held back meanwhile.
    private func receiveSoon() { loop.submit { self.assumeIsolated { $0.sctp?.attend() } } }
}
