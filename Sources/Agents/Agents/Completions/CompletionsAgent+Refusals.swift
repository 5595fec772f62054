internal import AgentProtocols
internal import Errors
internal import Foundation
internal import Networking
internal import Wire

extension CompletionsAgent {
    /// Bytes that are read of what a server says of an error.
    private static let refusalBytes = 64 << 10
    private static let refusalPatience = Duration.seconds(5)
    /// Bytes that are told of it if it is no object: a text may be about anything.
    private static let refusalTextBytes = 512

    /// What a server says that refuses, as much as comes in time.
    func refusal(of download: HTTPDownload) async -> [UInt8] {
        var body: [UInt8] = []
        // The status says the most, and does not wait for what may never end.
        let deadline = Task {
            try await Task.sleep(for: Self.refusalPatience)
            download.cancel()
        }
        defer { deadline.cancel() }
        let (end, isWhole) = (ContinuousClock.now + Self.refusalPatience, await read(download, into: &body))
        download.cancel()
        // A text that was cut may end with half of a key, which nobody recognises.
        let isCut = !isWhole || ContinuousClock.now >= end
        return isCut && (try? BoundedJSON.object(body)) == nil ? [] : body
    }

    /// - Returns: whether that is all that the server says.
    private func read(_ download: HTTPDownload, into body: inout [UInt8]) async -> Bool {
        do throws(AgentError) {
            while body.count <= Self.refusalBytes {
                guard let more = try await piece(of: download) else { return true }
                body += more
            }
        } catch {
            // What came until then counts.
        }
        return false
    }

    /// Tells why the server refuses.
    /// - Returns: what it means.
    func failure(
        of download: HTTPDownload, saying body: [UInt8], _ request: CompletionRequest, _ authorization: String?
    ) async -> AgentError {
        await tellReason(in: body, type: download.type, authorization)
        let hasPictures = request.messages.contains { !$0.pictures.isEmpty }
        return hasPictures ? pictureFailure(status: download.status) : failure(status: download.status)
    }

    /// Tells the server's words for what went wrong, if it has some that a person can read.
    func tellReason(in body: [UInt8], type: String, _ authorization: String?) async {
        if let words = (try? BoundedJSON.object(body)).flatMap({ CompletionRefusal.words(in: $0) }) {
            await tell(reason: words, authorization)
        } else if let words = CompletionRefusal.text(of: body, type: type) {
            await tell(reason: words, limit: Self.refusalTextBytes, authorization)
        }
    }

    /// Its words say what a person can do, and may hold anything: they are shown as what they are, and stay out of errors. Some servers repeat the key.
    func tell(reason words: String, limit: Int = AgentLimits.remarkBytes, _ authorization: String?) async {
        let key = authorization.map { String($0.dropFirst("Bearer ".count)) }
        let forms = [key, key?.addingPercentEncoding(withAllowedCharacters: .alphanumerics)].compactMap(\.self)
        // What is cut off counts, too: it may leave half of a key.
        guard !words.isEmpty, !forms.contains(where: words.contains) else { return }
        await events.send(.remark(AgentText(words, limit: limit)))
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
}
