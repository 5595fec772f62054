internal import Components
internal import Synchronization

/// The pipe between the core and one component: messages of the object IPC, which are passed on unread.
package final class CoreConnector: Sendable {
    package let id: String
    private weak let core: CoreHost?
    private let state: Mutex<State>

    private struct State {
        var receive: (@Sendable ([UInt8]) -> Void)?
        var ended: (@Sendable () -> Void)?
    }

    init(
        id: String, core: CoreHost, receive: @escaping @Sendable ([UInt8]) -> Void,
        ended: @escaping @Sendable () -> Void
    ) {
        self.id = id
        self.core = core
        state = Mutex(State(receive: receive, ended: ended))
    }

    /// Brings the core a message of the component.
    package func send(_ bytes: [UInt8]) {
        guard state.withLock({ $0.receive != nil }) else { return }
        core?.send(PortMessage(port: PortMessage.connector(id), bytes: bytes))
    }

    func receive(_ bytes: [UInt8]) { state.withLock { $0.receive }?(bytes) }

    /// Nothing is passed on any more.
    func end() {
        let ended = state.withLock { state in
            state.receive = nil
            defer { state.ended = nil }
            return state.ended
        }
        ended?()
    }
}

extension CoreHost {
    /// Joins a component to its connector: makes the core open its end. Once for each connector that the core gave out.
    ///
    /// - Parameters:
    ///   - receive: gets the core's messages, in order, on the core's thread. It must not wait.
    ///   - ended: is called once, when the core has ended or ``close(_:)`` was called.
    package func attach(
        _ id: String, receive: @escaping @Sendable ([UInt8]) -> Void, ended: @escaping @Sendable () -> Void = {}
    ) async throws(CoreError) -> CoreConnector {
        let connector = CoreConnector(id: id, core: self, receive: receive, ended: ended)
        let failure = state.withLock { state -> CoreError? in
            if state.isEnded { return CoreError(.ended, "the core has ended") }
            if state.connectors[id] != nil { return CoreError(.failed, "connector \(id) has its component already") }
            if state.connectors.count >= Self.connectorLimit {
                return CoreError(.limit, "more than \(Self.connectorLimit) components are running")
            }
            state.connectors[id] = connector
            return nil
        }
        if let failure { throw failure }
        do throws(CoreError) {
            // The host's end is there already, because the core may speak at once.
            try await functions.attach(id)
        } catch {
            _ = state.withLock { $0.connectors.removeValue(forKey: id) }
            throw error
        }
        return connector
    }

    /// A component is gone: the core is told, and its pipe closed. An unknown connector is ignored.
    package func close(_ id: String) async {
        guard let connector = state.withLock({ $0.connectors.removeValue(forKey: id) }) else { return }
        connector.end()
        try? await functions.componentClosed(id)
    }

    static let connectorLimit = 256
}
