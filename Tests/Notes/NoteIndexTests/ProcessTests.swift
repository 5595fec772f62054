import Foundation
import NoteIndex
import Platform
import ProgramRunner
import Storage
import Testing

/// Other processes at the same index, and processes that are killed.
@Suite(.timeLimit(.minutes(5))) struct ProcessTests {
    private static let directory = IndexedDirectory(id: "directory", name: "Notes", path: "/notes")
    private static let kills = 40

    @Test func aKilledProcessLeavesWholeNotes() throws {
        try Program.inFolder { folder in
            let path = folder.path + "/index.sqlite"
            for _ in 0..<Self.kills {
                try runAndKill([path, "n"], afterMicroseconds: UInt32.random(in: 0...20_000))
                let index = try NoteIndex(path: path, directory: Self.directory)
                #expect(try index.read { try $0.noteCount() } == count(index, "n"))
            }
            let index = try NoteIndex(path: path, directory: Self.directory)
            try inspect(index, path, names: ["n"])
            #expect(try count(index, "n") > Self.kills, "it was killed before it did anything worth killing")
            #expect(!FileManager.default.fileExists(atPath: path + ".aside"))
        }
    }

    @Test func threeProcessesWriteBesideEachOther() throws {
        try Program.inFolder { folder in
            let path = folder.path + "/index.sqlite"
            let names = ["a", "b", "c"]
            let running = try names.map { try start([path, $0, "200"]) }
            for process in running {
                process.exited.wait()
                #expect(process.process.terminationStatus == 0)
            }
            let index = try NoteIndex(path: path, directory: Self.directory)
            try inspect(index, path, names: names)
            #expect(try index.read { try $0.noteCount() } == 600)
        }
    }

    @Test func whereNoFileMayGrowTheIndexGoesOnWithoutOne() throws {
        try Program.inFolder { folder in
            let path = folder.path + "/index.sqlite"
            let crashHelper = Program.products.appending(path: "index-crash-helper").path
            // Blocks of 512 bytes. Without the signal the limit is an error, as a full disk is.
            let limited = "trap '' XFSZ; ulimit -f 2000; exec \"$0\" \"$@\""
            let result = try Program.run(["sh", "-c", limited, crashHelper, path, "n", "1000"])
            let words = result.output.split(whereSeparator: \.isWhitespace).map(String.init)
            let kept = try #require(words.dropFirst(3).first.flatMap(Int.init), "\(result.output)")
            #expect(
                result.status == 0 && Array(words.dropFirst()) == ["anew", "after", "\(kept)", "has", "\(1000 - kept)"])
            let index = try NoteIndex(path: path, directory: Self.directory)
            #expect(try count(index, "n") == kept)
            try inspect(index, path, names: ["n"])
        }
    }

    /// All that was said to be there is there, and SQLite finds nothing wrong.
    private func inspect(_ index: NoteIndex, _ path: String, names: [String]) throws {
        for name in names {
            for number in 0..<(try count(index, name)) {
                let id = "\(name)-\(number)"
                let note = try #require(try index.read { try $0.note(id) })
                #expect(note.tags == ["tag\(number % 7)"] && note.links == ["\(name)-\(number + 1)"])
                #expect(try index.read { try $0.state(of: id) } != nil)
            }
        }
        let database = try Database(path: path)
        #expect(try database.query("PRAGMA integrity_check") { try $0[0] as String } == ["ok"])
        #expect(try database.query("PRAGMA foreign_key_check") { _ in true }.isEmpty)
        try database.execute("INSERT INTO notes_fts (notes_fts) VALUES ('integrity-check')")
    }

    private func count(_ index: NoteIndex, _ name: String) throws -> Int {
        Int(try index.read { try $0.progress(of: name)?.offset } ?? 0)
    }

    private struct Running {
        let process: Process
        let output: Pipe
        let exited: DispatchSemaphore
    }

    private func start(_ arguments: [String]) throws -> Running {
        let process = Process()
        process.executableURL = Program.products.appending(path: "index-crash-helper")
        process.arguments = arguments
        let running = Running(process: process, output: Pipe(), exited: DispatchSemaphore(value: 0))
        process.standardOutput = running.output
        process.terminationHandler = { _ in running.exited.signal() }
        try process.run()
        return running
    }

    private func runAndKill(_ arguments: [String], afterMicroseconds microseconds: UInt32) throws {
        let running = try start(arguments)
        let ready = running.output.fileHandleForReading.readData(ofLength: 1)
        #expect(!ready.isEmpty, "it did not open")
        usleep(microseconds)
        kill(running.process.processIdentifier, SIGKILL)
        running.exited.wait()
    }
}
