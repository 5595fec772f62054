import AppCore
import Foundation
import Networking
import Notes
import Rooms
import Testing

@testable import Host

/// Notes that a client has open as documents, over the frames of the socket.
@Suite(.timeLimit(.minutes(5))) struct DocumentFrameTests {
    /// What was written in another document, for the tests: a note with a paragraph, as Yjs says it.
    private static func update(saying text: String, in note: String) async throws -> String {
        try await withFolder { library in
            _ = try await library.adopt(note, state: [0, 0])
            try await library.append(text, to: note)
            let session = try await library.session(for: note)
            return Data(try await session.difference(since: [0])).base64EncodedString()
        }
    }

    private static func withFolder<Value: Sendable>(
        _ body: (NoteLibrary) async throws -> Value
    ) async throws -> Value {
        let folder = NSTemporaryDirectory() + "documents-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let library = try await NoteLibrary.open(folder + "/Notes", home: folder + "/home", person: "Ben")
        let result = try await body(library)
        await library.close()
        return result
    }

    /// A client that shows a new note.
    private static func withNote(
        _ body: (AttachedProfile, PageClient, NoteID) async throws -> Void
    ) async throws {
        try await AttachedProfile.with { profile in
            let library = try await profile.host.notes.library()
            let note = NoteID(try await library.create(title: "Plans", markdown: "first").id)
            let client = PageClient(try profile.line())
            try await client.show(note)
            try await body(profile, client, note)
        }
    }

    @Test func whatIsWrittenIsSavedAndWhatOthersWriteComes() async throws {
        try await Self.withNote { profile, client, note in
            let library = try await profile.host.notes.library()
            let opened = try await client.open(note)
            #expect(opened["doc"] == .string(note.text) && opened["readonly"] == .bool(false))
            let update = try await Self.update(saying: "from the page", in: note.text)
            client.say(.docUpdate(doc: note, seq: 7, update: update))
            // The note has another time now, which comes as a change, before or after it is known to be saved.
            var (isSaved, hasTime) = (false, false)
            while !isSaved || !hasTime {
                switch try await client.hear({ _ in true }) {
                case .docSaved(note, 7): isSaved = true
                case .docUpdate(note, 1, _): hasTime = true
                default: break
                }
            }
            #expect(try await library.markdown(of: note.text).contains("from the page"))
            try await library.append("from a terminal", to: note.text)
            client.say(.ping)
            _ = try await client.hear { frame in
                if case .docUpdate = frame { Issue.record("the first one was not acknowledged") }
                return frame == .pong
            }
            client.say(.docAck(doc: note))
            _ = try await client.hear { if case .docUpdate(note, 2, _) = $0 { true } else { false } }
        }
    }

    @Test func anUpdateMayComeInParts() async throws {
        try await Self.withNote { profile, client, note in
            _ = try await client.open(note)
            let whole = try await Self.update(saying: String(repeating: "long ", count: 100), in: note.text)
            let bytes = try #require(Data(base64Encoded: whole))
            for (start, more) in [(0, true), (100, true), (200, nil)] {
                let part = bytes[start..<(more == nil ? bytes.count : start + 100)].base64EncodedString()
                client.say(.docUpdate(doc: note, seq: 1, update: part, more: more))
                if more == true { _ = try await client.hear { $0 == .docMore(doc: note) } }
            }
            _ = try await client.hear { $0 == .docSaved(doc: note, seq: 1) }
            let text = try await profile.host.notes.library().markdown(of: note.text)
            #expect(text.contains("long long"))
        }
    }

    @Test(arguments: ["%%%", "/////w==", "AQ==", ""]) func whatIsNoUpdateEndsItAndHarmsNothing(update: String)
        async throws
    {
        try await Self.withNote { profile, client, note in
            _ = try await client.open(note)
            client.say(.docUpdate(doc: note, seq: 1, update: update))
            _ = try await client.hear { $0 == .docClosed(doc: note, reason: .misfit) }
            client.say(.docUpdate(doc: note, seq: 2, update: "AAA="))
            _ = try await client.hear { $0 == .docClosed(doc: note, reason: .gone) }
            #expect(try await profile.host.notes.library().markdown(of: note.text).contains("first"))
            #expect(try await client.open(note)["doc"] == .string(note.text), "it opens again")
        }
    }

    @Test func onlyTheNoteOnTheScreenIsLent() async throws {
        try await Self.withNote { profile, client, note in
            let other = NoteID(try await profile.host.notes.library().create(title: "Other", markdown: "").id)
            client.say(.docOpen(n: 5, note: other, vector: "AA=="))
            #expect(try await client.hear(\.isReply) == .reply(n: 5, result: nil, code: .gone))
            client.say(.docOpen(n: 6, note: note, vector: "?"))
            #expect(try await client.hear(\.isReply) == .reply(n: 6, result: nil, code: .misfit))
            let plain = try profile.line()
            try await plain.greet()
            plain.say(.dispatch(n: 1, fresh: nil, action: .notes(.openNote(note: note))))
            plain.say(.docOpen(n: 7, note: note, vector: "AA=="))
            #expect(try await plain.hear(\.isReply) == .reply(n: 7, result: nil, code: .gone), "it shows Markdown")
        }
    }

    @Test func aNoteThatGoesTakesItsDocumentWithIt() async throws {
        try await Self.withNote { _, client, note in
            _ = try await client.open(note)
            client.say(.dispatch(n: 2, fresh: nil, action: .notes(.deleteNote(note: note))))
            try await client.wait { $0.find("note.editor")?.states == .readonly }
            client.say(.dispatch(n: 3, fresh: nil, action: .notes(.purgeNote(note: note))))
            _ = try await client.hear { $0 == .docClosed(doc: note, reason: .gone) }
        }
    }

    /// Whatever the client was told before.
    @Test func aNoteInTheTrashIsNotWritten() async throws {
        try await Self.withNote { profile, client, note in
            _ = try await client.open(note)
            client.say(.dispatch(n: 2, fresh: nil, action: .notes(.deleteNote(note: note))))
            try await client.wait { $0.find("note.editor")?.states == .readonly }
            client.say(.docUpdate(doc: note, seq: 1, update: try await Self.update(saying: "late", in: note.text)))
            _ = try await client.hear { $0 == .docClosed(doc: note, reason: .misfit) }
            #expect(try await !profile.host.notes.library().markdown(of: note.text).contains("late"))
        }
    }

    @Test func aPictureIsKeptOnceAndServed() async throws {
        try await Self.withNote { profile, client, note in
            _ = try await client.open(note)
            let path = NSTemporaryDirectory() + UUID().uuidString
            defer { try? FileManager.default.removeItem(atPath: path) }
            let png = Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
            try png.write(to: URL(filePath: path))
            client.say(.docPicture(n: 8, doc: note, handle: path))
            guard case .reply(8, .object(let result)?, nil) = try await client.hear(\.isReply),
                case .string(let id)? = result["image"]
            else { throw LineChannel.Ended(after: nil) }
            let picture = await profile.server.picture(id, of: note.text)
            #expect(picture?.type == "image/png" && picture?.bytes == Array(png))
            #expect(await profile.server.picture("../" + id, of: note.text) == nil)
            #expect(await profile.server.picture(id, of: "unknown") == nil)
            try Data("words".utf8).write(to: URL(filePath: path))
            client.say(.docPicture(n: 9, doc: note, handle: path))
            guard case .reply(9, _, .failed) = try await client.hear(\.isReply) else {
                throw LineChannel.Ended(after: nil)
            }
        }
    }

    /// The places of others change as long as they write, and the page must not wait for that.
    @Test(.timeLimit(.minutes(1))) func whatOthersWriteComesBeforeItIsKnownWhereTheyAre() async throws {
        try await Self.withNote { profile, _, note in
            let library = try await profile.host.notes.library()
            let sharing = await profile.host.sharing
            await sharing.put(NoteCursor(note: note.text, anchor: [1], head: [1]), in: "room")
            let (names, name) = AsyncStream.makeStream(of: String.self)
            let (frames, said) = AsyncStream.makeStream(of: HostFrame.self)
            let document = LentDocument(
                try await library.editing(note.text), of: note, sharing: sharing,
                name: { _ in
                    for await name in names { return name }
                    return ""
                }, say: { said.yield($0) })
            await document.begin()
            try await library.append("second", to: note.text)
            var next = frames.makeAsyncIterator()
            guard case .docUpdate = await next.next() else { throw LineChannel.Ended(after: nil) }
            name.yield("Ben")
            guard case .docCursors(_, let people) = await next.next() else { throw LineChannel.Ended(after: nil) }
            #expect(people.map(\.name) == ["Ben"])
            await document.close()
        }
    }

    @Test(arguments: [true, false])
    func whatWasAskedForANoteIsForgottenWithIt(byUs: Bool) async throws {
        try await Self.withNote { profile, _, note in
            let sharing = await profile.host.sharing
            let picture = try #require(SharedPicture(String(repeating: "0", count: 32), of: note.text))
            await sharing.want(picture, in: "room")
            if byUs {
                await sharing.stop(note.text, in: "room")
            } else {
                await sharing.take(.noteStopped(room: "room", note: note.text))
                await sharing.close()
            }
            #expect(await sharing.wantedPictures.isEmpty)
        }
    }
}

extension NoteSharing {
    /// Somebody is there, whatever room that is.
    fileprivate func put(_ cursor: NoteCursor, in room: String) {
        cursors[Place(room: room, note: cursor.note)] = cursor
    }

    fileprivate func want(_ picture: SharedPicture, in room: String) { wantedPictures[room] = picture }
}
