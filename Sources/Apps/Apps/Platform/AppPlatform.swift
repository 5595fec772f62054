package import AppPacks
package import ComponentStorage
package import Components
internal import Dispatch
internal import Foundation
package import Networking

/// The built-in core: runs installed apps, and serves each component exactly what its manifest asks for and the person granted.
///
/// One process of a profile runs apps at a time. Everything a component can reach is an object that was made for it when it was
/// started (`Capabilities/`), and is asked for over its connection.
package actor AppPlatform {
    package struct Settings: Sendable {
        package var formFactor = FormFactor.desktop
        package var restarts = RestartPolicy()
        /// How long a service may take to be exposed once its component was started.
        package var startTime: Duration = .seconds(10)
        package var limits = ComponentLimits()
        /// Components that may run at the same time, of all apps and of one.
        package var instances = 500
        package var instancesOfApp = 50
        /// Windows that may be open at the same time, of all apps and of one.
        package var windows = 32
        package var windowsOfApp = 8
        /// What is said around apps in their windows, in the person's language of that moment.
        package var windowWords: @Sendable () async -> WindowWords = { WindowWords() }
        /// What is said there of something that an app asks for.
        package var requestWords: @Sendable (CapabilityRequest, AppManifest) async -> RequestWords = { request, _ in
            RequestWords(request)
        }
        /// How long a window goes on that no browser has shown yet, and one whose page is gone, because pages are loaded again.
        package var windowPatience: Duration = .seconds(60)
        package var windowGrace: Duration = .seconds(3)
        /// The limits of the files of each app: a gigabyte by default.
        package var storage: StorageLimits = {
            var limits = StorageLimits()
            limits.quota = 1 << 30
            return limits
        }()
        /// Files and folders that one app may watch at the same time, with all its components.
        package var watchesOfApp = 64
        /// How often one app may ask to open a link: five at once, and five a minute.
        package var linkRate = Rate(burst: 5, pause: .seconds(12))
        /// How often one app may notify: twenty times at once, and ten times a minute.
        package var notificationRate = Rate(burst: 20, pause: .seconds(6))
        /// Bytes of this process' memory for what it keeps for apps (requests, answers, what waits): of a component, of an app, of all.
        /// A part of them is there for each whatever the others have.
        package var memoryOfComponent = 192 << 20
        package var assuredToComponent = 8 << 20
        package var memoryOfApp = 384 << 20
        package var assuredToApp = 96 << 20
        package var memory = 768 << 20
        package var network = NetworkWatch()
        /// The authorities that `w3n.http` checks certificates against.
        package var trust = TLSTrust.system

        package init() {}
    }

    let library: AppLibrary
    let sandbox: any ComponentSandbox
    package let settings: Settings
    /// Where the library is changed for a long time.
    nonisolated let disk = DispatchQueue(label: "alcove.apps.packs")
    let fan = Broadcaster<AppReport>()
    let memory: MemoryBudget

    var apps: [AppDomain: RunningApp] = [:]
    /// What each app that ran may still use.
    private var allowances: [AppDomain: AppAllowances] = [:]
    var instances: [Instance.ID: Instance] = [:]
    /// The storages that are open for an app, by the permission that they stand on. They outlive its components, because these lend what is
    /// in them to others.
    var storages: [AppDomain: [Permission: OpenStorage]] = [:]
    /// What the files of each app count against, and, under nil, those that are written for all.
    var quotas: [AppDomain?: StorageQuota] = [:]
    /// Versions that apps have chosen for themselves, which are put in place when nothing of the app runs any more.
    var updates: [AppDomain: WaitingPack] = [:]
    /// Apps that are being replaced or stopped. They start nothing meanwhile.
    var installs: [AppDomain: Task<Void, Never>] = [:]
    /// Those that wait for their next start after a crash.
    var restarts: [Instance.ID: Task<Void, Never>] = [:]
    /// What those said that ended lately, for who still reads it.
    var ended: [Instance.ID: Transcript] = [:]
    private var lastID: Instance.ID = 0
    private var isClosed = false

    /// - Parameter sandbox: where components run.
    package init(library: AppLibrary, sandbox: any ComponentSandbox, settings: Settings = Settings()) {
        self.library = library
        self.sandbox = sandbox
        self.settings = settings
        memory = MemoryBudget(settings.memory)
    }

    /// What happens from now on.
    package nonisolated func reports() -> AsyncStream<AppReport> { fan.listen() }

    /// What runs, the oldest first.
    package var running: [RunningInstance] { instances.values.sorted { $0.id < $1.id }.map(\.summary) }

    /// Ends everything, and finishes what is being installed.
    package func close() async {
        isClosed = true
        await stop(Array(instances.values), because: .closing)
        for domain in installs.keys { await untilInstalled(domain) }
        fan.close()
    }

    func nextID(for app: AppDomain) throws(AppFailure) -> Instance.ID {
        guard !isClosed else { throw AppFailure(.closing, "the apps are being stopped; run the command again") }
        guard instances.count < settings.instances else {
            throw AppFailure(.cannotStart, "\(settings.instances) components run already; stop some")
        }
        guard instances.values.count(where: { $0.app.domain == app }) < settings.instancesOfApp else {
            throw AppFailure(.cannotStart, "\(settings.instancesOfApp) components of \(app) run already; stop it")
        }
        lastID += 1
        return lastID
    }

    /// The app's shared part: read from the library when its first component starts.
    func app(_ domain: AppDomain) throws(AppFailure) -> RunningApp {
        if let app = apps[domain], instances.values.contains(where: { $0.app === app }) { return app }
        let installed = try installed(domain)
        let grants = try grants(of: domain)
        let fan = fan
        let log = AppLog(path: library.logFile(of: domain), denials: library.denialsFile(of: domain)) {
            fan.tell(.logged(app: domain, $0))
        }
        let allowances = allowances[domain] ?? AppAllowances(settings)
        self.allowances[domain] = allowances
        let app = RunningApp(
            installed, grants: grants, log: log, allowances: allowances,
            memory: MemoryBudget(settings.memoryOfApp, assured: settings.assuredToApp, within: memory))
        apps[domain] = app
        return app
    }

    func installed(_ domain: AppDomain) throws(AppFailure) -> InstalledApp {
        do {
            return try library.app(domain)
        } catch {
            throw AppFailure(error)
        }
    }

    /// Reads the grants of an app again. What was taken back is gone when this returns.
    package func grantsChanged(of domain: AppDomain) throws(AppFailure) {
        defer { fan.tell(.packsChanged) }
        do {
            take(try grants(of: domain), for: domain)
        } catch {
            // It was removed, or its grants cannot be read.
            take(Grants(), for: domain)
            throw error
        }
    }

    private func take(_ grants: Grants, for domain: AppDomain) {
        apps[domain]?.grants = grants
        closeStorages(openedFor: domain) { !grants.contains($0) }
        if !grants.contains(Permission(.ownFiles, .folder(domain))) { closeStorages(lentBy: domain) }
        for instance in instances.values where instance.app.domain == domain {
            instance.app.grants = grants
            withdrawDenied(from: instance)
        }
    }

    private func grants(of domain: AppDomain) throws(AppFailure) -> Grants {
        do {
            return try library.grants(of: domain)
        } catch {
            throw AppFailure(error)
        }
    }

    static var now: Int64 { Int64(Date.now.timeIntervalSince1970 * 1_000) }
}
