import Components
import Synchronization
import Testing

/// Both ends, joined by function calls, and a record of what went between them.
final class PortPair: Sendable {
    enum End { case host, script }

    let host: HostPorts
    let script: ScriptPorts
    private let wire: Wire

    init(functions: [String: NativeFunction] = [:], limits: FunctionCallLimits = FunctionCallLimits()) {
        let wire = Wire()
        host = HostPorts(functions: functions, limits: limits) { wire.carry($0, from: .host) }
        script = ScriptPorts(limits: limits) { wire.carry($0, from: .script) }
        self.wire = wire
        wire.join(host, script)
    }

    /// What an end has sent on a port so far, in hex.
    func sent(on port: String, by end: End) -> [String] {
        wire.record.withLock { $0.filter { $0.end == end && $0.message.port == port }.map { hex($0.message.bytes) } }
    }

    private final class Wire: Sendable {
        struct Ends: Sendable {
            weak var host: HostPorts?
            weak var script: ScriptPorts?
        }

        let record = Mutex<[(end: End, message: PortMessage)]>([])
        private let ends = Mutex(Ends())

        func join(_ host: HostPorts, _ script: ScriptPorts) {
            ends.withLock { $0 = Ends(host: host, script: script) }
        }

        func carry(_ message: PortMessage, from end: End) {
            record.withLock { $0.append((end, message)) }
            let (host, script) = ends.withLock { ($0.host, $0.script) }
            do {
                switch end {
                case .host: try script?.receive(message)
                case .script: try host?.receive(message)
                }
            } catch {
                Issue.record(error)
            }
        }
    }
}
