import ComponentRuntime
import ComponentSupport
import Components
import Foundation
import Testing

@Suite struct RecordingTests {
    /// Uses clock, chance, timers, and what the host answers.
    private static let code = """
        const ports = [];
        setTimeout(() => {
            console.log(new Date().toISOString(), Date(), performance.now(), new Intl.DateTimeFormat("en").format());
            w3n.log('info', `${Date.now()} ${Math.random()} ${crypto.randomUUID()}`);
        }, 5);
        for (let round = 0; round < 3; round++) {
            await w3n.log('info', `${round} ${Date.now()} ${Math.random()}`);
            await new Promise((done) => setTimeout(done, round));
        }
        console.log('done');
        """

    private func record(_ code: String = Self.code, limit: Int = 1 << 20) async throws -> [UInt8] {
        let path = NSTemporaryDirectory() + "recording-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let sandbox = RecordingSandbox(around: InProcessSandbox(), limit: limit) { _ in path }
        let log = Log()
        let root = ServiceObject(functions: ["log": .immediate { _ in nil }])
        let connection = HostEnd(root)
        let component = try await sandbox.start(.test(code)) { component, event in
            log.add(event)
            guard case .message(let message) = event else { return }
            connection.receive(message, from: component)
        }
        await log.wait { $0.lines.count >= 2 || $0.end != nil || !$0.uncaught.isEmpty }
        #expect(log.events.uncaught.isEmpty)
        await component.stop()
        return try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    }

    @Test func replaysTheSame() async throws {
        let recording = try ComponentRecording(await record())
        let sent = recording.entries.filter { if case .sent = $0 { true } else { false } }.count
        #expect(sent >= 7)
        #expect(try await ComponentReplay.run(recording) == .same(sent))
        #expect(recording.entries.last == .ended("stopped"))
    }

    @Test func noticesAnotherCourse() async throws {
        var recording = try ComponentRecording(await record())
        recording.launch.determinism?.seed ^= 1
        guard case .different(_, let recorded, let replayed?) = try await ComponentReplay.run(recording) else {
            Issue.record("another seed made no difference")
            return
        }
        #expect(recorded != replayed)
    }

    @Test func readsWhatACrashLeft() async throws {
        let whole = try await record()
        let entries = try ComponentRecording(whole).entries
        var uncut: Set<Int> = []
        for length in stride(from: whole.count - 1, to: whole.count - 60, by: -1) {
            let part = try ComponentRecording(Array(whole[..<length]))
            #expect(part.entries.count < entries.count)
            // Between two entries nobody can see it, and there is one such place for each.
            #expect(part.isCut || uncut.insert(part.entries.count).inserted)
            #expect(part.entries[...] == entries.prefix(part.entries.count))
        }
    }

    @Test func endsAtItsLimit() async throws {
        let recording = try ComponentRecording(await record(limit: 1200))
        #expect(recording.isCut)
        guard case .same = try await ComponentReplay.run(recording) else {
            Issue.record("the part differs")
            return
        }
    }
}
