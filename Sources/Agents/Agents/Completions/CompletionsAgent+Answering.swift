internal import AgentProtocols
internal import Errors
internal import Networking

extension CompletionsAgent {
    /// Bytes of one answer of a server, with all that is around the words.
    static let answerBytes = 1 << 30
    /// Bytes of an answer that does not come as a stream.
    private static let wholeBytes = 1 << 20
    /// Bytes of an answer's text that stay in the conversation.
    static let keptBytes = 1 << 20

    /// Asks the server, and tells what it answers as it comes.
    /// - Returns: why it ended, and what of the answer stays in the conversation.
    func answer(to request: CompletionRequest, authorization: String?) async -> (AgentStop, String) {
        var progress = Progress(prefix: "call-\(turns)")
        let stop: AgentStop
        do throws(AgentError) {
            let download = try await open(request, authorization)
            defer { download.cancel() }
            try await read(download, into: &progress, authorization)
            stop = progress.stop ?? .done
        } catch {
            stop = Task.isCancelled ? .cancelled : .failed(error)
        }
        await tellRest(&progress)
        return (stop, progress.kept)
    }

    // MARK: The server

    /// Asks. A server that refuses the wish for the cost is asked once more without it.
    private func open(_ request: CompletionRequest, _ authorization: String?) async throws(AgentError) -> HTTPDownload {
        let download = try await send(request, authorization)
        if download.isAnswer { return download }
        let body = await refusal(of: download)
        if request.wantsUsage, [400, 422].contains(download.status), body.names("stream_options") {
            var plain = request
            plain.wantsUsage = false
            let other = try await send(plain, authorization)
            if other.isAnswer {
                // Only now it is known that it was this. Servers that repeat the request in a refusal name all of it.
                wantsUsage = false
                return other
            }
            let otherBody = await refusal(of: other)
            throw await failure(of: other, saying: otherBody, request, authorization)
        }
        throw await failure(of: download, saying: body, request, authorization)
    }

    private func send(_ request: CompletionRequest, _ authorization: String?) async throws(AgentError) -> HTTPDownload {
        var headers: HTTPFields = ["content-type": "application/json", "accept": "text/event-stream"]
        if let authorization { headers["authorization"] = authorization }
        let message = HTTPRequest(method: "POST", path: "/chat/completions", headers: headers, body: request.body)
        do {
            return try await client.open(
                message, to: configuration.server, limit: Self.answerBytes, patience: configuration.patience)
        } catch {
            throw AgentError(error.code == .timedOut ? .silent : .unreachable, error.message)
        }
    }

    private func read(
        _ download: HTTPDownload, into progress: inout Progress, _ authorization: String?
    ) async throws(AgentError) {
        guard download.isStream else { return try await readWhole(download, into: &progress, authorization) }
        var (lines, reader) = (CompletionErrorLines(), ServerSentEventReader())
        while let piece = try await piece(of: download) {
            let read: [ServerSentEvent]
            do {
                read = try reader.read(lines.read(piece))
            } catch {
                throw AgentError(.tooLarge, "an event of \(configuration.server) is too long")
            }
            for event in read where try await receive(event, &progress, authorization) { return }
            // A server that sends much must not keep a person from stopping it.
            await Task.yield()
        }
        // Some servers leave out the empty line behind the last event.
        let rest = (try? reader.read([10, 10] as [UInt8])) ?? []
        for event in rest where try await receive(event, isRest: true, &progress, authorization) { return }
        // And some the last event of all. Without a reason to end, something is missing.
        guard progress.stop == nil else { return }
        throw AgentError(.unreachable, "\(configuration.server) broke off in the middle of its answer")
    }

    /// Some servers do not stream, whatever they are asked.
    private func readWhole(
        _ download: HTTPDownload, into progress: inout Progress, _ authorization: String?
    ) async throws(AgentError) {
        var body: [UInt8] = []
        while let piece = try await piece(of: download) {
            body += piece
            guard body.count <= Self.wholeBytes else {
                throw AgentError(.tooLarge, "the answer of \(configuration.server) is too long")
            }
        }
        guard let chunk = try? CompletionChunk.whole(body), chunk.failure == nil else {
            await tellReason(in: body, type: download.type, authorization)
            throw failure(status: download.status)
        }
        await tell(chunk, &progress)
    }

    func piece(of download: HTTPDownload) async throws(AgentError) -> [UInt8]? {
        var iterator = download.makeAsyncIterator()
        do {
            return try await iterator.next()
        } catch {
            throw AgentError(error.code == .timedOut ? .silent : .unreachable, error.message)
        }
    }

    // MARK: Its events

    /// - Parameter isRest: whether it is what stands behind the last empty line. The connection may have ended in the middle of it.
    /// - Returns: whether the stream is over.
    private func receive(
        _ event: ServerSentEvent, isRest: Bool = false, _ progress: inout Progress, _ authorization: String?
    ) async throws(AgentError) -> Bool {
        guard event.type != "error" else {
            await tellReason(in: Array(event.data.utf8), type: "", authorization)
            throw brokenOff
        }
        let chunk: CompletionChunk
        do {
            guard let read = try CompletionChunk.read(event.data) else { return true }
            chunk = read
        } catch {
            guard !isRest else { return false }
            progress.unreadable += 1
            guard progress.unreadable <= AgentLimits.unreadable else {
                throw AgentError(.notUnderstood, "\(configuration.server) does not keep to the protocol")
            }
            await events.send(.unreadable(error.message))
            return false
        }
        if let words = chunk.failure {
            await tell(reason: words, authorization)
            throw brokenOff
        }
        await tell(chunk, &progress)
        return false
    }

    private var brokenOff: AgentError {
        AgentError(.refused, "\(configuration.server) failed in the middle of its answer")
    }

    // MARK: The key

    /// The header's value. A key leaves this machine over TLS only.
    func authorization() throws(AgentError) -> String? {
        guard configuration.keyFile != nil || configuration.key != nil else { return nil }
        let server = configuration.server
        guard server.isSecure || ["127.0.0.1", "::1", "localhost"].contains(server.host) else {
            throw AgentError(.unauthorized, "a key is sent over TLS only; write https:// for \(server.host)")
        }
        if let path = configuration.keyFile { return try "Bearer \(AgentKey(file: path).text)" }
        return configuration.key.map { "Bearer \($0.text)" }
    }
}

extension HTTPDownload {
    /// Its content type in lower case; empty if it says none.
    var type: String { headers["content-type"]?.lowercased() ?? "" }
    fileprivate var isStream: Bool { status == 200 && type.hasPrefix("text/event-stream") }
    fileprivate var isAnswer: Bool { isStream || status == 200 && type.hasPrefix("application/json") }
}

extension [UInt8] {
    /// Whether a name stands in the text that they are.
    fileprivate func names(_ name: String) -> Bool { String(decoding: self, as: UTF8.self).contains(name) }
}
