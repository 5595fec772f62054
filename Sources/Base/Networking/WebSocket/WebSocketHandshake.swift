internal import COpenSSL

/// The upgrade from HTTP (RFC 6455 section 4).
enum WebSocketHandshake {
    /// A client's key: 16 random bytes.
    static func key() -> String {
        base64((0..<16).map { _ in UInt8.random(in: 0...255) })
    }

    /// The answer that proves that the server understood the key.
    static func acceptance(of key: String) -> String {
        let input = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
        var digest = [UInt8](repeating: 0, count: 20)
        SHA1(input, input.count, &digest)
        return base64(digest)
    }

    /// What a server answers to a request that asks for a WebSocket; nil if the request does not ask for one.
    static func response(to request: HTTPRequest, head: HTTPHead) -> HTTPResponse? {
        guard head.has("websocket", in: "upgrade"), head.has("upgrade", in: "connection") else { return nil }
        guard request.method == "GET", head.isVersion11, let key = request.headers["sec-websocket-key"],
            key.utf8.count == 24
        else { return HTTPResponse(status: 400) }
        guard request.headers["sec-websocket-version"] == "13" else {
            return HTTPResponse(status: 426, headers: ["sec-websocket-version": "13"])
        }
        return HTTPResponse(
            status: 101,
            headers: ["upgrade": "websocket", "connection": "Upgrade", "sec-websocket-accept": acceptance(of: key)]
        )
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
        let length = EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
        return String(decoding: text[..<Int(length)], as: UTF8.self)
    }
}
