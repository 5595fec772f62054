internal import Platform

extension Peer {
    func close(_ channel: DataChannel) {
        guard let record = channels.record(of: channel) else { return }
        guard record.isOpen else { return finish(record) }
        record.isClosing = true
        resetWhenDrained(record)
    }

    /// Resets our direction once SCTP has taken everything.
    func resetWhenDrained(_ record: ChannelRecord) {
        guard isDrained(record) else { return }
        record.resetsRequested = true
        requestResets()
    }

    private func isDrained(_ record: ChannelRecord) -> Bool {
        guard let id = record.channel.id else { return false }
        return queue.isEmpty(id) && !record.outgoingResetDone
    }

    /// SCTP takes one request at a time; the rest follow when it is done.
    private func requestResets() {
        let streams = channels.byID.filter { $0.value.resetsRequested && !$0.value.outgoingResetDone }.keys.sorted()
        guard !streams.isEmpty, let sctp else { return }
        sctp.reset(streams)
        needEndOfRound()
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
        for stream in streams.isEmpty ? Array(channels.byID.keys) : streams {
            // A peer may say it as often as it likes.
            guard let record = channels.byID[stream], !record.incomingResetDone else { continue }
            record.incomingResetDone = true
            record.channel.markClosing()
            record.isClosing = true
            if record.outgoingResetDone { finish(record) } else if isDrained(record) { record.resetsRequested = true }
        }
        requestResets()
    }

    /// Ends the channels whose closing the peer does not answer. Called once a second.
    func endOverdueClosings() {
        for record in channels.byID.values where record.isClosing && !record.isAbandoned {
            record.secondsClosing += 1
            if record.secondsClosing >= watch.limits.closing { abandon(record) }
        }
    }

    /// Drops messages that SCTP has not taken and reports the channel closed. The stream is free again when the peer
    /// answers.
    private func abandon(_ record: ChannelRecord) {
        record.isAbandoned = true
        if let id = record.channel.id {
            queue.drop(id)
            sctp?.discardUnsent(id)
        }
        resetWhenDrained(record)
        end(record)
    }

    /// Removes a channel from the connection.
    func finish(_ record: ChannelRecord) {
        channels.remove(record)
        if let id = record.channel.id {
            queue.drop(id)
            shared.release(stream: id)
        }
        if !record.isAbandoned { end(record) }
    }

    /// Reports a channel closed. It keeps its unread messages.
    private func end(_ record: ChannelRecord) {
        var unread = FIFO<DataChannelMessage>()
        while let message = channels.takeKept(of: record) { unread.append(message) }
        let isNew = record.channel.markClosed(unread: unread)
        record.reader?.answer(nil)
        record.reader = nil
        let handlers = record.handlers
        record.handlers = nil
        if isNew { handlers?.onClose() }
    }

    func closeAllChannels() {
        for record in channels.all { finish(record) }
        channels.removeAll()
    }
}
