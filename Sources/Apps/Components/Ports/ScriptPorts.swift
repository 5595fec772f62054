import Synchronization
public import Wire

/// A script's end of the function ports, for a component that is not a script: it calls native functions, and answers those that
/// it has exposed.
public final class ScriptPorts: Sendable {
    private let exposed = Mutex<[String: NativeFunction]>([:])
    private let service: FunctionService
    private let caller: FunctionCaller

    /// - Parameters:
    ///   - limits: how much the host may use.
    ///   - send: takes messages to the host, from any thread, and must not wait.
    public init(limits: FunctionCallLimits = FunctionCallLimits(), send: @escaping @Sendable (PortMessage) -> Void) {
        service = FunctionService(limits: limits, send: send)
        caller = FunctionCaller(limits: limits, send: send)
    }

    /// Lets the host call a function, or with nil no longer.
    public func expose(_ function: NativeFunction?, as name: String) {
        exposed.withLock { $0[name] = function }
    }

    /// Takes a message of the host.
    ///
    /// - Returns: whether the message is for these ports.
    /// - Throws: when the message cannot be read.
    @discardableResult
    public func receive(_ message: PortMessage) throws(WireError) -> Bool {
        guard message.port == PortMessage.scriptFunctions else {
            guard caller.knows(message.port) else { return false }
            try caller.receive(message)
            return true
        }
        let request = try FnCallsProto.RequestWithinCallIntoJS(decoding: message.bytes)
        if let function = exposed.withLock({ $0[request.fnName] }) {
            service.serve(function, request.args, id: request.id, on: message.port)
        } else {
            let error = NativeError.text("function \(request.fnName.prefix(100)) is not exposed")
            service.reply(.failure(error), id: request.id, on: message.port)
        }
        return true
    }

    /// Calls a native function, and waits for its result.
    public func call(_ function: String, _ arguments: [UInt8] = []) async throws(NativeError) -> [UInt8] {
        try await caller.call(on: function, arguments: arguments.count) { id in
            FnCallsProto.RequestWithinCallIntoAndroid(id: id, args: arguments).encoded
        }
    }

    /// Fails the calls of this end, and cancels those of the other. Nothing is sent any more.
    public func close() {
        service.close()
        caller.close()
    }
}
