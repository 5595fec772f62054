internal import Networking

/// One request on the way through redirects.
struct HTTPStep {
    let url: WebURL
    let request: HTTPRequest

    private static let methods: Set = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    /// What this side sets itself, and what would confuse where a message ends (RFC 9110 section 7.6.1).
    private static let ownFields: Set = [
        "host", "connection", "content-length", "transfer-encoding", "upgrade", "keep-alive", "te", "trailer", "expect",
        "proxy-authorization", "proxy-connection",
    ]
    /// What only the server that it was meant for may learn.
    private static let secretFields: Set = ["authorization", "cookie", "x-session-id"]

    private init(url: WebURL, request: HTTPRequest) { (self.url, self.request) = (url, request) }

    init(_ request: HTTPAccess.Request) throws(HTTPAccessError) {
        let method = request.method.uppercased()
        func refusal(_ reason: String) -> HTTPAccessError {
            HTTPAccessError(
                code: .invalidRequest, url: String(request.url.prefix(200)), method: String(method.prefix(20)),
                message: reason)
        }
        guard Self.methods.contains(method) else { throw refusal("there is no method \(method.prefix(20))") }
        guard let url = try? WebURL(request.url) else { throw refusal("this is no URL of the web") }
        guard url.scheme == "http" || url.scheme == "https" else { throw refusal("requests go over http or https") }
        var fields = HTTPFields()
        for (name, value) in request.headers {
            guard Self.isName(name), !value.utf8.contains(where: { $0 < 32 && $0 != 9 || $0 == 127 }) else {
                throw refusal("the field \(name.prefix(50)) is malformed")
            }
            if !Self.ownFields.contains(name) { fields.append(name, value) }
        }
        if fields["user-agent"] == nil { fields.append("user-agent", "Alcove") }
        if fields["accept"] == nil { fields.append("accept", "*/*") }
        var sent = HTTPRequest(method: method, path: "", headers: fields, body: request.body ?? [])
        sent.verbatimTarget = url.target
        self.init(url: url, request: sent)
    }

    /// A token of RFC 9110 section 5.6.2.
    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 200
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 48...57, 65...90, 97...122: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    /// The next request if this answer is a redirect.
    func following(_ response: HTTPResponse) throws(HTTPAccessError) -> HTTPStep? {
        guard [301, 302, 303, 307, 308].contains(response.status), let location = response.headers["location"] else {
            return nil
        }
        let target = try? url.resolving(location)
        guard let next = target, next.scheme == "https" || next.scheme == url.scheme else {
            throw HTTPAccessError(
                code: .notAllowed, url: target?.description ?? String(location.prefix(200)), method: request.method,
                message: "a redirect leads to what is no URL of the web, or to one that is not protected")
        }
        var fields = HTTPFields()
        let losesBody =
            response.status == 303 ? request.method != "HEAD" : response.status < 303 && request.method == "POST"
        for (name, value) in request.headers {
            if Self.secretFields.contains(name), !next.isSameOrigin(as: url) { continue }
            if losesBody, name.hasPrefix("content-") { continue }
            fields.append(name, value)
        }
        var sent = HTTPRequest(
            method: losesBody ? "GET" : request.method, path: "", headers: fields, body: losesBody ? [] : request.body)
        sent.verbatimTarget = next.target
        return HTTPStep(url: next, request: sent)
    }

    func error(_ code: HTTPAccessError.Code, _ message: String) -> HTTPAccessError {
        HTTPAccessError(code: code, url: url.description, method: request.method, message: message)
    }
}
