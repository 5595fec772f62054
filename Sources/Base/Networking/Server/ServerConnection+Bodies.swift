internal import Synchronization

/// Bodies that come and go piece by piece. Everything here runs on the loop's thread.
extension ServerConnection {
    // MARK: In

    /// Starts the task that reads the body and answers.
    /// - Parameter isAsked: whether the client waits to be told that it may send the body.
    func run(
        _ work: @escaping @Sendable (IncomingContent) async -> HTTPResponse, isAsked: Bool, _ form: AnswerForm
    ) {
        let content = IncomingContent(isPaused: isAsked) { [weak self] demand in
            guard let self else { return }
            stream.loop.perform { self.meet(demand) }
        }
        state.withLock { state in
            state.isAnswering = true
            state.isAsked = isAsked
            state.incoming?.content = content
            state.progress = BodyProgress()
            state.deadline = isAsked ? nil : .now + server.configuration.progressTimeout
            state.task = Task { [weak self] in
                let response = await work(content)
                guard let self else { return }
                stream.loop.perform { self.finishReading(response, form) }
            }
        }
    }

    private func meet(_ demand: IncomingContent.Demand) {
        // A reader that gave up will answer, and then the connection ends.
        guard demand == .more else { return pauseReading() }
        let isAsked = state.withLock { state in
            guard state.incoming != nil else { return false }
            state.deadline = .now + server.configuration.progressTimeout
            defer { state.isAsked = false }
            return state.isAsked
        }
        if isAsked { sendContinue() }
        readOn()
    }

    /// Holds the client back. The time in which it cannot make progress does not count.
    func pauseReading() {
        state.withLock { $0.deadline = nil }
        stream.setReceiving(false)
    }

    /// The task has its answer. A body that was not read to its end leaves no place for another request.
    private func finishReading(_ response: HTTPResponse, _ form: AnswerForm) {
        var form = form
        let unread = state.withLock { state in
            state.task = nil
            defer { state.incoming = nil }
            return state.incoming
        }
        if let unread {
            form.keeps = false
            unread.content?.fail(NetworkingError(.closed, "the request was answered"))
        }
        answerLate(response, form)
    }

    // MARK: Out

    /// Sends the head, and starts the task that writes the body.
    func send(_ content: HTTPContent, after response: HTTPResponse, _ form: AnswerForm) {
        var form = form
        let isChunked = content.count == nil && form.isVersion11
        // An old client takes the end of the connection for the end of the body (RFC 9112 section 6.3).
        if content.count == nil, !form.isVersion11 { form.keeps = false }
        _ = stream.send(response.serialized(closing: !form.keeps, isHead: true, isChunked: isChunked))
        guard !form.isHead else { return endAnswer(keeps: form.keeps) }
        let writer = HTTPContentWriter(stream, count: content.count, isChunked: isChunked)
        // Further requests wait in the kernel.
        stream.setReceiving(false)
        state.withLock { state in
            state.writer = writer
            state.progress = BodyProgress()
            state.deadline = .now + server.configuration.progressTimeout
            state.task = Task { [weak self, form] in
                let isWhole = (try? await content.produce(writer)) != nil && writer.isComplete
                guard let self else { return }
                stream.loop.perform { self.finishWriting(isWhole: isWhole, isChunked: isChunked, form) }
            }
        }
    }

    private func finishWriting(isWhole: Bool, isChunked: Bool, _ form: AnswerForm) {
        let wasOpen = state.withLock { state in
            state.task = nil
            defer { state.writer = nil }
            return state.writer != nil
        }
        guard wasOpen else { return }
        guard isWhole else { return stream.abort() }
        if isChunked { _ = stream.send(Array("0\r\n\r\n".utf8)) }
        endAnswer(keeps: form.keeps)
        readOn()
    }

    // MARK: The end

    /// The connection is closed: ends who reads or writes.
    func endBodies() {
        let (content, writer, task) = state.withLock { state in
            defer { (state.incoming, state.writer, state.task) = (nil, nil, nil) }
            return (state.incoming?.content, state.writer, state.task)
        }
        content?.fail(NetworkingError(.closed, "the client closed the connection before the end of the body"))
        writer?.close()
        // Who reads may still save what has come; who writes has nobody to write for.
        if writer != nil { task?.cancel() }
    }

    /// Bytes of bodies that this connection holds.
    var heldBytes: Int { stream.queued + (state.withLock { $0.incoming?.content }?.held ?? 0) }
}

extension ServerConnection.State {
    /// Whether there is somebody for the next bytes.
    var isReading: Bool { incoming.map { $0.content?.isOpen ?? true } ?? !isAnswering }
}
