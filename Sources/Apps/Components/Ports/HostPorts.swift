public import Wire

/// The host's end of the function ports of one component: it answers the native functions that the script calls, and calls
/// the functions that the script has exposed.
public final class HostPorts: Sendable {
    private let functions: [String: NativeFunction]
    private let service: FunctionService
    private let caller: FunctionCaller

    /// - Parameters:
    ///   - functions: what the script may call, by the names of their ports.
    ///   - limits: how much the script may use.
    ///   - send: takes messages to the script, from any thread, and must not wait.
    public init(
        functions: [String: NativeFunction], limits: FunctionCallLimits = FunctionCallLimits(),
        send: @escaping @Sendable (PortMessage) -> Void
    ) {
        self.functions = functions
        service = FunctionService(limits: limits, send: send)
        caller = FunctionCaller(limits: limits, send: send)
    }

    /// Takes a message of the script. Immediate functions have answered when it returns.
    ///
    /// - Returns: whether the message is for these ports. Others, `core-ipc` for example, are somebody else's.
    /// - Throws: when the message cannot be read. The script breaks the protocol, and is best ended.
    @discardableResult
    public func receive(_ message: PortMessage) throws(WireError) -> Bool {
        if message.port == PortMessage.scriptFunctions {
            try caller.receive(message)
            return true
        }
        guard let function = functions[message.port] else { return false }
        let request = try FnCallsProto.RequestWithinCallIntoAndroid(decoding: message.bytes)
        service.serve(function, request.args, id: request.id, on: message.port)
        return true
    }

    /// Calls a function that the script has exposed, and waits for its result.
    public func call(_ function: String, _ arguments: [UInt8] = []) async throws(NativeError) -> [UInt8] {
        try await caller.call(on: PortMessage.scriptFunctions, arguments: arguments.count) { id in
            FnCallsProto.RequestWithinCallIntoJS(id: id, fnName: function, args: arguments).encoded
        }
    }

    /// Fails the calls of this end, and cancels those of the other. Nothing is sent any more.
    public func close() {
        service.close()
        caller.close()
    }
}
