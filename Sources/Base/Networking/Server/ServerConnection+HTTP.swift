internal import Synchronization

extension ServerConnection {
    /// Hands the requests that have arrived to the handler, one at a time. A client that does not read its answers gets
    /// no further ones; otherwise its queue would grow as fast as it sends requests.
    func handleRequests() {
        while !holdsBack() {
            let next: Result<HTTPReader.Part?, HTTPReadError> = state.withLock { state in
                guard !state.isOver, state.socket == nil, state.isReading else { return .success(nil) }
                return Result { () throws(HTTPReadError) in try state.reader.nextPart() }
            }
            switch next {
            case .failure(let error): return refuse(error)
            case .success(nil): return
            case .success(.head(let head)): begin(head)
            case .success(.content(let piece)): take(piece)
            case .success(.end): complete()
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
            // The body of a request has a limit of its own.
            if state.incoming?.content == nil { state.deadline = .now + server.configuration.keepAlive }
            return true
        }
        if wasHeldBack { readOn() }
    }

    /// Receives again, if there is somebody for what comes, and goes on with what has come.
    func readOn() {
        // What follows the last answer is read and thrown away, so that the end is seen.
        stream.setReceiving(state.withLock { $0.isOver || $0.isReading && !$0.isHeldBack })
        handleRequests()
    }

    private func refuse(_ error: HTTPReadError) {
        let status =
            switch error {
            case .malformed: 400
            case .headTooLarge: 431
            case .bodyTooLarge: 413
            case .unsupported: 501
            }
        let reason = NetworkingError(
            error == .bodyTooLarge ? .tooLarge : .handshakeFailed, "the body of the request is too large or not HTTP")
        state.withLock { $0.incoming?.content }?.fail(reason)
        refuse(server.configuration.decorate(HTTPResponse(status: status)))
    }

    /// Answers and ends the connection.
    func refuse(_ response: HTTPResponse, isHead: Bool = false) {
        state.withLock { state in
            state.isOver = true
            state.incoming = nil
        }
        _ = stream.send(response.serialized(closing: true, isHead: isHead))
        stream.finish()
        limitFarewell()
    }

    private func begin(_ head: HTTPHead) {
        guard let request = HTTPRequest(head) else { return refuse(HTTPResponse(status: 400)) }
        if let response = WebSocketHandshake.response(to: request, head: head) {
            // What follows the head of such a request belongs to the other protocol.
            let hasBody = state.withLock { $0.reader.expectsContent }
            return hasBody ? refuse(HTTPResponse(status: 400)) : upgrade(request, response)
        }
        let incoming = IncomingRequest(request: request, form: AnswerForm(head))
        let plan = server.handler.plan(for: request, from: peer)
        let limit: Int
        switch plan {
        case .refuse(let response): return refuse(response, isHead: incoming.form.isHead)
        case .whole: limit = server.configuration.bodyLimit
        case .stream(let most, _): limit = most
        }
        let checked: Result<Bool, HTTPReadError> = state.withLock { state in
            Result { () throws(HTTPReadError) in
                try state.reader.limitBody(to: limit)
                state.incoming = incoming
                // RFC 9110 section 10.1.1: not for old clients, and not to those that have not waited.
                return head.has("100-continue", in: "expect") && head.isVersion11 && state.reader.expectsContent
                    && !state.reader.hasBytes
            }
        }
        switch (checked, plan) {
        case (.failure(let error), _): refuse(error)
        case (.success(let isAsked), .stream(_, let work)): run(work, isAsked: isAsked, incoming.form)
        case (.success(true), _): sendContinue()
        case (.success(false), _): break
        }
    }

    func sendContinue() { _ = stream.send(HTTPResponse(status: 100).serialized(closing: false, isHead: false)) }

    /// A piece of the body of a request.
    private func take(_ piece: [UInt8]) {
        let content = state.withLock { state -> IncomingContent? in
            guard let content = state.incoming?.content else {
                state.incoming?.request.body += piece
                return nil
            }
            if state.progress.add(piece.count, outOf: server.configuration.progressBytes) {
                state.deadline = .now + server.configuration.progressTimeout
            }
            return content
        }
        if let content, !content.push(piece) { pauseReading() }
    }

    /// The body of a request is complete.
    private func complete() {
        let incoming = state.withLock { state in
            state.isAnswering = true
            state.deadline = nil
            defer { state.incoming = nil }
            return state.incoming
        }
        guard let incoming else { return }
        if let content = incoming.content {
            // The task that reads it will answer.
            stream.setReceiving(false)
            return content.finish()
        }
        let responder = HTTPResponder()
        server.handler.handle(incoming.request, from: peer, responder: responder)
        let form = incoming.form
        let early = responder.collect { [weak self] response in
            guard let self else { return }
            stream.loop.perform { self.answerLate(response, form) }
        }
        if let early {
            answer(early, form)
        } else {
            // Until the answer is there, further requests on this connection wait in the kernel.
            stream.setReceiving(false)
        }
    }

    func answerLate(_ response: HTTPResponse, _ form: AnswerForm) {
        guard !state.withLock({ $0.isOver }) else { return }
        answer(response, form)
        readOn()
    }

    private func answer(_ response: HTTPResponse, _ form: AnswerForm) {
        if let content = response.content, response.mayHaveBody { return send(content, after: response, form) }
        _ = stream.send(response.serialized(closing: !form.keeps, isHead: form.isHead))
        endAnswer(keeps: form.keeps)
    }

    /// The last byte of an answer is with the stream.
    func endAnswer(keeps: Bool) {
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
