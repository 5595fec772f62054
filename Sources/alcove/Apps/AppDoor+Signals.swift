import Apps

extension AppDoor {
    /// Asks, and gives up a while after a signal came: the process behind the door may hang, or be suspended.
    /// - Returns: nil if it was given up.
    func ask(_ request: DoorRequest, until signals: Signals) async throws -> DoorReply? {
        let asking = Task { try await ask(request) }
        let giveUp = Task {
            await signals.wait()
            try await Task.sleep(for: .seconds(5))
            asking.cancel()
        }
        defer { giveUp.cancel() }
        do { return try await asking.value } catch {
            guard asking.isCancelled else { throw error }
            return nil
        }
    }
}
