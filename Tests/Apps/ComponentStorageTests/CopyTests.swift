import ComponentStorage
import Components
import Foundation
import StorageClient
import Testing
import Wire

@Suite("Copies of folders, and what other storages give") struct CopyTests {
    @Test("a folder is copied with all that is in it") func folders() async throws {
        // On a disk: not every file system in memory keeps attributes.
        let storage = try StorageFixture(below: NSTemporaryDirectory())
        let folder = try storage.folder()
        try await folder.write("x", "a/b/file")
        try await folder.change("a/b/file", set: [.init(xaName: "n", str: .init(value: "v"))])
        try await folder.makeFolder("a/empty")
        try await folder.copyFolder("a", "new/copy")
        #expect(try await folder.text("new/copy/b/file") == "x")
        #expect(try await folder.names("new/copy") == ["b", "empty"])
        #expect(try await folder.attribute("n", of: "new/copy/b/file").str?.value == "v")
        #expect(try await failure { try await folder.copyFolder("a", "new") } == "EEXIST alreadyExists")
        #expect(try await failure { try await folder.copyFolder("a", "a/b/c") } == "EPERM opNotPermitted")
        #expect(try await failure { try await folder.copyFolder("none", "c") } == "ENOENT notFound")
        #expect(try await failure { try await folder.copyFolder("a/b/file", "c") } == "ENOTDIR notDirectory")
        #expect(storage.unfinished().isEmpty)
    }

    @Test("two folders become one when that is asked for") func merging() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.write("new", "a/both")
        try await folder.write("new", "a/inner/one")
        try await folder.write("old", "b/both")
        try await folder.write("old", "b/inner/two")
        try await folder.copyFolder("a", "b", merge: true)
        #expect(try await folder.text("b/both") == "new")
        #expect(try await folder.names("b/inner") == ["one", "two"])
        try await folder.write("file", "c/inner")
        #expect(try await failure { try await folder.copyFolder("a", "c", merge: true) } == "ENOTDIR notDirectory")
        #expect(
            try await failure { try await folder.copyFolder("a", "c/inner", merge: true) } == "ENOTDIR notDirectory")
    }

    @Test("files and folders of other storages are saved by reference") func saving() async throws {
        let (ours, theirs) = (try StorageFixture(), try StorageFixture())
        let theirFolder = try FolderClient(theirs.root.serve(writable: false, on: ours.host), on: ours.app)
        let folder = try ours.folder()
        try theirs.write("x", to: "d/file")
        try theirs.write("y", to: "secret")
        try await folder.save(theirFolder.readonlyFile("d/file"), "a/file")
        #expect(
            try await failure { try await folder.save(theirFolder.readonlyFile("secret"), "a/file") }
                == "EEXIST alreadyExists")
        try await folder.save(theirFolder.readonlyFile("secret"), "a/file", overwrite: true)
        #expect(try ours.text(of: "a/file") == "y")
        try await folder.save(theirFolder.readonlySubRoot("d"), "b")
        #expect(try ours.text(of: "b/file") == "x")
        try await folder.save(theirFolder.readonlySubRoot("d"), "a", merge: true)
        #expect(try ours.text(of: "a/file") == "x")
        #expect(try await failure { try await folder.save(theirFolder, "a") } == "EEXIST alreadyExists")
        // Nothing of it works the other way, or with what was not given.
        #expect(try await exception { try await theirFolder.save(folder, "x") }.has("callFnNotFound"))
        var forged = FsProto.SaveFileRequestBody(file: .init(objType: "FileImpl", path: ["12345"]), dst: "x")
        #expect(try await exception { try await folder.call("saveFile", forged) }.has("objectNotFound"))
        forged.file = folder.object.reference
        #expect(try await exception { try await folder.call("saveFile", forged) }.has("objectNotFound"))
        forged.file = nil
        #expect(try await exception { try await folder.call("saveFile", forged) }.has("objectNotFound"))
    }

    @Test("a storage that was taken back gives nothing any more, whichever way it is asked") func takenBack()
        async throws
    {
        let (ours, theirs) = (try StorageFixture(), try StorageFixture())
        let folder = try ours.folder()
        try theirs.write("x", to: "d/file")
        let given = try FolderClient(theirs.root.serve(writable: true, on: ours.host), on: ours.app)
        let (file, inner) = (try await given.readonlyFile("d/file"), try await given.writableSubRoot("d"))
        let (source, sink) = (try await given.source("d/file"), try await given.sink("d/new"))
        try await given.link("l", to: file.object)
        let link = try await given.readLink("l")
        theirs.root.close()
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await given.names() }, { _ = try await inner.text("file") }, { _ = try await file.text() },
            { _ = try await source.next() }, { try await sink.splice(0, 0, [1]) }, { try await sink.done() },
            { _ = try await link.file() }, { try await inner.write("y", "file") }, { try await given.deleteFile("l") },
            { try await folder.save(file, "copy") }, { try await folder.save(inner, "copy") },
        ]
        for (number, call) in calls.enumerated() {
            #expect(try await failure { try await call() } == "storageClosed", "call \(number)")
        }
        #expect(try ours.names() == [])
        // Of what was begun, there is the empty file.
        #expect(try theirs.names("d") == ["file", "new"])
        #expect(try theirs.text(of: "d/new") == "")
        #expect(try theirs.text(of: "d/file") == "x")
    }

    @Test("a copy into its own holder ends") func ownRoot() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.write("x", "file")
        #expect(try await failure { try await folder.save(folder, "copy") } == "EPERM opNotPermitted")
        let inner = try await folder.writableSubRoot("inner")
        try await inner.save(folder.readonlyFile("file"), "copy")
        #expect(try await failure { try await inner.save(folder, "all") } == "EPERM opNotPermitted")
        #expect(try await folder.names("inner") == ["copy"])
    }
}

@Suite("Links, as apps see them") struct LinkTests {
    @Test("a link leads to what it was made from, for writing or only for reading") func targets() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.write("x", "a/file")
        try await folder.link("links/file", to: folder.readonlyFile("a/file").object)
        try await folder.link("links/writable", to: folder.writableFile("a/file").object)
        try await folder.link("links/folder", to: folder.writableSubRoot("a").object)
        #expect(try await folder.stat("links/file").isLink == .yes)
        let reading = try await folder.readLink("links/file")
        #expect(reading.properties.readonly && reading.properties.isFile == .yes && reading.properties.isFolder == nil)
        let file = try #require(try await reading.file())
        #expect(try await file.text() == "x")
        #expect(!file.properties.writable)
        let writing = try #require(try await folder.readLink("links/writable").file())
        try await writing.write("y")
        let target = try #require(try await folder.readLink("links/folder").folder())
        #expect(try await target.text("file") == "y")
        #expect(target.properties.writable)
        // Through a folder for reading everything is for reading.
        let readonly = try await storage.folder(writable: false).readLink("links/folder")
        let readonlyTarget = try #require(try await readonly.folder())
        #expect(readonly.properties.readonly && !readonlyTarget.properties.writable)
    }

    @Test("links are made, moved, copied and removed as what they are") func handling() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.write("x", "a/file")
        let file = try await folder.readonlyFile("a/file")
        try await folder.link("a/l", to: file.object)
        #expect(try await failure { try await folder.link("a/l", to: file.object) } == "EEXIST alreadyExists")
        try await folder.move("a/l", "deep/er/l")
        #expect(try await folder.readLink("deep/er/l").file()?.text() == "x")
        #expect(try await folder.names("a") == ["file"])
        // In the copy, the link leads to the copy of its target; one that leads elsewhere goes on to do so.
        try await folder.link("a/inner", to: file.object)
        try await folder.copyFolder("a", "b/c")
        try await folder.write("z", "b/c/file")
        #expect(try await folder.readLink("b/c/inner").file()?.text() == "z")
        try await folder.copyFolder("deep", "copy")
        #expect(try await folder.readLink("copy/er/l").file()?.text() == "x")
        try await folder.deleteFile("a/file")
        let dangling = try await folder.readLink("deep/er/l")
        #expect(dangling.properties.isFile == nil)
        #expect(try await failure { try await dangling.file() } == "ENOENT notFound")
        #expect(try await failure { try await folder.deleteLink("b") } == "notLink")
        #expect(try await failure { try await folder.readLink("b/c/file") } == "notLink")
        #expect(try await failure { try await folder.readLink("none") } == "ENOENT notFound")
        #expect(try await failure { try await folder.deleteFile("deep/er/l") } == "ENOTFILE notFile")
        #expect(try await failure { try await folder.deleteFolder("deep/er/l") } == "ENOTDIR notDirectory")
        try await folder.deleteLink("deep/er/l")
        #expect(try await folder.names("deep/er") == [])
    }

    @Test("a link never gives more than its maker holds") func confinement() async throws {
        let (storage, other) = (try StorageFixture(), try StorageFixture())
        let folder = try storage.folder()
        try await folder.write("x", "secret")
        let inner = try await folder.writableSubRoot("inner")
        let secret = try await folder.writableFile("secret")
        #expect(try await failure { try await inner.link("l", to: secret.object) } == "notLinkableFile")
        #expect(try await failure { try await inner.link("l", to: folder.object) } == "notLinkableFolder")
        let foreign = try FolderClient(other.root.serve(writable: true, on: storage.host), on: storage.app)
        #expect(try await failure { try await folder.link("l", to: foreign.object) } == "notLinkableFolder")
        // A link that its maker may follow, seen by one who may not.
        try await folder.link("inner/l", to: secret.object)
        let link = try await inner.readLink("l")
        #expect(link.properties.isFile == nil)
        #expect(try await failure { try await link.file() } == "EPERM opNotPermitted")
        // Moving one nearer to its root does not let it lead further.
        try await inner.move("l", "a/b/c")
        try await inner.move("a/b", "z")
        #expect(try await failure { try await inner.readLink("z/c").file() }.map { $0 != "" } == true)
        // A link stays in its storage, and does not follow a folder into another.
        try await foreign.save(inner, "saved")
        #expect(try await foreign.names("saved/z") == [])
    }
}
