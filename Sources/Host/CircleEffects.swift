import AppCore

/// Carries the core's wishes about trust, keys and meetings to the wing.
extension AppHost {
    func executeCircle(_ effect: Effect) async {
        dispatch(.event(.effectFailed(effect: effect.id, failure: Failure(.other, "not connected to the wing yet"))))
    }
}
