import Synchronization
import Wire

/// The calling side of functions over ports.
final class FunctionCaller: Sendable {
    typealias Outcome = Result<[UInt8], NativeError>

    private struct State {
        var calls: CallsInFlight<CheckedContinuation<Outcome, Never>>
        var isClosed = false
    }

    private let state: Mutex<State>
    private let limits: FunctionCallLimits
    private let send: @Sendable (PortMessage) -> Void

    init(limits: FunctionCallLimits, send: @escaping @Sendable (PortMessage) -> Void) {
        state = Mutex(State(calls: CallsInFlight(limit: limits.calls)))
        self.limits = limits
        self.send = send
    }

    /// Calls and waits for the reply.
    /// - Parameter request: makes the message out of the call's id.
    func call(
        on port: String, arguments: Int, request: @Sendable (Int32) -> [UInt8]
    ) async throws(NativeError) -> [UInt8] {
        guard arguments <= limits.message else {
            throw .text("the arguments are longer than \(limits.message) bytes")
        }
        let id = try reserve(on: port)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if state.withLock({ $0.calls.wait(continuation, for: id, on: port) }) {
                    send(PortMessage(port: port, bytes: request(id)))
                } else {
                    continuation.resume(returning: Self.cancelled)
                }
            }
        } onCancel: {
            state.withLock { $0.calls.end(id, on: port) }?.resume(returning: Self.cancelled)
        }
        return try outcome.get()
    }

    /// Takes a reply. A reply to a call that no longer waits is ignored.
    func receive(_ message: PortMessage) throws(WireError) {
        let reply = try FnCallsProto.ReplyWithinCall(decoding: message.bytes)
        let waiter = state.withLock { $0.calls.end(reply.id, on: message.port) }
        guard let error = reply.err, !error.isEmpty else {
            waiter?.resume(returning: .success(reply.res))
            return
        }
        waiter?.resume(returning: .failure(NativeError(text: error)))
    }

    func knows(_ port: String) -> Bool { state.withLock { $0.calls.knows(port) } }

    /// Fails all calls, and those that are made later.
    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            return state.calls.endAll()
        }
        for waiter in waiters { waiter.resume(returning: .failure(Self.closed)) }
    }

    private func reserve(on port: String) throws(NativeError) -> Int32 {
        let (isClosed, id) = state.withLock { ($0.isClosed, $0.isClosed ? nil : $0.calls.reserve(on: port)) }
        if isClosed { throw Self.closed }
        guard let id else { throw .text("more than \(limits.calls) calls wait for their replies") }
        return id
    }

    private static let closed = NativeError.text("the ports are closed")
    private static let cancelled = Outcome.failure(.text("the call was cancelled"))
}
