import AppCore
import Catalogues
import Foundation
import Host
import Rooms

/// One of the two people of the demo: a host with a profile of its own, and the name they go by.
struct DemoPerson: Sendable {
    let name: String
    let host: AppHost

    /// How long anything may take before the demo says that it did not happen.
    static let patience = Duration.seconds(30)

    init(_ name: String, profile: String, server: String, core: String?) async throws {
        self.name = name
        var configuration = HostConfiguration(
            profile: profile, network: RoomsNetwork(bindAddresses: ["127.0.0.1"]), person: name, core: core)
        // In the end all that was said is compared.
        configuration.recentMessages = nil
        host = try AppHost(configuration)
        await host.start()
        await host.dispatch(.app(.becameActive))
        await host.dispatch(.app(.setServer(url: server)))
    }

    /// Waits until the state shows what is looked for.
    /// - Throws: a sentence about what did not happen, and what the screen says about it.
    @discardableResult
    func expect<Value: Sendable>(
        _ what: String, _ look: @escaping @Sendable (AppState) -> Value?
    ) async throws -> Value {
        if let found = await host.wait(upTo: Self.patience, for: look) { return found }
        let notice = await host.read { $0.notices.last?.sentence }
        throw CommandFailure(
            "\(name) waited in vain for \(what)\(notice.map { ": " + $0 } ?? "")", .temporaryFailure)
    }

    func room() async throws -> Room.ID { try await expect("a room") { $0.rooms.first?.id } }

    func untilTalking() async throws {
        try await expect("the connection") { state in
            state.rooms.first.flatMap { $0.isTalking ? true : nil }
        }
    }

    /// Writes something; returns at once.
    func say(_ text: String) async throws {
        await host.dispatch(.chat(.sendText(room: try await room(), text: text)))
    }

    /// Writes something and waits until the other side has it.
    /// - Returns: the time that took, in microseconds.
    func sayAndWait(_ text: String) async throws -> Int {
        let start = ContinuousClock.now
        try await say(text)
        try await untilDelivered()
        return Int((ContinuousClock.now - start).milliseconds * 1000)
    }

    /// Waits until everything this side said has arrived.
    func untilDelivered() async throws {
        try await expect("the acknowledgement") { state in
            let last = state.rooms.first?.messages.all.last { $0.direction == .sent }
            return last?.status == .pending ? nil : true
        }
    }

    /// How many of the texts that begin so the other side has acknowledged.
    func acknowledged(from beginning: String) async -> Int {
        await host.read { state in
            (state.rooms.first?.messages.all ?? []).count { message in
                guard message.direction == .sent, case .text(let text) = message.body else { return false }
                return text.hasPrefix(beginning) && (message.status == .delivered || message.status == .read)
            }
        }
    }

    /// The texts this side received that begin so, in the order in which they are shown.
    func heard(from beginning: String) async -> [String] {
        await host.read { state in
            (state.rooms.first?.messages.all ?? []).compactMap { message -> String? in
                guard message.direction == .received, case .text(let text) = message.body else { return nil }
                return text.hasPrefix(beginning) ? text : nil
            }
        }
    }

    /// How many messages this side opened, texts and everything else.
    func sealedMessages() async -> Int {
        await host.read { state in (state.rooms.first?.messages.all ?? []).count { $0.direction == .received } }
    }
}
