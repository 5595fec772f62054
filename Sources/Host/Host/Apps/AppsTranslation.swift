import AppCore
import AppPacks
import Apps
import Components

/// The core's words and the words of Apps for the same things.
extension ListedApp {
    /// - Parameter isAmbiguous: whether another app has a name that looks like its own, so that its domain stands beside it.
    init(_ app: InstalledApp, in library: AppLibrary, wakes scheduler: (any WakeScheduler)?, isAmbiguous: Bool) {
        let manifest = app.manifest
        let grants = try? library.grants(of: app.domain)
        self.init(
            id: AppID(app.domain.name), name: isAmbiguous ? "\(manifest.name) (\(app.domain))" : manifest.name,
            version: app.version.text, about: manifest.about,
            bytes: (try? library.byteCount(of: app)) ?? 0,
            requests: manifest.requests.map { AppRequest($0, of: manifest, grants: grants) },
            commands: manifest.components.flatMap { component in
                component.commands.keys.sorted().map { AppCommand(name: $0, component: component.entryPoint.text) }
            },
            windows: manifest.windows.isEmpty ? nil : manifest.windows,
            icon: manifest.icon.flatMap(AppPicture.type) == nil ? nil : true,
            background: scheduler?.isScheduled(app: app.domain.name) == true ? .periodic : .foreground,
            problem: grants == nil ? .appDamaged : nil)
    }

    init(_ damaged: AppListing.DamagedApp) {
        self.init(id: AppID(damaged.domain.name), name: "", version: "", problem: .appDamaged)
    }
}

extension AppManifest {
    /// What can be opened in a window: the launchers that lead to one, or else its first page.
    fileprivate var windows: [AppCore.AppWindow] {
        let launched = launchers.compactMap { launcher -> AppCore.AppWindow? in
            guard FormFactor.desktop.fits(launcher.formFactors), case .component(let entryPoint) = launcher.target,
                component(entryPoint)?.runtime == .webGUI
            else { return nil }
            return AppCore.AppWindow(name: launcher.name, component: entryPoint.text)
        }
        guard launched.isEmpty, component(.indexPage)?.runtime == .webGUI else { return launched }
        return [AppCore.AppWindow(name: "", component: PackPath.indexPage.text)]
    }
}

extension AppRequest {
    init(_ request: CapabilityRequest, of manifest: AppManifest, grants: Grants?, added: Bool = false) {
        self.init(
            capability: CapabilityName(request.capability.rawValue), words: request.capability.words,
            details: request.permissions.compactMap { RequestDetail($0.scope) },
            sensitive: request.isSensitive(for: manifest.domain),
            available: request.capability.isServed,
            granted: grants.map { request.permissions.allSatisfy($0.contains) } ?? false, added: added)
    }
}

extension AppPack {
    /// - Parameter grants: those of the installed version.
    init(_ inspection: PackInspection, grants: Grants?) {
        let manifest = inspection.manifest
        let (step, replaces): (AppPack.Step, String?) =
            switch inspection.step {
            case .new: (.new, nil)
            case .update(let from): (.update, from.text)
            case .again: (.again, manifest.version.text)
            case .downgrade(let from): (.downgrade, from.text)
            }
        let added = Set(inspection.newRequests.map(\.capability))
        self.init(
            app: AppID(manifest.domain.name), name: manifest.name, version: manifest.version.text,
            about: manifest.about, bytes: inspection.byteCount, step: step, replaces: replaces,
            digest: inspection.digest,
            requests: manifest.requests.map { request in
                AppRequest(request, of: manifest, grants: grants, added: added.contains(request.capability))
            }, warnings: inspection.warnings.isEmpty ? nil : inspection.warnings,
            icon: AppPicture(of: inspection) == nil ? nil : true)
    }
}

extension ListedComponent {
    /// - Parameter reason: why it crashed.
    init(_ instance: RunningInstance, reason: String?, restarts: RestartPolicy) {
        var at: Timestamp?
        let state: State
        switch instance.state {
        case .starting: state = .starting
        case .running, .stopping: state = .running
        case .waiting(let crashes):
            state = .restarting
            let wait = restarts.delay(afterCrashes: crashes) ?? .zero
            at = HostConfiguration.systemClock().advanced(byMilliseconds: Int64(wait / .milliseconds(1)))
        case .ended: state = reason == nil ? .stopped : .crashed
        }
        self.init(
            id: InstanceID(String(instance.id)), app: AppID(instance.app), entrypoint: instance.entrypoint,
            state: state, at: at, reason: reason)
    }
}

extension AppLogLine.Level {
    fileprivate init(_ level: Apps.AppLog.Entry.Level) {
        self =
            switch level {
            case .info: .info
            case .warning: .warning
            case .error: .error
            }
    }
}

extension Event {
    static func componentChanged(_ component: ListedComponent) -> Event {
        .componentChanged(
            app: component.app, instance: component.id, entrypoint: component.entrypoint, state: component.state,
            at: component.at, reason: component.reason)
    }

    static func logged(_ app: AppID, _ entry: Apps.AppLog.Entry) -> Event {
        .appLogged(
            app: app, level: AppLogLine.Level(entry.level), component: entry.component, text: entry.text,
            at: Timestamp(milliseconds: entry.time))
    }

    /// What another process's component said just now.
    static func said(_ line: PrintedLine, by component: ListedComponent) -> Event {
        .appLogged(
            app: component.app, level: AppLogLine.Level(line.level), component: component.entrypoint, text: line.text,
            at: HostConfiguration.systemClock())
    }
}

extension Apps.BackgroundStrategy {
    init(_ strategy: AppCore.BackgroundStrategy) {
        self =
            switch strategy {
            case .foreground: .foregroundOnly
            case .periodic: .periodic(every: Self.usualPeriod)
            case .push: .wakeByPush
            }
    }
}

extension Failure {
    init(_ failure: AppFailure) {
        let code: Code =
            switch failure.code {
            case .unknownApp: .appUnknown
            case .unknownComponent, .unknownCommand: .componentUnknown
            case .invalidPack: .appDamaged
            case .noSandbox: .sandboxUnavailable
            case .file: .appsUnavailable
            case .cannotStart, .timeout, .unavailable, .closing, .notGranted, .notAllowed: .componentFailed
            }
        self.init(code, failure.explanation, retryable: code == .appsUnavailable)
    }

    init(_ error: AppPackError) {
        let code: Code =
            switch error.code {
            case .notAPack: .packUnreadable
            case .refused, .foreign: .packRefused
            case .manifest: .manifestInvalid
            case .changed, .older: .packChanged
            case .notInstalled: .appUnknown
            case .notRequested: .other
            case .busy: .appsBusy
            case .noSuchFile: .appDamaged
            case .file: .appsUnavailable
            }
        self.init(code, error.message, retryable: [.appsBusy, .appsUnavailable].contains(code))
    }
}
