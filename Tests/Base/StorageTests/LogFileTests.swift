import Foundation
import Testing

@testable import Storage

@Suite("Log files")
struct LogFileTests {
    @Test("Lines are appended, also by the next process, and others may not read them")
    func append() throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "log")
        try LogFile(path: path).append("one")
        try LogFile(path: path).append("two")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "one\ntwo\n")
        #expect(try AtomicFile.permissions(of: path) == 0o600)
    }

    @Test("A full file is put aside, and one old file is kept")
    func limit() throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "log")
        let log = try LogFile(path: path, limit: 10)
        for line in ["1111", "2222", "3333", "a line that is longer than the limit", "5"] { try log.append(line) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "5\n")
        #expect(try String(contentsOfFile: path + ".1", encoding: .utf8) == "a line that is longer than the limit\n")
    }

    @Test("A file that cannot be written is an error")
    func refused() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: FileError.self) { try LogFile(path: folder.path(of: "missing/log")) }
        #expect(error?.code == .missing)
    }

    @Test("A line that was begun and not ended does not swallow the next one")
    func broken() throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "log")
        try Data("one\nha".utf8).write(to: URL(fileURLWithPath: path))
        let log = try LogFile(path: path)
        #expect(log.hasRoom(for: 5000))
        for line in ["two", "three"] { try log.append(line) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "one\nha\ntwo\nthree\n")
    }
}
