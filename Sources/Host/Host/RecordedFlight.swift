package import AppCore
import Storage

/// What happened in the last stretch of a profile's last run, without what people said: a bug report's content.
package struct RecordedFlight: Sendable, Codable {
    /// The state in which the stretch began.
    package let start: AppState
    /// Everything that happened since.
    package let inputs: [Input]

    /// Puts pieces together; `nil` if none of them has a beginning.
    init?(_ parts: [FlightPart]) {
        let segments = Dictionary(grouping: parts, by: \.segment).mapValues { $0.sorted { $0.place < $1.place } }
        guard let last = segments.keys.filter({ segments[$0]?.first?.start != nil }).max(), let pieces = segments[last]
        else {
            return nil
        }
        let isContinued = pieces.first?.continues == true
        let earlier = isContinued ? segments[last - 1].flatMap { $0.first?.start == nil ? nil : $0 } : nil
        let all = (earlier ?? []) + pieces
        guard let start = all.first?.start else { return nil }
        self.start = start
        inputs = all.flatMap(\.inputs)
    }

    /// Reads what a profile holds. No host may be running on it.
    /// - Parameters:
    ///   - withContent: gives what the profile holds at this moment, and no history, instead.
    ///   - passphrase: needed if the profile has one.
    /// - Throws: ``ProfileError``; `nil` is returned if nothing was recorded yet.
    package static func read(
        profile path: String, withContent: Bool, passphrase: () throws -> String
    ) throws -> RecordedFlight? {
        let profile = try Profile(path: path)
        defer { profile.close() }
        if profile.isLocked { try profile.unlock(passphrase: passphrase()) }
        return try withContent ? present(profile) : RecordedFlight(profile.flightParts())
    }

    /// What a profile holds at this moment, with its content, as a stretch in which nothing has happened yet.
    static func present(_ profile: Profile) throws -> RecordedFlight? {
        var core = Core()
        let records = try profile.records(recent: true)
        guard !records.isEmpty else { return nil }
        func happen(_ action: Action) {
            _ = core.dispatch(Input(at: HostConfiguration.systemClock(), fresh: Fresh(0, 0, 0, 0), action: action))
        }
        happen(
            .event(
                .started(
                    locked: profile.vault.needsPassphrase, records: records,
                    recent: Profile.recentMessages)))
        happen(.app(.unlock(passphrase: "-")))
        if let attempt = core.state.lock.attempt { happen(.event(.vaultUnlocked(effect: attempt, records: records))) }
        return RecordedFlight(start: core.state, inputs: [])
    }

    private init(start: AppState, inputs: [Input]) {
        self.start = start
        self.inputs = inputs
    }
}
