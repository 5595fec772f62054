import AppCore

/// Carries the core's wishes about notes to the wing.
extension AppHost {
    func executeNotes(_ effect: Effect) async {
        dispatch(.event(.effectFailed(effect: effect.id, failure: Failure(.folderUnavailable, "there is no folder"))))
    }
}
