import AppCore
import AppPacks
import Apps
import Components
import Synchronization

/// What changes the library. When one of these returns, the core was told what changed.
extension HostedApps {
    func inspect(_ source: String) async throws -> AppPack {
        let (pack, picture) = try await onDisk { library in
            let inspection = try library.look(at: source)
            let pack = AppPack(inspection, grants: try? library.grants(of: inspection.manifest.domain))
            return (pack, AppPicture(of: inspection))
        }
        asked = picture.map { (pack.digest, $0) }
        return pack
    }

    /// Installs what a person was shown as `digest`. What an earlier process has done already counts as done.
    func install(
        _ source: String, _ digest: String, granting grants: [CapabilityName], for effect: EffectID
    ) async throws {
        let inspection = try await onDisk { try $0.look(at: source) }
        if inspection.digest != digest {
            guard inspection.isInstalled else {
                throw Failure(.packChanged, "\(source) is not what was looked at")
            }
            return try await relist()
        }
        let granted = Set(grants.compactMap { Capability(rawValue: $0.text) })
        let progress = ProgressTeller { self.tell(.installProgress(effect: effect, done: $0, total: $1)) }
        _ = try await ask(.packsChanged(app: inspection.manifest.domain.name, because: .update))
        _ = try await onDisk { library in
            try library.install(inspection, granting: granted, goingBack: true) {
                progress.tell($0, of: inspection.byteCount)
            }
        }
        _ = try? await ask(.grantsChanged(app: inspection.manifest.domain.name))
        try await relist()
    }

    func remove(_ app: AppID, withData: Bool) async throws {
        let domain = try domain(app)
        _ = try await ask(.packsChanged(app: domain.name, because: .removal))
        try await configuration.scheduler?.cancel(app: domain.name)
        try await onDisk { library in
            do throws(AppPackError) {
                try library.remove(domain, keepingData: !withData)
            } catch {
                // An earlier process may have come as far as this.
                if withData, error.code == .notInstalled { try library.removeData(of: domain) }
                throw error
            }
        }
        _ = try? await ask(.grantsChanged(app: domain.name))
        try await relist()
    }

    func setGrant(_ app: AppID, _ capability: CapabilityName, to isGranted: Bool) async throws {
        let domain = try domain(app)
        guard let known = Capability(rawValue: capability.text) else {
            throw Failure(.other, "there is no capability \(capability.text)")
        }
        try await onDisk { try $0.setGrant(known, to: isGranted, of: domain) }
        _ = try await ask(.grantsChanged(app: domain.name))
        try await relist()
    }

    func setBackground(_ app: AppID, _ strategy: AppCore.BackgroundStrategy) async throws {
        let domain = try domain(app)
        let scheduler = configuration.scheduler
        _ = try await onDisk { try $0.app(domain) }
        let wanted = Apps.BackgroundStrategy(strategy)
        if case .unavailable(let reason) = wanted.availability(scheduler: scheduler) {
            throw Failure(.backgroundUnavailable, reason)
        }
        do {
            if case .periodic(let period) = wanted {
                try await scheduler?.schedule(app: domain.name, every: period)
            } else {
                try await scheduler?.cancel(app: domain.name)
            }
        } catch {
            throw Failure(.backgroundUnavailable, error.explanation)
        }
        try await relist()
    }

    func domain(_ app: AppID) throws -> AppDomain {
        guard let domain = AppDomain(app.text) else { throw Failure(.appUnknown, "\(app.text) is no app's domain") }
        return domain
    }
}

extension AppLibrary {
    /// Looks at a pack. What cannot be read there is not the library's fault.
    fileprivate func look(at source: String) throws -> PackInspection {
        do {
            return try inspect(source)
        } catch {
            if error.code == .file { throw Failure(.packUnreadable, error.message) }
            throw error
        }
    }
}

/// Tells how far something is, a few times a second.
private final class ProgressTeller: Sendable {
    private static let pause = Duration.milliseconds(250)

    private let last = Mutex(ContinuousClock.now)
    private let hear: @Sendable (_ done: Int64, _ total: Int64) -> Void

    init(_ hear: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void) { self.hear = hear }

    func tell(_ done: Int64, of total: Int64) {
        let now = ContinuousClock.now
        let isTime = last.withLock { last in
            guard now - last >= Self.pause else { return false }
            last = now
            return true
        }
        if isTime { hear(done, total) }
    }
}
