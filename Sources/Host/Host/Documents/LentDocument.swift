import AppCore
import Foundation
import Notes
import Rooms

/// A note that a client has open as a document: what it writes goes into the note, and what is written elsewhere goes to it.
///
/// One update is on its way to the client at a time; what waits for a slow one becomes one update. What the client wrote is on the disk
/// within ``coalescing``, because what is typed would else be a record a letter.
actor LentDocument {
    nonisolated let note: NoteID
    private let session: NoteSession
    private let sharing: NoteSharing
    /// What a room is called.
    private let name: @Sendable (RoomID) async -> String
    private let say: @Sendable (HostFrame) -> Void
    private(set) var isClosed = false
    /// The parts of an update that came so far.
    private var parts: [UInt8] = []
    /// The number of the last update that is in the note.
    private var taken: UInt64 = 0
    private var saver: Task<Void, Never>?
    private var sender: Task<Void, Never>?
    /// Tells where others are, the first time: as long as they move, it goes on.
    private var teller: Task<Void, Never>?
    /// Waits for the client's acknowledgement.
    private var waiter: CheckedContinuation<Void, Never>?
    private var isAwaited = false
    /// The number under which the places of others are told.
    private var watcher: Int?
    private var told: [DocumentPerson] = []
    private var (arePeopleOld, isTellingPeople) = (false, false)
    /// Where the person is, until it is told, and whether that is about to happen.
    private var cursor: DocumentCursor?
    private var isPointing = false
    /// Whether others were told that the person is here.
    private var isPlaceTold = false

    /// Bytes of an update, in all its parts.
    private static let limit = 16 << 20
    private static let coalescing = Duration.milliseconds(300)
    /// How long one that cannot be written waits at most for the next attempt.
    private static let longestPause = Duration.seconds(30)
    /// How often others hear at most where the person is.
    private static let pointing = Duration.milliseconds(100)

    init(
        _ session: NoteSession, of note: NoteID, sharing: NoteSharing,
        name: @escaping @Sendable (RoomID) async -> String, say: @escaping @Sendable (HostFrame) -> Void
    ) {
        self.session = session
        self.note = note
        self.sharing = sharing
        self.name = name
        self.say = say
    }

    /// Begins to tell what others write. Returns soon, because what the client says is not read meanwhile.
    func begin() async {
        guard !isClosed else { return }
        sender = Task { [session] in
            var seq: UInt64 = 0
            for await update in session.updates {
                seq += 1
                await tell(update, seq)
            }
            // The folder was closed, or cannot be used any more.
            await close(because: .failed)
        }
        let watcher = await sharing.watch(note.text) { [weak self] in await self?.tellPeople() }
        guard !isClosed else { return await sharing.unwatch(watcher) }
        self.watcher = watcher
        teller = Task { await tellPeople() }
    }

    private func tell(_ update: [UInt8], _ seq: UInt64) async {
        guard !isClosed else { return }
        isAwaited = true
        say(.docUpdate(doc: note, seq: seq, update: Data(update).base64EncodedString()))
        guard isAwaited else { return }
        await withCheckedContinuation { waiter = $0 }
    }

    func acknowledge() {
        isAwaited = false
        waiter.take()?.resume()
    }

    // MARK: - What the client writes

    /// Takes an update, or with `more` a part of one. One that does no note good ends it.
    func take(_ base64: String, _ seq: UInt64, more: Bool) async {
        guard !isClosed else { return say(.docClosed(doc: note, reason: .gone)) }
        guard let bytes = Data(base64Encoded: base64), parts.count + bytes.count <= Self.limit else {
            return await close(because: .misfit)
        }
        parts += bytes
        if more { return say(.docMore(doc: note)) }
        let update = parts
        parts = []
        guard !update.isEmpty else { return await close(because: .misfit) }
        do {
            try await session.apply(update)
        } catch {
            return await close(because: error.code == .noteUnknown ? .gone : error.code == .closed ? .failed : .misfit)
        }
        taken = seq
        if saver == nil { saver = Task { await saveSoon() } }
    }

    private func saveSoon() async {
        var pause = Self.coalescing
        while !isClosed {
            try? await Task.sleep(for: pause)
            let seq = taken
            do {
                try await session.save()
                guard !isClosed else { return }
                say(.docSaved(doc: note, seq: seq))
                pause = Self.coalescing
                guard taken != seq else { break }
            } catch {
                pause = min(pause * 2, Self.longestPause)
            }
        }
        saver = nil
    }

    // MARK: - Where people are

    /// Tells the others where the person is, no more often than they need it.
    func point(_ cursor: DocumentCursor?) {
        self.cursor = cursor
        guard !isPointing, !isClosed else { return }
        isPointing = true
        Task {
            let told = await tellPlace()
            try? await Task.sleep(for: Self.pointing)
            isPointing = false
            if self.cursor != told { point(self.cursor) }
        }
    }

    /// - Returns: what was told. The person may have gone on before it was, and come back since.
    private func tellPlace() async -> DocumentCursor? {
        let told = cursor
        let places = cursor.flatMap { cursor in
            Data(base64Encoded: cursor.anchor).flatMap { anchor in
                Data(base64Encoded: cursor.head).map { (Array(anchor), Array($0)) }
            }
        }
        isPlaceTold = places != nil
        await sharing.point(NoteCursor(note: note.text, anchor: places?.0 ?? [], head: places?.1 ?? []))
        return told
    }

    /// Tells the client where others are, the newest last. Their names come from the rooms.
    private func tellPeople() async {
        arePeopleOld = true
        guard !isTellingPeople else { return }
        isTellingPeople = true
        while arePeopleOld, !isClosed {
            arePeopleOld = false
            var people: [DocumentPerson] = []
            for (room, cursor) in await sharing.cursors(in: note.text).sorted(by: { $0.key < $1.key }) {
                people.append(
                    DocumentPerson(
                        id: room, name: await name(RoomID(room)), anchor: Data(cursor.anchor).base64EncodedString(),
                        head: Data(cursor.head).base64EncodedString()))
            }
            guard people != told, !isClosed else { continue }
            told = people
            say(.docCursors(doc: note, people: people))
            // The other side may say more than a page can show.
            try? await Task.sleep(for: Self.pointing)
        }
        isTellingPeople = false
    }

    // MARK: - The end

    /// Saves what was written and lets go of the note.
    /// - Parameter reason: told to the client; nothing is if the client wanted it so.
    func close(because reason: HostFrame.Code? = nil) async {
        guard !isClosed else { return }
        isClosed = true
        saver?.cancel()
        teller?.cancel()
        waiter.take()?.resume()
        if let reason { say(.docClosed(doc: note, reason: reason)) }
        if let watcher { await sharing.unwatch(watcher) }
        if isPlaceTold { await sharing.point(NoteCursor(note: note.text, anchor: [], head: [])) }
        await session.close()
    }
}
