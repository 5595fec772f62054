package import Components
internal import Networking
internal import Wire

extension HTTPAccess {
    /// The port `http_request`.
    package var function: NativeFunction {
        .promise { [self] bytes async throws(NativeError) in
            guard let arguments = try? RequestOpProto.RequestArgs(decoding: bytes) else {
                throw .text("the arguments cannot be read")
            }
            do throws(HTTPAccessError) {
                let response = try await answer(to: Request(arguments), retries: arguments.timeoutRetries ?? 0)
                return RequestOpProto.Reply(response, wanted: arguments.responseHeaders).encoded
            } catch {
                throw .exception(error.exception)
            }
        }
    }

    /// Asks again when no answer came in time. What is asked for again must be harmless to repeat.
    private func answer(to request: Request, retries: Int32) async throws(HTTPAccessError) -> Response {
        var left = request.method == "POST" ? 0 : min(max(0, retries), 5)
        while true {
            do throws(HTTPAccessError) {
                return try await self.request(request)
            } catch {
                guard error.code == .timedOut, left > 0 else { throw error }
                left -= 1
            }
        }
    }
}

extension HTTPAccess.Request {
    /// Body and content type go only with POST and PUT; the body of other methods is there but empty.
    fileprivate init(_ arguments: RequestOpProto.RequestArgs) {
        let sendsBody = ["POST", "PUT"].contains(arguments.method)
        var headers = HTTPFields()
        for header in arguments.requestHeaders { headers.append(header.name, header.value) }
        if let session = arguments.sessionId { headers["X-Session-Id"] = session }
        if sendsBody, let type = arguments.contentType { headers["Content-Type"] = type }
        self.init(
            arguments.method, arguments.url, headers: headers, body: sendsBody ? arguments.body : nil,
            timeout: arguments.timeout.flatMap { $0 > 0 ? .milliseconds(Int64($0)) : nil })
    }
}

extension RequestOpProto.Reply {
    /// With the fields that were asked for, in the spelling of who asked.
    fileprivate init(_ response: HTTPAccess.Response, wanted: [String]) {
        let headers = wanted.compactMap { name in
            response.headers[name].map { RequestOpProto.Header(name: name, value: $0) }
        }
        self.init(status: Int32(response.status), responseHeaders: headers, body: response.body)
    }
}
