import DataChannels
import Sealing

/// What two sides of a room say to each other, over whichever connection stands at the moment.
///
/// The conversation outlives connections: messages wait in the outbox, files go on from where they were. A new
/// connection begins with a hello from each side, which says what has arrived, so that the rest is sent again.
actor Conversation {
    let room: String
    let store: any DeliveryStore
    let filesFolder: String
    let fileQueue: FileQueue
    let report: RoomReports
    var outbox: Outbox
    var inbox: Inbox
    /// The highest number that was sent since the other side said what it has.
    var sent: UInt64 = 0
    /// The connection, if one stands.
    var channels: [RoomLink.Channel: any ConversationChannel] = [:]
    /// Whether there is no key that the other side has not lost.
    var awaitsKeys = false
    /// Whether the other side has said hello on this connection, and everything since then could be sent.
    var isFlowing = false
    /// Whether this side has said hello and waits for the other side's, to go on from there.
    private(set) var awaitsHello = false
    /// Whether messages were refused that have to be asked for again.
    var hasGap = false
    /// The files that are remembered; those of this process in their order, oldest first.
    var files: [MessageID]
    var outgoing: [MessageID: OutgoingFile] = [:]
    /// The files that come. They stay open when a connection ends, so that what is there is not read again.
    var incoming: [MessageID: IncomingFile] = [:]
    /// What is done with incoming files beside everything else: reading what is there already, putting them in their places.
    var fileWork: [MessageID: Task<Void, Never>] = [:]
    /// The files about which something is to be said or done on a new connection.
    var unsettled: Set<MessageID>
    /// The files that were called off before they were offered.
    var neverOffered: Set<MessageID>
    /// How files ended here that the store has not taken yet.
    var unsavedEnds: [MessageID: FileEnd.Outcome] = [:]
    var savingEnds: Task<Void, Never>?
    /// Whether nothing more may be begun: another conversation of this room may take its place.
    private(set) var isOver = false

    /// The notes that both sides edit at once.
    var notes: NoteExchange
    /// Looks after notes whose updates could not all be taken.
    var notesRecovery: Task<Void, Never>?

    /// What messages are sealed and opened with.
    nonisolated let session: SealingSession
    let sealing: any SealingStore
    /// The keys of what was handed on and is not stored yet.
    var keys = UnstoredKeys()
    var refusals = Refusals()
    /// Messages that could not be opened, since one could.
    var failures = 0
    /// Whether the other side has said goodbye over the present connection.
    var hasPeerLeft = false
    /// Counts the connections, so that what was made for one does not go out on another.
    private(set) var connectionNumber = 0
    var refilling: Task<Void, Never>?
    /// The last one that was begun; it may go on for a moment when it is not wanted any more.
    var lastRefilling: Task<Void, Never>?
    /// What one session has to say to the other and the channel did not take.
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
        let stored = try store.delivery(room: room)
        outbox = Outbox(numbers: stored.messages, last: stored.lastSent)
        inbox = Inbox(stored: stored.received)
        let known = try store.files(room: room)
        files = known.map(\.id)
        unsettled = Set(known.lazy.filter(\.isUnsettled).map(\.id))
        neverOffered = Set(known.lazy.filter(\.isNeverOffered).map(\.id))
        // How these ended may not have reached the owner's disk. What was being received it asks for again.
        for file in known {
            // The last process may have died between the two.
            if file.end != nil { Self.removePart(file) }
            guard let end = file.end, file.direction == .outgoing || !end.isOurs else { continue }
            report.yield(end.outcome.report(file.id, room: room))
            if !end.isOurs { report.yield(.fileSettled(room: room, message: file.id)) }
        }
    }

    // The connection.

    /// A connection stands, and it is known who is at its other end.
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
        greet()
        return introduce(over: binding)
    }

    /// Bytes left in the channel of messages at which those that it refused are sent.
    static let lowWater = 1 << 20

    /// The channel has room again.
    func drained() {
        sendControls()
        if !isFlowing, !awaitsHello { greet() }
        refill()
    }

    func greet() {
        hasGap = false
        // What could not be sent is not answered.
        awaitsHello = send(.hello(received: inbox.stored, first: outbox.first, notes: true))
    }

    /// Ends what goes on in the background. Afterwards another conversation of this room may begin. Keys that were reserved
    /// and not used go back, also if nobody was connected.
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
        pauseFiles()
        notes.disconnected()
    }

    /// The other side says what it has; everything after that is sent, again if need be.
    func greeted(received: UInt64, first: UInt64) {
        // If the disk refuses, nothing is sent: it would be taken for something old.
        guard (try? goOn(after: received)) != nil else { return }
        delivered(upTo: received)
        if inbox.skip(to: first) { try? store.received(upTo: inbox.stored, room: room) }
        // The other side was interrupted and this one did not notice: it waits for a hello, too.
        guard awaitsHello || send(.hello(received: inbox.stored, first: outbox.first, notes: true)) else { return }
        awaitsHello = false
        isFlowing = true
        sent = received
        // What its owner did not deliver again after a restart is not wanted any more.
        for entry in outbox.pending where entry.bytes == nil { withdraw(entry.id, entry.sequence) }
        pump()
        // Not only on a new connection: perhaps the other side alone noticed that the last one was interrupted, and what it
        // sent or this side answered meanwhile is lost.
        resumeFiles()
    }

    /// If the other side has stored more than was ever sent, this profile is older than it was, and numbers that it would use
    /// are spent: it goes on with others.
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
        // If the disk refuses now, the messages are sent once more after a restart, and the other side drops them.
        try? store.acknowledged(upTo: last.sequence, room: room)
        for entry in delivered {
            report.yield(.acknowledged(room: room, message: entry.id))
            // If the disk refuses, it is one of the files that are remembered.
            if neverOffered.contains(entry.id) { try? forgetFile(entry.id) }
        }
    }
}
