import DataChannels

/// What two sides of a room say to each other, over whichever connection stands at the moment.
///
/// The conversation outlives connections: messages wait in the outbox, files go on from where they were. A new
/// connection begins with a hello from each side, which says what has arrived, so that the rest is sent again.
actor Conversation {
    let room: String
    let store: any DeliveryStore
    let filesFolder: String
    let report: RoomReports
    private var outbox: Outbox
    private var inbox: Inbox
    /// The connection, if one stands.
    var channels: [RoomLink.Channel: any ConversationChannel] = [:]
    /// Whether the other side has said hello on this connection, and everything since then could be sent.
    private(set) var isFlowing = false
    /// Whether this side has said hello and waits for the other side's, to go on from there.
    private var awaitsHello = false
    /// Whether messages were refused that have to be asked for again.
    private(set) var hasGap = false
    /// The files that are remembered; those of this process in their order, oldest first.
    var files: [MessageID]
    var outgoing: [MessageID: OutgoingFile] = [:]
    var incoming: [MessageID: IncomingFile] = [:]

    init(
        room: String, store: any DeliveryStore, filesFolder: String, report: RoomReports
    ) throws {
        self.room = room
        self.store = store
        self.filesFolder = filesFolder
        self.report = report
        let stored = try store.delivery(room: room)
        outbox = Outbox(numbers: stored.messages, last: stored.lastSent)
        inbox = Inbox(stored: stored.received)
        let known = try store.files(room: room)
        files = known.map(\.id)
        // How these ended may not have reached the owner's disk. What was being received it asks for again.
        for file in known {
            guard let end = file.end, file.direction == .outgoing || !end.isOurs else { continue }
            report.yield(end.outcome.report(file.id, room: room))
            if !end.isOurs { report.yield(.fileSettled(room: room, message: file.id)) }
        }
    }

    // The connection.

    func connected(_ channels: [RoomLink.Channel: any ConversationChannel]) {
        self.channels = channels
        channels[.messages]?.bufferedAmountLowThreshold = Self.lowWater
        channels[.files]?.bufferedAmountLowThreshold = OutgoingFile.lowWater
        greet()
    }

    /// Bytes left in the channel of messages at which those that it refused are sent.
    private static let lowWater = 1 << 20

    /// The channel has room again.
    func drained() {
        if !isFlowing, !awaitsHello { greet() }
    }

    private func greet() {
        awaitsHello = true
        hasGap = false
        send(.hello(received: inbox.stored, first: outbox.first))
    }

    func disconnected() {
        channels = [:]
        isFlowing = false
        awaitsHello = false
        hasGap = false
        inbox.rewind()
        pauseFiles()
    }

    func received(_ bytes: [UInt8]) {
        // What cannot be read is dropped: the other side is not trusted to speak our language.
        guard let envelope = try? Envelope(bytes: bytes) else { return }
        switch envelope {
        case .message(let message): received(message)
        case .signal(let signal): received(signal)
        }
    }

    private func received(_ message: Envelope.Numbered) {
        switch inbox.take(message.sequence) {
        case .next: handOn(message)
        case .duplicate: send(.receipt(received: inbox.stored))
        case .gap:
            hasGap = true
            askForGap()
        }
    }

    /// What was refused is asked for once everything that was taken is stored: then there is room, and nothing comes twice.
    private func askForGap() {
        if hasGap, !awaitsHello, inbox.stored == inbox.taken { greet() }
    }

    private func handOn(_ message: Envelope.Numbered) {
        switch message.content {
        case .withdrawn, .unknown: try? pass(over: message.sequence)
        case .file(let offer):
            keep(offer, of: message.id)
            fallthrough
        default:
            report.yield(
                .received(
                    room: room,
                    ReceivedMessage(
                        id: message.id, sequence: message.sequence, sentAt: message.sentAt, content: message.content)))
        }
    }

    private func received(_ signal: Envelope.Signal) {
        switch signal {
        case .hello(let received, let first): greeted(received: received, first: first)
        case .receipt(let received): delivered(upTo: received)
        case .read(let messages): report.yield(.read(room: room, messages: messages))
        case .typing(let on): report.yield(.typing(room: room, on))
        case .goodbye(let forever): report.yield(.peerLeft(room: room, forever: forever))
        case .fileAnswer(let id, let offset?): wanted(id, from: offset)
        case .fileChunk(let id, let offset, let bytes): received(id, offset, bytes)
        // What the disk does not tell or take now is said again on the next connection.
        case .fileAnswer(let id, nil): try? ended(id, .declined)
        case .fileChecked(let id, let intact): try? ended(id, intact ? .arrived(path: nil) : .damaged)
        case .fileCancelled(let id): try? ended(id, .cancelled)
        case .fileSettled(let id): try? settled(id)
        case .unknown: break
        }
    }

    /// The other side says what it has; everything after that is sent, again if need be.
    private func greeted(received: UInt64, first: UInt64) {
        delivered(upTo: received)
        if inbox.skip(to: first) { try? store.received(upTo: inbox.stored, room: room) }
        // The other side was interrupted and this one did not notice: it waits for a hello, too.
        if !awaitsHello { send(.hello(received: inbox.stored, first: outbox.first)) }
        awaitsHello = false
        let isNew = !isFlowing
        isFlowing = true
        for entry in outbox.pending where entry.sequence > received {
            guard isFlowing else { return }
            if let bytes = entry.bytes {
                send(bytes, on: .messages)
            } else {
                // Its owner did not deliver it again after a restart, so it is not wanted any more.
                withdraw(entry.id, entry.sequence)
            }
        }
        if isNew { resumeFiles() }
    }

    private func delivered(upTo sequence: UInt64) {
        let delivered = outbox.acknowledge(upTo: sequence)
        guard let last = delivered.last else { return }
        // If the disk refuses now, the messages are sent once more after a restart, and the other side drops them.
        try? store.acknowledged(upTo: last.sequence, room: room)
        for entry in delivered { report.yield(.acknowledged(room: room, message: entry.id)) }
    }

    // What the owner asks for.

    /// Takes a message in: from here on it is delivered once, whatever happens to the connection. After a restart of the
    /// process its owner delivers it again, and it goes on under the number that it had.
    func deliver(_ message: OutgoingMessage) throws {
        let known = outbox.sequence(of: message.id)
        if let known, outbox.pending.contains(where: { $0.sequence == known && $0.bytes != nil }) { return }
        guard known != nil || !outbox.isFull else {
            throw RoomsFailure(.badRequest, "\(Outbox.limit) messages wait for the other side already")
        }
        let sequence = known ?? outbox.last + 1
        let content = try content(of: message)
        let bytes = Envelope.message(
            .init(id: message.id, sequence: sequence, sentAt: message.sentAt, content: content)
        ).bytes
        guard bytes.count <= Envelope.Limit.envelope else { throw RoomsFailure(.messageTooLarge) }
        if known == nil {
            try store.append(message.id, sequence: sequence, room: room)
            outbox.append(message.id, bytes)
        } else {
            outbox.fill(sequence, with: bytes)
        }
        if isFlowing { send(bytes, on: .messages) }
    }

    func withdraw(_ messages: [MessageID]) throws {
        for id in messages {
            if let sequence = outbox.sequence(of: id) { withdraw(id, sequence) }
            try forgetFile(id)
        }
    }

    private func withdraw(_ id: MessageID, _ sequence: UInt64) {
        let empty = Envelope.message(.init(id: id, sequence: sequence, sentAt: 0, content: .withdrawn)).bytes
        outbox.withdraw(id, with: empty)
        if isFlowing { send(empty, on: .messages) }
    }

    /// The owner has stored everything up to a number; only now the other side may forget it.
    func acknowledge(upTo sequence: UInt64) throws {
        guard inbox.store(upTo: sequence) else { return send(.receipt(received: inbox.stored)) }
        try confirmStored()
    }

    private func confirmStored() throws {
        try store.received(upTo: inbox.stored, room: room)
        send(.receipt(received: inbox.stored))
        askForGap()
    }

    /// A message that has no meaning for the owner. It counts as stored, but not those before it.
    func pass(over sequence: UInt64) throws {
        let before = inbox.stored
        inbox.leaveBlank(sequence)
        if inbox.stored > before { try confirmStored() }
    }

    func say(_ signal: Envelope.Signal) {
        if isFlowing { send(signal) }
    }

    // Sending.

    func send(_ signal: Envelope.Signal, on channel: RoomLink.Channel = .messages) {
        send(Envelope.signal(signal).bytes, on: channel)
    }

    private func send(_ bytes: [UInt8], on channel: RoomLink.Channel) {
        do {
            try channels[channel]?.send(bytes)
        } catch let error as PeerConnectionError where error.code == .limit {
            // Nothing more until there is room; then a hello finds out what is missing.
            if channel == .messages { isFlowing = false }
        } catch {
            // A channel that refuses is about to close; the next connection makes up for it.
            return
        }
    }
}
