import Apps

extension AppControl {
    /// Asks, and gives up a while after a signal came: the process behind the control socket may hang, or be suspended.
    /// - Returns: nil if it was given up.
    func ask(_ request: AppControlRequest, until signals: Signals) async throws -> AppControlReply? {
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
