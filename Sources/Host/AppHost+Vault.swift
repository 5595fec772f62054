/// What the host does when the vault opens, and when its keys change.
extension AppHost {
    /// What can be done as soon as the vault is open.
    func takeUpVault() async {
        guard !profile.isLocked else { return }
        resealInBackground()
        await reportKeysOfMembers()
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
