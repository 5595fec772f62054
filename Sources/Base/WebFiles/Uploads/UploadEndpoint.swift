package import Networking

/// Resumable uploads over HTTP (draft-ietf-httpbis-resumable-upload): `POST` begins one, `HEAD` asks how far it is, `PATCH`
/// appends, `DELETE` gives it up.
///
/// ```swift
/// func plan(for request: HTTPRequest, from peer: PeerAddress) -> RequestPlan { uploads.plan(for: request) ?? .whole }
/// ```
///
/// It does not ask who the client is: a handler does that before it asks for the plan. The interim response 104 is not sent,
/// because scripts in pages do not see it. A client that wants to resume begins with an empty `POST`, and its answer names the
/// upload. A `POST` without `Upload-Complete` is an upload that cannot be resumed.
package struct UploadEndpoint: Sendable {
    private let store: UploadStore
    private let path: String
    private let finished: @Sendable (FinishedUpload) async -> HTTPResponse

    /// The media type of what `PATCH` sends.
    package static let patchType = "application/partial-upload"
    private static let methods = "OPTIONS, POST, HEAD, PATCH, DELETE"

    /// - Parameters:
    ///   - path: where uploads begin, without a slash at its end; each upload is one step below.
    ///   - finished: takes an upload over and makes the answer to the request that completed it. With an error (RFC 9110 section 15.5 and
    ///     15.6) it refuses the upload, which stays.
    package init(
        _ store: UploadStore, path: String, finished: @escaping @Sendable (FinishedUpload) async -> HTTPResponse
    ) {
        (self.store, self.path, self.finished) = (store, path, finished)
    }

    /// What to do with a request; nil if its path is not one of uploads.
    /// - Parameter about: what a `POST` writes down for who takes the upload over: a name, a media type.
    package func plan(for request: HTTPRequest, about: String = "") -> RequestPlan? {
        let id = request.path.hasPrefix(path + "/") ? String(request.path.dropFirst(path.count + 1)) : nil
        guard id != nil || request.path == path else { return nil }
        let fields = UploadFields(request.headers)
        // The store has limits of its own, and says which.
        return .stream(limit: .max) { content in
            do throws(UploadError) {
                switch (request.method, id) {
                case ("OPTIONS", _): return HTTPResponse(status: 204, headers: capabilities)
                case ("POST", nil): return try await create(fields, about, content)
                case ("HEAD", let id?): return try await status(of: id)
                case ("PATCH", let id?): return try await append(to: id, fields, content)
                case ("DELETE", let id?):
                    try await store.remove(id)
                    return HTTPResponse(status: 204)
                default: return HTTPResponse(status: 405, headers: ["allow": Self.methods])
                }
            } catch {
                return response(to: error, fields)
            }
        }
    }

    private var capabilities: HTTPFields {
        ["allow": Self.methods, "accept-patch": Self.patchType, "upload-limit": limit]
    }

    /// What the client has to know of the limits (section 4.1.4 of the draft).
    private var limit: String { "max-size=\(store.limits.size), max-age=\(Int(store.limits.age / .seconds(1)))" }

    private func create(
        _ fields: UploadFields, _ about: String, _ content: IncomingContent
    ) async throws(UploadError) -> HTTPResponse {
        let completes = fields.isComplete ?? true
        // Refused before anything is made, and before the client sends the body.
        guard max(fields.length ?? 0, fields.count ?? 0) <= store.limits.size else { throw .tooLarge }
        let id = try await store.create(length: fields.length, about: about)
        do throws(UploadError) {
            let (status, response) = try await write(to: id, 0, completes, fields, content)
            if let response { return response }
            var headers: HTTPFields = ["location": "\(path)/\(id)", "upload-limit": limit]
            headers.append("upload-complete", "?0")
            headers.append("upload-offset", "\(status.offset)")
            return HTTPResponse(status: 201, headers: headers)
        } catch {
            if case .full(_?) = error, fields.isComplete != nil {
                var answer = response(to: error, fields)
                answer.headers["location"] = "\(path)/\(id)"
                return answer
            }
            // Nobody knows its name.
            try? await store.remove(id)
            throw error
        }
    }

    private func status(of id: String) async throws(UploadError) -> HTTPResponse {
        let status = try await store.status(of: id)
        var headers: HTTPFields = [
            "upload-offset": "\(status.offset)", "upload-complete": status.isComplete ? "?1" : "?0",
            "upload-limit": limit, "cache-control": "no-store",
        ]
        if let length = status.length { headers["upload-length"] = "\(length)" }
        return HTTPResponse(status: 204, headers: headers)
    }

    private func append(
        to id: String, _ fields: UploadFields, _ content: IncomingContent
    ) async throws(UploadError) -> HTTPResponse {
        guard fields.isPartial else { return HTTPResponse(status: 415, headers: capabilities) }
        guard let offset = fields.offset, let completes = fields.isComplete else { return HTTPResponse(status: 400) }
        let (status, response) = try await write(to: id, offset, completes, fields, content)
        if let response { return response }
        return HTTPResponse(
            status: 204, headers: ["upload-complete": "?0", "upload-offset": "\(status.offset)", "upload-limit": limit])
    }

    /// - Returns: how far the upload is, and what its owner answers if it is complete.
    private func write(
        to id: String, _ offset: Int, _ completes: Bool, _ fields: UploadFields, _ content: IncomingContent
    ) async throws(UploadError) -> (UploadStatus, HTTPResponse?) {
        let writer = try store.claim(id, for: content)
        defer { writer.release() }
        try await writer.begin(
            .init(offset: offset, length: fields.length, count: fields.count, completes: completes))
        let status = try await writer.append(content)
        guard completes else { return (status, nil) }
        var (response, isTaken) = try await writer.complete(status) { upload in
            let response = await finished(upload)
            return (response, response.status < 400)
        }
        response.headers["upload-complete"] = isTaken ? "?1" : "?0"
        response.headers["upload-offset"] = "\(status.offset)"
        return (status, response)
    }

    private func response(to error: UploadError, _ fields: UploadFields) -> HTTPResponse {
        switch error {
        case .missing: HTTPResponse(status: 404)
        case .busy: HTTPResponse(status: 409, headers: ["retry-after": "1"])
        case .wrongOffset(let expected):
            problem(
                409, "mismatching-upload-offset", "the upload has \(expected) bytes",
                #","expected-offset":\#(expected),"provided-offset":\#(fields.offset ?? 0)"#,
                ["upload-offset": "\(expected)", "upload-complete": "?0"])
        case .inconsistentLength: problem(400, "inconsistent-upload-length", "the length is not the one that was said")
        case .completed: problem(410, "completed-upload", "all bytes have come before")
        case .tooLarge: HTTPResponse(status: 413, headers: ["upload-limit": limit])
        case .tooMany: HTTPResponse(status: 429, headers: ["retry-after": "60"])
        case .full(let offset?):
            HTTPResponse(status: 507, headers: ["upload-offset": "\(offset)", "upload-complete": "?0"])
        case .full(nil): HTTPResponse(status: 507)
        // A client that is still there gave the request up from another connection.
        case .interrupted: HTTPResponse(status: 409, headers: ["retry-after": "1"])
        case .failed: HTTPResponse(status: 500)
        }
    }

    /// RFC 9457.
    private func problem(
        _ status: Int, _ type: String, _ title: String, _ more: String = "", _ headers: HTTPFields = [:]
    ) -> HTTPResponse {
        var headers = headers
        headers["content-type"] = "application/problem+json"
        let type = "https://iana.org/assignments/http-problem-types#\(type)"
        return HTTPResponse(
            status: status, headers: headers, body: Array(#"{"type":"\#(type)","title":"\#(title)"\#(more)}"#.utf8))
    }
}
