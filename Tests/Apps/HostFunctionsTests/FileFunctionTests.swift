import Components
import Foundation
import HostFunctions
import Testing

typealias Fs = FsOpProto

/// The 21 ports, each with what it does and each error that it can end with.
@Suite("File functions")
struct FileFunctionTests {
    let place: TestFolder
    let ports: JoinedPorts
    let files: HostFiles

    init() throws {
        place = try TestFolder()
        files = try HostFiles(folder: place.root)
        ports = JoinedPorts(files.functions)
    }

    func path(_ name: String) -> Fs.PathArgs { Fs.PathArgs(path: name) }

    func write(_ name: String, _ content: String, flag: String = "w") async throws(NativeError) {
        _ = try await ports.call(
            "fs_writeFile", Fs.WriteFileArgs(path: name, writeFlag: flag, content: Array(content.utf8)))
    }

    func read(_ name: String) async throws -> String { text(try await ports.call("fs_readFile", path(name))) }

    func open(_ name: String, _ flag: String) async throws -> Int32 {
        let reply = try await ports.call(
            "fs_open", Fs.OpenFileArgs(path: name, openFlag: flag), as: FnCallsProto.IntValue.self)
        return reply.value
    }

    @Test("There are exactly the 21 ports") func names() {
        #expect(files.functions.keys.filter { $0.hasPrefix("fs_") }.count == 15)
        #expect(files.functions.keys.filter { $0.hasPrefix("fh_") }.count == 6)
        #expect(files.functions.count == 21)
    }

    @Test("Paths are relative to the folder, or absolute and beneath it")
    func paths() async throws {
        try await write("a", "1")
        try await write(place.root + "/./b", "2")
        #expect(try await read("/../" + place.root + "/a") == "1")
        #expect(try await read("./x/../b") == "2")
        for outside in ["/etc/passwd", "../secret", place.path + "/secret", place.root + "2/a", "/"] {
            #expect(await ports.failure("fs_readFile", path(outside)) == "EPERM")
            #expect(await ports.failure("fs_stat", path(outside)) == "EPERM")
        }
    }

    @Test("stat follows links and lstat does not; sizes, kinds, times and blocks are real")
    func stats() async throws {
        try await write("file", String(repeating: "x", count: 5000))
        _ = try await ports.call("fs_symlink", Fs.SymLinkCreateArgs(path: "link", target: "file"))
        _ = try await ports.call("fs_mkdir", Fs.DirRecursiveArgs(path: "folder", recursive: false))
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        let stats = try await ports.call("fs_stat", path("link"), as: Fs.Stats.self)
        #expect(stats.isFile && !stats.isDirectory && !stats.isSymbolicLink && stats.size == 5000)
        #expect(stats.blocks * 512 >= 5000 && stats.blksize > 0)
        for time in [stats.birthtimeMs, stats.mtimeMs, stats.atimeMs] { #expect(abs(time - now) < 100_000) }
        let link = try await ports.call("fs_lstat", path("link"), as: Fs.Stats.self)
        #expect(link.isSymbolicLink && !link.isFile && link.size == 4)
        #expect(try await ports.call("fs_stat", path("folder"), as: Fs.Stats.self).isDirectory)
        #expect(try await ports.call("fs_lstat", path(""), as: Fs.Stats.self).isDirectory)
        #expect(await ports.failure("fs_stat", path("missing")) == "ENOENT")
        #expect(await ports.failure("fs_lstat", path("file/x")) == "ENOTDIR")
    }

    @Test("Files are written as their flags say")
    func writing() async throws {
        #expect(
            await ports.failure("fs_writeFile", Fs.WriteFileArgs(path: "f", writeFlag: "r+", content: [1])) == "ENOENT")
        try await write("f", "hello", flag: "wx")
        #expect(
            await ports.failure("fs_writeFile", Fs.WriteFileArgs(path: "f", writeFlag: "wx", content: [1])) == "EEXIST")
        try await write("f", "HE", flag: "r+")
        #expect(try await read("f") == "HEllo")
        try await write("f", "new")
        #expect(try await read("f") == "new")
        #expect(
            await ports.failure("fs_writeFile", Fs.WriteFileArgs(path: "f", writeFlag: "r", content: [1])) == "EPERM")
        #expect(
            await ports.failure("fs_writeFile", Fs.WriteFileArgs(path: "", writeFlag: "w", content: [])) == "EISDIR")
        #expect(
            await ports.failure("fs_writeFile", Fs.WriteFileArgs(path: "no/f", writeFlag: "w", content: [])) == "ENOENT"
        )
        #expect(
            await ports.failure("fs_writeFile", Fs.WriteFileArgs(path: "f/f", writeFlag: "w", content: [])) == "ENOTDIR"
        )
        let unknown = await ports.failure("fs_writeFile", Fs.WriteFileArgs(path: "f", writeFlag: "z", content: []))
        #expect(unknown?.contains("flag") == true)
        #expect(await ports.failure("fs_readFile", path("")) == "EISDIR")
        #expect(await ports.failure("fs_readFile", path("missing")) == "ENOENT")
    }

    @Test("Appending makes the file, but not its folder")
    func appending() async throws {
        for part in ["a", "bc"] {
            _ = try await ports.call("fs_appendFile", Fs.AppendFileArgs(path: "log", chunk: Array(part.utf8)))
        }
        #expect(try await read("log") == "abc")
        #expect(await ports.failure("fs_appendFile", Fs.AppendFileArgs(path: "no/log", chunk: [1])) == "ENOENT")
        #expect(await ports.failure("fs_appendFile", Fs.AppendFileArgs(path: "", chunk: [1])) == "EISDIR")
    }

    @Test("Copying")
    func copying() async throws {
        try await write("a", "1")
        try await write("b", "2 and more")
        #expect(await ports.failure("fs_copyFile", Fs.CopyFileArgs(src: "a", dst: "b", overwrite: false)) == "EEXIST")
        _ = try await ports.call("fs_copyFile", Fs.CopyFileArgs(src: "a", dst: "b", overwrite: true))
        #expect(try await read("b") == "1")
        _ = try await ports.call("fs_copyFile", Fs.CopyFileArgs(src: "a", dst: "a", overwrite: true))
        #expect(try await read("a") == "1")
        #expect(await ports.failure("fs_copyFile", Fs.CopyFileArgs(src: "c", dst: "d", overwrite: true)) == "ENOENT")
        #expect(await ports.failure("fs_copyFile", Fs.CopyFileArgs(src: "", dst: "d", overwrite: true)) == "EISDIR")
    }

    @Test("Folders are made, listed and removed")
    func folders() async throws {
        func make(_ name: String, _ recursive: Bool) -> Fs.DirRecursiveArgs { .init(path: name, recursive: recursive) }
        #expect(await ports.failure("fs_mkdir", make("a/b/c", false)) == "ENOENT")
        _ = try await ports.call("fs_mkdir", make("a/b/c", true))
        _ = try await ports.call("fs_mkdir", make("a/b/c", true))
        #expect(await ports.failure("fs_mkdir", make("a", false)) == "EEXIST")
        try await write("a/f", "1")
        #expect(await ports.failure("fs_mkdir", make("a/f", true)) == "EEXIST")
        #expect(await ports.failure("fs_mkdir", make("a/f/g", true)) == "ENOTDIR")
        let names = try await ports.call("fs_readdir", path("a"), as: FnCallsProto.StringArrayValue.self)
        #expect(names.values.sorted() == ["b", "f"])
        #expect(await ports.failure("fs_readdir", path("a/f")) == "ENOTDIR")
        #expect(await ports.failure("fs_readdir", path("no")) == "ENOENT")
        #expect(await ports.failure("fs_rmdir", make("a", false)) == "ENOTEMPTY")
        #expect(await ports.failure("fs_rmdir", make("a/f", false)) == "ENOTDIR")
        #expect(await ports.failure("fs_rmdir", make("no", false)) == "ENOENT")
        #expect(await ports.failure("fs_rmdir", make("", true)) == "EPERM")
        _ = try await ports.call("fs_rmdir", make("a/b/c", false))
        _ = try await ports.call("fs_rmdir", make("a", true))
        #expect(await ports.failure("fs_stat", path("a")) == "ENOENT")
    }

    @Test("Renaming replaces files and empty folders, and nothing else")
    func renaming() async throws {
        func rename(_ old: String, _ new: String) -> Fs.RenameArgs { .init(oldPath: old, newPath: new) }
        try await write("a", "1")
        try await write("b", "2")
        _ = try await ports.call("fs_rename", rename("a", "b"))
        #expect(try await read("b") == "1")
        _ = try await ports.call("fs_mkdir", Fs.DirRecursiveArgs(path: "d/e", recursive: true))
        _ = try await ports.call("fs_mkdir", Fs.DirRecursiveArgs(path: "g", recursive: false))
        #expect(await ports.failure("fs_rename", rename("b", "d")) == "EISDIR")
        #expect(await ports.failure("fs_rename", rename("d", "b")) == "ENOTDIR")
        #expect(await ports.failure("fs_rename", rename("g", "d")) == "ENOTEMPTY")
        #expect(await ports.failure("fs_rename", rename("d", "d/e/f")) == "EIO")
        #expect(await ports.failure("fs_rename", rename("no", "x")) == "ENOENT")
        #expect(await ports.failure("fs_rename", rename("", "x")) == "EPERM")
        _ = try await ports.call("fs_rename", rename("d", "g"))
        #expect(try await ports.call("fs_stat", path("g/e"), as: Fs.Stats.self).isDirectory)
    }

    @Test("Links are made, read and removed, but never towards the outside")
    func links() async throws {
        func link(_ path: String, _ target: String) -> Fs.SymLinkCreateArgs { .init(path: path, target: target) }
        try await write("f", "1")
        _ = try await ports.call("fs_mkdir", Fs.DirRecursiveArgs(path: "d", recursive: false))
        _ = try await ports.call("fs_symlink", link("d/l", place.root + "/f"))
        #expect(try await read("d/l") == "1")
        #expect(
            try await ports.call("fs_readlink", path("d/l"), as: FnCallsProto.StringValue.self).value == place.root
                + "/f")
        _ = try await ports.call("fs_symlink", link("d/up", "../f"))
        #expect(try await read("d/up") == "1")
        for target in ["../../secret", "/etc/passwd", "../.."] {
            #expect(await ports.failure("fs_symlink", link("d/out", target)) == "EPERM")
        }
        #expect(await ports.failure("fs_symlink", link("f", "x")) == "EEXIST")
        #expect(await ports.failure("fs_readlink", path("f")) == "EIO")
        #expect(await ports.failure("fs_readlink", path("no")) == "ENOENT")
        _ = try await ports.call("fs_unlink", path("d/l"))
        #expect(try await read("f") == "1")
        #expect(await ports.failure("fs_unlink", path("d")) == "EISDIR")
        #expect(await ports.failure("fs_unlink", path("no")) == "ENOENT")
        // Planted by another program: seen, but not followed.
        try place.write("secret", to: "secret")
        try FileManager.default.createSymbolicLink(
            atPath: place.root + "/planted", withDestinationPath: place.path + "/secret")
        #expect(await ports.failure("fs_readFile", path("planted")) == "EPERM")
        #expect(await ports.failure("fs_appendFile", Fs.AppendFileArgs(path: "planted", chunk: [1])) == "EPERM")
        #expect(try place.read("secret") == "secret")
    }

    @Test("Lengths are set, up and down")
    func truncating() async throws {
        try await write("f", "hello")
        _ = try await ports.call("fs_truncate", Fs.TruncateFileArgs(path: "f", len: 2))
        _ = try await ports.call("fs_truncate", Fs.TruncateFileArgs(path: "f", len: 4))
        #expect(try await read("f") == "he\0\0")
        #expect(await ports.failure("fs_truncate", Fs.TruncateFileArgs(path: "f", len: -1)) == "EIO")
        #expect(await ports.failure("fs_truncate", Fs.TruncateFileArgs(path: "no", len: 1)) == "ENOENT")
        #expect(await ports.failure("fs_truncate", Fs.TruncateFileArgs(path: "", len: 1)) == "EISDIR")
    }

    @Test("Errors travel as the platform has them, without a path of this machine")
    func wire() async throws {
        let expected = #"{"runtimeException":true,"type":"file","code":"ENOENT","path":""}"#
        do {
            _ = try await ports.call("fs_stat", path("missing"))
            Issue.record("there is no such file")
        } catch { #expect(error.text == expected) }
        let garbled = await ports.failure("fs_stat", FnCallsProto.IntValue(value: 3))
        #expect(garbled == "the arguments cannot be read")
    }
}
