import Foundation
import ProgramRunner
import Synchronization
import Testing

@testable import Networking

/// Lines over a Unix domain socket.
@Suite(.timeLimit(.minutes(1))) struct LineTests {
    private let path = NSTemporaryDirectory() + "alcove-lines-\(UUID().uuidString.prefix(8)).sock"

    private func server(
        limits: LineServer.Limits = LineServer.Limits(), answer: @escaping LineServer.Answer = { $0.reversed() }
    ) throws -> LineServer {
        let server = LineServer(path: path, limits: limits, answer: answer)
        try server.start()
        return server
    }

    @Test func aLineIsAnsweredWithALine() async throws {
        let server = try server()
        let client = try LineClient(path: path)
        #expect(try await client.ask(Array("abc".utf8), within: .seconds(20)) == Array("cba".utf8))
        #expect(try await client.ask(Array("de".utf8), within: .seconds(20)) == Array("ed".utf8))
        await server.stop()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func whoStopsTheServerStillGetsTheAnswer() async throws {
        let (asked, continuation) = AsyncStream<Void>.makeStream()
        let server = try server { line in
            continuation.finish()
            try? await Task.sleep(for: .milliseconds(50))
            return line
        }
        let client = try LineClient(path: path)
        async let answer = client.ask([1, 2], within: .seconds(20))
        for await _ in asked {}
        await server.stop()
        #expect(try await answer == [1, 2])
    }

    @Test func theFileIsForThisUserOnly() async throws {
        let server = try server()
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? Int) == 0o600)
        await server.stop()
    }

    @Test func twoServersDoNotShareAPath() async throws {
        let server = try server()
        let error = #expect(throws: NetworkingError.self) { try self.server() }
        #expect(error?.code == .cannotListen)
        await server.stop()
    }

    @Test func whatADeadServerLeftIsReplaced() async throws {
        guard case .descriptor(let descriptor) = Socket.listening(at: path) else {
            Issue.record("cannot listen")
            return
        }
        Socket.shut(descriptor)
        #expect(FileManager.default.fileExists(atPath: path))
        let server = try server()
        await server.stop()
    }

    @Test func ofManyWhoReplaceADeadServerOneDoes() throws {
        // They lock the folder, so they have their own; otherwise they would also wait for other tests.
        let folder = NSTemporaryDirectory() + "alcove-lines-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/socket"
        for _ in 0..<2_000 {
            if case .descriptor(let dead) = Socket.listening(at: path) { Socket.endListening(dead) }
            let living = Mutex<[Int32]>([])
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                if case .descriptor(let descriptor) = Socket.listening(at: path) {
                    living.withLock { $0.append(descriptor) }
                }
            }
            #expect(living.withLock { $0 }.count == 1)
            for descriptor in living.withLock({ $0 }) { Socket.endListening(descriptor) }
        }
        Socket.removeFile(at: path)
    }

    @Test func whoWaitsForTheEndOfTheServerHearsOfIt() async throws {
        let server = try server()
        let client = try LineClient(path: path)
        async let end: Void = client.untilClosed()
        await server.stop()
        await end
    }

    @Test func whoWaitsForTheEndOfTheServerMayGiveUp() async throws {
        let server = try server()
        let client = try LineClient(path: path)
        let wait = Task { await client.untilClosed() }
        wait.cancel()
        await wait.value
        await server.stop()
    }

    @Test func whoWaitsForAnAnswerMayGiveUp() async throws {
        let (asked, continuation) = AsyncStream<Void>.makeStream()
        let (over, end) = AsyncStream<Void>.makeStream()
        let server = try server { line in
            continuation.finish()
            for await _ in over {}
            return line
        }
        let client = try LineClient(path: path)
        let wait = Task { try await client.ask([1], within: .seconds(3_600)) }
        for await _ in asked {}
        wait.cancel()
        await #expect(throws: NetworkingError.self) { try await wait.value }
        end.finish()
        await server.stop()
    }

    @Test func aFileThatIsNoSocketStays() throws {
        try Data("precious".utf8).write(to: URL(filePath: path))
        let error = #expect(throws: NetworkingError.self) { try self.server() }
        #expect(error?.code == .cannotListen)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("precious".utf8))
        try FileManager.default.removeItem(atPath: path)
    }

    @Test(arguments: ["/tmp/" + String(repeating: "x", count: 200), "/tmp/" + String(repeating: "x/", count: 100)])
    func aPathThatIsTooLongOrLacksItsFolderIsRefused(path: String) throws {
        let error = #expect(throws: NetworkingError.self) { try LineServer(path: path) { $0 }.start() }
        #expect(error?.message.contains("too long for a socket, or the folder is missing") == true)
    }

    @Test func anIdleClientBlocksNobody() async throws {
        let server = try server()
        let idle = try LineClient(path: path)
        for _ in 0..<50 {
            let client = try LineClient(path: path)
            #expect(try await client.ask([1], within: .seconds(20)) == [1])
        }
        idle.close()
        await server.stop()
    }

    @Test func aClientThatNeverReadsIsCutAndBlocksNobody() async throws {
        var limits = LineServer.Limits()
        limits.answer = 1 << 20
        let server = try server(limits: limits) { _ in [UInt8](repeating: 65, count: 1 << 19) }
        guard case .descriptor(let deaf) = Socket.connecting(at: path) else {
            Issue.record("cannot connect")
            return
        }
        let stream = ByteStream(deaf, loop: try EventLoop.shared, tls: nil)
        let owner = DeafOwner()
        #expect(stream.start(owner))
        stream.setReceiving(false)
        for _ in 0..<100 where stream.send([1, 10]) == .queued {}
        while !owner.isClosed { try await Task.sleep(for: .milliseconds(5)) }
        let client = try LineClient(path: path)
        #expect(try await client.ask([1], within: .seconds(20)).count == 1 << 19)
        await server.stop()
    }

    @Test func aLineThatIsTooLongEndsItsConnection() async throws {
        var limits = LineServer.Limits()
        limits.line = 1000
        let server = try server(limits: limits)
        let client = try LineClient(path: path)
        #expect(try await client.ask([UInt8](repeating: 65, count: 1000), within: .seconds(20)).count == 1000)
        await #expect(throws: NetworkingError.self) {
            try await client.ask([UInt8](repeating: 65, count: 100_000), within: .seconds(20))
        }
        await server.stop()
    }

    @Test(arguments: [1001, 1002, 1003, 5_000_000])
    func aLineThatIsTooLongIsRefusedInItsTurn(size: Int) async throws {
        var limits = LineServer.Limits()
        limits.line = 1000
        let server = LineServer(path: path, limits: limits, refusal: Array("too long".utf8)) { $0.reversed() }
        try server.start()
        let client = try LineClient(path: path)
        for end in ["", "\r"] {
            let long = [UInt8](repeating: 65, count: size) + Array(end.utf8)
            #expect(try await client.ask(Array("ab".utf8), within: .seconds(20)) == Array("ba".utf8))
            #expect(try await client.ask(long, within: .seconds(60)) == Array("too long".utf8))
            let longest = [UInt8](repeating: 66, count: 1000)
            #expect(try await client.ask(longest + Array(end.utf8), within: .seconds(20)) == longest)
        }
        await server.stop()
    }

    @Test func aClientThatEndsItsSideGetsItsAnswers() async throws {
        let server = try server()
        let output = try await run("printf 'abc\\n\\r\\nde' | timeout 20 \(Self.shellClient) \(path)")
        #expect(output == "cba\ned\n")
        await server.stop()
    }

    /// Sends standard input, ends its side, and prints everything until the other side ends.
    private static let shellClient =
        "/usr/bin/python3 -c 'import socket,sys;s=socket.socket(socket.AF_UNIX);s.connect(sys.argv[1]);"
        + "s.sendall(sys.stdin.buffer.read());s.shutdown(1);\nwhile (d:=s.recv(9)): sys.stdout.write(d.decode())'"

    private func run(_ script: String) async throws -> String {
        try await Program.completion(of: ["/bin/sh", "-c", script], keepsErrors: false).output
    }

    @Test(arguments: ["", "\n", "a", "a\n", "a\r\nb\n\n\nc", "\r\n\r\n", "a\nb\nc\nd\n"])
    func linesAreTheSameHoweverTheyArrive(text: String) {
        let whole = lines(of: text, pieces: text.utf8.count + 1)
        for size in 1...4 { #expect(lines(of: text, pieces: size) == whole) }
        let expected = (text + "\n").replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
        #expect(whole == expected)
    }

    private func lines(of text: String, pieces size: Int) -> [String] {
        var buffer = LineBuffer()
        var lines: [String] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            rest.prefix(size).withUnsafeBytes { buffer.append($0) }
            rest = rest.dropFirst(size)
            while let line = buffer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        }
        buffer.endLine()
        while let line = buffer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        return lines
    }
}

private final class DeafOwner: StreamOwner {
    private let closed = Mutex(false)
    var isClosed: Bool { closed.withLock { $0 } }
    func streamOpened() {}
    func streamReceived(_ bytes: UnsafeRawBufferPointer) {}
    func streamClosed(_ end: StreamEnd) { closed.withLock { $0 = true } }
}
