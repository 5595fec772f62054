/// A response: what a server's handler answers and what a client receives.
package struct HTTPResponse: Sendable, Equatable {
    /// The status code, 100 to 599.
    package var status: Int
    /// The header fields.
    package var headers: HTTPFields
    /// The whole body; empty if there is none, or if ``content`` makes it.
    package var body: [UInt8] = []
    /// Makes the body piece by piece, on a server. Nil if ``body`` is all of it.
    package var content: HTTPContent?

    package init(status: Int, headers: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package init(status: Int, headers: HTTPFields = [:], content: HTTPContent) {
        self.status = status
        self.headers = headers
        self.content = content
    }

    /// Whether a body may follow: not in interim responses, and not in 204 and 304 (RFC 9110 section 6.4.1).
    var mayHaveBody: Bool { status >= 200 && status != 204 && status != 304 }

    /// The response as HTTP/1.1 puts it on the wire; without the body if that is made piece by piece.
    /// - Parameter isChunked: whether the pieces go into chunks, because their sum is not known.
    func serialized(closing: Bool, isHead: Bool, isChunked: Bool = false) -> [UInt8] {
        var head = "HTTP/1.1 \(status) \(reasonPhrase)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        // RFC 9110 section 8.6: neither 1xx nor 204 may carry a length, and that of a 304 would be of another body.
        if mayHaveBody {
            if let length = content.map({ $0.count }) ?? body.count { head += "content-length: \(length)\r\n" }
            if isChunked { head += "transfer-encoding: chunked\r\n" }
        }
        if closing { head += "connection: close\r\n" }
        head += "\r\n"
        return isHead || !mayHaveBody ? Array(head.utf8) : Array(head.utf8) + body
    }

    private var reasonPhrase: String {
        switch status {
        case 100: "Continue"
        case 200: "OK"
        case 201: "Created"
        case 204: "No Content"
        case 206: "Partial Content"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 417: "Expectation Failed"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 507: "Insufficient Storage"
        default: "Status"
        }
    }
}
