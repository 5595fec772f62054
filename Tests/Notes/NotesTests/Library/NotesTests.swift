import Foundation
import Notes
import Testing

@Suite("Notes of a library")
struct NotesTests {
    @Test("A note is made, shown, continued and found again by another process")
    func lifeOfANote() async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            let note = try await library.create(title: "Groceries", markdown: "* milk")
            #expect(note.title == "Groceries")
            try await library.append("* bread", to: note.id)
            let markdown = try await library.markdown(of: note.id)
            #expect(markdown == "Groceries\n\n- milk\n- bread\n")
            await library.close()

            let again = try await place.open("Ada")
            let listed = try await again.list()
            #expect(listed.map(\.id) == [note.id])
            let found = try await again.note("groc")
            #expect(found.id == note.id)
            let shown = try await again.markdown(of: note.id)
            #expect(shown == markdown)
            let verification = try await again.verify()
            #expect(verification.isOK, "\(verification.problems)")
            #expect(verification.notes == 1)
            #expect(verification.records == 2)
            await again.close()
        }
    }

    @Test("What is written can be edited: everything that would make a note too long to edit is refused")
    func sizes() async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            let stars = String(
                repeating: "\\* of a long line of stars " + String(repeating: "\\*", count: 500) + "\n\n",
                count: NoteLibrary.textLimit * 3 / 4 / 1027)
            let note = try await library.create(title: "Long", markdown: "first")
            try await library.append(stars, to: note.id)
            let shown = try await library.textToEdit(of: note.id)
            #expect(shown.markdown.utf8.count <= NoteLibrary.textLimit)
            let error = await #expect(throws: NoteFailure.self) {
                try await library.append(String(stars.dropFirst(stars.count / 4)), to: note.id)
            }
            #expect(error?.code == .tooLarge)
            // Shown with a backslash before each, it is longer than it was given.
            let tags = String(
                repeating: String(repeating: "<x> ", count: 250) + "\n\n", count: NoteLibrary.textLimit / 1003)
            let longer = await #expect(throws: NoteFailure.self) {
                try await library.create(title: "Longer", markdown: tags)
            }
            #expect(longer?.code == .tooLarge)
            let whole = await #expect(throws: NoteFailure.self) {
                try await library.replace(
                    note.id, markdown: String(repeating: "a", count: NoteLibrary.textLimit + 1), base: shown.revision)
            }
            #expect(whole?.code == .tooLarge)
            // Nothing of that was written.
            #expect(try await library.textToEdit(of: note.id).markdown == shown.markdown)
            await library.close()
        }
    }

    @Test("An edit changes only what differs from what was shown, and keeps what came meanwhile")
    func replacing() async throws {
        try await Place.inFolder { place in
            let (ada, ben) = (
                try await place.open("Ada", directory: "one"), try await place.open("Ben", directory: "one")
            )
            let note = try await ada.create(title: "Plan", markdown: "first\n\nsecond")
            try await ben.catchUp()
            let seen = try await ben.text(of: note.id)
            try await ada.append("third", to: note.id)
            try await ben.replace(
                note.id, markdown: seen.markdown.replacing("first", with: "the first"), base: seen.revision)
            for library in [ada, ben] {
                let markdown = try await library.markdown(of: note.id)
                #expect(markdown == "Plan\n\nthe first\n\nsecond\n\nthird\n")
            }
            let text = try await ada.text(of: note.id)
            #expect(text.spans.map(\.text).joined() == text.markdown)
            #expect(text.spans.contains { $0.author == "Ben" && $0.text.contains("the") }, "\(text.spans)")
            await ada.close()
            await ben.close()
        }
    }

    @Test("Whoever writes on from what was saved takes nothing back that others wrote meanwhile")
    func writingOn() async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            let note = try await library.create(title: "Plan", markdown: "first #plan")
            let seen = try await library.text(of: note.id)
            try await library.append("from elsewhere", to: note.id)
            let draft = seen.markdown.replacing("first", with: "the first")
            let saved = try await library.replace(note.id, markdown: draft, base: seen.revision)
            #expect(saved.text.markdown.contains("from elsewhere"))
            let more = draft.replacing("the first", with: "the very first")
            let again = try await library.replace(note.id, markdown: more, base: saved.revision)
            #expect(again.text.markdown == "Plan\n\nthe very first #plan\n\nfrom elsewhere\n")
            #expect(again.text.note.tags == ["plan"])
            await library.close()
        }
    }

    @Test("An edit that is asked for again, because its answer was lost, is made once")
    func replacingAgain() async throws {
        try await Place.inFolder { place in
            var library = try await place.open("Ada")
            let note = try await library.create(title: "Plan", markdown: "first\n\nsecond")
            let seen = try await library.text(of: note.id)
            let edited = seen.markdown.replacing("second", with: "the second\n\nthird")
            try await library.replace(note.id, markdown: edited, base: seen.revision)
            await library.close()
            library = try await place.open("Ada")
            try await library.append("fourth", to: note.id)
            let again = try await library.replace(note.id, markdown: edited, base: seen.revision)
            #expect(again.text.markdown == "Plan\n\nfirst\n\nthe second\n\nthird\n\nfourth\n")
            await library.close()
        }
    }

    @Test("Titles, pins, folders, deletion and its end")
    func metadata() async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            let folder = try await library.createFolder("Work")
            let note = try await library.create(title: "Old", folder: folder.id, markdown: "text")
            #expect(note.folder == folder.id)
            #expect(try await library.rename(note.id, to: "New").title == "New")
            #expect(try await library.pin(note.id).isPinned)
            #expect(try await library.move(note.id, to: nil).folder == nil)
            let deleted = try await library.delete(note.id)
            #expect(deleted.isDeleted && !deleted.isPinned)
            await #expect(throws: NoteFailure.self) { try await library.append("more", to: note.id) }
            #expect(try await library.list().isEmpty)
            #expect(try await library.list(NoteFilter(.deleted)).count == 1)
            #expect(try await !library.restore(note.id).isDeleted)
            let early = await failure { try await library.purge(note.id) }
            #expect(early == .noteNotDeleted)
            try await library.delete(note.id)
            try await library.purge(note.id)
            #expect(try await library.list(NoteFilter(.deleted)).isEmpty)
            #expect(await failure { try await library.markdown(of: note.id) } == .noteUnknown)
            #expect(try await library.verify().isOK)
            await library.close()
        }
    }

    @Test("Names that mean several notes, none, or nothing")
    func references() async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            let ids = ["abc1", "abc2"]
            for id in ids { _ = try await library.create(title: "Same", id: id) }
            #expect(try await library.create(title: "Other", id: "abc1").title == "Same", "a repeated request")
            do throws(NoteFailure) {
                _ = try await library.note("Same")
                Issue.record("it found one of two")
            } catch {
                #expect(error.code == .noteAmbiguous)
                #expect(Set(error.candidates.map(\.id)) == Set(ids))
            }
            #expect(try await library.note("abc1").id == "abc1")
            #expect(await failure { try await library.note("nothing") } == .noteUnknown)
            for bad in ["../x", "", ".", "a/b", String(repeating: "a", count: 65)] {
                #expect(await failure { try await library.markdown(of: bad) } == .badRequest)
                #expect(await failure { try await library.create(title: "x", id: bad) } == .badRequest)
            }
            #expect(await failure { try await library.create(title: " \n") } == .badRequest)
            await library.close()
        }
    }
}

/// The code of what a request fails with; nil if it does not.
func failure(_ body: () async throws -> some Any) async -> NoteFailure.Code? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? NoteFailure)?.code
    }
}
