internal import AppPacks
internal import Components

/// Putting packs in place that wait.
extension AppPlatform {
    /// Installs a pack for an app that looks after others, and grants it nothing. What runs of an older version is stopped first.
    ///
    /// An app that replaces itself goes on, and the other version is put in place when nothing of it runs any more.
    /// - Parameter permitted: asked when its turn has come; throws if the app may not install it any more.
    /// - Returns: whether it is in place.
    func install(
        _ pack: WaitingPack, for installer: RunningApp, while permitted: @escaping @Sendable () throws -> Void
    ) async throws -> Bool {
        guard let inspection = try await inspect(pack) else {
            if try isInstalled(pack) { return true }
            throw SystemCapability.exception("notFound")
        }
        if case .downgrade(let newer) = inspection.step {
            throw SystemCapability.exception("errAtInstall", "\(newer) is installed, which is newer")
        }
        try await checkScripts(of: inspection)
        guard pack.domain != installer.domain else {
            updates[pack.domain] = pack
            // It may have ended while it was looked at.
            updateIfEnded(installer)
            return false
        }
        let publisher = AppPublisher.app(installer.domain)
        // Before anything is stopped.
        try await onDisk { try $0.check(publisher, mayPublish: pack.domain) }
        let work = replacing(pack.domain) { [self] in
            await endAll(of: pack.domain, because: .update)
            try await putInPlace(pack, inspection, by: publisher, while: permitted)
        }
        let outcome = await work.result
        await untilInstalled(pack.domain)
        try outcome.get()
        return true
    }

    /// Refuses an app with a script that can never run.
    private func checkScripts(of inspection: PackInspection) async throws {
        for (path, code) in inspection.scripts.sorted(by: { $0.key.text < $1.key.text }) {
            do throws(ComponentError) {
                try await sandbox.check(code, source: path.text)
            } catch  where error.code == .invalidCode {
                throw SystemCapability.exception(
                    "errAtInstall", "\(path) is no script that can run: \(error.message)")
            } catch {
                // What else keeps it from starting is said when it starts.
            }
        }
    }

    private nonisolated func inspect(_ pack: WaitingPack) async throws -> PackInspection? {
        try await onDisk { try $0.waitingPacks().contains(pack) ? $0.inspect(pack) : nil }
    }

    private func putInPlace(
        _ pack: WaitingPack, _ inspection: PackInspection, by publisher: AppPublisher,
        while permitted: @escaping @Sendable () throws -> Void
    ) async throws {
        defer { fan.tell(.packsChanged) }
        updates[pack.domain] = nil
        closeStorages(of: pack.domain)
        _ = try await onDisk { library in
            try permitted()
            try library.install(inspection, granting: [], by: publisher)
            try library.remove(pack)
        }
    }

    // MARK: Updates of itself

    /// Puts the version in place that an app has chosen for itself, if nothing of it runs any more.
    func updateIfEnded(_ app: RunningApp) {
        let domain = app.domain
        guard let pack = updates[domain], !instances.values.contains(where: { $0.app.domain == domain }) else { return }
        updates[domain] = nil
        _ = replacing(domain) { [self] in await update(app, to: pack) }
    }

    private func update(_ app: RunningApp, to pack: WaitingPack) async {
        do {
            guard let inspection = try await inspect(pack) else { return }
            try await putInPlace(pack, inspection, by: .app(app.domain)) { [library] in
                // Without an instance, the app does not learn of its grants.
                let granted = try library.grants(of: app.domain)
                guard SystemCapability.permissions("installer").contains(where: granted.contains) else {
                    throw RuntimeException(type: "capability", flag: "notGranted")
                }
            }
            app.log.write(.info, from: nil, "\(pack.version) was put in place")
        } catch {
            app.log.write(.error, from: nil, "\(pack.version) could not be put in place: \(error)")
        }
    }

    // MARK: One after the other

    /// Replaces or stops an app, after what is under way of that. None of its components is started until this is done. It is completed even
    /// if its caller no longer waits.
    func replacing<Value: Sendable>(
        _ domain: AppDomain, _ body: @escaping @Sendable () async throws -> Value
    ) -> Task<Value, any Error> {
        let before = installs[domain]
        let work = Task {
            await before?.value
            return try await body()
        }
        installs[domain] = Task { _ = await work.result }
        return work
    }

    /// Returns when an app is not being replaced or stopped.
    func untilInstalled(_ domain: AppDomain) async {
        while let install = installs[domain] {
            await install.value
            if installs[domain] == install { installs[domain] = nil }
        }
    }
}
