internal import Synchronization

extension ServerConnection {
    /// Hands the requests that have arrived to the handler, one at a time. A client that does not read its answers gets
    /// no further ones; otherwise its queue would grow as fast as it sends requests.
    func handleRequests() {
        while !holdsBack() {
            let next: Result<HTTPReader.Message?, HTTPReadError> = state.withLock { state in
                guard !state.isAnswering, !state.isOver, state.socket == nil else { return .success(nil) }
                let next = Result { () throws(HTTPReadError) in try state.reader.next() }
                if case .success(.some) = next {
                    state.isAnswering = true
                    state.deadline = nil
                }
                return next
            }
            switch next {
            case .failure(let error): return refuse(server.configuration.decorate(Self.response(to: error)))
            case .success(nil): return
            case .success(let message?): handle(message)
            }
        }
    }

    /// Whether an answer waits for the client. Then further requests wait in the kernel, and the time to read it runs.
    private func holdsBack() -> Bool {
        guard stream.queued > 0 else { return false }
        let isNew = state.withLock { state in
            guard !state.isOver, !state.isHeldBack, state.socket == nil else { return false }
            state.isHeldBack = true
            return true
        }
        if isNew { stream.setReceiving(false) }
        return true
    }

    /// The last answer is with the kernel: continues with the requests that waited.
    func goOn() {
        let wasHeldBack = state.withLock { state in
            guard state.isHeldBack else { return false }
            state.isHeldBack = false
            state.deadline = .now + server.configuration.keepAlive
            return true
        }
        guard wasHeldBack else { return }
        stream.setReceiving(true)
        handleRequests()
    }

    private static func response(to error: HTTPReadError) -> HTTPResponse {
        switch error {
        case .malformed: HTTPResponse(status: 400)
        case .headTooLarge: HTTPResponse(status: 431)
        case .bodyTooLarge: HTTPResponse(status: 413)
        case .unsupported: HTTPResponse(status: 501)
        }
    }

    /// Answers and ends the connection.
    private func refuse(_ response: HTTPResponse) {
        state.withLock { $0.isOver = true }
        _ = stream.send(response.serialized(closing: true, isHead: false))
        stream.finish()
        limitFarewell()
    }

    private func handle(_ message: HTTPReader.Message) {
        guard let request = HTTPRequest(message) else { return refuse(HTTPResponse(status: 400)) }
        if let response = WebSocketHandshake.response(to: request, head: message.head) {
            return upgrade(request, response)
        }
        let responder = HTTPResponder()
        server.handler.handle(request, from: peer, responder: responder)
        let keeps = message.head.keepsConnection
        let isHead = request.method == "HEAD"
        let late = responder.collect { [weak self] response in
            guard let self else { return }
            stream.loop.perform { self.answerLate(response, keeps: keeps, isHead: isHead) }
        }
        if let response = late {
            answer(response, keeps: keeps, isHead: isHead)
        } else {
            // Until the answer is there, further requests on this connection wait in the kernel.
            stream.setReceiving(false)
        }
    }

    private func answerLate(_ response: HTTPResponse, keeps: Bool, isHead: Bool) {
        answer(response, keeps: keeps, isHead: isHead)
        stream.setReceiving(true)
        handleRequests()
    }

    private func answer(_ response: HTTPResponse, keeps: Bool, isHead: Bool) {
        _ = stream.send(response.serialized(closing: !keeps, isHead: isHead))
        state.withLock { state in
            state.isAnswering = false
            state.isOver = !keeps
            state.deadline = .now + (keeps ? server.configuration.keepAlive : server.configuration.farewell)
        }
        if !keeps { stream.finish() }
    }

    private func upgrade(_ request: HTTPRequest, _ response: HTTPResponse) {
        guard response.status == 101 else { return refuse(response) }
        if case .refuse(let refusal) = server.handler.upgrade(request, from: peer) { return refuse(refusal) }
        let configuration = server.configuration
        let channel = WebSocketChannel(
            stream,
            isClient: false,
            messageLimit: configuration.messageLimit,
            queueLimit: configuration.queueLimit
        )
        let socket = ServerWebSocket(id: id, peer: peer, channel: channel)
        let rest = state.withLock { state in
            state.socket = socket
            state.isAnswering = false
            state.deadline = nil
            state.nextPing = .now + configuration.pingInterval
            return state.reader.takeRest()
        }
        _ = stream.send(response.serialized(closing: false, isHead: false))
        server.handler.opened(socket)
        if !rest.isEmpty { rest.withUnsafeBytes { receive($0, on: socket) } }
    }
}
