internal import Networking

/// Admits only the browser that was sent here, and in it only this window and the app inside of it.
///
/// Any page in a browser can have it connect to a loopback address. So both the window and the app have an unguessable name of their
/// own below `localhost`, which makes their origins, cookies and storages their own. The window, whose name shows in lists of
/// processes, also has a key, which the browser gets as a cookie in exchange for a ticket. The app's name is told to that window alone:
/// browsers keep cookies from a frame of another site, so its name is the app's key.
struct RequestAuthorizer: Sendable {
    static let entrancePath = "/w3n-enter"
    static let socketPath = "/w3n-ipc"
    static let cookieName = "w3n"

    /// `host:port` of the window.
    let windowHost: String
    /// `host:port` of the app in the window.
    let appHost: String
    private let key = Secret()

    init(port: Int) {
        windowHost = "\(Secret().text).localhost:\(port)"
        appHost = "\(Secret().text).localhost:\(port)"
    }

    var windowOrigin: String { "http://" + windowHost }
    var appOrigin: String { "http://" + appHost }

    /// What gives a browser its key.
    var cookie: String { "\(Self.cookieName)=\(key.text); Path=/; HttpOnly; SameSite=Strict" }

    /// Whom a request is meant for. A name that another's DNS binds to this address is neither.
    enum Site: Hashable { case window, app }

    func site(of request: HTTPRequest) -> Site? {
        switch request.headers.values("host") {
        case [windowHost]: .window
        case [appHost]: .app
        default: nil
        }
    }

    /// Whether the window asks for a part of itself, with its key.
    func admitsWindow(_ request: HTTPRequest) -> Bool {
        site(of: request) == .window && comesFrom(windowOrigin, request, orNobody: true) && hasKey(request)
    }

    /// Whether a script of the window has something done, with its key: a script always says its origin.
    func admitsCommand(_ request: HTTPRequest) -> Bool {
        site(of: request) == .window && request.headers.values("origin") == [windowOrigin]
            && comesFrom(windowOrigin, request, orNobody: false) && hasKey(request)
    }

    private func hasKey(_ request: HTTPRequest) -> Bool {
        request.headers.values("cookie").contains { field in
            field.split(separator: ";").contains { pair in
                let parts = pair.split(separator: "=", maxSplits: 1)
                return parts.count == 2 && parts[0].drop { $0 == " " } == Self.cookieName && key.matches(parts[1])
            }
        }
    }

    /// Whether the app asks for a file of its own, or a frame for a page of it. A page in a window without our frame could go to
    /// other sites, and tell them what it knows.
    func admitsApp(_ request: HTTPRequest) -> Bool {
        guard site(of: request) == .app else { return false }
        let (sites, kinds) = (request.headers.values("sec-fetch-site"), request.headers.values("sec-fetch-dest"))
        if kinds.contains("document") { return false }
        if kinds == ["iframe"], sites == ["cross-site"] || sites == ["same-site"] {
            return request.headers.values("origin").isEmpty
        }
        return comesFrom(appOrigin, request, orNobody: false)
    }

    /// A web socket is only for scripts of the app, which always say their origin.
    func admitsSocket(_ request: HTTPRequest) -> Bool {
        site(of: request) == .app && request.headers.values("origin") == [appOrigin]
            && comesFrom(appOrigin, request, orNobody: false)
    }

    /// - Parameter orNobody: whether a person may ask for it, too, with the browser's address line or its button to load again.
    private func comesFrom(_ origin: String, _ request: HTTPRequest, orNobody: Bool) -> Bool {
        request.headers.values("origin").allSatisfy { $0 == origin }
            && request.headers.values("sec-fetch-site").allSatisfy { $0 == "same-origin" || orNobody && $0 == "none" }
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
