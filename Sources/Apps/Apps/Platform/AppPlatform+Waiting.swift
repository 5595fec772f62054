internal import AppPacks
internal import ComponentStorage
internal import Components
internal import Dispatch

/// Packs that apps add, and that wait until one is installed.
extension AppPlatform {
    /// Copies a pack that an app passed, and keeps it if it is one.
    /// - Parameter permitted: asked when its turn has come; throws if it may not be added any more.
    /// - Throws: ``AppPackError``, or an exception for the app.
    /// - Returns: the pack, and how it stood in the end.
    nonisolated func add(
        _ item: PassedItem, while permitted: @escaping @Sendable () throws -> Void,
        progress: @escaping @Sendable (PackProgress) -> Void
    ) async throws -> (WaitingPack, PackProgress) {
        let limits = StorageLimits(copying: library.limits)
        let added = try await onDisk { library in
            try permitted()
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

    /// Removes a pack that waits. The version that is installed goes only with its app.
    nonisolated func remove(_ pack: WaitingPack) async throws {
        guard try await onDisk({ try $0.remove(pack) }) else {
            throw SystemCapability.exception(try isInstalled(pack) ? "errAtPackRemoval" : "notFound")
        }
        fan.tell(.packsChanged)
    }

    /// Whether this very version is in use.
    nonisolated func isInstalled(_ pack: WaitingPack) throws -> Bool {
        try library.stored(pack.domain, pack.version) is InstalledApp
    }

    /// Does what waits for the disk, or for others at the library, one after the other.
    nonisolated func onDisk<Value: Sendable>(
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
