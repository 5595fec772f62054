package import Components

extension AppPlatform {
    /// Runs an app as a person asks for it.
    ///
    /// - Parameters:
    ///   - entryPoint: a component; without it and without a command, what starts with the system, and the first launcher.
    ///   - command: one of the app's start commands.
    /// - Returns: the component that does it. One that runs already and allows no second instance gets the command.
    package func run(
        _ domain: AppDomain, component entryPoint: PackPath? = nil, command: StartCommand? = nil
    ) async throws(AppFailure) -> RunningInstance {
        await untilInstalled(domain)
        let app = try app(domain)
        if let entryPoint {
            guard let component = app.manifest.component(entryPoint) else {
                throw AppFailure(.unknownComponent, Self.unknown(entryPoint, in: app.manifest))
            }
            return try await launch(component, of: app, command: command).summary
        }
        if let command {
            return try await launch(component(taking: command, of: app), of: app, command: command).summary
        }
        var services: [Instance] = []
        for component in startupComponents(of: app) {
            if let service = try await startup(component.entryPoint, of: domain) { services.append(service) }
        }
        guard let main = try await openMain(of: domain) ?? services.first else {
            throw AppFailure(
                .unavailable,
                "\(app.manifest.name) has nothing that runs without a window; alcove open shows its windows"
            )
        }
        return main.summary
    }

    /// Starts what apps want started with the system, each for itself. Those that run already are left as they are.
    @discardableResult
    package func startup(_ domains: [AppDomain]) async -> StartupOutcome {
        var outcome = StartupOutcome()
        for domain in domains {
            await untilInstalled(domain)
            do throws(AppFailure) {
                let app = try app(domain)
                for component in startupComponents(of: app) {
                    do throws(AppFailure) {
                        guard let service = try await startup(component.entryPoint, of: domain) else { continue }
                        outcome.running.append(service.summary)
                    } catch {
                        outcome.failures.append(error)
                    }
                }
            } catch {
                outcome.failures.append(error)
            }
        }
        return outcome
    }

    private func startupComponents(of app: RunningApp) -> [AppComponent] {
        app.manifest.startup.compactMap(app.manifest.component).filter { $0.runtime == .headless }
    }

    /// - Returns: nil if the app has no such component any more: it may have been replaced while another one of it started.
    private func startup(_ entryPoint: PackPath, of domain: AppDomain) async throws(AppFailure) -> Instance? {
        await untilInstalled(domain)
        let app = try app(domain)
        guard let component = app.manifest.component(entryPoint) else { return nil }
        if let instance = live(component, of: app) { return instance }
        return try await start(component, of: app, isStartup: true)
    }

    /// The first launcher that fits: its component or command.
    private func openMain(of domain: AppDomain) async throws(AppFailure) -> Instance? {
        await untilInstalled(domain)
        let app = try app(domain)
        for launcher in app.manifest.launchers where settings.formFactor.fits(launcher.formFactors) {
            switch launcher.target {
            case .component(let entryPoint):
                guard let component = app.manifest.component(entryPoint), component.runtime == .headless else {
                    continue
                }
                return try await launch(component, of: app, command: nil)
            case .command(let command):
                guard let component = app.manifest.component(taking: command.name, on: settings.formFactor),
                    component.runtime == .headless
                else { continue }
                return try await launch(component, of: app, command: command)
            }
        }
        return nil
    }

    private func component(taking command: StartCommand, of app: RunningApp) throws(AppFailure) -> AppComponent {
        guard let component = app.manifest.component(taking: command.name, on: settings.formFactor) else {
            let known = Set(app.manifest.components.flatMap(\.commands.keys)).sorted()
            throw AppFailure(
                .unknownCommand,
                "\(app.manifest.name) has no command \(command.name)"
                    + (known.isEmpty ? "; it takes none" : "; it takes: \(known.joined(separator: ", "))"))
        }
        return component
    }

    /// Starts a component, or hands the command to the one that runs.
    func launch(_ component: AppComponent, of app: RunningApp, command: StartCommand?) async throws(AppFailure)
        -> Instance
    {
        guard command?.byteCount ?? 0 <= Self.commandBytes else {
            throw AppFailure(
                .unavailable, "a command takes \(Self.commandBytes) bytes of parameters at most; put more into a file")
        }
        guard !component.allowsManyInstances, let running = live(component, of: app) else {
            return try await start(component, of: app, command: command)
        }
        if let command, !running.commands.add(command) {
            throw AppFailure(
                .unavailable,
                "\(component.entryPoint) of \(app.domain) does not take its commands; stop the app and run it again")
        }
        return running
    }

    /// Bytes of a command, which a component keeps as long as it runs, or until it takes it.
    static let commandBytes = 64 << 10

    /// The instance of a component that runs, the oldest if there are several.
    func live(_ component: AppComponent, of app: RunningApp) -> Instance? {
        instances.values.filter { $0.app.domain == app.domain && $0.entryPoint == component.entryPoint && $0.isLive }
            .min { $0.id < $1.id }
    }

    private static func unknown(_ entryPoint: PackPath, in manifest: AppManifest) -> String {
        let known = manifest.components.map(\.entryPoint.text).joined(separator: ", ")
        return "\(manifest.name) has no component \(entryPoint); it has: \(known)"
    }
}
