internal import AppPacks
internal import Components
internal import Wire

extension AppPlatform {
    /// Starts a component, and returns when its code was evaluated.
    ///
    /// - Parameter crashes: how often it crashed in a row before.
    func start(
        _ component: AppComponent, of app: RunningApp, command: StartCommand? = nil, isStartup: Bool = false,
        crashes: Int = 0
    ) async throws(AppFailure) -> Instance {
        let entryPoint = component.entryPoint
        switch component.runtime {
        case .headless: break
        case .webGUI: return try await startWindow(component, of: app, command: command)
        case .webAssembly:
            throw AppFailure(
                .unavailable, "\(entryPoint) of \(app.domain) wants the runtime wasm,mp1, which does not exist yet")
        }
        let code = try code(of: entryPoint, app.installed)
        let instance = try add(component, of: app, command: command, isStartup: isStartup, crashes: crashes)
        let tree = CapabilityTree(of: instance, platform: self).root
        connect(instance, to: tree)
        let launch = ComponentLaunch(
            kind: .app, name: "\(app.domain) \(entryPoint)", source: entryPoint.text, code: code,
            capabilities: tree.listing(under: ["w3n"]), limits: settings.limits)
        try await launchComponent(launch, instance)
        return instance
    }

    /// A new instance, which is starting.
    func add(
        _ component: AppComponent, of app: RunningApp, command: StartCommand?, isStartup: Bool = false, crashes: Int = 0
    ) throws(AppFailure) -> Instance {
        // Who starts it waited for that before, but may hold what the app was by then.
        guard installs[app.domain] == nil else {
            throw AppFailure(.cannotStart, "\(app.domain) is being stopped or replaced; run it again")
        }
        let instance = Instance(
            id: try nextID(for: app.domain), app: app, component: component, command: command, isStartup: isStartup,
            since: Self.now,
            crashes: crashes,
            memory: MemoryBudget(
                settings.memoryOfComponent, assured: settings.assuredToComponent, within: app.memory))
        instances[instance.id] = instance
        report(instance)
        return instance
    }

    private func code(of entryPoint: PackPath, _ app: InstalledApp) throws(AppFailure) -> String {
        let bytes: [UInt8]
        do {
            bytes = try library.read(entryPoint, of: app)
        } catch {
            throw AppFailure(error)
        }
        guard let code = String(validating: bytes, as: UTF8.self) else {
            throw AppFailure(.invalidPack, "\(entryPoint) of \(app.domain) is not UTF-8 text")
        }
        return code
    }

    /// Makes the connection on which the component's objects are.
    private func connect(_ instance: Instance, to tree: ServiceObject) {
        let link = instance.link
        let (log, entryPoint, id) = (instance.app.log, instance.entryPoint.text, instance.id)
        let connection = ObjectConnection(
            root: tree, memory: instance.memory,
            send: { link.send(PortMessage(port: PortMessage.coreIPC, bytes: $0)) },
            refused: { log.deny("\($0)", from: entryPoint) },
            closed: { [weak self] end in
                // It could do nothing any more, and would not know why.
                guard case .exceeded(let what) = end else { return }
                Task { await self?.ended(id, exceeding: what) }
            })
        link.join(connection)
        instance.connection = connection
    }

    private func launchComponent(_ launch: ComponentLaunch, _ instance: Instance) async throws(AppFailure) {
        let listener = InstanceListener(instance, platform: self, tree: launch.capabilities)
        let running: any RunningComponent
        do {
            running = try await sandbox.start(launch) { component, event in listener.hear(component, event) }
        } catch {
            // Who asked for its first start hears of this; a later one is one of several attempts.
            ended(instance.id, .crashed("\(error)"), restarts: instance.crashes > 0)
            let code: AppFailure.Code = error.code == .unavailable ? .noSandbox : .cannotStart
            throw AppFailure(code, "\(launch.name) did not start: \(error)")
        }
        guard instance.state == .starting else {
            await running.stop()
            return try checkNotStopped(instance)
        }
        instance.running = running
        instance.state = .running
        report(instance)
    }

    /// Who starts something hears that others stopped it meanwhile; one that ended by itself did what it was started for.
    func checkNotStopped(_ instance: Instance) throws(AppFailure) {
        guard instance.stopReason != nil else { return }
        throw AppFailure(
            .cannotStart, "\(instance.app.domain) \(instance.entryPoint) did not start: it was stopped; run it again")
    }

    func report(_ instance: Instance, reason: String? = nil) {
        fan.tell(.changed(instance.summary, reason: reason))
    }
}
