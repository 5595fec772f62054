extension Peer {
    /// Takes up a channel that the application made.
    func add(_ channel: DataChannel) {
        let record = ChannelRecord(channel)
        guard connectionState != .closed else {
            _ = channel.markClosed()
            return
        }
        if let id = channel.configuration.negotiatedID {
            record.isAcknowledged = true
            guard channels.insert(record, id: id) else {
                _ = channel.markClosed()
                return
            }
        } else {
            channels.wait(record)
        }
        if sctp?.state == .connected { openChannels() }
    }

    /// Gives streams to the channels that wait for one, announces and opens them.
    func openChannels() {
        guard let role = negotiation.role else { return }
        for record in channels.takeWaiting() {
            guard let id = channels.freeID(role), channels.insert(record, id: id) else {
                finish(record)
                continue
            }
            let open = record.channel.configuration.open(label: record.channel.label)
            announce(.open(open), on: id)
            for message in record.unsent { append(message, of: record, to: id) }
            record.unsent = []
        }
        for record in channels.byID.values where !record.isOpen { open(record) }
    }

    private func open(_ record: ChannelRecord) {
        record.isOpen = true
        if record.channel.markOpen() { record.handlers?.onOpen() }
        if record.channel.state == .closing { resetWhenDrained(record) }
    }

    private func announce(_ message: DCEP, on stream: UInt16) {
        queue.append(
            SendQueue.Message(
                identifier: PayloadIdentifier.control,
                bytes: message.bytes,
                policy: SCTPTransport.Policy(),
                counted: 0
            ),
            to: stream
        )
        needEndOfTurn()
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
        needEndOfTurn()
    }

    /// Hands queued messages to SCTP until it is full.
    func sendQueued() {
        guard let sctp, sctp.state == .connected else { return }
        while let (stream, message, offset) = queue.current {
            let result = sctp.send(
                message.bytes,
                from: offset,
                stream: stream,
                identifier: message.identifier,
                policy: message.policy
            )
            guard case .taken(let count) = result, count > 0 else { return }
            guard let sent = queue.taken(count) else { continue }
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
        if record.channel.state == .closing { resetWhenDrained(record) }
    }
}

// MARK: - Receiving

extension Peer {
    func received(_ bytes: [UInt8], identifier: UInt32, stream: UInt16) {
        if identifier == PayloadIdentifier.control { return receivedControl(bytes, stream: stream) }
        guard let record = channels.byID[stream],
            let message = DataChannelMessage(identifier: identifier, bytes: bytes)
        else { return }
        // Data says as much as an acknowledgement.
        record.isAcknowledged = true
        statistics.messagesReceived += 1
        statistics.bytesReceived += UInt64(message.byteCount)
        if let handlers = record.handlers {
            handlers.onMessage(message)
        } else {
            record.backlog.append(message)
            channels.unread += message.byteCount + ChannelTable.messageOverhead
        }
    }

    private func receivedControl(_ bytes: [UInt8], stream: UInt16) {
        guard let message = try? DCEP(bytes) else { return }
        switch message {
        case .acknowledge: channels.byID[stream]?.isAcknowledged = true
        case .open(let open):
            // The peer must use its own parity; a stream in use is a mistake of the peer that is not answered.
            let channel = DataChannel(label: open.label, configuration: DataChannelConfiguration(open), peer: self)
            let record = ChannelRecord(channel)
            record.isAcknowledged = true
            guard channels.insert(record, id: stream) else { return }
            announce(.acknowledge, on: stream)
            record.isOpen = true
            _ = channel.markOpen()
            emit(.dataChannel(channel))
        }
    }

    func install(_ handlers: DataChannelHandlers, on channel: DataChannel) {
        guard let record = channels.record(of: channel) else {
            if channel.state == .closed { handlers.onClose() }
            return
        }
        record.handlers = handlers
        if record.isOpen { handlers.onOpen() }
        let backlog = record.backlog
        record.backlog = []
        for message in backlog {
            channels.unread -= message.byteCount + ChannelTable.messageOverhead
            handlers.onMessage(message)
        }
        // What SCTP held back meanwhile.
        if !backlog.isEmpty { loop.submit { self.assumeIsolated { $0.sctp?.attend() } } }
    }
}

// MARK: - Closing

extension Peer {
    func close(_ channel: DataChannel) {
        guard let record = channels.record(of: channel) else { return }
        if record.isOpen { resetWhenDrained(record) } else if channel.id == nil { finish(record) }
    }

    /// Resets our direction once everything was handed over.
    private func resetWhenDrained(_ record: ChannelRecord) {
        guard let id = record.channel.id, queue.isEmpty(id), !record.outgoingResetDone else { return }
        record.resetsRequested = true
        requestResets()
    }

    /// SCTP takes one request at a time; the rest follow when it is done.
    private func requestResets() {
        let streams = channels.byID.filter { $0.value.resetsRequested && !$0.value.outgoingResetDone }.keys.sorted()
        guard !streams.isEmpty, let sctp else { return }
        _ = sctp.reset(streams)
        needEndOfTurn()
    }

    func outgoingReset(_ streams: [UInt16]) {
        for stream in streams {
            guard let record = channels.byID[stream] else { continue }
            record.outgoingResetDone = true
            if record.incomingResetDone { finish(record) }
        }
        requestResets()
    }

    func incomingReset(_ streams: [UInt16]) {
        for stream in streams {
            guard let record = channels.byID[stream] else { continue }
            record.incomingResetDone = true
            record.channel.markClosing()
            if record.outgoingResetDone { finish(record) } else { resetWhenDrained(record) }
        }
    }

    private func finish(_ record: ChannelRecord) {
        channels.remove(record)
        if record.channel.markClosed() { record.handlers?.onClose() }
    }

    func closeAllChannels() {
        for record in channels.all { finish(record) }
        channels.removeAll()
    }
}
