internal import AgentProtocols
internal import Errors
internal import Foundation
internal import Networking
internal import Wire

extension CompletionsAgent {
    /// Bytes of one answer of a server, with all that is around the words.
    static let answerBytes = 1 << 30
    /// Bytes that are read of what a server says of an error.
    private static let refusalBytes = 64 << 10
    private static let refusalPatience = Duration.seconds(5)
    /// Bytes of an answer's text that stay in the conversation.
    static let keptBytes = 1 << 20

    /// Asks the server, and tells what it answers as it comes.
    /// - Returns: why it ended, and what of the answer stays in the conversation.
    func answer(to request: CompletionRequest, authorization: String?) async -> (AgentStop, String) {
        var progress = Progress(prefix: "call-\(turns)")
        do throws(AgentError) {
            let download = try await open(request, authorization)
            defer { download.cancel() }
            try await read(download, into: &progress, authorization)
            return (progress.stop ?? .done, progress.kept)
        } catch {
            return (Task.isCancelled ? .cancelled : .failed(error), progress.kept)
        }
    }

    /// What came of an answer so far.
    private struct Progress {
        var kept = ""
        var calls: CompletionToolCalls
        var stop: AgentStop?
        var unreadable = 0

        init(prefix: String) { calls = CompletionToolCalls(prefix: prefix) }
    }

    // MARK: The server

    private func open(_ request: CompletionRequest, _ authorization: String?) async throws(AgentError) -> HTTPDownload {
        var headers: HTTPFields = ["content-type": "application/json", "accept": "text/event-stream"]
        if let authorization { headers["authorization"] = authorization }
        let message = HTTPRequest(method: "POST", path: "/chat/completions", headers: headers, body: request.body)
        let download: HTTPDownload
        do {
            download = try await client.open(
                message, to: configuration.server, limit: Self.answerBytes, patience: configuration.patience)
        } catch {
            throw AgentError(error.code == .timedOut ? .silent : .unreachable, error.message)
        }
        if download.status == 200, download.headers["content-type"]?.hasPrefix("text/event-stream") == true {
            return download
        }
        await tellReason(of: download, authorization)
        download.cancel()
        let hasPictures = request.messages.contains { !$0.pictures.isEmpty }
        throw hasPictures ? pictureFailure(status: download.status) : failure(status: download.status)
    }

    /// Tells why the server refuses, in its words, if it says so as the API has it.
    private func tellReason(of download: HTTPDownload, _ authorization: String?) async {
        var body: [UInt8] = []
        // The status says the most, and does not wait for what may never end.
        let deadline = Task {
            try await Task.sleep(for: Self.refusalPatience)
            download.cancel()
        }
        defer { deadline.cancel() }
        while body.count <= Self.refusalBytes, let piece = try? await piece(of: download) { body += piece }
        guard let words = (try? BoundedJSON.object(body)).flatMap({ CompletionChunk.failure(in: $0) }) else { return }
        await tell(reason: words, authorization)
    }

    /// Its words say what a person can do, and may hold anything: they are shown as what they are, and stay out of errors. Some servers repeat the key.
    private func tell(reason words: String, _ authorization: String?) async {
        let key = authorization.map { String($0.dropFirst("Bearer ".count)) }
        let forms = [key, key?.addingPercentEncoding(withAllowedCharacters: .alphanumerics)].compactMap(\.self)
        guard !words.isEmpty, !forms.contains(where: words.contains) else { return }
        await events.send(.remark(AgentText(words, limit: AgentLimits.remarkBytes)))
    }

    /// A model that sees nothing is told apart from other trouble by no status of its own.
    private func pictureFailure(status: Int) -> AgentError {
        let server = configuration.server
        return switch status {
        case 400, 415, 422, 500, 501:
            AgentError(.noPictures, "\(server) answered with status \(status); its model probably takes no pictures")
        default: failure(status: status)
        }
    }

    func failure(status: Int) -> AgentError {
        let server = configuration.server
        return switch status {
        case 200: AgentError(.notUnderstood, "\(server) does not answer as a stream")
        case 401, 403: AgentError(.unauthorized, "\(server) wants another key")
        case 404: AgentError(.refused, "\(server) knows no such address or model")
        case 413: AgentError(.tooLarge, "\(server) takes no conversation of this length")
        case 429, 503: AgentError(.busy, "\(server) has too much to do; try again later")
        default: AgentError(.refused, "\(server) answered with status \(status)")
        }
    }

    private func read(
        _ download: HTTPDownload, into progress: inout Progress, _ authorization: String?
    ) async throws(AgentError) {
        var reader = ServerSentEventReader()
        while let piece = try await piece(of: download) {
            let read: [ServerSentEvent]
            do {
                read = try reader.read(piece)
            } catch {
                throw AgentError(.tooLarge, "an event of \(configuration.server) is too long")
            }
            for event in read where try await receive(event, &progress, authorization) { return }
            // A server that sends much must not keep a person from stopping it.
            await Task.yield()
        }
        // Some servers leave out the last line. Without a reason to end, something is missing.
        guard progress.stop == nil else { return }
        throw AgentError(.unreachable, "\(configuration.server) broke off in the middle of its answer")
    }

    private func piece(of download: HTTPDownload) async throws(AgentError) -> [UInt8]? {
        var iterator = download.makeAsyncIterator()
        do {
            return try await iterator.next()
        } catch {
            throw AgentError(error.code == .timedOut ? .silent : .unreachable, error.message)
        }
    }

    // MARK: Its events

    /// - Returns: whether the stream is over.
    private func receive(
        _ event: ServerSentEvent, _ progress: inout Progress, _ authorization: String?
    ) async throws(AgentError) -> Bool {
        let chunk: CompletionChunk
        do {
            guard let read = try CompletionChunk.read(event.data) else { return true }
            chunk = read
        } catch {
            progress.unreadable += 1
            guard progress.unreadable <= AgentLimits.unreadable else {
                throw AgentError(.notUnderstood, "\(configuration.server) does not keep to the protocol")
            }
            await events.send(.unreadable(error.message))
            return false
        }
        if let words = chunk.failure {
            await tell(reason: words, authorization)
            throw AgentError(.refused, "\(configuration.server) failed in the middle of its answer")
        }
        await tell(chunk, &progress)
        return false
    }

    private func tell(_ chunk: CompletionChunk, _ progress: inout Progress) async {
        if !chunk.reasoning.isEmpty { await events.send(.reasoning(AgentText(chunk.reasoning))) }
        if !chunk.text.isEmpty {
            let room = Self.keptBytes - progress.kept.utf8.count
            if room > 0 { progress.kept += AgentText(chunk.text, limit: room).text }
            await events.send(.text(AgentText(chunk.text)))
        }
        for delta in chunk.toolCalls {
            let (id, began) = progress.calls.add(delta)
            if let began { await events.send(.toolCall(AgentToolCall(id: id, title: began, status: "pending"))) }
            if !delta.arguments.isEmpty { await events.send(.toolInput(id: id, AgentText(delta.arguments))) }
        }
        if let usage = chunk.usage { await events.send(.usage(AgentUsage(input: usage.input, output: usage.output))) }
        if let reason = chunk.finishReason { progress.stop = AgentStop(finish: reason) }
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

extension AgentStop {
    fileprivate init(finish reason: String) {
        self =
            switch reason {
            case "stop": .done
            case "length": .tokenLimit
            case "content_filter": .refused
            default: .other(AgentText.name(reason))
            }
    }
}
