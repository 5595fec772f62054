import AppCore
import Notes
import Rooms

/// Joins notes with the rooms that they are shared in: what is written on one side comes to the other.
///
/// A note is live in a room when both sides share it there. One that is offered and not here is made once its content has come.
actor NoteSharing {
    private struct Session {
        let session: NoteSession
        /// Carries what is written here to the rooms.
        let sender: Task<Void, Never>
    }

    let folder: NotesFolder
    /// What the core has to hear.
    nonisolated let events: AsyncStream<Event>
    private let event: AsyncStream<Event>.Continuation
    /// The effect under which a note is shared in a room.
    private var effects: [Place: EffectID] = [:]
    private(set) var live: Set<Place> = []
    /// What the other side calls its notes.
    private var offers: [Place: String] = [:]
    /// Notes that came into being because the other side of a room offered them.
    private var adopted: Set<Place> = []
    private var sessions: [String: Session] = [:]
    /// Where other people are.
    var cursors: [Place: NoteCursor] = [:]
    /// Notes that are soon looked through for pictures, and what each room was asked for and does not have.
    var searches: [Place: Task<Void, Never>] = [:]
    var wantedPictures: [String: SharedPicture] = [:]
    var absentPictures: [String: Set<String>] = [:]
    /// Who wants to know where others are in a note.
    var watchers: [Int: (note: String, tell: @Sendable () async -> Void)] = [:]
    var nextWatcher = 0
    let rooms: RoomsService
    private var last: Task<Void, Never>?
    private var waiting = 0

    struct Place: Hashable {
        var room: String
        var note: String
    }

    /// Bytes of reports that wait here; a report beyond that waits with its sender.
    private static let backlog = 16 << 20
    /// Notes that the other side of one room can bring into being while this process runs.
    private static let adoptions = 64
    /// Bytes of a note that comes from somebody else.
    private static let largestAdopted = 16 << 20

    init(rooms: RoomsService, folder: NotesFolder) {
        self.rooms = rooms
        self.folder = folder
        (events, event) = AsyncStream.makeStream()
    }

    /// Whether no note is shared.
    var isIdle: Bool { effects.isEmpty }

    // What this side wants.

    func share(_ note: String, in room: String, for effect: EffectID) async throws {
        let place = Place(room: room, note: note)
        let known = try await title(of: note) ?? offers[place]
        guard let known, let shared = SharedNote(id: note, title: known) else { throw NoteFailure.unknown(note) }
        effects[place] = effect
        try await rooms.shareNote(shared, in: room)
    }

    func stop(_ note: String, in room: String) async {
        let place = Place(room: room, note: note)
        effects[place] = nil
        live.remove(place)
        forgetCursors { $0 == place }
        forgetPicture(of: place)
        await rooms.stopSharingNote(note, in: room)
        await rest(note)
    }

    /// Writes what waits and ends every session.
    func close() async {
        for search in searches.values { search.cancel() }
        await last?.value
        effects = [:]
        live = []
        for note in sessions.keys { await rest(note) }
    }

    /// The end: no event comes any more.
    func stop() async {
        await close()
        event.finish()
    }

    // What the rooms report.

    /// Takes a report in its turn. Returns at once, unless too much waits already.
    func take(_ report: RoomReport) async {
        let before = last
        let size = report.noteBytes
        waiting += size
        let task = Task {
            await before?.value
            await handle(report)
            waiting -= size
        }
        last = task
        if waiting > Self.backlog { await task.value }
    }

    private func handle(_ report: RoomReport) async {
        do {
            switch report {
            case .noteChannel(let room, let state): channel(of: room, is: state)
            case .noteOffered(let room, let note): try await offered(note, in: room)
            case .noteStopped(let room, let note): stopped(Place(room: room, note: note))
            case .noteStateVectorWanted(let room, let note): try await begin(Place(room: room, note: note))
            case .noteStateVector(let room, let note, let bytes):
                let difference = try await session(note)?.difference(since: bytes)
                try await rooms.sendNote(.difference(difference ?? []), of: note, in: room)
            case .noteUpdate(let room, let note, let bytes): try await take(bytes, Place(room: room, note: note))
            case .notePictureWanted(let room, let picture): try await give(picture, to: room)
            case .notePicture(let room, let picture, let bytes): try await keep(picture, bytes, from: room)
            case .noteCursor(let room, let cursor): place(cursor, in: room)
            default: break
            }
        } catch {
            await failed(report, error)
        }
    }

    private func offered(_ note: SharedNote, in room: String) async throws {
        let place = Place(room: room, note: note.id)
        // What is in the files counts, not what has been read of them: otherwise a peer could get a note by naming it before it was read.
        let isHere = try await folder.library().contains(note.id) && !adopted.contains(place)
        if !isHere, !adopted.contains(place) {
            guard adopted.count(where: { $0.room == room }) < Self.adoptions else { return }
            adopted.insert(place)
        }
        offers[place] = note.title
        event.yield(.noteOffered(room: RoomID(room), note: NoteID(note.id), title: note.title, adopted: !isHere))
    }

    private func begin(_ place: Place) async throws {
        let vector = try await session(place.note)?.stateVector() ?? Self.nothing
        live.insert(place)
        forgetPictures(of: place.room)
        lookForPictures(in: place)
        try await rooms.sendNote(.stateVector(vector), of: place.note, in: place.room)
        event.yield(.noteSharingChanged(room: RoomID(place.room), note: NoteID(place.note), state: .live))
    }

    /// The state vector of a document that is empty.
    private static let nothing: [UInt8] = [0]

    private func take(_ update: [UInt8], _ place: Place) async throws {
        guard live.contains(place), !update.isEmpty else { return }
        if let session = try await session(place.note) {
            // What was here before has been said in the other rooms: said again, it would go round for ever among three people.
            guard try await session.apply(update) else { return }
        } else {
            guard update.count <= Self.largestAdopted else {
                throw NoteFailure(.tooLarge, "the note that was shared is larger than \(Self.largestAdopted >> 20) MiB")
            }
            try await keep(folder.library().session(adopting: place.note, state: update))
        }
        await send(update, of: place.note, but: place.room)
        lookForPictures(in: place)
    }

    private func stopped(_ place: Place) {
        offers[place] = nil
        live.remove(place)
        forgetCursors { $0 == place }
        forgetPicture(of: place)
        event.yield(.noteSharingChanged(room: RoomID(place.room), note: NoteID(place.note), state: .stopped))
    }

    private func channel(of room: String, is state: NoteChannelState) {
        if state != .open {
            live = live.filter { $0.room != room }
            forgetCursors { $0.room == room }
        }
        guard state == .unsupported else { return }
        for (place, effect) in effects where place.room == room {
            effects[place] = nil
            event.yield(.effectFailed(effect: effect, failure: Failure(.peerTooOld)))
        }
    }

    /// The note is not live any more; the effect that shares it, if there is one, says why.
    private func failed(_ report: RoomReport, _ error: any Error) async {
        guard let (room, note) = report.note else { return }
        let effect = effects[Place(room: room, note: note)]
        await stop(note, in: room)
        if let effect { event.yield(.effectFailed(effect: effect, failure: Failure(error))) }
    }

    // Sessions.

    /// The session of a note that is here; nil if it is not.
    private func session(_ note: String) async throws -> NoteSession? {
        if let open = sessions[note] { return open.session }
        let library = try await folder.library()
        guard try await library.contains(note) else { return nil }
        let session = try await library.session(for: note)
        keep(session)
        return session
    }

    private func keep(_ session: NoteSession) {
        let sender = Task { for await update in session.updates { await send(update, of: session.note) } }
        sessions[session.note] = Session(session: session, sender: sender)
    }

    private func send(_ update: [UInt8], of note: String, but room: String? = nil) async {
        for place in live where place.note == note && place.room != room {
            // What cannot be sent now is found missing when state vectors are exchanged again.
            try? await rooms.sendNote(.update(update), of: note, in: place.room)
        }
    }

    /// Ends the session of a note that is shared in no room any more.
    private func rest(_ note: String) async {
        guard !effects.keys.contains(where: { $0.note == note }), let open = sessions.removeValue(forKey: note) else {
            return
        }
        await open.session.close()
        await open.sender.value
    }

    /// The title of the note with exactly this id: what others offer must not find one of ours by its title.
    private func title(of note: String) async throws -> String? {
        let library = try await folder.library()
        return try await library.contains(note) ? try await library.text(of: note).note.title : nil
    }
}

extension NoteFailure {
    fileprivate static func unknown(_ note: String) -> NoteFailure {
        NoteFailure(.noteUnknown, "there is no note \(note)")
    }
}

extension RoomReport {
    /// The note that a report is about.
    fileprivate var note: (room: String, note: String)? {
        switch self {
        case .noteOffered(let room, let note): (room, note.id)
        case .noteStopped(let room, let note), .noteStateVectorWanted(let room, let note),
            .noteStateVector(let room, let note, _), .noteUpdate(let room, let note, _):
            (room, note)
        case .notePictureWanted(let room, let picture), .notePicture(let room, let picture, _): (room, picture.note)
        case .noteCursor(let room, let cursor): (room, cursor.note)
        default: nil
        }
    }

    /// Whether it is about notes at all.
    var isAboutNotes: Bool {
        if case .noteChannel = self { true } else { note != nil }
    }

    /// What it takes to keep it, about: one that carries nothing waits as a task all the same.
    fileprivate var noteBytes: Int {
        switch self {
        case .noteStateVector(_, _, let bytes), .noteUpdate(_, _, let bytes), .notePicture(_, _, let bytes):
            bytes.count + 1024
        default: 1024
        }
    }
}
