internal import Networking

/// Admits only the browser that was sent here, and in it only the pages of this site.
///
/// Any user of this computer can connect to a loopback address, and any page in the browser can have it connect. So the site has
/// an unguessable name below `localhost`, which makes its origin, its cookies and its storage its own, and a key, which the
/// browser gets as a cookie in exchange for a ticket.
struct RequestAuthorizer: Sendable {
    static let entrancePath = "/w3n-enter"
    static let socketPath = "/w3n-ipc"
    static let cookieName = "w3n"

    /// `host:port`.
    let host: String
    private let key = Secret()

    init(port: Int) { host = "\(Secret().text).localhost:\(port)" }

    var origin: String { "http://" + host }

    /// What gives a browser its key.
    var cookie: String { "\(Self.cookieName)=\(key.text); Path=/; HttpOnly; SameSite=Strict" }

    /// Whether a request comes from a page of this site that has the key. A web socket is only for scripts, which always say their
    /// origin.
    func admits(_ request: HTTPRequest, asSocket: Bool = false) -> Bool {
        guard isOurs(request), asSocket == false || request.headers["origin"] != nil else { return false }
        return request.headers.values("cookie").contains { field in
            field.split(separator: ";").contains { pair in
                let parts = pair.split(separator: "=", maxSplits: 1)
                return parts.count == 2 && parts[0].drop { $0 == " " } == Self.cookieName && key.matches(parts[1])
            }
        }
    }

    /// Whether a request was meant for this site, which a name that was bound to this address by another's DNS is not, and was not
    /// made by another site's page.
    func isOurs(_ request: HTTPRequest) -> Bool {
        request.headers.values("host") == [host]
            && request.headers.values("origin").allSatisfy { $0 == origin }
            && request.headers.values("sec-fetch-site").allSatisfy { $0 == "same-origin" || $0 == "none" }
    }
}

/// 128 random bits as text, for names and keys that cannot be guessed.
struct Secret: Sendable, Hashable {
    let text: String

    init() {
        // On all platforms the system's generator is fit for keys.
        var generator = SystemRandomNumberGenerator()
        text = (0..<16).map { _ in
            let byte = UInt8.random(in: 0...255, using: &generator)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// Takes the same time wherever the difference is.
    func matches(_ other: some StringProtocol) -> Bool {
        text.utf8.count == other.utf8.count && zip(text.utf8, other.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
