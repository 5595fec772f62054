import AppCore
import Foundation
import Notifications
import Rendezvous
import Rooms

@testable import Host

/// Two hosts and a rendezvous server in this process, on loopback, with profiles that go when the test is over.
final class TwoHosts {
    let server: RendezvousServer
    let url: String
    let folder: String
    var ada: AppHost
    var ben: AppHost

    static let patience = Duration.seconds(60)

    init() async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("hosts-\(UUID().uuidString)").path
        var configuration = RendezvousConfiguration()
        configuration.limits = .unlimited
        server = try RendezvousServer(configuration)
        url = "http://127.0.0.1:\(try await server.start())"
        ada = try await Self.host(folder + "/ada", url)
        ben = try await Self.host(folder + "/ben", url)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    static func host(
        _ profile: String, _ url: String, notifications: (any NotificationService)? = nil
    ) async throws -> AppHost {
        try FileManager.default.createDirectory(atPath: profile, withIntermediateDirectories: true)
        var configuration = HostConfiguration(
            profile: profile, network: RoomsNetwork(bindAddresses: ["127.0.0.1"]),
            recording: profile + "/recording-\(UUID().uuidString).jsonl")
        configuration.notifications = notifications
        let host = try AppHost(configuration)
        await host.start()
        await host.dispatch(.app(.becameActive))
        await host.dispatch(.app(.setServer(url: url)))
        return host
    }

    func stop() async {
        await ada.stop()
        await ben.stop()
        await server.stop()
    }

    struct Timeout: Error, CustomStringConvertible {
        let description: String
    }

    @discardableResult
    func expect<Value: Sendable>(
        _ host: AppHost, _ what: String, _ look: @escaping @Sendable (AppState) -> Value?
    ) async throws -> Value {
        if let found = await host.wait(upTo: Self.patience, for: look) { return found }
        let room = await host.read { state in
            state.rooms.first.map { "\($0.status) \($0.live.link) \($0.live.verification)" } ?? "no room"
        }
        throw Timeout(description: "waited in vain for \(what): \(room)")
    }

    /// Ada makes a room, Ben joins, both are connected and verified.
    func meet() async throws {
        await ada.dispatch(.rooms(.createRoom(name: "Ben", expiresIn: 300)))
        let room = try await expect(ada, "a code") { $0.rooms.first.flatMap { $0.status == .pending ? $0 : nil } }
        let words = await ada.secret(room.words ?? "none") ?? ""
        await ben.dispatch(
            .rooms(.joinRoom(code: room.code ?? "", words: try await ben.keep(secret: words), name: "Ada")))
        for host in [ada, ben] {
            let id = try await expect(host, "the room") {
                $0.rooms.first.flatMap { $0.status == .accepted ? $0.id : nil }
            }
            await host.dispatch(.rooms(.openRoom(room: id)))
        }
        for host in [ada, ben] { try await untilTalking(host) }
    }

    /// Two hosts meet in another room, which both call by this name.
    func meet(_ one: AppHost, _ other: AppHost, _ name: String) async throws {
        await one.dispatch(.rooms(.createRoom(name: name, expiresIn: 300)))
        let room = try await expect(one, "a code") { state in
            state.rooms.first { $0.name == name && $0.status == .pending }
        }
        let words = await one.secret(room.words ?? "none") ?? ""
        await other.dispatch(
            .rooms(.joinRoom(code: room.code ?? "", words: try await other.keep(secret: words), name: name)))
        for host in [one, other] {
            let id = try await expect(host, "the room") { state in
                state.rooms.first { $0.name == name && $0.status == .accepted }?.id
            }
            await host.dispatch(.rooms(.openRoom(room: id)))
        }
        for host in [one, other] {
            try await expect(host, "the connection") { state in
                state.rooms.first { $0.name == name }?.isTalking == true ? true : nil
            }
        }
    }

    /// Both take each other into their circles, once each has met the other's identity.
    func trust() async throws {
        for host in [ada, ben] {
            let room = try await expect(host, "the identity") { state in state.rooms.first { $0.canTrust }?.id }
            await host.dispatch(.circle(.trustPeer(room: room, name: nil)))
        }
        for host in [ada, ben] {
            try await expect(host, "the member") { $0.rooms.first?.isMember == true ? true : nil }
        }
    }

    func untilTalking(_ host: AppHost) async throws {
        try await expect(host, "the connection") { $0.rooms.first.flatMap { $0.isTalking ? true : nil } }
    }

    func say(_ host: AppHost, _ text: String) async throws {
        let room = try await expect(host, "a room") { $0.rooms.first?.id }
        await host.dispatch(.chat(.sendText(room: room, text: text)))
    }

    static func texts(_ state: AppState, _ direction: Message.Direction) -> [String] {
        (state.rooms.first?.messages.all ?? []).compactMap { message in
            guard message.direction == direction, case .text(let text) = message.body else { return nil }
            return text
        }
    }

    func untilHeard(_ host: AppHost, _ texts: [String]) async throws {
        try await expect(host, "\(texts)") { Self.texts($0, .received) == texts ? true : nil }
    }
}
