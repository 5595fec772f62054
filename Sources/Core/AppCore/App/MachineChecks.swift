// What the person wants to know of the server and of this machine's disk, and what came out. None of it is kept.

/// Whether the server for new rooms answers.
package struct ServerCheck: Sendable, Hashable, Codable {
    /// The server that was asked.
    package var server: String
    /// The question that is under way.
    package var effect: EffectID?
    /// When the last answer came, or was given up.
    package var at: Timestamp?
    /// Why there was none.
    package var failure: Failure?
}

/// What the profile takes of this machine's disk, in bytes.
package struct StorageUsage: Sendable, Hashable, Codable {
    /// The profile's folder.
    package var folder: String
    /// Rooms, messages and keys.
    package var database: Int64
    /// Files that were sent and received.
    package var files: Int64
    package var notes: Int64

    package init(folder: String, database: Int64, files: Int64, notes: Int64) {
        self.folder = folder
        self.database = database
        self.files = files
        self.notes = notes
    }
}

extension AppState {
    /// Asks the server for new rooms whether it is there; one question at a time.
    mutating func checkServer(_ context: inout DispatchContext) {
        guard !lock.isLocked, serverCheck?.effect == nil || serverCheck?.server != settings.server else { return }
        if let effect = serverCheck?.effect { settle(effect, &context) }
        let effect = issue(.checkServer(server: settings.server), &context)
        serverCheck = ServerCheck(server: settings.server, effect: effect)
    }

    /// Only the last question counts.
    mutating func serverChecked(_ effect: EffectID, _ failure: Failure?, _ context: inout DispatchContext) {
        settle(effect, &context)
        guard serverCheck?.effect == effect else { return }
        serverCheck?.effect = nil
        serverCheck?.at = context.now
        serverCheck?.failure = failure
    }

    /// Measures what the profile takes of the disk; once at a time.
    mutating func measureStorage(_ context: inout DispatchContext) {
        guard !lock.isLocked, !pendingEffects.contains(where: { $0 == .measureStorage }) else { return }
        issue(.measureStorage, &context)
    }

    mutating func storageMeasured(_ effect: EffectID, _ usage: StorageUsage, _ context: inout DispatchContext) {
        guard settle(effect, &context) != nil, !lock.isLocked else { return }
        storageUsage = usage
        storageUsage?.folder = usage.folder.withoutControls.limited(to: 4096)
    }
}
