import Components
import HostFunctions
import Testing

/// Files that are open under a number.
extension FileFunctionTests {
    func read(_ number: Int32, at position: Int64, _ count: Int32) async throws -> String {
        text(try await ports.call("fh_read", Fs.ReadFdPosArg(fd: number, readPos: position, len: count)))
    }

    func write(_ number: Int32, _ content: String, at position: Int64?) async throws {
        _ = try await ports.call(
            "fh_write", Fs.WriteAtFdPosArgs(fd: number, writePos: position, chunk: Array(content.utf8)))
    }

    @Test("Reading and writing at places, and where the last write ended")
    func places() async throws {
        let file = try await open("f", "wx+")
        try await write(file, "abc", at: nil)
        try await write(file, "d", at: nil)
        try await write(file, "X", at: 1)
        try await write(file, "e", at: nil)
        #expect(try await read(file, at: 0, 100) == "aXcde")
        #expect(try await read(file, at: 3, 1) == "d")
        #expect(try await read(file, at: 3, 0).isEmpty)
        let end = Fs.ReadFdPosArg(fd: file, readPos: 5, len: 1)
        #expect(await ports.failure("fh_read", end) == "EEOF")
        #expect(await ports.failure("fh_read", Fs.ReadFdPosArg(fd: file, readPos: .max, len: 1)) == "EEOF")
        #expect(await ports.failure("fh_read", Fs.ReadFdPosArg(fd: file, readPos: -1, len: 1)) == "EIO")
        #expect(await ports.failure("fh_read", Fs.ReadFdPosArg(fd: file, readPos: 0, len: -1)) == "EIO")
        #expect(await ports.failure("fh_write", Fs.WriteAtFdPosArgs(fd: file, writePos: -1, chunk: [1])) == "EIO")
        #expect(await ports.failure("fh_write", Fs.WriteAtFdPosArgs(fd: file, writePos: .max, chunk: [1])) == "EIO")
        _ = try await ports.call("fh_truncate", Fs.FdTruncateArgs(fd: file, len: 2))
        #expect(try await ports.call("fh_stat", Fs.FdArgs(fd: file), as: Fs.Stats.self).size == 2)
        _ = try await ports.call("fh_sync", Fs.FdArgs(fd: file))
        _ = try await ports.call("fh_close", Fs.FdArgs(fd: file))
        _ = try await ports.call("fh_close", Fs.FdArgs(fd: file))
        #expect(try await read("f") == "aX")
    }

    @Test("A file that is open lives on under its number when its name is gone")
    func unlinked() async throws {
        let file = try await open("f", "w+")
        _ = try await ports.call("fs_unlink", path("f"))
        try await write(file, "still", at: 0)
        #expect(try await read(file, at: 0, 10) == "still")
    }

    @Test("What a flag does not allow is EPERM, and numbers that are not open are ENOENT")
    func permissions() async throws {
        try await write("f", "1")
        let reading = try await open("f", "r")
        let writing = try await open("f", "a")
        #expect(reading > 0 && writing > 0 && reading != writing)
        #expect(await ports.failure("fh_write", Fs.WriteAtFdPosArgs(fd: reading, chunk: [1])) == "EPERM")
        #expect(await ports.failure("fh_truncate", Fs.FdTruncateArgs(fd: reading, len: 0)) == "EPERM")
        #expect(await ports.failure("fh_read", Fs.ReadFdPosArg(fd: writing, readPos: 0, len: 1)) == "EPERM")
        for unknown: Int32 in [0, -1, 999] {
            #expect(await ports.failure("fh_read", Fs.ReadFdPosArg(fd: unknown, readPos: 0, len: 1)) == "ENOENT")
            #expect(await ports.failure("fh_write", Fs.WriteAtFdPosArgs(fd: unknown, chunk: [])) == "ENOENT")
            #expect(await ports.failure("fh_stat", Fs.FdArgs(fd: unknown)) == "ENOENT")
            #expect(await ports.failure("fh_sync", Fs.FdArgs(fd: unknown)) == "ENOENT")
            #expect(await ports.failure("fh_truncate", Fs.FdTruncateArgs(fd: unknown, len: 0)) == "ENOENT")
            #expect(await ports.failure("fh_close", Fs.FdArgs(fd: unknown)) == nil)
        }
    }

    @Test(
        "Each flag opens as Node has it",
        arguments: [
            ("r", true, "ENOENT"), ("rs", true, "ENOENT"), ("r+", true, "ENOENT"), ("rs+", true, "ENOENT"),
            ("w", true, nil),
            ("wx", false, nil), ("w+", true, nil), ("wx+", false, nil), ("a", true, nil), ("ax", false, nil),
            ("a+", true, nil),
            ("ax+", false, nil), ("as", true, nil), ("as+", true, nil),
        ])
    func flags(flag: String, opensWhatIsThere: Bool, missing: String?) async throws {
        let arguments = Fs.OpenFileArgs(path: "new", openFlag: flag)
        #expect(await ports.failure("fs_open", arguments) == missing)
        try await write("old", "content")
        let old = Fs.OpenFileArgs(path: "old", openFlag: flag)
        #expect(await ports.failure("fs_open", old) == (opensWhatIsThere ? nil : "EEXIST"))
        #expect(try await read("old") == (flag.hasPrefix("w") && opensWhatIsThere ? "" : "content"))
    }

    @Test("Other flags are refused", arguments: ["", "x", "rx", "ws", "+", "r++", "rw", "R", "wxs", "as+x"])
    func otherFlags(flag: String) async {
        let failure = await ports.failure("fs_open", Fs.OpenFileArgs(path: "f", openFlag: flag))
        #expect(failure?.hasPrefix("there is no flag") == true)
    }

    @Test("Appending goes to the end, whatever place is named")
    func appendingFlag() async throws {
        try await write("f", "ab")
        let file = try await open("f", "a+")
        try await write(file, "c", at: nil)
        try await write(file, "d", at: 0)
        #expect(try await read(file, at: 0, 10) == "abcd")
    }

    @Test("Only so many files may be open, and closed ones make room")
    func limit() async throws {
        var limits = HostFiles.Limits()
        limits.openFiles = 2
        limits.read = 4
        limits.names = 1
        let few = JoinedPorts(try HostFiles(folder: place.root, limits: limits).functions)
        try await write("f", "12345")
        let opening = Fs.OpenFileArgs(path: "f", openFlag: "r")
        let first = try await few.call("fs_open", opening, as: FnCallsProto.IntValue.self).value
        #expect(await few.failure("fs_open", opening) == nil)
        #expect(await few.failure("fs_open", opening) == "EIO")
        _ = try await few.call("fh_close", Fs.FdArgs(fd: first))
        #expect(await few.failure("fs_open", opening) == nil)
        #expect(await few.failure("fs_readFile", path("f")) == "EIO")
        #expect(text(try await few.call("fh_read", Fs.ReadFdPosArg(fd: 2, readPos: 0, len: 100))) == "1234")
        try await write("g", "")
        #expect(await few.failure("fs_readdir", path("")) == "EIO")
    }

    @Test("A folder can be opened and flushed, but neither read nor written as a file")
    func openFolders() async throws {
        let folder = try await open("", "r")
        #expect(await ports.failure("fh_sync", Fs.FdArgs(fd: folder)) == nil)
        #expect(await ports.failure("fh_read", Fs.ReadFdPosArg(fd: folder, readPos: 0, len: 1)) == "EISDIR")
        #expect(await ports.failure("fs_open", Fs.OpenFileArgs(path: "", openFlag: "r+")) == "EISDIR")
    }
}
