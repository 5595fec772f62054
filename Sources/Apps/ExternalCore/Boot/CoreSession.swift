package import Components
internal import HostFunctions

/// One run of a core, from its start until someone signs out: does what ``CoreBoot`` decides.
///
/// There is no way back to the page for signing in within one core. After the end, a new session is started.
package actor CoreSession {
    /// The state, for who shows it.
    package private(set) var boot: CoreBoot
    private let windows: CoreWindows
    private let components: HeadlessComponents
    private let log: @Sendable (CoreHost.Event) -> Void
    private var core: CoreHost?
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var lastTask = 0
    private var isOver = false
    /// From here on, what the core leaves unanswered is no news.
    private var isStopping = false

    /// - Parameters:
    ///   - sandbox: where headless components run.
    ///   - log: gets what the core prints, and its end.
    package init(
        windows: CoreWindows, components sandbox: any ComponentSandbox, apps: CoreBoot.KnownApps = CoreBoot.KnownApps(),
        log: @escaping @Sendable (CoreHost.Event) -> Void = { _ in }
    ) {
        boot = CoreBoot(apps: apps)
        self.windows = windows
        components = HeadlessComponents(behind: sandbox)
        self.log = log
    }

    /// Loads and initialises the core. Its requests for windows, components and the end go through this session; whatever else
    /// the configuration's actions say stays.
    package func start(_ bundle: CoreBundle, _ configuration: CoreConfiguration) async throws(CoreError) {
        var configuration = configuration
        takeOver(&configuration.actions)
        let log = log
        do throws(CoreError) {
            core = try await CoreHost.start(bundle, configuration) { [weak self] event in
                log(event)
                if case .ended = event { Task { await self?.ended() } }
            }
        } catch {
            await ended()
            throw error
        }
        handle(.initialised)
    }

    /// A person opens an app.
    package func open(_ app: String) { handle(.opens(app: app)) }

    /// A window comes back that the system had put away, perhaps from an earlier run.
    package func restore(_ app: String, connector: String, entrypoint: String?) {
        handle(.returns(app: app, connector: connector, entrypoint: entrypoint))
    }

    /// A person follows a link. False if it is not a link of the platform.
    package func follow(_ url: String) -> Bool {
        guard let link = DeepLink(url) else { return false }
        handle(.follows(link))
        return true
    }

    /// The person has closed a window.
    package func windowClosed(_ connector: String) { handle(.closed(connector: connector)) }

    /// Joins a window's page to its component, see ``CoreHost/attach(_:receive:ended:)``.
    package func attach(
        _ connector: String, receive: @escaping @Sendable ([UInt8]) -> Void
    ) async throws(CoreError) -> CoreConnector {
        guard let core else { throw CoreError(.ended, "the core is not running") }
        return try await core.attach(connector, receive: receive)
    }

    /// The running core, for what goes past the session: files of apps, capabilities.
    package var running: CoreHost? { core }

    /// Ends the core. Returns when all is gone.
    package func stop() async {
        isStopping = true
        await core?.stop()
        await ended()
    }

    private func ended() async {
        guard !isOver else { return }
        isOver = true
        core = nil
        for task in tasks.values { task.cancel() }
        for case .close(let connector) in boot.handle(.ended) { await windows.close(connector) }
        await components.close()
    }

    /// The core's requests become events.
    private func takeOver(_ actions: inout HostActions) {
        actions.showComponent = { [weak self] component async throws(NativeError) in
            await self?.handle(
                .coreShows(connector: component.connector, app: component.appDomain, entrypoint: component.entrypoint))
        }
        actions.closeComponent = { [weak self] connector async throws(NativeError) in
            await self?.handle(.coreCloses(connector: connector))
        }
        actions.focusComponent = { [windows] connector async throws(NativeError) in await windows.focus(connector) }
        actions.startComponent = { [weak self] component async throws(NativeError) in
            guard let self, let core = await core else { throw .text("the core is not running") }
            do throws(CoreError) { try await components.start(component, in: core) } catch {
                throw .text(error.message)
            }
        }
        // Signing out ends the core, whatever the host does besides.
        actions.exit = { [weak self, exit = actions.exit] in
            Task { await self?.stop() }
            exit()
        }
    }

    private func handle(_ event: CoreBoot.Event) {
        for action in boot.handle(event) { perform(action) }
    }

    private func perform(_ action: CoreBoot.Action) {
        switch action {
        case .launch(let app):
            withCore { [weak self] core async throws(CoreError) in
                do throws(CoreError) {
                    await self?.handle(.launched(app: app, try await core.functions.launch(app)))
                } catch {
                    await self?.handle(.failedToLaunch(app: app))
                    throw error
                }
            }
        case .waitForUser:
            withCore { [weak self] core async throws(CoreError) in
                await self?.handle(.signedIn(user: try await core.functions.signedInUser()))
            }
        case .show(let connector, let app, let entrypoint):
            run { [windows] in await windows.show(connector, app, entrypoint) }
        case .focus(let connector): run { [windows] in await windows.focus(connector) }
        case .close(let connector):
            run { [weak self, windows] in
                await windows.close(connector)
                await self?.core?.close(connector)
            }
        case .tellClosed(let connector): withCore { core async throws(CoreError) in await core.close(connector) }
        case .openLater(let app):
            run { [weak self] in
                try? await Task.sleep(for: CoreBoot.pauseBeforeRemembered)
                await self?.handle(.opens(app: app))
            }
        case .process(let url): withCore { core async throws(CoreError) in try await core.functions.process(url: url) }
        case .processBeforeLogin(let url):
            withCore { [weak self] core async throws(CoreError) in
                let fragment = try await core.functions.processBeforeLogin(url: url)
                await self?.handle(.preparedStartup(fragment: fragment))
            }
        }
    }

    /// Does something with the core, and logs if that fails.
    private func withCore(_ body: @escaping @Sendable (CoreHost) async throws(CoreError) -> Void) {
        guard let core else { return }
        run { [weak self] in
            do throws(CoreError) { try await body(core) } catch { await self?.failed(error) }
        }
    }

    private func failed(_ error: CoreError) {
        if error.code != .ended, !isStopping, !isOver { log(.uncaught(error.message)) }
    }

    private func run(_ body: @escaping @Sendable () async -> Void) {
        guard !isOver else { return }
        lastTask += 1
        let number = lastTask
        tasks[number] = Task { [weak self] in
            await body()
            await self?.forget(number)
        }
    }

    private func forget(_ number: Int) { tasks[number] = nil }
}
