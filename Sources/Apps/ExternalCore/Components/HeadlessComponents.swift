package import Components
package import HostFunctions
internal import Synchronization

/// The headless components that a core starts: each is joined to its connector, and the core hears when it is gone.
package final class HeadlessComponents: Sendable {
    private struct State {
        var running: [String: any RunningComponent] = [:]
        var isClosed = false
    }

    private let sandbox: any ComponentSandbox
    private let events: ComponentEvents
    private let state = Mutex(State())

    /// - Parameters:
    ///   - sandbox: where they run.
    ///   - events: gets what they print and how they end, for logs.
    package init(behind sandbox: any ComponentSandbox, events: @escaping ComponentEvents = { _, _ in }) {
        self.sandbox = sandbox
        self.events = events
    }

    /// Starts a component whose connector exists; for ``HostActions/startComponent``. Returns when its code was evaluated up
    /// to its first `await`.
    package func start(_ component: HostActions.Component, in core: CoreHost) async throws(CoreError) {
        let inbox = ComponentInbox()
        let connector = try await core.attach(component.connector) { bytes in
            inbox.send(PortMessage(port: PortMessage.coreIPC, bytes: bytes))
        } ended: { [weak self] in
            self?.stop(component.connector)
        }
        do throws(CoreError) {
            let launch = try await launch(component, in: core)
            let ports = ports(of: component.connector, in: core, inbox)
            let running = try await run(launch) { [weak self] running, event in
                inbox.open(running)
                switch event {
                case .message(let message) where message.port == PortMessage.coreIPC: connector.send(message.bytes)
                case .message(let message):
                    // Who breaks the protocol of its ports is not understood any more.
                    if (try? ports.receive(message)) == nil { Task { await running.stop() } }
                case .ended:
                    ports.close()
                    _ = self?.state.withLock { $0.running.removeValue(forKey: component.connector) }
                    Task { await core.close(component.connector) }
                default: break
                }
                self?.events(running, event)
            }
            inbox.open(running)
            keep(running, component.connector)
        } catch {
            await core.close(component.connector)
            throw error
        }
    }

    private func run(
        _ launch: ComponentLaunch, events: @escaping ComponentEvents
    ) async throws(CoreError) -> any RunningComponent {
        do throws(ComponentError) {
            return try await sandbox.start(launch, events: events)
        } catch {
            throw CoreError(.failed, "\(launch.name) does not start: \(error.message)")
        }
    }

    private func launch(
        _ component: HostActions.Component, in core: CoreHost
    ) async throws(CoreError) -> ComponentLaunch {
        let code = try await core.file(component.entrypoint, of: component.connector)
        guard let script = String(validating: code, as: UTF8.self) else {
            throw CoreError(.failed, "\(component.entrypoint) of \(component.appDomain) is not a script in UTF-8")
        }
        return ComponentLaunch(
            kind: .app, name: component.appDomain + component.entrypoint, source: component.entrypoint, code: script,
            capabilities: try await core.capabilities(of: component.connector))
    }

    /// What a component may call besides its core.
    private func ports(of connector: String, in core: CoreHost, _ inbox: ComponentInbox) -> HostPorts {
        HostPorts(functions: [
            "ipc_listCoreObjPath": .promise { bytes async throws(NativeError) in
                guard let path = try? InitProto.ObjPathArgs(decoding: bytes).objPath else {
                    throw .text("the arguments cannot be read")
                }
                do throws(CoreError) {
                    return FnCallsProto.StringArrayValue(
                        values: try await core.functions.names(at: path, in: connector)
                    )
                    .encoded
                } catch {
                    throw .text(error.message)
                }
            },
            "ipc_disconnectFromCore": .promise { [weak self] _ async throws(NativeError) in
                self?.stop(connector)
                return []
            },
        ]) { inbox.send($0) }
    }

    private func keep(_ running: any RunningComponent, _ connector: String) {
        let isWanted = state.withLock { state in
            if !state.isClosed { state.running[connector] = running }
            return !state.isClosed
        }
        if !isWanted { Task { await running.stop() } }
    }

    private func stop(_ connector: String) {
        guard let running = state.withLock({ $0.running.removeValue(forKey: connector) }) else { return }
        Task { await running.stop() }
    }

    /// Ends all. Returns when they are gone.
    package func close() async {
        let running = state.withLock { state in
            state.isClosed = true
            defer { state.running = [:] }
            return Array(state.running.values)
        }
        for component in running { await component.stop() }
    }
}

/// The way to a component that is being started: messages wait until it can take them.
private final class ComponentInbox: Sendable {
    private struct State {
        var component: (any RunningComponent)?
        var waiting: [PortMessage] = []
    }

    private let state = Mutex(State())
    private static let waitingLimit = 1000

    func send(_ message: PortMessage) {
        let component = state.withLock { state in
            if state.component == nil, state.waiting.count < Self.waitingLimit { state.waiting.append(message) }
            return state.component
        }
        component?.send(message)
    }

    func open(_ component: any RunningComponent) {
        state.withLock { state in
            guard state.component == nil else { return }
            state.component = component
            for message in state.waiting { component.send(message) }
            state.waiting = []
        }
    }
}
