import Foundation
import Notes
import Platform
import ProgramRunner
import Testing

@Suite("Killed and starved processes", .timeLimit(.minutes(5)))
struct CrashTests {
    private static let kills = 200
    private static let program = Program.products.appending(path: "notes-crash-helper").path

    @Test("Nothing that was acknowledged is lost, whenever a process is killed")
    func killing() async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            // Several, so that none gets so long that the process does little else than index it.
            var notes: [String] = []
            for number in 0..<10 { notes.append(try await library.create(title: "Lines \(number)").id) }
            var random = SeededGenerator(seed: 20_261_122)
            var acknowledged: Set<Int> = []
            for round in 0..<Self.kills {
                // The lines of each round have numbers of their own.
                let first = round * 1_000_000
                let words = [place.directory("Ada").path, place.home("killed").path, notes[round % 10], "\(first)"]
                let delay = UInt32.random(in: 0...15_000, using: &random)
                acknowledged.formUnion(
                    try Self.runAndKill(words, afterLines: Int.random(in: 0...2, using: &random), microseconds: delay))
            }
            try await library.catchUp()
            var kept: [Int] = []
            for note in notes {
                let text = try await library.markdown(of: note)
                kept += text.matches(of: /line (\d+) ends/).compactMap { Int($0.1) }
            }
            #expect(acknowledged.subtracting(kept).isEmpty)
            #expect(Set(kept).count == kept.count, "a line was written twice")
            #expect(acknowledged.count > Self.kills / 2, "it was killed before it did anything worth killing")
            let verification = try await library.verify()
            #expect(verification.isOK, "\(verification.problems)")
            await library.close()
            try Judge(place.directory("Ada")).check()
        }
    }

    /// - Returns: the lines that it said were kept.
    private static func runAndKill(_ words: [String], afterLines count: Int, microseconds: UInt32) throws -> [Int] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = words
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let reading = output.fileHandleForReading
        var said = reading.readData(ofLength: 5)
        #expect(said == Data("open\n".utf8), "it did not open")
        while said.count(where: { $0 == 0x0a }) <= count {
            let more = reading.availableData
            if more.isEmpty { break }
            said += more
        }
        usleep(microseconds)
        kill(process.processIdentifier, SIGKILL)
        said += reading.readDataToEndOfFile()
        process.waitUntilExit()
        // A last line without its end was not said.
        return String(decoding: said, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .compactMap { Int($0) }
    }

    /// Whether file systems can be mounted for one process only.
    private static let canMount = (try? Program.run(["unshare", "-m", "true"]).status) == 0

    @Test("A full disk is said, and what was acknowledged is there", .enabled(if: canMount))
    func fullDisk() async throws {
        try await Place.inFolder { place in
            let shared = place.directory("Ada").path
            try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: true)
            let script = """
                mount -t tmpfs -o size=128k tmpfs \(shared) || exit 77
                cp -r \(place.directory("seed").path)/. \(shared)
                exec "$@"
                """
            let note = try await seed(place)
            let said = try Self.lines(
                ["unshare", "-m", "sh", "-c", script, "sh", Self.program, shared, place.home("Ada").path, note, "0"])
            #expect(said.contains("failed disk_full"), "\(said.suffix(3))")
            let count = said.count { Int($0) != nil }
            #expect(count > 10)
            #expect(said.contains("found \(count)"), "\(said.suffix(3))")
        }
    }

    @Test("A directory that may only be read is read", .enabled(if: canMount))
    func readOnly() async throws {
        try await Place.inFolder { place in
            let note = try await seed(place)
            let shared = place.directory("seed").path
            let script =
                "mount --bind \(shared) \(shared) && mount -o remount,ro,bind \(shared) || exit 77; exec \"$@\""
            let said = try Self.lines(
                ["unshare", "-m", "sh", "-c", script, "sh", Self.program, shared, place.home("Ada").path, note, "0"])
            #expect(said == ["open", "failed directory_unwritable", "found 0"])
        }
    }

    private func seed(_ place: Place) async throws -> String {
        let library = try await place.open("seed")
        let note = try await library.create(title: "Seed", markdown: "words").id
        await library.close()
        return note
    }

    private static func lines(_ words: [String]) throws -> [String] {
        try Program.run(words).output.split(separator: "\n").map(String.init)
    }
}
