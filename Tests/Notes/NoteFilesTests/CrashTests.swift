import Foundation
import Platform
import ProgramRunner
import Testing

@testable import NoteFiles

/// A process that appends is killed at random instants, again and again in the same folder.
@Suite("Killed writers", .timeLimit(.minutes(30)))
struct CrashTests {
    private static let kills = 200

    @Test("Whatever was acknowledged is there, every log opens, and the next writer goes on")
    func killing() throws {
        let place = try TemporaryDirectory()
        var random = SystemRandomNumberGenerator()
        var found: [DocumentID: Found] = [:]
        for round in 0..<Self.kills {
            try runAndKill(in: place.path, afterMicroseconds: UInt32.random(in: 0...15_000, using: &random))
            if round.isMultiple(of: 20) || round == Self.kills - 1 { try inspect(place, &found) }
        }
        let count = found.values.reduce(0) { $0 + $1.sequences.count }
        #expect(count > Self.kills / 10, "the process was killed before it did anything worth killing")
    }

    /// What was read of a document until now.
    private struct Found {
        var progress = ReadingProgress()
        var numbers: Set<UInt64> = []
        var sequences: [UInt64] = []
    }

    private func runAndKill(in folder: String, afterMicroseconds microseconds: UInt32) throws {
        let process = Process()
        process.executableURL = Program.products.appending(path: "note-writer-crash-helper")
        process.arguments = ["append", folder]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        #expect(output.fileHandleForReading.readData(ofLength: 1).count == 1, "it did not open")
        usleep(microseconds)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal, "it ended by itself")
    }

    /// Reads on from the inspection before, as a device does that looks now and then.
    private func inspect(_ place: TemporaryDirectory, _ found: inout [DocumentID: Found]) throws {
        let text = try String(contentsOfFile: place.path + "/acknowledged", encoding: .utf8)
        var acknowledged: [String: Set<UInt64>] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            acknowledged[String(words[0]), default: []].insert(try #require(UInt64(words[1])))
        }
        for document in try place.directory.notes().map(DocumentID.note) + [.folderTree] {
            var known = found[document] ?? Found()
            let isAcknowledged = acknowledged[document.description] != nil
            guard let reading = try read(document, of: place, from: known.progress, mayLackFiles: !isAcknowledged)
            else {
                continue
            }
            #expect(reading.problems.isEmpty && reading.incompleteFiles.count <= 1)
            for record in reading.records {
                let number = record.payload.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
                let content = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: record.payload.count - 8)
                #expect(Array(record.payload.dropFirst(8)) == content)
                known.numbers.insert(number)
                known.sequences.append(record.sequence)
            }
            known.progress = reading.progress
            found[document] = known
            #expect(
                known.numbers.isSuperset(of: acknowledged[document.description] ?? []), "an acknowledged record is lost"
            )
            #expect(known.sequences == known.sequences.indices.map { UInt64($0) + 1 })
            // A file is full after ten MiB, which is 26 long records.
            #expect(known.progress.files.count <= 1 + known.sequences.count / 26, "it began too many files")
        }
    }
    /// A process that is killed between making a note's folder and its first file leaves a folder without files.
    private func read(
        _ document: DocumentID, of place: TemporaryDirectory, from progress: ReadingProgress, mayLackFiles: Bool
    ) throws -> Reading? {
        do { return try place.directory.read(document, from: progress) } catch {
            guard error.code == .missing, mayLackFiles else { throw error }
            return nil
        }
    }
}
