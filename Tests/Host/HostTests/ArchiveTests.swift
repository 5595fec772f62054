import AppCore
import Cryptography
import Foundation
import ProgramRunner
import Scenarios
import Sealing
import Storage
import Testing

@testable import Host

/// Whole profiles as one sealed file.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ArchiveTests {
    /// A profile with rooms, messages, and files of every kind that is copied.
    private static func filled() throws -> ArchivePlace {
        let place = try ArchivePlace()
        try AppHost.fill(profile: place.path("profile"), with: .named("verified_chat"))
        try place.write(Array("{}".utf8), to: "profile/settings.json")
        try place.write(SecureRandom.bytes(70_000), to: "profile/Notes/notes/caf\u{e9}/logs/a.crdtlog")
        try place.write([2], to: "profile/Notes/notes/cafe\u{301}/logs/a.crdtlog")
        try place.write([3], to: "profile/Apps/data/example.app/שלום")
        try place.write([4], to: "profile/Sealed/message.ntdf")
        try place.write(SecureRandom.bytes(200_000), to: "profile/Files/📷.jpg")
        try place.write([5], to: "profile/NoteIndex/writers/id")
        return place
    }

    @Test func `a profile comes back with all that belongs to it`() throws {
        let place = try Self.filled()
        let before = try place.records("profile")
        let written = try place.export(hasFiles: true)
        #expect(written.summary.rooms > 0 && written.summary.messages > 0 && written.summary.notes == 2)
        #expect(try place.contents() == ["backup", "profile"])
        let read = try ProfileArchive.verify(
            place.path("backup"), passphrase: ArchivePlace.passphrase, progress: { _, _ in true })
        #expect(read == written)
        #expect(try place.restore() == written)
        #expect(try place.contents() == ["backup", "profile", "restored"])
        #expect(try place.records("restored") == before)
        for name in [
            "settings.json", "device.key", "Notes/notes/caf\u{e9}/logs/a.crdtlog",
            "Notes/notes/cafe\u{301}/logs/a.crdtlog",
            "Apps/data/example.app/שלום", "Sealed/message.ntdf", "Files/📷.jpg",
        ] {
            #expect(place.read("restored/" + name) == place.read("profile/" + name), "\(name)")
        }
        // The ids under which this machine writes notes are its own.
        #expect(place.read("restored/NoteIndex/writers/id") == nil)
        let attributes = try FileManager.default.attributesOfItem(atPath: place.path("restored"))
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
        #expect(ArchivePlace.refusal { try place.export("restored", to: "again") } == nil)
    }

    @Test func `received files stay behind unless they are wanted`() throws {
        let place = try Self.filled()
        try place.export()
        try place.restore()
        #expect(place.read("restored/Files/📷.jpg") == nil)
    }

    @Test func `the passphrase of the profile is that of the copy, and is not asked for`() async throws {
        let place = ProfilePlace()
        try place.fill(with: "verified_chat")
        try await place.start()
        let texts = try await place.texts()
        try await place.setPassphrase("of the profile", current: nil)
        await place.stop()
        let archive = try ArchivePlace()
        let result = try ProfileArchive.export(
            profile: place.folder, to: archive.path("backup"), passphrase: ArchivePlace.passphrase,
            cost: ArchivePlace.cost(), progress: { _, _ in true })
        #expect(result.summary.hasPassphrase)
        try archive.restore()
        let copy = ProfilePlace(archive.path("restored"))
        let host = try await copy.start(isActive: false)
        #expect(await host.read(\.lock.isLocked))
        try await copy.start(passphrase: "of the profile", isActive: false)
        #expect(try await copy.texts() == texts)
        await copy.stop()
    }

    @Test func `no one-time key is in an archive, not even in a free page of its database`() throws {
        let place = try Self.filled()
        let profile = try Profile(path: place.path("profile"))
        _ = try SealingSession(pairing: "pair", store: profile, target: 16)
        let mark = Array("a key that must not be copied".utf8)
        try profile.write { database in
            try database.execute("INSERT INTO sealing_peer_pools VALUES ('pair', 1, 16, 16, 0, ?, 0)", mark)
            try database.execute("INSERT INTO sealing_peer_keys VALUES ('pair', 1, 0, ?)", mark)
            try database.execute("INSERT INTO flight VALUES (1, 1, ?)", mark)
        }
        let copy = place.path("copy.sqlite")
        try profile.copyDatabase(to: copy)
        profile.close()
        let bytes = try #require(place.read("copy.sqlite"))
        #expect(Data(bytes).range(of: Data(mark)) == nil)
        let database = try Database(path: copy)
        for table in Profile.ownTables {
            #expect(try database.first("SELECT count(*) FROM \(table)") { try $0[0] as Int } == 0, "\(table)")
        }
        #expect(try database.first("SELECT count(*) FROM sealing_bonds") { try $0[0] as Int } == 1)
    }

    @Test func `every table of a profile is copied or left behind`() throws {
        let database = try Database.inMemory()
        try database.migrate(Profile.schema)
        let all = try database.query("SELECT name FROM sqlite_schema WHERE type = 'table'") { try $0[0] as String }
        #expect(all.sorted() == (Profile.copiedTables + Profile.ownTables).sorted())
    }

    @Test func `two restored copies have numbers of their own`() throws {
        let place = try Self.filled()
        try place.export()
        var numbers: Set<Int64> = []
        for name in ["one", "two"] {
            try place.restore(to: name)
            let profile = try Profile(path: place.path(name))
            numbers.insert(
                try #require(try profile.read { try $0.first("SELECT number FROM sealing_copy") { try $0[0] } }))
            profile.close()
        }
        #expect(numbers.count == 2)
        #expect(!numbers.contains(0))
    }

    @Test func `a profile that was moved opens no more where it was, until the note of it is removed`() throws {
        let place = try Self.filled()
        let before = try place.records("profile")
        try place.export(isMove: true)
        #expect(throws: ProfileError.self) { try Profile(path: place.path("profile")) }
        #expect(throws: ProfileError.self) { try ProfileDirectory(path: place.path("profile")) }
        #expect(ArchivePlace.refusal { try place.export(to: "again") }?.message.contains("was moved") == true)
        try place.restore()
        #expect(try place.records("restored") == before)
        try FileManager.default.removeItem(atPath: ProfileEnd.note(in: place.path("profile")))
        #expect(try place.records("profile") == before)
    }

    @Test func `a move that fails leaves the profile as it was`() throws {
        let place = try Self.filled()
        #expect(throws: ProfileArchiveError.self) { try place.export(isMove: true, progress: { _, _ in false }) }
        #expect(try place.contents() == ["profile"])
        #expect(try !place.records("profile").isEmpty)
        #expect(!FileManager.default.fileExists(atPath: place.path("profile/copy")))
    }

    @Test func `nothing is exported while another has the profile, and nothing that is not there`() throws {
        let place = try Self.filled()
        let profile = try Profile(path: place.path("profile"))
        #expect(ArchivePlace.refusal { try place.export() }?.code == .inUse)
        profile.close()
        #expect(ArchivePlace.refusal { try place.export("nothing") }?.code == .noProfile)
        #expect(!FileManager.default.fileExists(atPath: place.path("nothing")))
        #expect(ArchivePlace.refusal { try place.export(to: "profile/inside") }?.code == .failed)
        try place.write([1], to: "there")
        #expect(ArchivePlace.refusal { try place.export(to: "there") }?.code == .failed)
        #expect(place.read("there") == [1])
    }

    /// What it leads to would not be in the archive, and `verify` would not miss it.
    @Test(arguments: ["Notes", "Apps", "vault"]) func `a part of a profile that lies elsewhere is not left out`(
        name: String
    ) throws {
        let place = try Self.filled()
        try FileManager.default.moveItem(atPath: place.path("profile/" + name), toPath: place.path("elsewhere"))
        try FileManager.default.createSymbolicLink(
            atPath: place.path("profile/" + name), withDestinationPath: place.path("elsewhere"))
        let refusal = ArchivePlace.refusal { try place.export() }
        #expect(refusal.map { "\($0)".contains(name) } == true)
        #expect(try place.contents() == ["elsewhere", "profile"])
    }

    @Test func `a profile is restored only where none is`() throws {
        let place = try Self.filled()
        try place.export()
        #expect(ArchivePlace.refusal { try place.restore(to: "profile") }?.code == .notEmpty)
        #expect(ArchivePlace.refusal { try place.restore(to: "backup") }?.code == .notEmpty)
        try FileManager.default.createDirectory(atPath: place.path("empty"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: place.path("link"), withDestinationPath: place.path("empty"))
        #expect(ArchivePlace.refusal { try place.restore(to: "link") }?.code == .notEmpty)
        try place.restore(to: "empty")
        try place.restore(to: "new/folders/profile")
        #expect(try place.records("empty") == place.records("new/folders/profile"))
    }

    @Test func `what a crash left beside the place is cleared away, and what is somebody else's is refused`() throws {
        let place = try Self.filled()
        try place.export()
        try place.write([1], to: "restored.restoring/profile/deep/in/vault")
        let path = place.path("restored.restoring")
        #expect(ArchivePlace.refusal { try place.restore() }?.message.contains("others can read it") == true)
        #expect(place.read("restored.restoring/profile/deep/in/vault") == [1], "what is refused stays")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        do {
            let lock = try Folder(path).lock()
            #expect(lock != nil)
            #expect(ArchivePlace.refusal { try place.restore() }?.code == .inUse)
            #expect(place.read("restored.restoring/profile/deep/in/vault") == [1])
            withExtendedLifetime(lock) {}
        }
        try place.restore()
        #expect(place.read("restored/deep/in/vault") == nil)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a file that holds no sound profile leaves nothing`() throws {
        let place = try Self.filled()
        try place.export()
        let whole = try #require(place.read("backup"))
        for (bytes, code) in [
            (Array(whole.dropLast()), ProfileArchiveError.Code.damaged), (Array(whole.prefix(70_000)), .damaged),
            (whole + [1], .damaged), (Array("hello".utf8), .notAnArchive), ([], .notAnArchive),
            (Array(whole.prefix(9)) + [2] + whole.dropFirst(10), .otherVersion),
        ] {
            try place.write(bytes, to: "other")
            #expect(ArchivePlace.refusal { try place.restore("other") }?.code == code)
            #expect(try place.contents() == ["backup", "other", "profile"])
        }
        #expect(
            ArchivePlace.refusal {
                _ = try ProfileArchive.restore(
                    place.path("backup"), to: place.path("restored"), passphrase: SecretBytes(copying: [1]),
                    progress: { _, _ in true })
            }?.code == .wrongPassphrase)
    }

    @Test(arguments: [
        "CREATE TRIGGER bad AFTER INSERT ON records BEGIN DELETE FROM secrets; END", "CREATE TABLE other (a)",
        "DROP TABLE secrets", "CREATE VIEW bad AS SELECT * FROM secrets", "PRAGMA user_version = 99",
        "DROP TABLE flight; CREATE TABLE flight (leg, place, value DEFAULT (randomblob(9)))",
    ])
    func `a database that is none of a profile is refused`(script: String) throws {
        let place = try Self.filled()
        let file = place.path("changed")
        do {
            let database = try Database(path: place.path("profile/profile.sqlite"))
            try database.executeScript(script)
            try database.executeScript("PRAGMA journal_mode = DELETE")
        }
        // As somebody writes one who has the passphrase.
        let writer = try ArchiveWriter(
            file, passphrase: ArchivePlace.passphrase, cost: ArchivePlace.cost(),
            about: Self.about(), progress: { _ in true })
        let folder = try Folder(place.path("profile"))
        for name in ["vault", "device.key", "profile.sqlite"] { try writer.add(name, of: folder) }
        try writer.finish()
        let error = ArchivePlace.refusal { try place.restore("changed") }
        #expect(error != nil && error?.message.contains("unexpected") == false)
        #expect(try place.contents() == ["changed", "profile"])
    }

    @Test func `names that no profile has, and archives of other things, are refused`() throws {
        let place = try Self.filled()
        let folder = try Folder(place.path("profile"))
        for (number, names) in [["vault"], ["profile.sqlite"], ["vault", "profile.sqlite", "lock"], ["reserve"], []]
            .enumerated()
        {
            let writer = try ArchiveWriter(
                place.path("\(number)"), passphrase: ArchivePlace.passphrase, cost: ArchivePlace.cost(),
                about: Self.about(), progress: { _ in true })
            for name in names { try writer.add(name, of: folder) }
            try writer.finish()
            #expect(ArchivePlace.refusal { try place.restore("\(number)") }?.code == .damaged, "\(names)")
            #expect(!FileManager.default.fileExists(atPath: place.path("restored")))
        }
    }

    @Test(arguments: [
        #"{}"#, "", "[1]", #"{"made":9223372036854775807}"#, #"{"made":-1}"#, #"{"rooms":-1}"#,
        #"{"program":"\#(String(repeating: "x", count: 65))"}"#,
    ])
    func `what an archive says of itself is believed within bounds`(change: String) throws {
        let place = try Self.filled()
        var values = try #require(try JSONSerialization.jsonObject(with: Data(Self.about())) as? [String: Any])
        let changes = (try? JSONSerialization.jsonObject(with: Data(change.utf8))) as? [String: Any]
        values.merge(changes ?? [:]) { $1 }
        let isChanged = changes?.isEmpty == false
        let about = isChanged ? Array(try JSONSerialization.data(withJSONObject: values)) : Array(change.utf8)
        let writer = try ArchiveWriter(
            place.path("other"), passphrase: ArchivePlace.passphrase, cost: ArchivePlace.cost(), about: about,
            progress: { _ in true })
        try writer.finish()
        let error = ArchivePlace.refusal {
            _ = try ProfileArchive.verify(
                place.path("other"), passphrase: ArchivePlace.passphrase, progress: { _, _ in true })
        }
        #expect(error?.code == .damaged)
    }

    private static func about() throws -> [UInt8] {
        Array(
            try JSONEncoder().encode(
                ProfileArchive.Summary(
                    made: 0, program: "", isMove: false, hasFiles: false, hasPassphrase: false, rooms: 0, messages: 0,
                    people: 0, notes: 0, apps: 0)))
    }
}
