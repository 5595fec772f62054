import Components
import HostFunctions
import Synchronization
import Wire

/// A script's end and the host's end of the function ports, joined in memory.
final class JoinedPorts: Sendable {
    let script: ScriptPorts
    private let host: HostPorts

    init(_ functions: [String: NativeFunction]) {
        let (toScript, toHost) = (Relay(), Relay())
        let host = HostPorts(functions: functions) { toScript.send($0) }
        let script = ScriptPorts { toHost.send($0) }
        (self.host, self.script) = (host, script)
        toScript.target.withLock { $0 = { try script.receive($0) } }
        toHost.target.withLock { $0 = { try host.receive($0) } }
    }

    private final class Relay: Sendable {
        let target = Mutex<(@Sendable (PortMessage) throws -> Void)?>(nil)
        func send(_ message: PortMessage) { try? target.withLock { $0 }?(message) }
    }

    func call(_ function: String, _ arguments: some ComponentMessage) async throws(NativeError) -> [UInt8] {
        try await script.call(function, arguments.encoded)
    }

    func call<Result: ComponentMessage>(
        _ function: String, _ arguments: some ComponentMessage, as type: Result.Type
    ) async throws -> Result {
        try Result(decoding: try await call(function, arguments))
    }

    /// The code of the file exception that a call fails with; nil if it succeeds, or the text of another error.
    func failure(_ function: String, _ arguments: some ComponentMessage) async -> String? {
        do throws(NativeError) {
            _ = try await call(function, arguments)
            return nil
        } catch {
            guard case .exception(let exception) = error else { return error.text }
            return exception.fields["code"]?.string ?? "exception without a code"
        }
    }
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
