package import AppCore
package import Cryptography
import Foundation
import Storage

/// What the host does when the vault opens, and when its keys change.
extension AppHost {
    /// Holds a passphrase in memory for the next action that refers to it.
    package nonisolated func pass(secret: String) -> SecretRef { profile.pass(secret: secret) }

    /// What opens the profile in the process that takes it over; `nil` if it is locked or needs nothing.
    package var handedOverKey: SecretBytes? { profile.vault.handedOverKey }

    /// What can be done as soon as the vault is open.
    func takeUpVault() {
        guard !profile.isLocked else { return }
        resealInBackground()
        clearSealedFolder()
        endForgottenSupervisors()
    }

    /// Removes sealed files that no message refers to: their message is gone, or failed before the file was known.
    private func clearSealedFolder() {
        let kept: Set<String>? = read { state in
            guard !state.lock.isLocked else { return nil }
            return Set(
                state.rooms.flatMap { room in
                    room.messages.inMemory.filter(\.hasSealedFile).map { Profile.sealedName($0.id) }
                })
        }
        guard let kept, let names = try? FileManager.default.contentsOfDirectory(atPath: profile.sealedFolder) else {
            return
        }
        for name in names where !kept.contains(name) {
            // What cannot be removed now is tried again at the next start.
            try? FileManager.default.removeItem(atPath: profile.sealedFolder + "/" + name)
        }
    }

    /// Begins to seal anew what older keys of the vault sealed. What is left when it ends is done after the next unlocking.
    func resealInBackground() {
        resealing?.cancel()
        resealing = Task.detached { [profile, before = resealing] in
            await before?.value
            // What could not be written now is sealed anew after the next unlocking; until then the older key stays, and nothing is lost.
            try? await profile.reseal()
        }
    }

    /// Nothing is sealed anew when this has returned.
    func stopResealing() async {
        resealing?.cancel()
        await resealing?.value
        resealing = nil
    }
}
