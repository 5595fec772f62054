import AppCore
import AppPacks
import Apps
import Components
import HostFunctions
import Storage

/// Telling what is installed and what runs.
extension HostedApps {
    /// How often another process is asked what runs there.
    private static let period = Duration.seconds(1)

    /// Tells all there is, and then each change, until the task is cancelled.
    func follow(for effect: EffectID) async throws {
        following = effect
        (toldApps, toldListing) = ([:], 0)
        let folder = try await library().watchedFolder
        let watch = try await waiting { try FolderWatch([folder]) }
        try await tellAll(effect)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in watch.changes { try? await self.relist() } }
            group.addTask { try await self.followRunning() }
            try await group.waitForAll()
        }
    }

    private func tellAll(_ effect: EffectID) async throws {
        let listing = nextListing()
        let apps = try await self.apps()
        guard case .status(let now) = try await ask(.status) else { throw Failure(.appsUnavailable) }
        await resumeCore()
        guard following == effect else { return }
        remember(apps, listing)
        running = [:]
        for instance in now { put(component(instance)) }
        tell(
            .appsListed(
                effect: effect, apps: apps, components: running.values.sorted { $0.id < $1.id },
                core: core ?? .builtIn, strategies: strategies))
    }

    // What is installed.

    /// Tells what is installed otherwise than it was told.
    func relist() async throws {
        guard let effect = following else { return }
        let listing = nextListing()
        let apps = try await self.apps()
        guard following == effect, listing > toldListing else { return }
        let changed = apps.filter { toldApps[$0.id] != $0 }
        let removed = Set(toldApps.keys).subtracting(apps.map(\.id)).sorted()
        remember(apps, listing)
        guard !changed.isEmpty || !removed.isEmpty else { return }
        tell(.appsChanged(effect: effect, apps: changed, removed: removed))
    }

    private func nextListing() -> Int {
        lastListing += 1
        return lastListing
    }

    private func remember(_ apps: [ListedApp], _ listing: Int) {
        guard listing > toldListing else { return }
        toldListing = listing
        toldApps = Dictionary(apps.map { ($0.id, $0) }) { first, _ in first }
    }

    private func apps() async throws -> [ListedApp] {
        let scheduler = configuration.scheduler
        return try await onDisk { library in
            let listing = try library.list()
            let alike = Dictionary(grouping: listing.apps) { DisplayName($0.manifest.name) }
            return listing.apps.map { app in
                let isAmbiguous = (alike[DisplayName(app.manifest.name)]?.count ?? 0) > 1
                return ListedApp(app, in: library, wakes: scheduler, isAmbiguous: isAmbiguous)
            }
                + listing.damaged.map(ListedApp.init)
        }
    }

    /// How apps can go on in the background here.
    private var strategies: [AppCore.BackgroundStrategy] {
        AppCore.BackgroundStrategy.allCases.filter {
            Apps.BackgroundStrategy($0).availability(scheduler: configuration.scheduler) == .available
        }
    }

    // What runs.

    private func followRunning() async throws {
        while true {
            let runtime = try await runtime()
            if let reports = runtime.platform?.reports() {
                await catchUp(with: runtime)
                for await report in reports { await hear(report) }
            } else {
                await catchUp(with: runtime)
            }
            try await Task.sleep(for: Self.period)
        }
    }

    private func catchUp(with runtime: AppRuntime) async {
        guard case .status(let now)? = try? await runtime.control.ask(.status) else {
            _ = try? await hasLeft(runtime)
            return
        }
        guard isCurrent(runtime) else { return }
        let alive = Set(now.map { InstanceID(String($0.id)) })
        for instance in now { show(component(instance)) }
        for gone in running.values where !alive.contains(gone.id) { show(gone, as: .stopped) }
    }

    private func hear(_ report: AppReport) async {
        switch report {
        case .changed(let instance, let reason): show(component(instance, reason: reason))
        case .logged(let app, let entry):
            let app = AppID(app.name)
            tell(.logged(app, entry))
            if let denied = entry.denied {
                tell(.accessDenied(app: app, capability: CapabilityName(denied.rawValue), text: entry.text))
            }
        case .asksURL(let app, _, let url): tell(.appAsksUrl(app: AppID(app.name), url: url.text))
        case .notified(let app, _, let notification):
            tell(.appNotification(app: AppID(app.name), text: notification.text))
        case .packsChanged: try? await relist()
        }
    }

    private func component(_ instance: RunningInstance, reason: String? = nil) -> ListedComponent {
        ListedComponent(instance, reason: reason, restarts: configuration.settings.restarts)
    }

    func show(_ component: ListedComponent, as state: ListedComponent.State) {
        var component = component
        (component.state, component.at, component.reason) = (state, nil, nil)
        show(component)
    }

    /// Tells how a component stands, if that is news.
    private func show(_ component: ListedComponent) {
        guard running[component.id] != component else { return }
        put(component)
        tell(.componentChanged(component))
    }

    private func put(_ component: ListedComponent) {
        if component.isRunning {
            running[component.id] = component
            return
        }
        running[component.id] = nil
        ended[component.id] = component
        if ended.count > 1000 { ended = [component.id: component] }
    }
}
