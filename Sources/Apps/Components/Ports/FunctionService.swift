import Synchronization

/// The answering side of functions over ports: runs what is called, a bounded number at a time.
final class FunctionService: Sendable {
    private struct State {
        /// The calls in progress. Nil until the task is known.
        var tasks: [UInt64: Task<Void, Never>?] = [:]
        var lastTask: UInt64 = 0
        var bytes = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let limits: FunctionCallLimits
    private let send: @Sendable (PortMessage) -> Void

    init(limits: FunctionCallLimits, send: @escaping @Sendable (PortMessage) -> Void) {
        self.limits = limits
        self.send = send
    }

    /// Runs the function and sends its reply.
    func serve(_ function: NativeFunction, _ arguments: [UInt8], id: Int32, on port: String) {
        guard arguments.count <= limits.message else {
            return reply(.failure(.text("the arguments are longer than \(limits.message) bytes")), id: id, on: port)
        }
        switch function {
        case .immediate(let body):
            reply(Result { () throws(NativeError) in try body(arguments) }, id: id, on: port)
        case .promise(let body):
            begin(body, arguments, id: id, on: port)
        }
    }

    func reply(_ outcome: Result<[UInt8], NativeError>, id: Int32, on port: String) {
        let reply =
            switch outcome {
            case .success(let result) where result.count > limits.message:
                FnCallsProto.ReplyWithinCall(
                    id: id, res: [], err: NativeError.text("the result is longer than \(limits.message) bytes").text)
            case .success(let result): FnCallsProto.ReplyWithinCall(id: id, res: result)
            case .failure(let error): FnCallsProto.ReplyWithinCall(id: id, res: [], err: error.text)
            }
        send(PortMessage(port: port, bytes: reply.encoded))
    }

    /// Cancels what is in progress. Nothing is answered any more.
    func close() {
        let tasks = state.withLock { state in
            state.isClosed = true
            defer { state.tasks = [:] }
            return state.tasks.values.compactMap(\.self)
        }
        for task in tasks { task.cancel() }
    }

    private func begin(
        _ body: @escaping @Sendable ([UInt8]) async throws(NativeError) -> [UInt8], _ arguments: [UInt8], id: Int32,
        on port: String
    ) {
        guard let number = admit(arguments.count) else {
            return reply(.failure(.text("too many calls are in progress")), id: id, on: port)
        }
        let task = Task {
            let outcome: Result<[UInt8], NativeError>
            do throws(NativeError) { outcome = .success(try await body(arguments)) } catch { outcome = .failure(error) }
            if end(number, arguments.count) { reply(outcome, id: id, on: port) }
        }
        // The task may be over already, or everything closed.
        let isClosed = state.withLock { state in
            if state.tasks[number] != nil { state.tasks[number] = task }
            return state.isClosed
        }
        if isClosed { task.cancel() }
    }

    private func admit(_ bytes: Int) -> UInt64? {
        state.withLock { state in
            guard !state.isClosed, state.tasks.count < limits.calls, state.bytes + bytes <= limits.arguments else {
                return nil
            }
            state.bytes += bytes
            state.lastTask += 1
            state.tasks[state.lastTask] = .some(nil)
            return state.lastTask
        }
    }

    /// Whether the call is still to be answered.
    private func end(_ number: UInt64, _ bytes: Int) -> Bool {
        state.withLock { state in
            state.bytes -= bytes
            return state.tasks.removeValue(forKey: number) != nil
        }
    }
}
