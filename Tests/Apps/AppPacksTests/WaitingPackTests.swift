import AppPacks
import Components
import Foundation
import Testing

/// Packs that were added and wait to be installed.
@Suite struct WaitingPackTests {
    private static let log = #"{"logToPlatform": true}"#

    @Test func aPackWaitsWholeAndThenIsInstalledWithoutGrants() throws {
        try LibraryFixture.use { fixture in
            var seen: [PackProgress] = []
            let pack = try fixture.library.add(progress: { seen.append($0) }) { folder, name in
                try fixture.copy(try fixture.app(asking: Self.log, code: "1"), to: "\(folder)/\(name)")
            }
            #expect(try fixture.library.waitingPacks() == [pack])
            #expect(try fixture.names(in: "partial").isEmpty)
            #expect(try fixture.library.list().apps.isEmpty)
            #expect(seen.last.map { [$0.files, $0.done] } == [1, 1])
            #expect(try fixture.library.read(packPath("/main.mjs"), of: pack) == Array("1".utf8))

            let inspection = try fixture.library.inspect(pack)
            #expect(inspection.step == .new && inspection.newRequests.map(\.capability) == [.log])
            let app = try fixture.library.install(inspection, granting: [])
            #expect(try fixture.library.grants(of: app.domain) == Grants())
            #expect(try fixture.library.remove(pack))
            #expect(try !fixture.library.remove(pack))
            #expect(try fixture.names(in: "waiting").isEmpty)
            #expect(try fixture.library.stored(app.domain, app.version)?.steps == app.steps)
        }
    }

    @Test func aSecondOneOfTheSameVersionTakesThePlaceOfTheFirst() throws {
        try LibraryFixture.use { fixture in
            for code in ["1", "2"] { _ = try fixture.add(try fixture.app(code: code)) }
            let other = try fixture.add(try fixture.app(version: "1.0.1"))
            let packs = try fixture.library.waitingPacks()
            #expect(packs.map(\.version.text) == ["1.0.0", "1.0.1"] && packs.last == other)
            #expect(try fixture.library.read(packPath("/main.mjs"), of: packs[0]) == Array("2".utf8))
        }
    }

    @Test func onlySoManyWaitAndOnlySoManyBytes() throws {
        var limits = PackLimits()
        limits.waiting = 2
        limits.waitingTotal = 100
        try LibraryFixture.use(limits: limits) { fixture in
            let first = try fixture.add(try fixture.app(version: "1.0.0", code: String(repeating: "x", count: 60)))
            let large = try fixture.app(version: "2.0.0", code: String(repeating: "x", count: 60))
            #expect(refusal { _ = try fixture.add(large) }?.code == .refused)
            _ = try fixture.add(try fixture.app(version: "1.0.0", code: String(repeating: "y", count: 99)))
            _ = try fixture.add(try fixture.app(version: "1.1.0"))
            #expect(refusal { _ = try fixture.add(try fixture.app(version: "1.2.0")) }?.code == .refused)
            #expect(try fixture.library.remove(first))
            _ = try fixture.add(large)
            #expect(try fixture.library.waitingPacks().count == 2)
            #expect(try fixture.names(in: "partial").isEmpty)
        }
    }

    private struct Stop: Error {}

    @Test func whatIsNoPackLeavesNothingAndTellsNoPath() throws {
        try LibraryFixture.use { fixture in
            let error = refusal {
                _ = try fixture.library.add { folder, name in
                    try "x".write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
                }
            }
            #expect(error?.code == .notAPack && error?.message.contains(fixture.library.path) == false)
            let empty = refusal { _ = try fixture.library.add { _, _ in } }
            #expect(empty != nil && empty?.message.contains(fixture.library.path) == false)
            #expect(throws: Stop.self) {
                try fixture.library.add { folder, name in
                    try fixture.copy(try fixture.app(), to: "\(folder)/\(name)")
                    throw Stop()
                }
            }
            let left = try fixture.names(in: "partial")
            let waiting = try fixture.library.waitingPacks()
            #expect(left.isEmpty && waiting.isEmpty)
        }
    }
}

extension LibraryFixture {
    func copy(_ source: String, to target: String) throws {
        try FileManager.default.copyItem(atPath: source, toPath: target)
    }

    func add(_ source: String) throws -> WaitingPack {
        try library.add { folder, name in try copy(source, to: "\(folder)/\(name)") }
    }
}
