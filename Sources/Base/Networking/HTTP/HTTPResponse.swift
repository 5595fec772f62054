/// A response: what a server's handler answers and what a client receives.
package struct HTTPResponse: Sendable, Equatable {
    /// The status code, 100 to 599.
    package var status: Int
    /// The header fields.
    package var headers: HTTPFields
    /// The body; empty if there is none.
    package var body: [UInt8]

    package init(status: Int, headers: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The whole response as HTTP/1.1 puts it on the wire.
    func serialized(closing: Bool, isHead: Bool) -> [UInt8] {
        var head = "HTTP/1.1 \(status) \(reasonPhrase)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        // RFC 9110 section 8.6: neither 1xx nor 204 may carry a length.
        if status >= 200, status != 204 { head += "content-length: \(body.count)\r\n" }
        if closing { head += "connection: close\r\n" }
        head += "\r\n"
        return isHead ? Array(head.utf8) : Array(head.utf8) + body
    }

    private var reasonPhrase: String {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 204: "No Content"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        default: "Status"
        }
    }
}
