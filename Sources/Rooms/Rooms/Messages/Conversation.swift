import DataChannels
import Sealing

/// The messages between the two sides of a room, over the current connection.
///
/// The conversation outlives connections: messages wait in the outbox, and files continue where they stopped. A new
/// connection begins with a hello from each side, which says what has arrived, so that the rest is sent again.
actor Conversation {
    let room: String
    let store: any DeliveryStore
    let filesFolder: String
    let fileQueue: FileQueue
    let report: RoomReports
    var outbox: Outbox
    var inbox: Inbox
    /// The highest number that was sent since the other side's last hello.
    var sent: UInt64 = 0
    /// The current connection, if there is one.
    var channels: [RoomLink.Channel: any ConversationChannel] = [:]
    /// Whether there are only keys that the other side has lost.
    var awaitsKeys = false
    /// Whether the other side has sent its hello on this connection, and everything since then could be sent.
    var isFlowing = false
    /// Whether this side has sent a hello and waits for the other side's, to continue from there.
    private(set) var awaitsHello = false
    /// Whether messages were refused that have to be requested again.
    var hasGap = false
    /// The files that are remembered; those of this process in their order, oldest first.
    var files: [MessageID]
    var outgoing: [MessageID: OutgoingFile] = [:]
    /// From where the other side wants those that are paused here.
    var wantedLater: [MessageID: UInt64] = [:]
    /// The incoming files. They stay open when a connection ends, so that received bytes are not read again.
    var incoming: [MessageID: IncomingFile] = [:]
    /// Background work on incoming files: reading bytes that are there already, and putting files in their places.
    var fileWork: [MessageID: Task<Void, Never>] = [:]
    /// The files with something to send or do on a new connection.
    var unsettled: Set<MessageID>
    /// The files that were cancelled before they were offered.
    var neverOffered: Set<MessageID>
    /// Ends of files that the store has not taken yet.
    var unsavedEnds: [MessageID: FileEnd.Outcome] = [:]
    var savingEnds: Task<Void, Never>?
    /// Whether it is closed: another conversation of this room may replace it.
    private(set) var isOver = false

    /// The notes that both sides edit at the same time.
    var notes: NoteExchange
    /// What agents of one side say to the other.
    var agents: AgentExchange
    /// The task for notes whose updates could not all be taken.
    var notesRecovery: Task<Void, Never>?

    /// The session that seals and opens messages.
    nonisolated let session: SealingSession
    let sealing: any SealingStore
    /// The keys of messages that were passed on and are not stored yet.
    var keys = UnstoredKeys()
    var refusals = RefusalReports()
    /// How many messages in a row could not be opened.
    var failures = 0
    /// Whether the other side has said goodbye over the current connection.
    var hasPeerLeft = false
    /// Counts the connections, so that bytes for one are not sent on another.
    private(set) var connectionNumber = 0
    var refilling: Task<Void, Never>?
    /// Whether keys were wanted while some were being made.
    var refillsAgain = false
    /// The last one that was started; it may run on for a moment after it was cancelled.
    var lastRefilling: Task<Void, Never>?
    /// Control messages of the session that the channel did not take.
    var waitingControls: [[UInt8]] = []
    var hasReportedIdentity = false
    /// Whether this side has ended the trust.
    var isRevoking = false
    var usesSinceReport = 0

    /// - Throws: ``SealingError`` with `revoked` if the trust in this room's other side was revoked.
    init(
        room: String, store: any DeliveryStore, sealing: any SealingStore, keyTarget: Int = SealingLimits.capacity,
        filesFolder: String, fileQueue: FileQueue = FileQueue(), report: RoomReports
    ) throws {
        self.room = room
        self.store = store
        self.sealing = sealing
        session = try SealingSession(pairing: room, store: sealing, target: keyTarget)
        self.filesFolder = filesFolder
        self.fileQueue = fileQueue
        self.report = report
        notes = NoteExchange(room: room, report: report)
        agents = AgentExchange(room: room, report: report)
        let stored = try store.delivery(room: room)
        outbox = Outbox(numbers: stored.messages, last: stored.lastSent)
        inbox = Inbox(stored: stored.received)
        let known = try store.files(room: room)
        files = known.map(\.id)
        unsettled = Set(known.lazy.filter(\.isUnsettled).map(\.id))
        neverOffered = Set(known.lazy.filter(\.isNeverOffered).map(\.id))
        // The ends of these files may not have reached the owner's disk. It requests again the files that were being
        // received.
        for file in known {
            // The last process may have died between the two steps.
            if file.end != nil { Self.removePart(file) }
            guard let end = file.end, file.direction == .outgoing || !end.isOurs else { continue }
            report.yield(end.outcome.report(file.id, room: room))
            if !end.isOurs { report.yield(.fileSettled(room: room, message: file.id)) }
        }
    }

    // The connection.

    /// A connection is established, and its other end is verified.
    /// - Returns: why the link must end; nil if it need not.
    @discardableResult
    func connected(
        _ channels: [RoomLink.Channel: any ConversationChannel], binding: ChannelBinding
    ) -> LinkFailure? {
        self.channels = channels
        connectionNumber += 1
        hasPeerLeft = false
        awaitsKeys = false
        outbox.beginAnew()
        channels[.messages]?.bufferedAmountLowThreshold = Self.lowWater
        channels[.files]?.bufferedAmountLowThreshold = OutgoingFile.lowWater
        channels[.notes]?.bufferedAmountLowThreshold = NoteLimits.lowWater
        channels[.agents]?.bufferedAmountLowThreshold = AgentChannelLimits.lowWater
        greet()
        return introduce(over: binding)
    }

    /// Refused messages are sent when this many bytes are left in the channel of messages.
    static let lowWater = 1 << 20

    /// The channel has room again.
    func drained() {
        sendControls()
        if !isFlowing, !awaitsHello { greet() }
        refill()
    }

    func greet() {
        hasGap = false
        // Unsent messages are not answered.
        awaitsHello = send(.hello(received: inbox.stored, first: outbox.first, notes: true, agents: true))
    }

    /// Ends the background work. Afterwards another conversation of this room may start. Keys that were reserved and
    /// not used are returned, also without a connection.
    func rest() async {
        isOver = true
        stopRefilling()
        savingEnds?.cancel()
        for work in fileWork.values { work.cancel() }
        for work in fileWork.values { await work.value }
        await lastRefilling?.value
        session.disconnected()
    }

    func disconnected() {
        channels = [:]
        isFlowing = false
        awaitsHello = false
        hasGap = false
        hasReportedIdentity = false
        failures = 0
        connectionNumber += 1
        waitingControls = []
        stopRefilling()
        session.disconnected()
        inbox.rewind()
        stopFiles()
        notes.disconnected()
        agents.disconnected()
    }

    /// The other side says what it has; everything after that is sent, again if necessary.
    func greeted(received: UInt64, first: UInt64) {
        // If the disk fails, nothing is sent, because the other side would take it for an old message.
        guard (try? goOn(after: received)) != nil else { return }
        delivered(upTo: received)
        if inbox.skip(to: first) { try? store.received(upTo: inbox.stored, room: room) }
        // The other side was interrupted, which this one did not notice, so it waits for a hello, too.
        guard awaitsHello || send(.hello(received: inbox.stored, first: outbox.first, notes: true, agents: true)) else {
            return
        }
        awaitsHello = false
        isFlowing = true
        sent = received
        // Messages that the owner did not deliver again after a restart are withdrawn.
        for entry in outbox.pending where entry.bytes == nil { withdraw(entry.id, entry.sequence) }
        pump()
        // Not only on a new connection: perhaps only the other side noticed an interruption, and messages of the
        // meantime are lost.
        resumeFiles()
    }

    /// If the other side has stored more than was ever sent, this profile was reset to an older copy. The next numbers
    /// are then used already, so it continues with higher ones.
    private func goOn(after received: UInt64) throws {
        guard received > outbox.last, !OfflineSequence.isOne(received) else { return }
        var outbox = outbox
        outbox.renumber(after: received)
        try store.renumber(outbox.pending.map { ($0.sequence, $0.id) }, lastSent: outbox.last, room: room)
        self.outbox = outbox
    }

    func delivered(upTo sequence: UInt64) {
        let delivered = outbox.acknowledge(upTo: sequence)
        guard let last = delivered.last else { return }
        // If the disk fails now, the messages are sent again after a restart, and the other side drops them.
        try? store.acknowledged(upTo: last.sequence, room: room)
        for entry in delivered {
            report.yield(.acknowledged(room: room, message: entry.id))
            // If the disk fails, it stays one of the remembered files.
            if neverOffered.contains(entry.id) { try? forgetFile(entry.id) }
        }
    }
}

/// The parts of a data channel that a conversation uses.
protocol ConversationChannel: AnyObject, Sendable {
    /// - Throws: ``PeerConnectionError`` with `limit` when too much waits already.
    func send(_ bytes: [UInt8]) throws
    var bufferedAmount: Int { get }
    var bufferedAmountLowThreshold: Int { get set }
}

extension DataChannel: ConversationChannel {}
