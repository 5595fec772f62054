package import AgentProtocols
internal import Cryptography
internal import Errors
internal import Foundation
package import Networking
internal import Storage
internal import Synchronization

/// What happens at a gateway of ours, for the owner of this machine. Names of devices are strangers' words.
package enum GatewayReport: Sendable {
    /// A device was let in for good.
    case paired(name: String)
    /// A wrong code was shown, or one when none counts.
    case refusedCode
    case connected(name: String)
    case disconnected(name: String)
    /// The agent of a session wants to be allowed something.
    case asks(session: String, ServedRequest)
    /// A request needs no answer of the owner any more, or needed none.
    case settled(session: String, ServedRequest, ServedOutcome)
    case ended(session: String)
}

/// The protocol of jcode's gateway in front of an agent of this machine, for clients that speak it.
///
/// It lets in whom the owner of this machine gives a code, and whom it gave a token then. Whatever the agent wants to be allowed the owner is asked:
/// the protocol has no such question.
package final class GatewayServer: Sendable {
    /// Where it listens, and what it serves.
    package struct Configuration: Sendable {
        package var address: String
        package var port: Int
        /// Nil: plain HTTP, for this machine only.
        package var tls: TLSIdentity?
        /// Names that this machine is called by, besides its addresses.
        package var names: Set<String> = ["localhost"]
        /// The only folder where agents work, and all in it: an absolute path without links.
        package var folder: String
        package var version: String
        package var devices: GatewayDevices
        /// How often it is looked whether a device was revoked, besides at each request and whenever the system tells of a change.
        package var watch = Duration.milliseconds(500)
        /// Makes the agent of a session that works in this folder.
        package var agent: @Sendable (_ folder: String) throws -> any AgentProvider

        package init(
            address: String = "127.0.0.1", port: Int = GatewayInvitation.usualPort, tls: TLSIdentity?, folder: String,
            version: String, devices: GatewayDevices, agent: @escaping @Sendable (String) throws -> any AgentProvider
        ) {
            (self.address, self.port, self.tls, self.folder) = (address, port, tls, folder)
            (self.version, self.devices, self.agent) = (version, devices, agent)
        }
    }

    /// What happens, for one reader. The oldest go if it does not read.
    package let reports: AsyncStream<GatewayReport>
    private let sink: AsyncStream<GatewayReport>.Continuation
    private let configuration: Configuration
    private let handler: GatewayHandler
    private let server: HTTPServer
    private let watch = Mutex<[Task<Void, Never>]>([])

    package init(_ configuration: Configuration) {
        self.configuration = configuration
        (reports, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1024))
        let sink = sink
        let sessions = ServedSessions(configuration) { sink.yield($0) }
        handler = GatewayHandler(configuration, sessions) { sink.yield($0) }
        var http = HTTPServerConfiguration(
            host: configuration.address, port: configuration.port, tls: configuration.tls)
        http.bodyLimit = GatewayServerLimits.bodyBytes
        http.messageLimit = GatewayServerLimits.messageBytes
        http.queueLimit = GatewayServerLimits.outgoingBytes
        http.connectionLimit = GatewayServerLimits.connections
        http.connectionsByAddress = GatewayServerLimits.connectionsByAddress
        http.pingInterval = .seconds(20)
        server = HTTPServer(configuration: http, handler: handler)
    }

    /// Listens. Returns the port. Throws `cannotListen`; and `notAllowed` if others could read along.
    package func start() async throws(NetworkingError) -> Int {
        guard configuration.tls != nil || Self.isLoopback(configuration.address) else {
            throw NetworkingError(
                .notAllowed, "without TLS only this machine may connect: leave --no-tls out, or listen on 127.0.0.1")
        }
        handler.readDevices()
        let port = try await server.start()
        let (handler, interval) = (handler, configuration.watch)
        let changes = Self.changes(in: configuration.devices.folder)
        watch.withLock {
            $0 = [
                Task {
                    while (try? await Task.sleep(for: interval)) != nil {
                        handler.readDevices()
                        await handler.sessions.expire()
                        await handler.sessions.endIdle()
                    }
                },
                Task {
                    guard let changes else { return }
                    defer { changes.end() }
                    for await _ in changes.changes { handler.readDevices() }
                },
            ]
        }
        return port
    }

    /// Tells at once when the list of devices is replaced; nil where the system has no means for it.
    private static func changes(in folder: String) -> FolderWatch? {
        var pace = FolderWatch.Pace()
        pace.settling = .zero
        return try? FolderWatch([WatchedFolder(folder)], pace: pace)
    }

    /// Makes the code that lets the next device in. The one before does not count any more.
    package func issueCode() -> GatewayCode { handler.issueCode() }

    /// Answers what an agent asks.
    /// - Returns: false if the request is not open any more, or takes no such answer.
    package func answer(
        session: String, _ request: AgentPermission.ID, _ choice: ServedChoice
    ) async -> Bool {
        await handler.sessions.find(session)?.answer(request, choice) ?? false
    }

    /// Lets all clients go, and ends all agents.
    package func stop() async {
        for task in watch.withLock({ $0 }) { task.cancel() }
        await server.stop()
        await handler.sessions.endAll()
        sink.finish()
    }

    /// Whether only this machine reaches the address.
    package static func isLoopback(_ address: String) -> Bool {
        address == "::1" || address == "localhost"
            || address.hasPrefix("127.") && address.split(separator: ".").count == 4
                && address.split(separator: ".").allSatisfy { UInt8($0) != nil }
    }
}
