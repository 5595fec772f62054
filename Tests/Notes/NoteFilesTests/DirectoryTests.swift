import Foundation
import Platform
import ProgramRunner
import Synchronization
import Testing

@testable import NoteFiles

@Suite("Storage directories")
struct DirectoryTests {
    private let place: TemporaryDirectory
    private let note: DocumentID

    init() throws {
        place = try TemporaryDirectory()
        note = .note(try NoteID("n"))
    }

    private func code(_ body: () throws -> Void) -> NoteFilesError.Code? {
        (#expect(throws: NoteFilesError.self, performing: body))?.code
    }

    @Test("A new directory has the folders that other programs expect, and an identity that stays")
    func creation() throws {
        #expect(
            try place.contents(of: "").filter { !$0.hasPrefix(".") }
                == ["SD_ID", "activity", "deleted", "folders", "media", "notes", "profiles"])
        #expect(try place.contents(of: "folders") == ["logs", "meta", "updates"])
        let id = try #require(place.directory.id)
        #expect(id.utf8.count == 22)
        #expect(try place.bytes(of: "SD_ID") == Array(id.utf8))
        #expect(try StorageDirectory(creating: place.root).id == id)
        #expect(try StorageDirectory(opening: place.root).id == id)
        #expect(code { _ = try StorageDirectory(opening: place.path + "/missing") } == .missing)
        #expect(try StorageDirectory(creating: place.path + "/missing/inner/").id != nil)
        #expect(try StorageDirectory(opening: place.path + "/missing/inner").id != nil)
        let file = place.root + "/SD_ID"
        #expect(code { _ = try StorageDirectory(creating: file + "/inner") } == .failed)
        #expect(code { _ = try StorageDirectory(creating: file + "/missing/inner") } == .failed)
        #expect(try place.bytes(of: "SD_ID") == Array(id.utf8))
    }

    @Test("Opening makes nothing, whether the folder is empty, of older notes, or not there")
    func opening() throws {
        let empty = place.path + "/empty"
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
        #expect(try StorageDirectory(opening: empty).notes().isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: empty).isEmpty)
        try FileManager.default.createDirectory(atPath: empty + "/notes/old/updates", withIntermediateDirectories: true)
        let old = try StorageDirectory(opening: empty)
        #expect(try old.id == nil && old.notes() == [NoteID("old")] && old.problems.isEmpty)
        #expect(try old.deletions().problems.isEmpty && old.presences().problems.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: empty) == ["notes"])
        let error = #expect(throws: NoteFilesError.self) { try StorageDirectory(opening: place.path + "/typo") }
        #expect(error?.code == .missing && error?.message.contains("/typo. Check the name") == true)
    }

    @Test(
        "What is in the way of a part is a problem of that part, and all else works",
        arguments: ["deleted", "profiles", "folders", "activity", "media", "SD_ID", "SD_VERSION"],
        ["file", "link", "pipe", "folder", "long"])
    func obstacles(name: String, kind: String) throws {
        let isFolder = !name.hasPrefix("SD")
        if isFolder == (kind == "folder") { return }
        let path = place.root + "/" + name
        try? FileManager.default.removeItem(atPath: path)
        switch kind {
        case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: place.home)
        case "pipe": mkfifo(path, 0o600)
        case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        default: try place.write([UInt8](repeating: 0x61, count: kind == "long" ? 5000 : 5), to: name)
        }
        let isProblem = isFolder || kind != "file"
        for directory in try [StorageDirectory(opening: place.root), StorageDirectory(creating: place.root)] {
            #expect(directory.problems.map(\.file) == (isProblem ? [path] : []))
            let writer = DirectoryWriter(directory, lock: try WriterID.acquire(in: place.home))
            try writer.append([1], to: note)
            #expect(try !directory.read(note).records.isEmpty)
            let found =
                try directory.deletions().problems + directory.presences().problems + directory.activity().problems
                + directory.read(.folderTree).problems
            #expect(found == (name == "media" || !isFolder ? [] : directory.problems))
            let refused: NoteFilesError.Code? =
                switch name {
                case "deleted": code { try writer.delete(NoteID("n")) }
                case "folders": code { try writer.append([1], to: .folderTree) }
                case "media": code { _ = try writer.store([UInt8](hex: "ffd8ff")) }
                default: nil
                }
            #expect((refused == .damaged) == ["deleted", "folders", "media"].contains(name))
        }
    }

    @Test("The old name of the identity counts more, and is taken over when we may write")
    func oldIdentity() throws {
        try place.write(Array("old-id\n".utf8), to: ".sd-id")
        #expect(try StorageDirectory(opening: place.root).id == "old-id")
        #expect(FileManager.default.fileExists(atPath: place.root + "/.sd-id"))
        #expect(try StorageDirectory(creating: place.root).id == "old-id")
        #expect(!FileManager.default.fileExists(atPath: place.root + "/.sd-id"))
        #expect(try place.bytes(of: "SD_ID") == Array("old-id".utf8))
    }

    @Test("Of several who make the identity at once all have the same")
    func identityRace() async throws {
        let root = place.path + "/raced"
        let ids = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<8 { group.addTask { try StorageDirectory(creating: root).id } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids == [try StorageDirectory(opening: root).id])
    }

    @Test("An identity that is none is as good as none", arguments: ["", "  \n", "two words", "../x"])
    func badIdentity(text: String) throws {
        try place.write(Array(text.utf8), to: "SD_ID")
        #expect(try StorageDirectory(opening: place.root).id == nil)
        #expect(try StorageDirectory(creating: place.root).id?.utf8.count == 22)
    }

    @Test(
        "A directory of a newer version, or one that is being converted, is read and not written",
        arguments: ["SD_VERSION", ".migration-lock"])
    func refusal(file: String) throws {
        try place.writer().append([1], to: note)
        try place.write(Array("2\n".utf8), to: file)
        let directory = try StorageDirectory(creating: place.root)
        #expect(try directory.read(note).records.count == 1)
        let expected: NoteFilesError.Code = file == "SD_VERSION" ? .tooNew : .locked
        let writer = try place.writer()
        #expect(code { try writer.append([2], to: note) } == expected)
        #expect(code { try writer.delete(NoteID("n")) } == expected)
        #expect(code { _ = try writer.store([UInt8](hex: "ffd8ff")) } == expected)
        #expect(try directory.read(note).records.count == 1)
        try FileManager.default.removeItem(atPath: place.root + "/" + file)
        try writer.append([2], to: note)
    }

    @Test("A directory of this version, or of one that cannot be read, is written", arguments: ["1\n", "0", "x", ""])
    func version(text: String) throws {
        try place.write(Array(text.utf8), to: "SD_VERSION")
        try place.writer().append([1], to: note)
    }

    @Test("Without the right to write, a directory is read, and writing says what to do")
    func readOnly() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.root)
        let crashHelper = Program.products.appending(path: "note-writer-crash-helper").path
        let result = try Program.run([crashHelper, "denied", place.path])
        #expect(result.output.hasPrefix("0 readOnly cannot write to \(place.root)"), "\(result.output)")
        #expect(result.output.contains("Give yourself the right"))
    }

    @Test("A note that is deleted is gone with all its files, and others are told for ever")
    func deletion() throws {
        let writer = try place.writer { 1700 }
        try writer.append([1], to: note)
        try place.write([1], to: "notes/n/updates/i_n_1-0.yjson")
        try FileManager.default.createSymbolicLink(
            atPath: place.root + "/notes/n/link", withDestinationPath: place.home)
        try writer.delete(try NoteID("n"))
        #expect(try place.directory.notes().isEmpty)
        #expect(FileManager.default.fileExists(atPath: place.home))
        let name = "deleted/\(writer.id).\(writer.id).log"
        #expect(try place.bytes(of: name) == Array("n|1700\n".utf8))
        let reading = try place.directory.deletions()
        #expect(reading.entries == [Deletion(note: try NoteID("n"), time: 1700)])
        #expect(try place.directory.deletions(from: reading.progress).entries.isEmpty)
        #expect(code { try writer.delete(NoteID("n")) } == .missing)
        #expect(try place.bytes(of: name) == Array("n|1700\n".utf8))
    }

    @Test("Who writes is told in a file, and a file that is broken hides no other")
    func presences() throws {
        let writer = try place.writer()
        let presence = Presence(
            profile: writer.id, instance: writer.id, profileName: "p", user: "u", username: "U", hostname: "h",
            platform: "linux", appVersion: "1", lastUpdated: 5)
        try writer.write(presence)
        try place.write([7], to: "profiles/broken.json")
        let (presences, problems) = try place.directory.presences()
        #expect(presences == [presence])
        #expect(problems.map(\.file) == [place.root + "/profiles/broken.json"])
    }

    @Test("An image is kept once, under the hash of its bytes")
    func media() throws {
        let writer = try place.writer()
        let png = [UInt8](hex: "89504e470d0a1a0a 00")
        let file = try writer.store(png)
        #expect(file.name == "\(file.id).png" && file.id.text.utf8.count == 32)
        let path = place.root + "/media/" + file.name
        let before = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64
        #expect(try writer.store(png) == file)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64 == before)
        let kept = try #require(try place.directory.media(file.id))
        #expect(kept.file == file && kept.bytes == png)
        #expect(try place.directory.media(MediaID("00")) == nil)
        try place.write([1], to: "media/550e8400-e29b-41d4-a716-446655440000.JPEG")
        try place.write([1], to: "media/notes.txt")
        #expect(try place.directory.media().map(\.type) == [.jpeg, .png].sorted { $0.rawValue < $1.rawValue })
        #expect(code { _ = try writer.store(Array("text".utf8)) } == .damaged)
    }

    @Test(
        "Kinds of images are told by how they begin",
        arguments: [
            ("ffd8ffe0", .jpeg), ("474946383961", .gif), ("52494646 00000000 57454250", .webp),
            ("00000018 66747970 68656963", .heic), ("00000018 66747970 6d696631", .heif), ("3c737667 20", .svg),
            ("efbbbf 0a 3c3f786d6c 3f3e 3c737667", .svg), ("52494646 00000000 57415645", nil),
            ("00000018 66747970 69736f6d", nil), ("", nil),
        ] as [(String, MediaType?)])
    func mediaTypes(hex: String, type: MediaType?) {
        #expect(MediaType(of: [UInt8](hex: hex)) == type)
    }

    @Test("Each process writes as someone else, and identities are used again, the first ones first")
    func locks() throws {
        var first: WriterLock? = try WriterID.acquire(in: place.home)
        let id = try #require(first?.id)
        let second = try WriterID.acquire(in: place.home)
        #expect(second.id != id)

        let process = Process()
        process.executableURL = Program.products.appending(path: "note-writer-crash-helper")
        process.arguments = ["hold", place.path]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let third = String(decoding: output.fileHandleForReading.readData(ofLength: 22), as: UTF8.self)
        #expect(![id.text, second.id.text].contains(third))
        #expect(try ![id.text, second.id.text, third].contains(WriterID.acquire(in: place.home).id.text))
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(try WriterID.acquire(in: place.home).id.text == third)
        first = nil
        #expect(try WriterID.acquire(in: place.home).id == id)
        var locks: [WriterLock] = []
        while locks.count < 65, let lock = try? WriterID.acquire(in: place.home) { locks.append(lock) }
        #expect(code { _ = try WriterID.acquire(in: place.home) } == .busy)
        withExtendedLifetime((second, locks)) {}
    }

    @Test("An identity is of one name, and when there is no room for another one, any will do")
    func names() throws {
        var ada: WriterLock? = try WriterLock.acquire(in: place.home, as: "Ada")
        let id = try #require(ada?.id)
        ada = nil
        let ben = try WriterLock.acquire(in: place.home, as: "Ben").id
        #expect(ben != id)
        #expect(try WriterLock.acquire(in: place.home, as: "Ada").id == id)
        #expect(try WriterLock.acquire(in: place.home, as: "Ben").id == ben)
        for number in 2..<WriterLock.limit { _ = try WriterLock.acquire(in: place.home, as: "name \(number)") }
        #expect(try WriterLock.acquire(in: place.home, as: "one too many").id == id)
        #expect(try WriterLock.acquire(in: place.home, as: "Ben").id == ben)
    }

    @Test("An identity of before names were kept has the name by which it is known")
    func knownNames() throws {
        let id = try WriterID.acquire(in: place.home).id
        let ben = try WriterLock.acquire(in: place.home, as: "Ben") { $0 == id ? "Ada" : nil }.id
        #expect(ben != id)
        #expect(try WriterLock.acquire(in: place.home, as: "Ada").id == id)
    }

    @Test("Of sixty that want an identity at once everyone gets one of its own", arguments: 1...10)
    func lockRace(round: Int) throws {
        let start = DispatchGroup()
        let found = Mutex<[Result<WriterLock, any Error>]>([])
        let home = "\(place.home)/\(round)"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        start.enter()
        let threads = (0..<60).map { _ in
            Thread {
                start.wait()
                let result = Result { try WriterID.acquire(in: home) }
                found.withLock { $0.append(result) }
            }
        }
        for thread in threads { thread.start() }
        start.leave()
        while found.withLock({ $0.count }) < threads.count { usleep(1000) }
        let locks = try found.withLock { try $0.map { try $0.get() } }
        #expect(Set(locks.map(\.id)).count == threads.count)
    }
}
