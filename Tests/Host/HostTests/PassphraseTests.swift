import AppCore
import Catalogues
import Foundation
import Storage
import Testing

@testable import Host

/// The passphrase, the vault and what the settings say about them.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PassphraseTests {
    @Test func `a passphrase that a power cut kept out of the settings locks all the same, and can be removed`()
        async throws
    {
        let place = ProfilePlace()
        try await place.start()
        try await place.setPassphrase("one", current: nil)
        await place.stop()
        try Self.spoilSettings(of: place, hasPassphrase: false)
        try await place.start(passphrase: "one")
        #expect(await place.host?.read(\.settings.hasPassphrase) == true)
        await place.host?.dispatch(.app(.lock))
        try await place.expect("the lock") { $0.lock.isLocked ? true : nil }
        try await place.start(passphrase: "one")
        try await place.setPassphrase(nil, current: "one")
        try await place.start()
        #expect(await place.host?.read { $0.lock.isLocked || $0.settings.hasPassphrase } == false)
        await place.stop()
    }

    @Test func `a passphrase that a power cut left in the settings is none, and removing it is answered at once`()
        async throws
    {
        let place = ProfilePlace()
        try await place.start()
        await place.stop()
        try Self.spoilSettings(of: place, hasPassphrase: true)
        try await place.start()
        #expect(await place.host?.read(\.settings.hasPassphrase) == false)
        await place.host?.dispatch(.app(.setPassphrase(passphrase: nil, current: "guess")))
        #expect(await place.host?.read { $0.notices.last?.sentence } == "There is no passphrase to remove.")
        await place.stop()
    }

    private static func spoilSettings(of place: ProfilePlace, hasPassphrase: Bool) throws {
        let profile = try Profile(path: place.folder)
        defer { profile.close() }
        var settings = Settings()
        settings.hasPassphrase = hasPassphrase
        try profile.save([(key: .settings, value: JSON.encode(settings))], durably: true)
    }

    @Test func `a lock while the passphrase changes is not undone`() async throws {
        let place = ProfilePlace()
        try place.fill(with: "verified_chat")
        let host = try await place.start()
        try await place.setPassphrase("one", current: nil)
        let before = try await place.texts()
        await host.dispatch([
            .app(.setPassphrase(passphrase: host.pass(secret: "two"), current: host.pass(secret: "one"))), .app(.lock),
        ])
        try await place.expect("both to be done") { state -> Bool? in
            let isQuiet = state.pendingEffects.byID.values.allSatisfy { if case .schedule = $0 { true } else { false } }
            return state.lock.isLocked && isQuiet ? true : nil
        }
        #expect(await host.profile.isLocked)
        try await place.start(passphrase: "two")
        #expect(try await place.texts() == before)
        await place.stop()
    }

    @Test func `an attempt that comes too early is not called wrong, and is told how long to wait`() async throws {
        let place = ProfilePlace()
        try await place.start()
        try await place.setPassphrase("one", current: nil)
        for _ in 0..<3 {
            let host = try await place.start()
            await host.dispatch(.app(.unlock(passphrase: host.pass(secret: "guess"))))
            try await place.expect("the refusal") { $0.lock.attempt == nil && !$0.notices.isEmpty ? true : nil }
        }
        let host = try await place.start()
        await host.dispatch(.app(.unlock(passphrase: host.pass(secret: "one"))))
        // On a slow machine the wait of two seconds is over, and the vault opens.
        let state = try await place.expect("an answer") { $0.lock.attempt == nil ? $0 : nil }
        if state.lock.isLocked {
            #expect(state.notices.last?.sentence.hasPrefix("This passphrase was not tried") == true)
            #expect(state.lock.retryAt != nil)
        }
        await place.stop()
    }
}
