import AppCore
import Cryptography
import Rooms
import Storage

/// Effects that concern this machine alone: the alarm clock, the vault, secrets, the end of everything.
extension AppHost {
    func executeHere(_ effect: Effect) async {
        let id = effect.id
        switch effect.kind {
        case .schedule(let time): schedule(time)
        case .setPassphrase(let passphrase, let current):
            inBackground(id) {
                try self.setPassphrase(passphrase, current)
                return .effectDone(effect: id)
            }
        case .unlock(let passphrase):
            inBackground(id) { try await self.unlock(id, passphrase) }
            Task { [task = tasks[id]] in
                await task?.value
                if !profile.isLocked { await reportKeysOfMembers() }
            }
        case .lock:
            await rooms.pause()
            await sharing.close()
            await notes.close()
            await endApps { await $0.close() }
            profile.vault.lock()
            done(id)
        case .eraseAll(let addresses):
            inBackground(id) { try await self.eraseAll(id, addresses) }
        case .forgetSecrets(let secrets): await attempt(id, answers: true) { try self.profile.forget(secrets: secrets) }
        default: break
        }
    }

    /// At most one alarm is set; a later request replaces it.
    private func schedule(_ time: Timestamp) {
        alarm?.cancel()
        let wait = max(0, clock().milliseconds(until: time))
        alarm = Task {
            guard (try? await Task.sleep(for: .milliseconds(wait))) != nil else { return }
            dispatch(.event(.tick))
        }
    }

    private nonisolated func setPassphrase(_ passphrase: SecretRef?, _ current: SecretRef?) throws {
        let vault = profile.vault
        if vault.needsPassphrase {
            guard let current = current.flatMap(profile.takePassed) else {
                throw Failure(.passphraseWrong, "the current passphrase is needed")
            }
            try vault.unlock(passphrase: current, now: clock().milliseconds)
        }
        guard let passphrase else { return try vault.changeProtection(to: .deviceKey) }
        guard let new = profile.takePassed(passphrase) else { throw Failure(.other, "the passphrase was lost") }
        try vault.changeProtection(to: .passphrase(new))
    }

    private nonisolated func unlock(_ id: EffectID, _ passphrase: SecretRef) async throws -> Event {
        guard let secret = profile.takePassed(passphrase) else { throw Failure(.other, "the passphrase was lost") }
        do {
            try profile.vault.unlock(passphrase: secret, now: clock().milliseconds)
        } catch {
            switch error.code {
            case .wrongPassphrase(let wait): return .vaultRejected(effect: id, retryAfter: wait)
            default: throw error
            }
        }
        return .vaultUnlocked(effect: id, records: try profile.records())
    }

    private nonisolated func eraseAll(_ id: EffectID, _ addresses: [AppCore.RoomAddress]) async throws -> Event {
        // The servers are told first, while the proof is still there; if one is out of reach, everything here goes all
        // the same: its rooms expire by themselves.
        try? await rooms.delete(addresses.map(Rooms.RoomAddress.init))
        await rooms.pause()
        await sharing.close()
        await notes.close()
        await endApps { await $0.end() }
        try profile.erase(folders: [filesFolder, notesFolder, apps.path])
        return .effectDone(effect: id)
    }
}
