import Foundation
import Notes
import ProgramRunner
import Testing

/// Disks that are full, or may only be read.
@Suite("Disks", .enabled(if: SmallDisk.isAvailable, "it takes the right to mount"))
struct DiskTests {
    @Test("A full disk under the notes refuses a change, keeps what was acknowledged, and goes on when there is room")
    func fullDirectory() async throws {
        try await Place.inFolder { place in
            try await SmallDisk.at(place.directory("ada"), kilobytes: 512) { disk in
                let library = try await place.open("ada")
                let note = try await library.create(title: "Full", markdown: "first")
                let other = try await library.create(title: "Other", markdown: "words")
                try disk.fill()
                let long = String(repeating: "more words that take some room ", count: 400)
                let failure = await #expect(throws: NoteFailure.self) { try await library.append(long, to: note.id) }
                #expect(failure?.code == .diskFull)
                #expect(failure?.message.contains(note.id) == true, "\(failure?.message ?? "")")
                #expect(try await library.markdown(of: note.id) == "Full\n\nfirst\n")
                #expect(try await library.markdown(of: other.id) == "Other\n\nwords\n")
                try disk.makeRoom()
                try await library.append("second", to: note.id)
                await library.close()
                let again = try await place.open("ada")
                #expect(try await again.markdown(of: note.id) == "Full\n\nfirst\n\nsecond\n")
                #expect(try await again.verify().problems == [])
                await again.close()
            }
        }
    }

    @Test("A disk that is full only under the index keeps nobody from writing")
    func fullHome() async throws {
        try await Place.inFolder { place in
            try await SmallDisk.at(place.home("ada"), kilobytes: 1024) { disk in
                let library = try await place.open("ada")
                let note = try await library.create(title: "Kept", markdown: "first")
                try disk.fill()
                var expected = "Kept\n\nfirst\n"
                for number in 0..<40 {
                    let words = String(repeating: "word\(number) ", count: 200) + "end"
                    try await library.append(words, to: note.id)
                    expected += "\n\(words)\n"
                }
                #expect(try await library.markdown(of: note.id) == expected)
                #expect(try await library.search("word39").map(\.id) == [note.id])
                #expect(try await library.list().map(\.id) == [note.id])
                await library.close()
                // A later process finds no room either.
                let again = try await place.open("ada")
                #expect(try await again.markdown(of: note.id) == expected)
                #expect(try await again.search("word39").map(\.id) == [note.id])
                await again.close()
            }
        }
    }

    @Test("Where nothing may be written, notes are read, and a change is refused")
    func readOnly() async throws {
        try await Place.inFolder { place in
            try await SmallDisk.at(place.root.appending(path: "disk"), kilobytes: 4096) { disk in
                let shared = disk.folder.appending(path: "notes").path
                let home = disk.folder.appending(path: "home").path
                let options = NoteLibrary.Options(watches: false)
                let note = try await Self.write(shared, home, options)
                try disk.setReadOnly(true)
                for home in [home, disk.folder.appending(path: "other").path, place.home("elsewhere").path] {
                    let reader = try await NoteLibrary.open(shared, home: home, person: "Ada", options: options)
                    #expect(try await reader.markdown(of: note) == "Plain\n\nwords\n")
                    #expect(try await reader.search("words").map(\.id) == [note])
                    let failure = await #expect(throws: NoteFailure.self) {
                        try await reader.append("more", to: note)
                    }
                    #expect(failure?.code == .directoryUnwritable)
                    #expect(try await reader.markdown(of: note) == "Plain\n\nwords\n")
                    await reader.close()
                }
            }
        }
    }

    @Test("Without a folder of one's own, notes are read, and a change is refused")
    func readOnlyHome() async throws {
        try await Place.inFolder { place in
            try await SmallDisk.at(place.root.appending(path: "disk"), kilobytes: 64) { disk in
                let options = NoteLibrary.Options(watches: false)
                let shared = place.directory("ada").path
                let note = try await Self.write(shared, place.home("ada").path, options)
                try disk.setReadOnly(true)
                let home = disk.folder.appending(path: "home").path
                let reader = try await NoteLibrary.open(shared, home: home, person: "Ada", options: options)
                #expect(try await reader.search("words").map(\.id) == [note])
                let failure = await #expect(throws: NoteFailure.self) { try await reader.append("more", to: note) }
                #expect(failure?.code == .directoryUnwritable)
                #expect(failure?.message.contains(home) == true)
                #expect(try await reader.markdown(of: note) == "Plain\n\nwords\n")
                await reader.close()
            }
        }
    }

    /// Nothing is open any more when it returns.
    private static func write(
        _ shared: String, _ home: String, _ options: NoteLibrary.Options
    ) async throws -> String {
        let library = try await NoteLibrary.open(shared, home: home, person: "Ada", options: options)
        let note = try await library.create(title: "Plain", markdown: "words")
        await library.close()
        return note.id
    }
}
