import AppCore
import Foundation
import Notes
import Storage

/// The notes that one connection of a client has open as documents.
actor LentDocuments {
    private let host: AppHost?
    private let view: ViewID
    private let say: @Sendable (HostFrame) -> Void
    private var open: [NoteID: LentDocument] = [:]
    private var isClosed = false

    /// Documents that are open at the same time: the one on the screen, and those that still have something to be saved.
    private static let limit = 4

    /// - Parameter host: `nil` lends nothing.
    init(_ host: AppHost?, to view: ViewID, say: @escaping @Sendable (HostFrame) -> Void) {
        self.host = host
        self.view = view
        self.say = say
    }

    func hear(_ frame: ClientFrame) async {
        switch frame {
        case .docOpen(let n, let note, let vector):
            do {
                let (document, result) = try await lend(note, vector)
                say(.reply(n: n, result: result, code: nil))
                await document.begin()
            } catch {
                refuse(n, error)
            }
        case .docUpdate(let doc, let seq, let update, let more):
            guard let document = open[doc] else { return say(.docClosed(doc: doc, reason: .gone)) }
            // What the client was told of the note may be old.
            guard await isWritable(doc) else {
                return await open.removeValue(forKey: doc)?.close(because: .misfit) ?? ()
            }
            await document.take(update, seq, more: more ?? false)
        case .docAck(let doc): await open[doc]?.acknowledge()
        case .docCursor(let doc, let cursor): await open[doc]?.point(cursor)
        case .docPicture(let n, let doc, let handle):
            do {
                guard let host, open[doc] != nil else { throw DocumentRefusal(.gone) }
                say(
                    .reply(n: n, result: .object(["image": .string(try await host.keepPicture(at: handle))]), code: nil)
                )
            } catch {
                refuse(n, error)
            }
        case .docClose(let doc): await open.removeValue(forKey: doc)?.close()
        default: break
        }
    }

    private func isWritable(_ note: NoteID) async -> Bool {
        await host?.read { !$0.lock.isLocked && $0.notes.list[note]?.deleted != true } ?? false
    }

    private func refuse(_ n: UInt64, _ error: any Error) {
        if let refusal = error as? DocumentRefusal { return say(.reply(n: n, result: nil, code: refusal.code)) }
        let failure = Failure(error)
        if failure.code == .noteUnknown { return say(.reply(n: n, result: nil, code: .gone)) }
        say(.reply(n: n, result: try? JSONValue(failure), code: .failed))
    }

    /// Opens a note, and gives what the client lacks of it.
    private func lend(_ note: NoteID, _ vector: String) async throws -> (LentDocument, JSONValue) {
        guard let host else { throw DocumentRefusal(.gone) }
        guard let vector = Data(base64Encoded: vector) else { throw DocumentRefusal(.misfit) }
        let (isLocked, shown, isDeleted) = await host.read { [view] state in
            (state.lock.isLocked, state.views[view]?.document, state.notes.list[note]?.deleted ?? false)
        }
        guard !isLocked else { throw DocumentRefusal(.locked) }
        guard shown == note, !isClosed else { throw DocumentRefusal(.gone) }
        await open.removeValue(forKey: note)?.close()
        for (note, document) in open where await document.isClosed { open[note] = nil }
        guard open.count < Self.limit else { throw DocumentRefusal(.tooMany) }
        let session = try await host.notes.library().editing(note.text)
        let document = LentDocument(
            session, of: note, sharing: host.sharing,
            name: { [host] room in await host.read { $0.rooms[room]?.title ?? "" } },
            say: say)
        let (known, update): ([UInt8], [UInt8])
        do {
            (known, update) = (try await session.stateVector(), try await session.difference(since: Array(vector)))
        } catch {
            await session.close()
            throw error.code == .noteUnknown ? error : DocumentRefusal(.misfit)
        }
        open[note] = document
        guard !isClosed else {
            await document.close()
            throw DocumentRefusal(.gone)
        }
        let result: [String: JSONValue] = [
            "doc": .string(note.text), "vector": .string(Data(known).base64EncodedString()),
            "update": .string(Data(update).base64EncodedString()), "readonly": .bool(isDeleted),
        ]
        return (document, .object(result))
    }

    /// Takes back what is not to be lent any more.
    func followState() async {
        guard let host, !open.isEmpty else { return }
        let lent = Array(open.keys)
        let (isLocked, gone) = await host.read { state in
            (state.lock.isLocked, lent.filter { state.notes.isListed && state.notes.list[$0] == nil })
        }
        for note in isLocked ? lent : gone {
            await open.removeValue(forKey: note)?.close(because: isLocked ? .locked : .gone)
        }
    }

    /// The connection has ended. What was written is saved.
    func closeAll() async {
        isClosed = true
        for note in Array(open.keys) { await open.removeValue(forKey: note)?.close() }
    }
}

/// Why a client does not get a document.
struct DocumentRefusal: Error {
    let code: HostFrame.Code

    init(_ code: HostFrame.Code) { self.code = code }
}

extension AppHost {
    /// Takes a file into the notes, as a picture.
    /// - Returns: the id of the picture.
    func keepPicture(at path: String) async throws -> String {
        let bytes: [UInt8]
        do { bytes = try AtomicFile.read(path, atMost: NoteLibrary.pictureLimit) } catch {
            throw DocumentRefusal(.gone)
        }
        let id = try await notes.library().keepPicture(bytes)
        return id
    }

    /// A picture of the notes.
    /// - Returns: its media type and its bytes.
    func picture(_ id: String) async -> (type: String, bytes: [UInt8])? {
        guard let picture = try? await notes.library().picture(id) else { return nil }
        return (picture.type, picture.bytes)
    }
}
