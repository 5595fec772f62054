internal import Components
internal import HostFunctions
internal import Storage
internal import Synchronization

/// Everything that serves one core.
final class CoreParts: Sendable {
    let ports: HostPorts
    let files: HostFiles
    let webSockets: WebSocketAccess
    let scrypt: ScryptPort
    let dataFolder: String
    let isSuspended: Flag

    /// Shared with the function that tells whether there is a network.
    final class Flag: Sendable {
        private let state = Mutex(false)
        func withLock<Result: Sendable>(_ body: (inout sending Bool) -> sending Result) -> Result {
            state.withLock(body)
        }
    }

    init(_ configuration: CoreConfiguration, _ outlet: CoreOutlet) throws(CoreError) {
        do throws(FileError) {
            files = try HostFiles(folder: configuration.dataFolder)
        } catch {
            throw CoreError(.missing, error.message)
        }
        dataFolder = configuration.dataFolder
        webSockets = WebSocketAccess(policy: configuration.policy, trust: configuration.trust) { outlet.send($0) }
        scrypt = ScryptPort { outlet.send($0) }
        let isSuspended = Flag()
        self.isSuspended = isSuspended
        var actions = configuration.actions
        actions.isOnline = { [isOnline = actions.isOnline] in !isSuspended.withLock { $0 } && isOnline() }
        var functions = files.functions
        for more in [
            actions.functions, KeyStore(keys: configuration.keys).functions, configuration.assets.functions,
            SecretBoxFunctions.functions,
            [
                "http_request": HTTPAccess(policy: configuration.policy, trust: configuration.trust).function,
                "ws_open": webSockets.function,
            ],
        ] {
            functions.merge(more) { first, _ in first }
        }
        ports = HostPorts(functions: functions) { outlet.send($0) }
    }

    func close() {
        ports.close()
        webSockets.close()
        scrypt.close()
        files.close()
    }
}
