package import Components

extension AppPlatform {
    /// Ends every component of an app, and returns when they are gone. What others start meanwhile waits until then.
    /// - Returns: how many there were.
    @discardableResult
    package func stop(_ app: AppDomain, because reason: StopReason = .request) async -> Int {
        let waiting = giveUpRestarts(of: app)
        let work = replacing(app) { [self] in await endAll(of: app, because: reason) }
        let count = await (try? work.value) ?? 0
        await untilInstalled(app)
        return waiting + count
    }

    /// Ends what waits for its next start, at once: its time may come before anything else can be done.
    /// - Returns: how many there were.
    private func giveUpRestarts(of app: AppDomain) -> Int {
        let waiting = restarts.filter { instances[$0.key]?.app.domain == app }
        for (id, restart) in waiting {
            restart.cancel()
            forget(id)
        }
        return waiting.count
    }

    /// Ends every component of an app that is being replaced, so that nothing more is started.
    /// - Returns: how many there were.
    @discardableResult
    func endAll(of app: AppDomain, because reason: StopReason) async -> Int {
        var count = 0
        // One that was about to start when the app began to be replaced may have come meanwhile.
        while true {
            let stopping = instances.values.filter { $0.app.domain == app }
            guard !stopping.isEmpty else { return count }
            count += stopping.count
            await stop(stopping, because: reason)
        }
    }

    /// Changes an app while nothing of it runs or is started.
    func whileStopped(
        _ domain: AppDomain, because reason: StopReason,
        _ body: @escaping @Sendable () async throws(AppFailure) -> Void
    ) async throws(AppFailure) {
        _ = giveUpRestarts(of: domain)
        let work = replacing(domain) { [self] () -> AppFailure? in
            await endAll(of: domain, because: reason)
            do throws(AppFailure) {
                try await body()
                return nil
            } catch {
                return error
            }
        }
        let failure = await (try? work.value) ?? nil
        await untilInstalled(domain)
        if let failure { throw failure }
    }

    func stop(_ stopping: [Instance], because reason: StopReason) async {
        for (id, restart) in restarts where stopping.contains(where: { $0.id == id }) {
            restart.cancel()
            forget(id)
        }
        for instance in stopping where instance.isLive {
            instance.stopReason = reason
            begin(stopping: instance)
        }
        for instance in stopping { await untilEnded(instance) }
    }

    private func begin(stopping instance: Instance) {
        let running = instance.running
        instance.state = .stopping
        report(instance)
        // Without a component it is still starting, and ends as soon as it is there.
        Task { await running?.stop() }
    }

    private func untilEnded(_ instance: Instance) async {
        guard instances[instance.id] === instance, instance.state == .stopping else { return }
        await withCheckedContinuation { instance.waitingForEnd.append($0) }
    }

    /// Ends a component that took more than it may.
    func ended(_ id: Instance.ID, exceeding limit: String) {
        guard let instance = instances[id], instance.isLive else { return }
        let running = instance.running
        ended(id, .exceeded(limit))
        Task { await running?.stop() }
    }

    /// A component asked to be ended.
    func closeSelf(_ id: Instance.ID) {
        guard let instance = instances[id], instance.isLive else { return }
        begin(stopping: instance)
    }

    /// A component is gone: takes everything back that was made for it, and starts it again if that is its part.
    func ended(_ id: Instance.ID, _ end: ComponentEnd, restarts mayRestart: Bool = true) {
        guard let instance = instances[id], instance.state != .ended else { return }
        // A failed start may be reported twice: by the component and by the code that started it.
        if mayRestart, case .waiting = instance.state { return }
        let wasAsked = instance.state == .stopping
        for pipe in instance.pipes.values { pipe.close() }
        for service in instance.services.values { service.connections.finish() }
        for waiter in instance.waitingForService.values.joined() { waiter.resume(returning: nil) }
        instance.pipes = [:]
        instance.made = [:]
        instance.services = [:]
        instance.waitingForService = [:]
        instance.commands.close()
        instance.vigil?.cancel()
        instance.connection?.close()
        instance.link.close()

        let problem = wasAsked ? nil : Self.problem(end)
        if let problem { instance.app.log.write(.error, from: instance.entryPoint.text, problem) }
        let news = problem ?? instance.stopReason?.words
        instance.transcript.end(PrintedEnd(isOrderly: news == nil, text: news ?? ""))
        instance.running = nil
        if problem != nil, mayRestart, instance.isStartup, waitForRestart(of: instance, reason: problem) { return }
        instance.state = .ended
        report(instance, reason: problem)
        forget(id)
    }

    private func forget(_ id: Instance.ID) {
        restarts[id] = nil
        guard let instance = instances.removeValue(forKey: id) else { return }
        remember(instance)
        // One that waited for its next start goes without an end of its own.
        if instance.state != .ended {
            instance.state = .ended
            report(instance)
        }
        let waiters = instance.waitingForEnd
        instance.waitingForEnd = []
        for waiter in waiters { waiter.resume() }
        updateIfEnded(instance.app)
    }

    /// Keeps what the last hundred said.
    private func remember(_ instance: Instance) {
        ended[instance.id] = instance.transcript
        if ended.count > 100, let oldest = ended.keys.min() { ended[oldest] = nil }
    }

    private static func problem(_ end: ComponentEnd) -> String? {
        switch end {
        case .stopped: nil
        case .crashed(let text): "crashed: \(text)"
        case .exceeded(let limit): "was ended because it used too much: \(limit)"
        case .hung: "was ended because it gave no sign of life"
        }
    }

    // MARK: Starting again

    /// - Returns: false if it crashed too often.
    private func waitForRestart(of instance: Instance, reason problem: String?) -> Bool {
        let crashes = settings.restarts.crashes(after: instance.crashes, run: ContinuousClock.now - instance.startedAt)
        guard let delay = settings.restarts.delay(afterCrashes: crashes) else {
            instance.app.log.write(
                .error, from: instance.entryPoint.text,
                "crashed \(crashes) times in a row and is left alone; start the app again")
            return false
        }
        instance.state = .waiting(crashes: crashes)
        report(instance, reason: problem)
        let id = instance.id
        restarts[id] = Task { [weak self] in
            guard (try? await Task.sleep(for: delay)) != nil else { return }
            await self?.restart(id, crashes: crashes)
        }
        return true
    }

    private func restart(_ id: Instance.ID, crashes: Int) async {
        guard let waiting = instances[id], case .waiting = waiting.state else { return }
        forget(id)
        let domain = waiting.app.domain
        await untilInstalled(domain)
        do {
            // It may be another version by now.
            let app = try app(domain)
            guard let component = app.manifest.component(waiting.entryPoint) else { return }
            _ = try await start(component, of: app, isStartup: true, crashes: crashes)
        } catch {
            waiting.app.log.write(.error, from: waiting.entryPoint.text, error.explanation)
        }
    }
}
