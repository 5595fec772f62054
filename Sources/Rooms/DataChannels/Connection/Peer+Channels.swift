extension Peer {
    /// Adds a channel that the application made.
    func add(_ channel: DataChannel) {
        let record = ChannelRecord(channel)
        guard connectionState != .closed, !channels.isFull else {
            if let id = channel.configuration.negotiatedID { shared.release(stream: id) }
            _ = channel.markClosed()
            return
        }
        if let id = channel.configuration.negotiatedID {
            record.isAcknowledged = true
            channels.insert(record, id: id)
        } else {
            channels.wait(record)
        }
        if sctp?.state == .connected { openChannels() }
    }

    /// Assigns streams to waiting channels, announces and opens them.
    func openChannels() {
        guard let role = negotiation.role else { return }
        for record in channels.takeWaiting() {
            guard let id = shared.claimStream(role) else {
                finish(record)
                continue
            }
            channels.insert(record, id: id)
            let open = record.channel.configuration.open(label: record.channel.label)
            announce(.open(open), on: id)
            for message in record.unsent { append(message, of: record, to: id) }
            record.unsent = []
        }
        for record in channels.byID.values where !record.isOpen {
            // Agreed on elsewhere, but the association has fewer streams than that.
            if let id = record.channel.id, id >= shared.streamCount { finish(record) } else { open(record) }
        }
    }

    private func open(_ record: ChannelRecord) {
        record.isOpen = true
        if record.channel.markOpen() { record.handlers?.onOpen() }
    }

    func announce(_ message: DCEP, on stream: UInt16) {
        let policy = SCTPPolicy(priority: channels.byID[stream]?.channel.configuration.priority ?? .low)
        queue.append(
            SendQueue.Message(
                identifier: PayloadIdentifier.control,
                bytes: message.bytes,
                policy: policy,
                counted: 0
            ),
            to: stream
        )
        needEndOfRound()
    }

    func enqueue(_ message: DataChannelMessage, on channel: DataChannel) {
        guard let record = channels.record(of: channel) else { return }
        if let id = channel.id {
            append(message, of: record, to: id)
        } else {
            record.unsent.append(message)
        }
    }

    private func append(_ message: DataChannelMessage, of record: ChannelRecord, to stream: UInt16) {
        let payload = message.payload
        var policy = record.channel.configuration.policy
        if !record.isAcknowledged { policy.isOrdered = true }
        queue.append(
            SendQueue.Message(
                identifier: payload.identifier,
                bytes: payload.bytes,
                policy: policy,
                counted: message.byteCount
            ),
            to: stream
        )
        needEndOfRound()
    }

    /// Passes queued messages to SCTP until it is full.
    func sendQueued() {
        guard let sctp, sctp.state == .connected else { return }
        while let (stream, message) = queue.current {
            let result = sctp.send(
                message.bytes, stream: stream, identifier: message.identifier, policy: message.policy)
            guard result == .taken, let sent = queue.taken() else { return }
            note(sent, on: stream)
        }
    }

    private func note(_ sent: SendQueue.Message, on stream: UInt16) {
        guard let record = channels.byID[stream] else { return }
        if sent.identifier != PayloadIdentifier.control {
            statistics.messagesSent += 1
            statistics.bytesSent += UInt64(sent.counted)
        }
        if record.channel.handedOver(sent.counted) { record.handlers?.onBufferedAmountLow() }
        record.secondsClosing = 0
        if record.isClosing { resetWhenDrained(record) }
    }
}
