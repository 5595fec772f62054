import ComponentStorage
import Components
import StorageClient
import Testing
import Wire

@Suite("Folders, as apps see them") struct FolderTests {
    @Test("a storage says what it is, and has versions") func properties() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        #expect(folder.properties.type == "local" && folder.properties.name == "app")
        #expect(folder.properties.writable && folder.properties.isVersioned && !folder.properties.isSynced)
        let names = try await storage.app.listObjects(folder.object.reference.path)
        #expect(names == (Self.reading + Self.writing + ["v"]).sorted())
        let path = folder.object.reference.path + ["v"]
        #expect(try await storage.app.listObjects(path) == (Self.versionedReading + Self.versionedWriting).sorted())
        let readonly = try storage.folder(writable: false)
        #expect(try await storage.app.listObjects(readonly.object.reference.path) == (Self.reading + ["v"]).sorted())
        #expect(try await storage.app.listObjects(readonly.object.reference.path + ["v"]) == Self.versionedReading)
        withExtendedLifetime((folder, readonly)) {}
    }

    private static let reading = [
        "checkFilePresence", "checkFolderPresence", "checkLinkPresence", "close", "getByteSource", "getXAttr",
        "listFolder", "listXAttrs", "readBytes", "readJSONFile", "readLink", "readTxtFile", "readonlyFile",
        "readonlySubRoot", "select", "stat", "watchFile", "watchFolder", "watchTree",
    ]

    private static let writing = [
        "copyFile", "copyFolder", "deleteFile", "deleteFolder", "deleteLink", "getByteSink", "link", "makeFolder",
        "move", "saveFile", "saveFolder", "updateXAttrs", "writableFile", "writableSubRoot", "writeBytes",
        "writeJSONFile", "writeTxtFile",
    ]

    private static let versionedReading = [
        "getByteSource", "getXAttr", "listFolder", "listVersions", "listXAttrs", "readBytes", "readJSONFile",
        "readTxtFile", "stat",
    ]

    private static let versionedWriting = [
        "archiveCurrent", "getByteSink", "updateXAttrs", "writeBytes", "writeJSONFile", "writeTxtFile",
    ]

    @Test("folders are made with those above them") func making() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.makeFolder("a/b/c")
        #expect(try await folder.isPresent("Folder", "/a/b/c/"))
        try await folder.makeFolder("a/b/c")
        #expect(try await failure { try await folder.makeFolder("a/b/c", exclusive: true) } == "EEXIST alreadyExists")
        try await folder.makeFolder("a/d", exclusive: true)
        try await folder.write("x", "file")
        #expect(try await failure { try await folder.makeFolder("file") } == "ENOTDIR notDirectory")
        #expect(try await failure { try await folder.makeFolder("file/inner") } == "ENOTDIR notDirectory")
        #expect(try await failure { try await folder.makeFolder("file", exclusive: true) } == "EEXIST alreadyExists")
        #expect(try await folder.names("a") == ["b", "d"])
    }

    @Test("listings say what is what, sorted") func listing() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        for name in ["ö", "b", "a b", "c.txt"] { try await folder.write(name, name) }
        try await folder.makeFolder("folder")
        try await folder.link("link", to: folder.readonlyFile("b").object)
        let entries = try await folder.list()
        #expect(entries.map(\.name) == ["a b", "b", "c.txt", "folder", "link", "ö"])
        #expect(entries.filter { $0.isFolder != nil }.map(\.name) == ["folder"])
        #expect(entries.filter { $0.isLink != nil }.map(\.name) == ["link"])
        #expect(entries.filter { $0.isFile == .yes }.count == 4)
        #expect(try await failure { try await folder.list("none") } == "ENOENT notFound")
        #expect(try await failure { try await folder.list("b") } == "ENOTDIR notDirectory")
        #expect(try await failure { try await folder.list("link") } == "ENOTDIR notDirectory")
    }

    @Test("presence is asked for each kind") func presence() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.write("x", "d/file")
        try await folder.link("link", to: folder.readonlyFile("d/file").object)
        let kinds = ["File": "d/file", "Folder": "d", "Link": "link"]
        for (kind, path) in kinds {
            for (other, otherPath) in kinds {
                #expect(try await folder.isPresent(kind, otherPath) == (kind == other))
            }
            #expect(try await folder.isPresent(kind, path, orThrow: true))
            #expect(try await folder.isPresent(kind, "none") == false)
            #expect(try await folder.isPresent(kind, "d/file/inner") == false)
            #expect(try await failure { try await folder.isPresent(kind, "none", orThrow: true) } == "ENOENT notFound")
        }
        #expect(try await failure { try await folder.isPresent("File", "d", orThrow: true) } == "ENOTFILE notFile")
        #expect(
            try await failure { try await folder.isPresent("Folder", "link", orThrow: true) } == "ENOTDIR notDirectory")
        #expect(try await failure { try await folder.isPresent("Link", "d", orThrow: true) } == "notLink")
    }

    @Test("folders are removed empty, or with what is in them") func removing() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.write("x", "a/b/file")
        #expect(try await failure { try await folder.deleteFolder("a") } == "ENOTEMPTY notEmpty")
        #expect(try await failure { try await folder.deleteFolder("none") } == "ENOENT notFound")
        #expect(try await failure { try await folder.deleteFolder("a/b/file") } == "ENOTDIR notDirectory")
        #expect(try await failure { try await folder.deleteFolder("") } == "EPERM opNotPermitted")
        try await folder.deleteFolder("a", withContent: true)
        try await folder.makeFolder("e")
        try await folder.deleteFolder("e")
        #expect(try storage.names() == [])
        #expect(storage.unfinished().isEmpty)
    }

    @Test("things are moved, never onto others") func moving() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.write("x", "a/file")
        try await folder.write("y", "other")
        try await folder.move("a/file", "new/place/file")
        #expect(try await folder.text("new/place/file") == "x")
        #expect(try await failure { try await folder.move("a/file", "b") } == "ENOENT notFound")
        #expect(try await failure { try await folder.move("other", "new/place/file") } == "EEXIST alreadyExists")
        #expect(try await failure { try await folder.move("new", "a") } == "EEXIST alreadyExists")
        #expect(try await failure { try await folder.move("new", "new/place/inner") } == "EPERM opNotPermitted")
        #expect(try await failure { try await folder.move("", "elsewhere") } == "EPERM opNotPermitted")
        try await folder.move("new", "a/moved")
        #expect(try await folder.text("a/moved/place/file") == "x")
    }

    @Test("a folder inside is a root of its own") func subRoots() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.write("x", "secret")
        let inner = try await folder.writableSubRoot("inner/most")
        #expect(inner.properties.name == "most" && inner.properties.writable)
        try await inner.write("y", "file")
        #expect(try await folder.text("inner/most/file") == "y")
        // One step up from the root is the root.
        for path in ["../../secret", "a/../../../secret"] {
            #expect(try await failure { try await inner.stat(path) } == "ENOENT notFound")
        }
        #expect(try await inner.names("../..") == ["file"])
        #expect(try await inner.text("../../file") == "y")
        #expect(try await failure { try await inner.stat("/secret") } == "ENOENT notFound")
        #expect(try await failure { try await inner.deleteFolder("", withContent: true) } == "EPERM opNotPermitted")
        #expect(try await failure { try await inner.move("/", "elsewhere") } == "EPERM opNotPermitted")
        let reading = try await folder.readonlySubRoot("inner")
        #expect(try await reading.text("most/file") == "y")
        #expect(!reading.properties.writable)
        let denied = try await exception { try await reading.write("z", "most/file") }
        #expect(denied.type == "ipc" && denied.has("callFnNotFound"))
        #expect(try await failure { try await folder.readonlySubRoot("none") } == "ENOENT notFound")
        #expect(try await failure { try await folder.readonlySubRoot("secret") } == "ENOTDIR notDirectory")
        let flags = FsProto.FileFlags(create: .no)
        #expect(try await failure { try await folder.writableSubRoot("none", flags) } == "ENOENT notFound")
        let exclusive = FsProto.FileFlags(create: .yes, exclusive: .yes)
        #expect(try await failure { try await folder.writableSubRoot("inner", exclusive) } == "EEXIST alreadyExists")
    }

    @Test("a folder that was closed answers no more") func closing() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.close()
        #expect(try await failure { try await folder.list() } == "storageClosed")
    }

    @Test("exceptions name paths as the app wrote them, and never the place of the storage") func paths() async throws {
        let storage = try StorageFixture()
        let folder = try await storage.folder().writableSubRoot("sub")
        let missing = try await exception { try await folder.text("/x//./y") }
        #expect(missing.type == "file" && missing.fields["path"] == "/x//./y")
        for path in ["/x", "../x", "a\0b", String(repeating: "n", count: 300), String(repeating: "d/", count: 500)] {
            let exception = try await exception { try await folder.write("x", path + "/../none", .init(create: .no)) }
            let text = String(decoding: exception.text, as: UTF8.self)
            #expect(!text.contains(storage.path))
            #expect(!text.contains("sub"))
        }
    }

    @Test("the storage's own folder cannot be named, seen or reached") func workFolder() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.write("x", "file")
        for path in [".alcove-work", "/.alcove-work/x", "a/../.alcove-work"] {
            #expect(try await failure { try await folder.stat(path) } == "EPERM opNotPermitted")
            #expect(try await failure { try await folder.makeFolder(path) } == "EPERM opNotPermitted")
        }
        #expect(try await folder.names() == ["file"])
        try storage.link("link", to: ".alcove-work")
        let link = try await folder.readLink("link")
        #expect(try await failure { try await link.folder() } == "EPERM opNotPermitted")
    }
}
