import AppPacks
import Components
import Foundation
import Platform
import ProgramRunner
import Testing

/// Other processes at the same library, and processes that are killed.
@Suite(.timeLimit(.minutes(5))) struct ProcessTests {
    private static let kills = 110
    private static let files = 3
    private static let log = #"{"logToPlatform": true}"#
    private static let crashHelper = Program.products.appending(path: "app-packs-crash-helper").path

    @Test func aKilledProcessLeavesALibraryThatIsWhole() throws {
        try LibraryFixture.use { fixture in
            let packs = [
                try fixture.app(version: "1.0.0", asking: Self.log, code: "1.0.0"),
                try fixture.app(version: "2.0.0", asking: Self.log, code: "2.0.0"),
            ]
            for pack in packs {
                for number in 0..<Self.files {
                    try "x".write(toFile: "\(pack)/\(number)", atomically: false, encoding: .utf8)
                }
            }
            let pace = try paceOfSteps(packs)
            var step = 0
            for _ in 0..<Self.kills {
                let done =
                    try runAndKill(
                        [fixture.library.path, "\(step)", "\(Int32.max)"] + packs,
                        afterMicroseconds: .random(in: 0...2 * pace)) ?? step - 1
                let found = try state(of: fixture)
                #expect([done, done + 1].contains { expected($0) == found }, "\(found) after step \(done)")
                step = found == expected(done) ? done + 1 : done + 2
            }
            #expect(step > Self.kills / 10, "it was killed before it did anything worth killing")
        }
    }

    @Test func aKilledProcessLeavesPacksThatWaitWholeOrNotAtAll() throws {
        try LibraryFixture.use { fixture in
            let packs = [
                try fixture.app(version: "1.0.0", code: "1.0.0"), try fixture.app(version: "2.0.0", code: "2.0.0"),
            ]
            let pace = try paceOfSteps(packs)
            var step = 0
            for _ in 0..<Self.kills / 2 {
                let done =
                    try runAndKill(
                        [fixture.library.path, "waiting", "\(step)", "\(Int32.max)"] + packs,
                        afterMicroseconds: .random(in: 0...2 * pace)) ?? step - 1
                let found = try waiting(in: fixture)
                #expect([done, done + 1].contains { expectedToWait($0) == found }, "\(found) after step \(done)")
                step = found == expectedToWait(done) ? done + 1 : done + 2
            }
            #expect(step > Self.kills / 20, "it was killed before it did anything worth killing")
        }
    }

    private func expectedToWait(_ step: Int) -> [String] {
        [["1.0.0"], ["1.0.0", "2.0.0"], ["2.0.0"], []][(step + 4) % 4]
    }

    private func waiting(in fixture: LibraryFixture) throws -> [String] {
        let library = try AppLibrary(path: fixture.library.path)
        #expect(try fixture.names(in: "partial").isEmpty)
        let packs = try library.waitingPacks()
        for pack in packs {
            #expect(try library.inspect(pack).manifest.version == pack.version)
            #expect(try library.read(packPath("/main.mjs"), of: pack) == Array(pack.version.text.utf8))
        }
        return packs.map(\.version.text)
    }

    /// Version and grants, or what tells that the app is not there.
    private func expected(_ step: Int) -> String {
        ["1.0.0 [log]", "2.0.0 [log]", "2.0.0 []", "none"][(step + 4) % 4]
    }

    private func state(of fixture: LibraryFixture) throws -> String {
        let library = try AppLibrary(path: fixture.library.path)
        #expect(try fixture.names(in: "partial").isEmpty)
        let listing = try library.list()
        #expect(listing.damaged == [])
        guard let app = listing.apps.first else { return "none" }
        #expect(try fixture.code(of: app) == app.version.text)
        for number in 0..<Self.files { _ = try library.open(packPath("/\(number)"), of: app) }
        let has = app.manifest.components[0].requested.limited(to: try library.grants(of: app.domain))
        return "\(app.version) [\(has.all.map(\.capability.rawValue).joined())]"
    }

    /// Microseconds that a step takes here and now.
    private func paceOfSteps(_ packs: [String]) throws -> UInt32 {
        try LibraryFixture.use { fixture in
            let start = ContinuousClock.now
            _ = try Program.run([Self.crashHelper, fixture.library.path, "0", "7"] + packs)
            return UInt32((ContinuousClock.now - start) / .microseconds(8))
        }
    }

    /// The last step that it did.
    private func runAndKill(_ arguments: [String], afterMicroseconds microseconds: UInt32) throws -> Int? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.crashHelper)
        process.arguments = arguments
        let (output, exited) = (Pipe(), DispatchSemaphore(value: 0))
        process.standardOutput = output
        process.terminationHandler = { _ in exited.signal() }
        try process.run()
        let ready = output.fileHandleForReading.readData(ofLength: 6)
        #expect(String(decoding: ready, as: UTF8.self) == "ready\n", "it did not open")
        usleep(microseconds)
        kill(process.processIdentifier, SIGKILL)
        exited.wait()
        let rest = output.fileHandleForReading.readDataToEndOfFile()
        return String(decoding: rest, as: UTF8.self).split(separator: "\n").last.flatMap { Int($0) }
    }

    @Test func threeProcessesInstallBesideEachOther() throws {
        try LibraryFixture.use { fixture in
            let packs = [
                try fixture.app(version: "1.0.0", code: "1.0.0"), try fixture.app(version: "2.0.0", code: "2.0.0"),
                try fixture.app("other.example.org", code: "other"),
            ]
            let exited = DispatchSemaphore(value: 0)
            let processes = try packs.map { pack in
                let process = Process()
                process.executableURL = URL(fileURLWithPath: Self.crashHelper)
                process.arguments = [fixture.library.path, "together", "10", pack]
                process.terminationHandler = { _ in exited.signal() }
                try process.run()
                return process
            }
            for _ in processes { exited.wait() }
            #expect(processes.map(\.terminationStatus) == [0, 0, 0])
            let listing = try fixture.library.list()
            #expect(
                listing.apps.map(\.domain.name) == ["feeds.example.org", "other.example.org"] && listing.damaged == [])
            let app = try #require(listing.apps.first)
            #expect(try fixture.code(of: app) == app.version.text)
            #expect(try fixture.names(in: "partial").isEmpty)
        }
    }

    @Test func aFullDiskLeavesWhatWasThere() throws {
        try LibraryFixture.use { fixture in
            let app = try fixture.install(try fixture.app(code: "1"))
            let large = String(repeating: "x", count: 3 << 20)
            let pack = try fixture.app(version: "2.0.0", asking: Self.log, code: large)
            // Blocks of 512 bytes. Without the signal the limit is an error, as a full disk is.
            let limited = "trap '' XFSZ; ulimit -f 2000; exec \"$0\" \"$@\""
            let result = try Program.run(
                ["sh", "-c", limited, Self.crashHelper, fixture.library.path, "together", "1", pack])
            #expect(result.status != 0 && result.output.contains("cannot write"), "\(result.output)")
            #expect(try fixture.names(in: "partial").isEmpty)
            #expect(try fixture.library.app(app.domain) == app && fixture.code(of: app) == "1")
        }
    }
}
