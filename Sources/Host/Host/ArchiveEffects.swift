import AppCore
import Apps
import Foundation
import Storage

/// The whole profile as one file, while it is in use: a copy to take away, and another one in its place.
extension AppHost {
    func executeArchive(_ effect: Effect) {
        switch effect.kind {
        case .exportProfile(let passphrase, let files):
            inBackground(effect.id) { try await self.exportProfile(effect.id, passphrase, hasFiles: files) }
        case .restoreProfile(let handle, let passphrase):
            beside(effect.id) { try await self.restoreProfile(handle, passphrase) }
        default: break
        }
    }

    private func exportProfile(
        _ id: EffectID, _ passphrase: SecretRef, hasFiles: Bool
    ) async throws -> Event {
        guard let secret = profile.takePassed(passphrase) else { throw Failure(.other, "the passphrase was lost") }
        guard try await !apps.isAnyRunning else { throw Failure(.appsRunning) }
        // The values of the copy have to be sealed under the keys of the copy.
        await stopResealing()
        defer { takeUpVault() }
        tidyArchives()
        let (folder, handle) = (exportsFolder, UUID().uuidString)
        unfinishedArchives.insert(handle)
        let result = try await archiving.run { [profile] in
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            return try ProfileArchive.export(
                open: profile, to: folder + "/" + handle, passphrase: secret, hasFiles: hasFiles
            ) { _, _ in true }
        }
        return .profileExported(
            effect: id, handle: handle, name: Self.archiveName(result.summary.made),
            bytes: result.amount.archiveBytes)
    }

    /// As in `docs/backup.md`: the day says which copy it is.
    private static func archiveName(_ made: Int64) -> String { "alcove-\(day(of: made)).backup" }

    static func day(of milliseconds: Int64) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd"
        return formatter.string(from: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    }

    private func restoreProfile(_ file: String, _ passphrase: SecretRef) async throws {
        guard let secret = profile.takePassed(passphrase) else { throw Failure(.other, "the passphrase was lost") }
        guard let beginAnew else { throw Failure(.restartUnavailable) }
        let present = try ProfileArchive.summary(of: profile, hasFiles: false, isMove: false)
        guard [present.rooms, present.people, present.notes, present.apps].allSatisfy({ $0 == 0 }) else {
            throw Failure(.profileNotEmpty)
        }
        restored = try await archiving.run { [profile] in
            try ProfileArchive.stage(file, beside: profile.path, passphrase: secret)
        }
        beginAnew()
    }

    /// What has the process begin anew after a profile was put beside this one, so that it can take its place.
    package func whenRestored(_ beginAnew: @escaping @Sendable () -> Void) { self.beginAnew = beginAnew }

    // MARK: - Archives that wait to be saved

    nonisolated var exportsFolder: String { profile.path + "/" + ProfileArchive.exportsFolder }

    package func archive(_ handle: String) -> KeptFile? {
        read { state in state.views.flatMap(\.archive.files).first { $0.handle == handle } }
            .map { KeptFile(path: exportsFolder + "/" + $0.handle, name: $0.name) }
    }

    /// Removes those that no view shows and nobody makes.
    package func tidyArchives() {
        let shown = read { state in Set(state.views.flatMap(\.archive.files).map(\.handle)) }
        unfinishedArchives.subtract(shown)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: exportsFolder)) ?? []
        for name in names where !shown.contains(name) && !unfinishedArchives.contains(name) {
            try? FileManager.default.removeItem(atPath: exportsFolder + "/" + name)
        }
    }
}

extension HostedApps {
    /// Whether something of the person's apps runs, here or in another process.
    var isAnyRunning: Bool {
        get async throws {
            let library = try await library()
            guard hasRuntime || AppRuntime.elsewhere(library) != nil else { return false }
            guard case .status(let running) = try await ask(.status) else { return true }
            return !running.isEmpty
        }
    }
}
