import ComponentStorage
import Foundation
import ProgramRunner
import StorageClient
import Testing

/// A process that changes a storage is killed at random instants, again and again in the same storage.
@Suite("Killed storages", .timeLimit(.minutes(30))) struct CrashTests {
    private static let kills = 120

    @Test("what was acknowledged is there, nothing is there in parts, and the next one tidies up") func killing()
        async throws
    {
        let storage = try StorageFixture()
        let log = storage.path + "/acknowledged"
        #expect(FileManager.default.createFile(atPath: log, contents: nil))
        var number = 0
        for round in 0..<Self.kills {
            try await Self.runAndKill(
                [storage.path + "/root", log, "\(number)"], afterMicroseconds: UInt32.random(in: 0...12_000))
            number = try inspect(storage, log, since: number)
            try storage.clear(["copies", "moved"])
            // So that the first step of the next round is the first of its kind again.
            number = (number / 5 + 1) * 5
            if round.isMultiple(of: 30) {
                // Whoever opens it next removes what the killed ones left.
                let root = try StorageRoot(storage.path + "/root")
                let folder = try FolderClient(root.serve(writable: true, on: storage.host), on: storage.app)
                try await folder.write("x", "next")
                #expect(storage.unfinished().isEmpty)
                #expect(try storage.names(".alcove-work").count == 1)
                try await folder.deleteFile("next")
            }
        }
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count
        #expect(lines > Self.kills / 10, "the process was killed before it did anything worth killing")
    }

    private static func runAndKill(_ arguments: [String], afterMicroseconds time: UInt32) async throws {
        let process = Process()
        process.executableURL = Program.products.appending(path: "storage-crash-helper")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        let reason = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationReason) }
            // Waits on a thread that may wait.
            DispatchQueue.global().async {
                do { try process.run() } catch { return continuation.resume(throwing: error) }
                _ = output.fileHandleForReading.readData(ofLength: 1)
                usleep(time)
                kill(process.processIdentifier, SIGKILL)
            }
        }
        #expect(reason == .uncaughtSignal, "it ended by itself")
    }

    /// Returns the last number that may have been begun.
    /// - Parameter begun: the first number since there were no copies.
    private func inspect(_ storage: StorageFixture, _ log: String, since begun: Int) throws -> Int {
        var acknowledged: [Substring: Int] = [:]
        for line in try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ")
            let number: Int = try #require(Int(words[1]))
            acknowledged[words[0]] = number
        }
        for kind in ["text", "sink"] {
            let last = acknowledged[kind[...]]
            guard let text = try? storage.text(of: "files/" + kind) else {
                #expect(last == nil, "an acknowledged file is gone")
                continue
            }
            if kind == "sink", text.isEmpty {
                // What a sink begins with where nothing was.
                #expect(last == nil, "an acknowledged file is empty")
                continue
            }
            let number = try #require(Int(text.prefix { $0 != " " }), "the file \(kind) has no number")
            #expect(text == String(repeating: "\(number) ", count: 1 + number % 3000), "a part of a file has its name")
            #expect(number >= last ?? 0, "an acknowledged write is lost")
        }
        let copies = (try? storage.names("copies")) ?? []
        let moved = (try? storage.names("moved")) ?? []
        for copy in copies.map({ "copies/" + $0 }) + moved.map({ "moved/" + $0 }) {
            #expect(try storage.names(copy) == ["in", "one", "two"], "a part of a folder has its name")
            #expect(try storage.text(of: copy + "/in/three") == "in/three")
        }
        let last = acknowledged.values.max() ?? 0
        if last >= begun {
            switch last {
            case acknowledged["copied"]: #expect(copies == ["\(last)"] || moved == ["\(last + 1)"])
            case acknowledged["moved"]:
                #expect(copies.isEmpty)
                #expect(moved.isEmpty || moved == ["\(last)"])
            // In the step after these two, a copy may have been made.
            case acknowledged["text"], acknowledged["sink"]: #expect(moved.isEmpty)
            default:
                #expect(copies.isEmpty)
                #expect(moved.isEmpty)
            }
        }
        #expect(try storage.names().allSatisfy { ["copies", "files", "moved", "tree"].contains($0) })
        return last + 1
    }
}

extension StorageFixture {
    /// Removes folders behind the app's back.
    func clear(_ names: [String]) throws {
        for name in names {
            let place = path + "/root/" + name
            if FileManager.default.fileExists(atPath: place) { try FileManager.default.removeItem(atPath: place) }
        }
    }
}
