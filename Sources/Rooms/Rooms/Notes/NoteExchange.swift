/// The notes that the two sides of a room edit at the same time, and the messages about them.
///
/// A note is live while the sides are connected and both share it. When it becomes live, each side sends its state
/// vector and gets the difference; then updates follow as they are made. Lost updates, because a connection broke or a
/// side could not keep up, are exchanged in the same way. This code does not interpret the bytes.
struct NoteExchange {
    let room: String
    let report: RoomReports

    /// What this side shares, in the order in which it was shared.
    var own: [SharedNote] = []
    /// What the other side shares, by id. It outlives the connection.
    var theirs: [String: SharedNote] = [:]
    /// The notes that it has listed on this connection, until the list is complete.
    var listing: [String: SharedNote] = [:]
    /// Whether this side has listed its notes on this connection.
    var hasListed = false
    /// Whether the other side has.
    var hasHeard = false
    var state = NoteChannelState.closed

    var queue = NoteQueue()
    /// The most bytes of content in one frame; fewer if the other side does not take large messages.
    private(set) var partSize = NoteLimits.part
    /// Notes whose owner was asked for the state vector, and has not answered yet.
    private var asked: Set<String> = []
    /// Notes whose updates did not fit into the queue. When the queue is empty, the other side's state vectors of them
    /// are requested.
    var behind: Set<String> = []
    /// State vectors of the other side. The owner gets one at a time.
    var vectors: [(note: String, bytes: [UInt8])] = []
    /// The note whose owner is computing the difference.
    var answering: String?
    /// Updates of that note since its owner was asked; nil if they are too many or unknown, which makes the answer
    /// invalid.
    var held: [[UInt8]]? = []
    /// Notes whose difference the other side has got. Before that, updates are not sent, because they would build on
    /// missing ones, and the difference will contain them.
    private var answered: Set<String> = []

    var assembly = NoteAssembly()
    var pictures = NotePictures()
    /// Notes whose updates arrived faster than their owner took them.
    var lost: Set<String> = []
    var intake = NoteIntake()
    var counts = NoteCounts()

    init(room: String, report: RoomReports) {
        self.room = room
        self.report = report
    }

    // The connection.

    /// The other side has sent its hello. It may do so again after an interruption.
    /// - Parameter knowsNotes: whether it has a channel of notes.
    mutating func greeted(knowsNotes: Bool) {
        guard knowsNotes else { return enter(.unsupported) }
        hasListed = true
        (queue, behind) = (NoteQueue(), [])
        // With our list it forgets what it asked for, and asks again.
        pictures.forgetOutgoing()
        queue.append(.begin)
        for note in own { offer(note) }
        queue.append(.listed)
        open()
    }

    mutating func disconnected() {
        (hasListed, hasHeard) = (false, false)
        (queue, behind, lost) = (NoteQueue(), [], [])
        partSize = NoteLimits.part
        (intake, pictures) = (NoteIntake(), NotePictures())
        forgetIncoming()
        (asked, answering, held) = ([], nil, [])
        enter(.closed)
    }

    /// Incomplete or unanswered frames belong to the old list. An owner that is working on an answer may finish;
    /// otherwise a side that lists repeatedly could start many at once.
    mutating func forgetIncoming() {
        assembly.clear()
        pictures.forgetIncoming()
        (vectors, held, answered) = ([], answering == nil ? [] : nil, [])
    }

    /// Continues once both sides have listed their notes.
    mutating func open() {
        guard hasListed, hasHeard else { return }
        enter(.open)
        for note in own { wantStateVector(of: note.id) }
    }

    private mutating func enter(_ next: NoteChannelState) {
        guard next != state else { return }
        state = next
        report.yield(.noteChannel(room: room, next))
    }

    func isLive(_ note: String) -> Bool {
        hasListed && hasHeard && theirs[note] != nil && own.contains { $0.id == note }
    }

    /// Asks the owner, unless its answer is pending or waits here. An older state vector only makes the difference
    /// larger.
    mutating func wantStateVector(of note: String) {
        guard isLive(note), !queue.vectors.contains(note), asked.insert(note).inserted else { return }
        report.yield(.noteStateVectorWanted(room: room, note: note))
    }

    private mutating func offer(_ note: SharedNote) {
        if hasListed, !intake.refused.contains(note.id) { queue.append(.offer(note)) }
    }

    // The owner.

    /// Shows a note to the other side, or gives it another title.
    mutating func share(_ note: SharedNote) throws(RoomsFailure) {
        if state == .unsupported { report.yield(.noteChannel(room: room, state)) }
        if let place = own.firstIndex(where: { $0.id == note.id }) {
            guard own[place] != note else { return }
            own[place] = note
            return offer(note)
        }
        guard own.count < NoteLimits.notes else {
            throw RoomsFailure(.badRequest, "\(NoteLimits.notes) notes are shared in this room already: stop one first")
        }
        own.append(note)
        offer(note)
        wantStateVector(of: note.id)
    }

    mutating func stop(_ note: String) {
        guard let place = own.firstIndex(where: { $0.id == note }) else { return }
        own.remove(at: place)
        forget(note)
        asked.remove(note)
        if answering == note { (answering, held) = (nil, []) }
        if hasListed { queue.append(.stopped(note)) }
    }

    /// The note is no longer live.
    mutating func forget(_ note: String) {
        queue.drop(note, all: true)
        vectors.removeAll { $0.note == note }
        behind.remove(note)
        lost.remove(note)
        answered.remove(note)
        pictures.forget(note)
    }

    /// Asks the other side for a picture that a note shows, unless one is under way or too much of them has come.
    mutating func want(_ picture: SharedPicture) {
        guard isLive(picture.note), intake.hasRoomForPictures, pictures.want(picture) else { return }
        queue.append(.pictureWanted(picture))
    }

    private mutating func answer(_ bytes: [UInt8], forPicture id: String, of note: String) {
        guard let picture = SharedPicture(id, of: note) else { return }
        pictures.answer(bytes, for: picture)
    }

    /// Tells the other side where this person is in a note, if it is live.
    mutating func point(_ cursor: NoteCursor) {
        if isLive(cursor.note), answered.contains(cursor.note) { queue.append(cursor: cursor) }
    }

    /// Queues content of the owner. A note that is not live exchanges its updates when it becomes live.
    mutating func send(_ content: NoteContent, of note: String) throws(RoomsFailure) {
        let (bytes, limit) =
            switch content {
            case .stateVector(let bytes): (bytes, NoteLimits.stateVector)
            case .difference(let bytes), .update(let bytes): (bytes, NoteLimits.update)
            case .picture(let bytes, _): (bytes, NoteLimits.picture)
            }
        let isTooLarge = bytes.count > limit
        let isTaken = isLive(note) && !isTooLarge
        switch content {
        case .picture(_, let id): return answer(isTaken ? bytes : [], forPicture: id, of: note)
        case .stateVector:
            asked.remove(note)
            if isTaken { queue.append(vector: bytes, of: note) }
        case .difference where answering == note:
            let since = held
            (answering, held) = (nil, [])
            if isTaken { answer(bytes, for: note, then: since) }
        case .update where answering == note: hold(bytes)
        case .difference, .update: if isTaken, answered.contains(note) { queue(bytes, of: note) }
        }
        if isTooLarge { throw RoomsFailure(.messageTooLarge, "more than \(limit) bytes at once") }
    }

    /// The difference contains all updates before the owner was asked. Later ones follow it.
    private mutating func answer(_ difference: [UInt8], for note: String, then since: [[UInt8]]?) {
        guard let since else { return fallBehind(note) }
        behind.remove(note)
        answered.insert(note)
        queue(difference, of: note)
        for update in since where answered.contains(note) { queue(update, of: note) }
    }

    private mutating func hold(_ update: [UInt8]) {
        let bytes = held?.reduce(update.count) { $0 + $1.count } ?? .max
        if bytes <= NoteLimits.waiting { held?.append(update) } else { held = nil }
    }

    private mutating func queue(_ update: [UInt8], of note: String) {
        guard !update.isEmpty else { return }
        guard queue.bytes == 0 || queue.bytes + update.count <= NoteLimits.waiting else { return fallBehind(note) }
        queue.append(update: update, of: note)
    }

    /// Nothing more of a note is queued until the other side's state vector is known again.
    private mutating func fallBehind(_ note: String) {
        queue.drop(note, all: false)
        answered.remove(note)
        if !vectors.contains(where: { $0.note == note }) { behind.insert(note) }
    }

    // The channel.

    /// The next frame to send; ``sent(_:)`` removes it.
    mutating func next() -> NoteFrame? {
        if queue.isEmpty {
            for note in behind.sorted() where isLive(note) { queue.append(.wanted(note)) }
            behind = []
        }
        if answering == nil, queue.bytes <= NoteLimits.lowWater, !vectors.isEmpty {
            let (note, bytes) = vectors.removeFirst()
            answering = note
            report.yield(.noteStateVector(room: room, note: note, bytes: bytes))
        }
        return queue.next(atMost: partSize) ?? pictures.next(atMost: partSize)
    }

    mutating func sent(_ frame: NoteFrame) {
        if case .part(let part) = frame, part.kind == .picture { return pictures.sent(part) }
        if queue.sent(frame) { counts.sent += 1 }
    }

    /// The other side does not take messages as large as the last one.
    /// - Returns: false if they cannot be made smaller.
    mutating func shrinkParts() -> Bool {
        guard partSize > 1024 else { return false }
        partSize /= 2
        return true
    }
}
