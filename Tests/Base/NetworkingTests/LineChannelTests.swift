import Foundation
import Networking
import Synchronization
import Testing

/// Lines in both directions over a Unix domain socket.
@Suite struct LineChannelTests {
    private static func path() -> String { NSTemporaryDirectory() + "c\(UInt32.random(in: 0...UInt32.max)).sock" }

    private static func withServer(
        connections: Int = 64, limits: LineChannel.Limits = .init(),
        _ serve: @escaping @Sendable (LineChannel) async -> Void,
        _ body: (String) async throws -> Void
    ) async throws {
        let server = LineChannelServer(path: path(), connections: connections, limits: limits, serve: serve)
        try server.start()
        let result: Result<Void, any Error>
        do { result = .success(try await body(server.path)) } catch { result = .failure(error) }
        await server.stop()
        #expect(!FileManager.default.fileExists(atPath: server.path))
        try result.get()
    }

    @Sendable private static func echo(_ channel: LineChannel) async {
        while let line = await channel.next() { channel.send(line) }
    }

    @Test func linesGoBothWaysInOrder() async throws {
        try await Self.withServer(Self.echo) { path in
            let channel = try LineChannel(path: path)
            for number in 0..<1000 { channel.send(Array("line \(number)".utf8)) }
            for number in 0..<1000 { #expect(await channel.next() == Array("line \(number)".utf8)) }
        }
    }

    @Test func theServerMaySpeakFirstAndMayEnd() async throws {
        try await Self.withServer({ $0.send(Array("hello".utf8)) }) { path in
            let channel = try LineChannel(path: path)
            #expect(await channel.next() == Array("hello".utf8))
            #expect(await channel.next() == nil)
            #expect(!channel.send(Array("too late".utf8)) || true, "what is sent after the end goes nowhere")
        }
    }

    @Test func aLineThatIsTooLongEndsTheChannel() async throws {
        let seen = Mutex(0)
        try await Self.withServer({ channel in
            while await channel.next() != nil { seen.withLock { $0 += 1 } }
        }) { path in
            let channel = try LineChannel(path: path)
            channel.send(Array("short".utf8))
            channel.send([UInt8](repeating: 65, count: 1 << 17))
            #expect(await channel.next() == nil)
            let other = try LineChannel(path: path)
            #expect(other.send(Array("others go on".utf8)))
        }
        #expect(seen.withLock { $0 } <= 2)
    }

    @Test(arguments: [false, true])
    func `a line longer than what may wait arrives whole`(isAwaited: Bool) async throws {
        let line = [UInt8](repeating: 65, count: 3 << 20)
        var limits = LineChannel.Limits()
        limits.line = 1 << 23
        limits.received = 1 << 16
        try await Self.withServer({ channel in
            channel.send(Array("short".utf8))
            channel.send(line)
        }) { path in
            let channel = try LineChannel(path: path, limits: limits)
            #expect(await channel.next() == Array("short".utf8))
            // What can come before somebody waits for it has come.
            if !isAwaited { try await Task.sleep(for: .milliseconds(50)) }
            #expect(await channel.next() == line)
        }
    }

    @Test func whoDoesNotReadIsCut() async throws {
        var limits = LineChannel.Limits()
        limits.waiting = 1 << 16
        try await Self.withServer(
            limits: limits,
            { channel in while channel.send([UInt8](repeating: 65, count: 1 << 15)) {} }
        ) { path in
            let channel = try LineChannel(path: path)
            var count = 0
            while await channel.next() != nil { count += 1 }
            #expect(count > 0, "what the kernel had taken still comes")
        }
    }

    @Test func thoseBeyondTheLimitAreSentAway() async throws {
        try await Self.withServer(connections: 2, Self.echo) { path in
            let (first, second) = (try LineChannel(path: path), try LineChannel(path: path))
            for channel in [first, second] {
                channel.send(Array("x".utf8))
                #expect(await channel.next() == Array("x".utf8))
            }
            let third = try LineChannel(path: path)
            #expect(await third.next() == nil)
        }
    }

    @Test func onlyItsOwnerCanOpenTheSocketAndOneProcessListens() async throws {
        try await Self.withServer(Self.echo) { path in
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(throws: NetworkingError.self) { try LineChannelServer(path: path, serve: Self.echo).start() }
        }
        #expect(throws: NetworkingError.self) { try LineChannel(path: Self.path()) }
    }
}
