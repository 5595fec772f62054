internal import ComponentRuntime
package import Components
internal import HostFunctions
internal import Synchronization

/// A core library in a context of its own, with all the functions that it calls.
///
/// ```swift
/// let core = try await CoreHost.start(bundle, configuration)
/// let entry = try await core.functions.launch("startup.app.privacysafe.io")
/// let connector = try await core.attach(entry.connector) { bytes in … }
/// ```
package final class CoreHost: Sendable {
    /// The core's own actions. Called in order on no particular thread, and must not wait.
    package enum Event: Hashable, Sendable {
        case console(level: String, text: String)
        case uncaught(String)
        /// A message on a port without a service, or another breach of the protocol that was ignored.
        case ignored(String)
        /// The core has ended; nothing comes after it.
        case ended(ComponentEnd)
    }

    struct State {
        var component: (any RunningComponent)?
        var connectors: [String: CoreConnector] = [:]
        var isEnded = false
    }

    package let functions: CoreFunctions
    let state = Mutex(State())
    let parts: CoreParts
    let events: @Sendable (Event) -> Void

    private init(_ configuration: CoreConfiguration, _ parts: CoreParts, events: @escaping @Sendable (Event) -> Void) {
        self.parts = parts
        self.events = events
        functions = CoreFunctions(ports: parts.ports, patience: configuration.patience)
    }

    /// Loads the bundle, and initialises it.
    package static func start(
        _ bundle: CoreBundle, _ configuration: CoreConfiguration,
        events: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(CoreError) -> CoreHost {
        let outlet = CoreOutlet()
        let core = CoreHost(configuration, try CoreParts(configuration, outlet), events: events)
        outlet.core.withLock { $0 = core }
        var launch = ComponentLaunch(kind: .core, name: "core", source: bundle.name, code: bundle.script)
        launch.limits = configuration.limits
        do throws(ComponentError) {
            let component = try await InProcessSandbox().start(launch) { component, event in
                core.handle(event, of: component)
            }
            core.state.withLock { $0.component = $0.isEnded ? nil : component }
        } catch {
            throw CoreError(.invalidBundle, "the core cannot be loaded: \(error.message)")
        }
        do throws(CoreError) {
            try await core.functions.initialise(dataFolder: core.parts.dataFolder)
        } catch {
            await core.stop()
            throw error
        }
        return core
    }

    /// Ends the core and everything that hangs on it. Returns when it is gone.
    package func stop() async {
        let component = state.withLock { $0.component }
        await component?.stop()
        end(.stopped)
    }

    /// Bytes that the core holds.
    package var memory: Int { state.withLock { $0.component }?.memory ?? 0 }

    /// The host goes to the background: sockets are cut and the network counts as gone. The core learns of both.
    package func suspend() {
        parts.isSuspended.withLock { $0 = true }
        parts.webSockets.cut()
    }

    /// The host is back.
    package func resume() { parts.isSuspended.withLock { $0 = false } }

    // MARK: What the core does

    private func handle(_ event: ComponentEvent, of component: any RunningComponent) {
        switch event {
        case .message(let message): receive(message, from: component)
        case .console(let level, let text): events(.console(level: level, text: text))
        case .uncaught(let text): events(.uncaught(text))
        case .ended(let end): self.end(end)
        }
    }

    private func receive(_ message: PortMessage, from component: any RunningComponent) {
        state.withLock { state in
            if state.component == nil, !state.isEnded { state.component = component }
        }
        if message.port.hasPrefix("c-") {
            state.withLock { $0.connectors[String(message.port.dropFirst(2))] }?.receive(message.bytes)
        } else if !parts.webSockets.receive(message), !parts.scrypt.receive(message) {
            let isKnown = try? parts.ports.receive(message)
            if isKnown != true { events(.ignored("the core sent a message on port \(message.port.prefix(80))")) }
        }
    }

    func send(_ message: PortMessage) { state.withLock { $0.component }?.send(message) }

    private func end(_ end: ComponentEnd) {
        let connectors = state.withLock { state -> [CoreConnector]? in
            guard !state.isEnded else { return nil }
            state.isEnded = true
            state.component = nil
            defer { state.connectors = [:] }
            return Array(state.connectors.values)
        }
        guard let connectors else { return }
        parts.close()
        for connector in connectors { connector.end() }
        events(.ended(end))
    }
}

/// The way of messages to a core that may not be there yet, or no longer.
final class CoreOutlet: Sendable {
    let core = Mutex<CoreHost?>(nil)

    func send(_ message: PortMessage) { core.withLock { $0 }?.send(message) }
}
