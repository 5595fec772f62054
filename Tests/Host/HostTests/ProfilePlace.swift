import AppCore
import Catalogues
import Foundation
import Notifications
import Scenarios
import Testing

@testable import Host

/// A profile of a test, and one host on it at a time.
final class ProfilePlace {
    let folder: String
    private(set) var host: AppHost?

    static let patience = Duration.seconds(30)

    init(_ folder: String? = nil) {
        self.folder =
            folder ?? FileManager.default.temporaryDirectory.appendingPathComponent("profile-\(UUID().uuidString)").path
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func file(_ name: String) -> String { folder + "/" + name }

    func fill(with scenario: String) throws { try AppHost.fill(profile: folder, with: Scenario.named(scenario)) }

    /// Ends the host that there is and starts another one, as a new process would.
    /// - Parameter isActive: whether links are opened.
    @discardableResult func start(
        passphrase: String? = nil, isActive: Bool = true, notifications: (any NotificationService)? = nil
    ) async throws -> AppHost {
        await stop()
        var configuration = HostConfiguration(profile: folder)
        configuration.notifications = notifications
        let host = try AppHost(configuration)
        self.host = host
        await host.start()
        if isActive { await host.dispatch(.app(.becameActive)) }
        guard let passphrase else { return host }
        await host.dispatch(.app(.unlock(passphrase: host.pass(secret: passphrase))))
        try await expect("the vault to open") { $0.lock.isLocked ? nil : true }
        return host
    }

    func stop() async {
        await host?.stop()
        host = nil
    }

    func setPassphrase(_ new: String?, current: String?) async throws {
        let host = try #require(host)
        await host.dispatch(.app(.setPassphrase(passphrase: new.map(host.pass), current: current.map(host.pass))))
        try await expect("the passphrase") { state in
            state.settings.hasPassphrase == (new != nil) && !state.changesPassphrase ? true : nil
        }
    }

    struct Timeout: Error, CustomStringConvertible { let description: String }

    @discardableResult
    func expect<Value: Sendable>(
        _ what: String, _ look: @escaping @Sendable (AppState) -> Value?
    ) async throws -> Value {
        let host = try #require(host)
        if let found = await host.wait(upTo: Self.patience, for: look) { return found }
        let notices = await host.read { $0.notices.map(\.sentence) }
        throw Timeout(description: "waited in vain for \(what): \(notices)")
    }

    /// Waits for something beside the state.
    func until(_ what: String, _ condition: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + Self.patience
        while try await !condition() {
            guard ContinuousClock.now < end else { throw Timeout(description: "waited in vain for \(what)") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Every message's text, by room.
    func texts() async throws -> [String] {
        try await #require(host).read { state in
            state.rooms.flatMap { room in
                room.messages.all.compactMap { if case .text(let text) = $0.body { text } else { nil } }
            }
        }
    }
}

extension AppState {
    var changesPassphrase: Bool {
        pendingEffects.byID.values.contains { if case .setPassphrase = $0 { true } else { false } }
    }

    var erases: Bool { pendingEffects.byID.values.contains { if case .eraseAll = $0 { true } else { false } } }
}
