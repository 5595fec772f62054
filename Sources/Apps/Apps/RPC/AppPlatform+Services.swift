internal import Components

extension AppPlatform {
    /// Connects a component to a service of its own app, or of another one. The service's component is started if it does not run.
    func connect(
        _ caller: Instance.ID, to service: String, of domain: AppDomain, under permission: Permission
    ) async throws(RuntimeException) -> ServicePipe {
        guard let calling = instances[caller], calling.isLive else { throw ServicePipe.exception("connectionClosed") }
        await untilInstalled(domain)
        let app: RunningApp
        do { app = try self.app(domain) } catch { throw ServicePipe.exception("serviceNotFound") }
        guard let component = app.manifest.component(serving: service, on: settings.formFactor),
            let allowed = component.services[service]
        else { throw ServicePipe.exception("serviceNotFound") }
        guard allowed.allows(calling.caller, at: domain) else {
            app.log.deny(
                "\(service) is not for \(calling.entryPoint) of \(calling.app.domain)",
                from: component.entryPoint.text)
            throw ServicePipe.exception("callerNotAllowed")
        }
        let (serving, exposed) = try await exposed(service, by: component, of: app, for: calling)
        // The person may have thought better of it meanwhile.
        guard calling.isLive, calling.permissions.contains(permission.capability, permission.scope) else {
            throw calling.access.deny(permission)
        }
        let pipe = try join(calling, serving, exposed, service)
        calling.made[ObjectIdentifier(pipe)] = permission
        return pipe
    }

    private func exposed(
        _ service: String, by component: AppComponent, of app: RunningApp, for calling: Instance
    ) async throws(RuntimeException) -> (Instance, ExposedService) {
        // The app's own log says why; another app must not read it.
        func refusal(_ reason: String, _ flag: String) -> RuntimeException {
            app.log.write(.error, from: component.entryPoint.text, "the service \(service) \(reason)")
            if app === calling.app {
                let text = "the service \(service) did not start; to see why: alcove app logs \(app.domain)"
                calling.transcript.printOnce(PrintedLine(level: .warning, text: text), for: "service \(service)")
            }
            return ServicePipe.exception(flag)
        }
        let serving: Instance
        do {
            let running = component.isForOneConnectionOnly ? nil : live(component, of: app)
            serving = if let running { running } else { try await start(component, of: app) }
        } catch {
            throw refusal("could not be started: \(error)", "serviceNotFound")
        }
        guard let exposed = await untilExposed(service, by: serving) else {
            let reason = serving.hasFailed ? "because of the error before" : "in time"
            throw refusal("was not exposed \(reason)", "connectionNotAccepted")
        }
        return (serving, exposed)
    }

    /// Waits for a component to expose a service, for as long as one may take to start.
    private func untilExposed(_ service: String, by instance: Instance) async -> ExposedService? {
        if let exposed = instance.services[service] { return exposed }
        endIfUseless(instance)
        guard instance.isLive else { return nil }
        let alarm = Task { [settings] in
            guard (try? await Task.sleep(for: settings.startTime)) != nil else { return }
            self.wake(service, of: instance.id, with: nil)
        }
        defer { alarm.cancel() }
        return await withCheckedContinuation { instance.waitingForService[service, default: []].append($0) }
    }

    /// A script of a component threw something that it did not catch.
    func failed(_ id: Instance.ID) {
        guard let instance = instances[id] else { return }
        instance.hasFailed = true
        if !instance.waitingForService.isEmpty { endIfUseless(instance) }
    }

    /// Ends a component that failed before it exposed a service: it will hardly do so any more, and the next call starts it anew.
    private func endIfUseless(_ instance: Instance) {
        if instance.hasFailed, instance.services.isEmpty { closeSelf(instance.id) }
    }

    private func wake(_ service: String, of id: Instance.ID, with exposed: ExposedService?) {
        for waiter in instances[id]?.waitingForService.removeValue(forKey: service) ?? [] {
            waiter.resume(returning: exposed)
        }
    }

    private func join(
        _ calling: Instance, _ serving: Instance, _ exposed: ExposedService, _ service: String
    ) throws(RuntimeException) -> ServicePipe {
        let (caller, server) = (calling.id, serving.id)
        guard connections(from: calling.app, to: serving) < Self.connectionsOfAnApp else {
            calling.app.log.deny(
                "more than \(Self.connectionsOfAnApp) connections to \(service); close some",
                from: calling.entryPoint.text)
            throw ServicePipe.exception("connectionNotAccepted")
        }
        let memory = (calling.memory, serving.memory)
        let pipe = ServicePipe(service: service, server: server, memory: memory) { [weak self] pipe in
            Task { await self?.forget(pipe, of: [caller, server]) }
        }
        guard case .enqueued = exposed.connections.yield(pipe) else {
            throw ServicePipe.exception("connectionNotAccepted")
        }
        calling.pipes[ObjectIdentifier(pipe)] = pipe
        serving.pipes[ObjectIdentifier(pipe)] = pipe
        return pipe
    }

    /// Each costs the service one of the functions that it may have under way, and others want to call it, too.
    private static let connectionsOfAnApp = 200
    /// Connections that wait for a service to look at them.
    private static let waitingConnections = 1_000

    private func connections(from app: RunningApp, to serving: Instance) -> Int {
        instances.values.reduce(0) { count, instance in
            guard instance.app.domain == app.domain, instance !== serving else { return count }
            return count + instance.pipes.values.count { $0.server == serving.id }
        }
    }

    private func forget(_ pipe: ServicePipe.ID, of ids: [Instance.ID]) {
        for id in ids {
            instances[id]?.pipes[pipe] = nil
            instances[id]?.made[pipe] = nil
        }
    }

    /// A component exposes a service of its manifest.
    /// - Returns: the connections that are made to it, until the component ends or lets go of them.
    func expose(_ service: String, by id: Instance.ID) throws(RuntimeException) -> AsyncStream<ServicePipe> {
        guard let instance = instances[id], instance.isLive else { throw ServicePipe.exception("connectionClosed") }
        guard instance.component.services[service] != nil else { throw ServicePipe.exception("serviceNotFound") }
        guard instance.services[service] == nil else { throw ServicePipe.exception("serviceAlreadyExposed") }
        let (connections, continuation) = AsyncStream.makeStream(
            of: ServicePipe.self, bufferingPolicy: .bufferingOldest(Self.waitingConnections))
        continuation.onTermination = { [weak self] _ in Task { await self?.unexpose(service, by: id) } }
        let exposed = ExposedService(connections: continuation)
        instance.services[service] = exposed
        wake(service, of: id, with: exposed)
        return connections
    }

    /// A component lets go of a service. The connections that it was not given yet end, because nobody would ever answer there.
    private func unexpose(_ service: String, by id: Instance.ID) {
        guard let instance = instances[id] else { return }
        instance.services[service] = nil
        for pipe in instance.pipes.values
        where pipe.server == id && pipe.service == service && !pipe.isAccepted { pipe.close() }
    }
}
