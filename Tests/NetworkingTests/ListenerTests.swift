import Foundation
import Synchronization
import Testing

@testable import Networking

/// The door of both servers.
@Suite(.timeLimit(.minutes(1))) struct ListenerTests {
    /// A kernel without descriptors for a while.
    private final class ExhaustedKernel: Sendable {
        private let times = Mutex<[ContinuousClock.Instant]>([])

        func take(_ listener: Int32) -> Socket.Arrival {
            let count = times.withLock { times in
                times.append(.now)
                return times.count
            }
            return count <= 3 ? .noDescriptor : Socket.accept(listener)
        }

        /// How long the listener waited before each further attempt.
        var pauses: [Duration] { times.withLock { times in zip(times.dropFirst(), times).map { $0 - $1 } } }
    }

    @Test func whileNoDescriptorIsLeftTheLoopRestsAndNobodyIsLost() async throws {
        let kernel = ExhaustedKernel()
        let (guests, continuation) = AsyncStream<Int32>.makeStream()
        let bound = try #require(Socket.listening(on: "127.0.0.1", port: 0))
        let listener = Listener(bound.descriptor, loop: try EventLoop.shared, take: kernel.take) { guest, _ in
            continuation.yield(guest)
        }
        try listener.start()
        let client = try #require(Socket.connecting(to: "127.0.0.1", port: bound.port))
        defer { Socket.shut(client) }
        for await guest in guests {
            Socket.shut(guest)
            break
        }
        #expect(kernel.pauses.prefix(3).allSatisfy { $0 >= Listener.rest })
        #expect(kernel.pauses.count >= 3)
        listener.close()
        listener.close()
        #expect(try await refuses(bound.port))
    }

    /// Whether nobody listens at the port.
    private func refuses(_ port: Int) async throws -> Bool {
        let client = HTTPClient()
        do {
            _ = try await client.send(
                HTTPRequest(method: "GET", path: "/"), to: ServerURL(host: "127.0.0.1", port: port, isSecure: false))
            return false
        } catch {
            return true
        }
    }
}
