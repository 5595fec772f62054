import ComponentStorage
import Components
import Foundation
import ProgramRunner
import StorageClient
import Testing

@Suite("Links that apps make, to programs that follow links") struct LinkSafetyTests {
    private static let deep = Array(repeating: "q", count: 31).joined(separator: "/")

    /// A storage beside a secret, with links in it whose way to their targets, step by step, would reach the secret from higher up.
    private func planted(_ place: String) async throws -> (StorageFixture, FolderClient) {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try Data("secret".utf8).write(to: URL(fileURLWithPath: storage.path + "/secret"))
        try await folder.write("own", "secret")
        try await folder.write("own", "etc/passwd")
        try await folder.write("own", place + "/beside")
        try await folder.link(place + "/writable", to: folder.writableFile("secret").object)
        try await folder.link(place + "/readonly", to: folder.readonlyFile("secret").object)
        try await folder.link(place + "/passwd", to: folder.writableFile("etc/passwd").object)
        try await folder.link(place + "/folder", to: folder.writableSubRoot("etc").object)
        try await folder.link(place + "/all", to: folder.readonlySubRoot("").object)
        try await folder.link(place + "/here", to: folder.readonlyFile(place + "/beside").object)
        return (storage, folder)
    }

    /// The symbolic links below a folder, and where the system finds that they lead.
    private func resolved(in path: String) -> [String: String?] {
        var links: [String: String?] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: path) ?? .init() {
            let link = path + "/" + name
            guard (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != nil else { continue }
            let end = URL(fileURLWithPath: link).resolvingSymlinksInPath().path
            links.updateValue(FileManager.default.fileExists(atPath: link) ? end : nil, forKey: name)
        }
        return links
    }

    @Test("they lead nowhere, whatever is moved, copied and saved", arguments: ["d", "d/d", "d/d/d", deep])
    func nowhere(place: String) async throws {
        let (storage, folder) = try await planted(place)
        let other = try StorageFixture()
        try Data("secret".utf8).write(to: URL(fileURLWithPath: other.path + "/secret"))
        let otherFolder = try FolderClient(other.root.serve(writable: true, on: storage.host), on: storage.app)
        try await otherFolder.save(folder, "saved/all")
        try await otherFolder.save(folder.readonlySubRoot(place), "top")
        try await otherFolder.move("saved/all/" + place, "out")
        try await folder.copyFolder(place, "copy")
        try await folder.copyFolder("copy", "copies/of/it")
        try await folder.move("copies/of/it", "it")
        try await folder.move("copy/passwd", "one")
        try await folder.move(place, "top")
        try await folder.move("top", "very/far/down")
        try await folder.move("very/far/down", "up")
        let links = resolved(in: storage.path + "/root")
        #expect(links.count == 3 * 6)
        for (name, end) in links.merging(resolved(in: other.path + "/root"), uniquingKeysWith: { one, _ in one }) {
            #expect(end == nil, "\(name) leads to \(end ?? "")")
        }
        let copy = storage.path + "/followed"
        _ = try await Program.completion(of: ["cp", "-rL", storage.path + "/root", copy])
        #expect(resolved(in: copy).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: copy + "/up") == ["beside"])
        #expect(try String(contentsOfFile: copy + "/secret", encoding: .utf8) == "own")
        // To apps they lead where they did.
        for place in ["up", "it"] {
            #expect(try await folder.readLink(place + "/readonly").file()?.text() == "own")
            let writable = try #require(try await folder.readLink(place + "/writable").file())
            #expect(writable.properties.writable)
            #expect(try await folder.readLink(place + "/folder").folder()?.text("passwd") == "own")
            #expect(try await folder.readLink(place + "/all").folder()?.text("secret") == "own")
        }
        #expect(try await folder.readLink("one").file()?.text() == "own")
    }

    @Test("no app makes the folder that their text goes through", arguments: ["", "a/", "a/b/"])
    func reserved(place: String) async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        let name = place + ".alcove-link"
        let calls: [@Sendable () async throws -> Void] = [
            { try await folder.makeFolder(name) }, { try await folder.write("x", name + "/read/here/file") },
            { try await folder.move("file", name) }, { try await folder.copyFolder("d", name + "/read") },
            { _ = try await folder.writableSubRoot(name) }, { _ = try await folder.writableFile(name) },
        ]
        try await folder.write("x", "file")
        try await folder.makeFolder("d")
        for (number, call) in calls.enumerated() {
            #expect(try await failure { try await call() } == "EPERM opNotPermitted", "call \(number)")
        }
        // One that others made is not seen, and not copied.
        try storage.write("x", to: "d/" + name + "/read/here/file")
        try await folder.copyFolder("d", "copy")
        #expect(!FileManager.default.fileExists(atPath: storage.path + "/root/copy/" + name))
        #expect(try await !folder.names("d/" + place).contains(".alcove-link"))
    }

    @Test("a link and a target beneath its folder move together; others go on to lead where they did") func together()
        async throws
    {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.write("near", "a/b/c/file")
        try await folder.write("far", "file")
        try await folder.link("a/near", to: folder.writableFile("a/b/c/file").object)
        try await folder.link("a/b/far", to: folder.readonlyFile("file").object)
        try await folder.move("a", "x/y")
        let near = try #require(try await folder.readLink("x/y/near").file())
        #expect(near.properties.writable)
        #expect(try await near.text() == "near")
        #expect(try await folder.readLink("x/y/b/far").file()?.text() == "far")
        // Alone, it leaves its target behind, and finds it.
        try await folder.move("x/y/near", "near")
        #expect(try await folder.readLink("near").file()?.text() == "near")
    }

    @Test("who holds a part leads the holder of the whole nowhere else") func guest() async throws {
        let storage = try StorageFixture()
        let owner = try storage.folder()
        try await owner.write("secret", "secret")
        let guest = try await owner.writableSubRoot("box")
        try await guest.write("bait", "q/secret")
        try await guest.link("q/q/q/l", to: guest.writableFile("q/secret").object)
        try await guest.link("q/q/q/f", to: guest.writableSubRoot("q").object)
        try await guest.move("q/q/q", "top")
        #expect(try await owner.readLink("box/top/l").file()?.text() == "bait")
        #expect(try await owner.readLink("box/top/f").folder()?.text("secret") == "bait")
        try await guest.deleteFolder("q", withContent: true)
        #expect(try await failure { try await owner.readLink("box/top/l").file() } == "ENOENT notFound")
    }

    @Test("what others link is for reading, and what an app makes of it leads nowhere") func others() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try storage.write("x", to: "file")
        try storage.write("", to: "a/b/c")
        try storage.link("a/b/l", to: "./../../file")
        #expect(try await folder.readLink("a/b/l").properties.readonly)
        #expect(try await folder.readLink("a/b/l").file()?.text() == "x")
        try await folder.copyFolder("a", "copy")
        try await folder.move("a/b/l", "deep/er/l")
        for name in ["copy/b/l", "deep/er/l"] {
            #expect(try await folder.readLink(name).file()?.text() == "x")
        }
        #expect(resolved(in: storage.path + "/root") == ["copy/b/l": nil, "deep/er/l": nil])
    }

    @Test("a name may begin with what Swift joins to the slash before it") func combining() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.write("x", "d/\u{301}a")
        let file = try await folder.readonlyFile("d/\u{301}a")
        for link in ["d/here", "root"] {
            try await folder.link(link, to: file.object)
            #expect(try await folder.readLink(link).file()?.text() == "x")
        }
    }
}
