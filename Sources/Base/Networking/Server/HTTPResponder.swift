internal import Synchronization

/// The way to answer one request: exactly once, from any thread, at any time. Later answers are dropped, as are answers
/// to clients that have gone.
package final class HTTPResponder: Sendable {
    private enum State {
        /// The handler is running. An answer waits until it returns.
        case collecting(HTTPResponse?)
        /// The handler returned without an answer. This sends the answer later.
        case waiting(@Sendable (HTTPResponse) -> Void)
        case done
    }

    private let state = Mutex(State.collecting(nil))

    init() {}

    /// Sends the response.
    package func respond(_ response: HTTPResponse) {
        let send: (@Sendable (HTTPResponse) -> Void)? = state.withLock { state in
            switch state {
            case .collecting(nil):
                state = .collecting(response)
                return nil
            case .waiting(let send):
                state = .done
                return send
            case .collecting, .done:
                return nil
            }
        }
        send?(response)
    }

    /// The answer, if it was given while the handler ran; otherwise `send` is called with it later.
    func collect(orLater send: @escaping @Sendable (HTTPResponse) -> Void) -> HTTPResponse? {
        state.withLock { state in
            guard case .collecting(let response) = state else { return nil }
            state = response == nil ? .waiting(send) : .done
            return response
        }
    }
}
