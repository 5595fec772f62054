// The whole profile as one sealed file: made, and put in the place of a profile that holds nothing. The host does both.

/// What a view has of archives.
package struct ArchiveView: Sendable, Hashable, Codable {
    /// Whether the next archive holds received files, too.
    package internal(set) var hasFiles = false
    /// The archive that was made last, until the view goes.
    package internal(set) var exported: ExportedFile?
    /// The notes that were packed last for this view to save, until it goes.
    package internal(set) var packed: ExportedFile?

    package var files: [ExportedFile] { [exported, packed].compactMap(\.self) }
}

/// A file that was made to be saved, and is whole.
package struct ExportedFile: Sendable, Hashable, Codable {
    /// What the host calls it.
    package var handle: String
    /// What a person may call the file.
    package var name: String
    package var bytes: Int64

    var limited: ExportedFile {
        ExportedFile(handle: handle.limited(to: RoomLimits.pathBytes), name: name.fileName, bytes: bytes)
    }
}

extension AppState {
    /// Whether nothing would be lost if another profile stood in the place of this one, as far as the core knows. Notes and apps that
    /// nobody has looked at are the host's to see.
    var holdsNothing: Bool {
        rooms.isEmpty && circle.tombstones.isEmpty && notes.list.isEmpty && apps.list.isEmpty
            && agents.byID.isEmpty
    }

    var isArchiving: Bool {
        pendingEffects.contains { kind in
            switch kind {
            case .exportProfile, .restoreProfile: true
            default: false
            }
        }
    }

    mutating func exportProfile(_ passphrase: SecretRef, for view: ViewID, _ context: inout DispatchContext) {
        guard !lock.isLocked, !isArchiving, let files = views[view]?.archive.hasFiles else { return }
        views.update(view) { $0.archive.exported = nil }
        issue(.exportProfile(passphrase: passphrase, files: files), &context)
    }

    mutating func profileExported(
        _ effect: EffectID, _ exported: ExportedFile, _ context: inout DispatchContext
    ) {
        guard case .exportProfile = settle(effect, &context), !lock.isLocked else { return }
        views.update(context.view ?? .main) { $0.archive.exported = exported.limited }
    }

    mutating func restoreProfile(_ handle: String, _ passphrase: SecretRef, _ context: inout DispatchContext) {
        guard !lock.isLocked, !isArchiving, !handle.isEmpty else { return }
        guard holdsNothing else { return notify(.problem, Words(Failure(.profileNotEmpty)), context) }
        issue(.restoreProfile(handle: handle.limited(to: RoomLimits.pathBytes), passphrase: passphrase), &context)
    }
}
