import AppCore

extension Offer {
    /// The action with what the person entered.
    /// - Throws: ``SimulatorError`` if it does not fit.
    func filled(with entries: [String: JSONValue]) throws -> Action {
        do { return try action(filledWith: entries) } catch let error as DecodingError {
            throw SimulatorError(.wrongInput, "What was entered does not fit", error)
        }
    }
}
