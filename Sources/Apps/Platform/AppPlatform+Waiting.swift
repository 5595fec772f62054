internal import AppPacks
internal import ComponentStorage
internal import Components
internal import Dispatch

/// Packs that apps add, and that wait until one is installed.
extension AppPlatform {
    /// Copies a pack that an app passed, and keeps it if it is one.
    /// - Throws: ``AppPackError``, or an exception for the app.
    /// - Returns: the pack, and how it stood in the end.
    nonisolated func add(
        _ item: PassedItem, progress: @escaping @Sendable (PackProgress) -> Void
    ) async throws -> (WaitingPack, PackProgress) {
        let limits = StorageLimits(copying: library.limits)
        let added = try await onDisk { library in
            var last = PackProgress()
            let told = { (now: PackProgress) in
                last = now
                progress(now)
            }
            let pack = try library.add(progress: told) { try item.copy(into: $0, as: $1, limits: limits) }
            return (pack, last)
        }
        fan.tell(.packsChanged)
        return added
    }

    /// Installs a pack that waits, over what is installed, and grants it nothing. What runs of an older version is stopped first.
    func install(_ pack: WaitingPack) async throws {
        let inspection = try await onDisk { library in
            try library.waitingPacks().contains(pack) ? library.inspect(pack) : nil
        }
        guard let inspection else {
            if try isInstalled(pack) { return }
            throw SystemCapability.exception("notFound")
        }
        if case .downgrade(let newer) = inspection.step {
            throw SystemCapability.exception("errAtInstall", "\(newer) is installed, which is newer")
        }
        defer { fan.tell(.packsChanged) }
        await stop(pack.domain, because: .update)
        closeStorages(of: pack.domain)
        _ = try await onDisk { library in
            try library.install(inspection, granting: [])
            try library.remove(pack)
        }
    }

    /// Removes a pack that waits. The version that is installed goes only with its app.
    nonisolated func remove(_ pack: WaitingPack) async throws {
        guard try await onDisk({ try $0.remove(pack) }) else {
            throw SystemCapability.exception(try isInstalled(pack) ? "errAtPackRemoval" : "notFound")
        }
        fan.tell(.packsChanged)
    }

    /// Whether this very version is in use.
    private nonisolated func isInstalled(_ pack: WaitingPack) throws -> Bool {
        try library.stored(pack.domain, pack.version) is InstalledApp
    }

    /// Does what waits for the disk, or for others at the library, one after the other.
    private nonisolated func onDisk<Value: Sendable>(
        _ body: @escaping @Sendable (AppLibrary) throws -> Value
    ) async throws -> Value {
        let library = library
        return try await withCheckedThrowingContinuation { continuation in
            disk.async { continuation.resume(with: Result { try body(library) }) }
        }
    }
}

extension StorageLimits {
    /// What a copy of a pack may take, whether it is a folder or a ZIP file.
    fileprivate init(copying limits: PackLimits) {
        self.init()
        quota = limits.total + Int64(limits.entries) * Self.entryCost
        entries = limits.entries
        depth = PackPath.depthLimit
    }
}
