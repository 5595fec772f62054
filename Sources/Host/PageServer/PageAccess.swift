import Cryptography
import Foundation
import Networking
import Storage
import Synchronization

/// Who may see the page: a browser that was let in once by a ticket, and in it only the page itself.
///
/// Every user of this computer can connect to a loopback address, and every page in a browser can have it connect. So nothing is
/// given without a key, which a browser gets as a cookie for a ticket; a socket or an upload has to come from the page's own origin;
/// and the page has an unguessable name below `localhost`, because browsers send the cookies of 127.0.0.1 to every port of it, also
/// to a server of another user.
final class PageAccess: Sendable {
    /// A ticket is used up within a second. One that was not taken soon never will be.
    static let ticketLife: Duration = .seconds(60)
    /// Tickets that wait at the same time; the oldest goes for a further one.
    static let ticketLimit = 8
    /// Browsers that were let in; the one that was let in first goes for a further one.
    static let browserLimit = 16
    /// How long a browser stays let in, in seconds.
    static let browserLife: Int64 = 30 * 86_400

    static let entrance = "/enter"
    static let socket = "/socket"

    /// A browser that was let in, by the SHA-256 of its key: who reads the file cannot become it.
    struct Browser: Codable {
        var key: String
        var since: Int64
    }

    private struct State {
        var tickets: [(digest: String, end: ContinuousClock.Instant)] = []
        var browsers: [Browser]
    }

    let port: Int
    /// `name.localhost:port`.
    let host: String
    let proof: PageProof
    private let state: Mutex<State>
    private let remember: @Sendable ([Browser]) -> Void

    /// - Parameters:
    ///   - proof: by which open pages know this host again.
    ///   - name: of this page, see ``freshName()``.
    ///   - remember: keeps who was let in, for the next process.
    init(
        proof: PageProof, name: String, port: Int, browsers: [Browser],
        remember: @escaping @Sendable ([Browser]) -> Void
    ) {
        self.proof = proof
        self.port = port
        host = "\(name).localhost:\(port)"
        self.remember = remember
        let now = Int64(Date().timeIntervalSince1970)
        state = Mutex(State(browsers: browsers.filter { now - $0.since < Self.browserLife }.suffix(Self.browserLimit)))
    }

    /// The address that lets one browser in, once.
    func address() -> String {
        let ticket = Self.secret()
        state.withLock { state in
            state.tickets.removeAll { $0.end <= .now }
            if state.tickets.count == Self.ticketLimit { state.tickets.removeFirst() }
            state.tickets.append((Self.digest(ticket), .now + Self.ticketLife))
        }
        return "http://\(host)\(Self.entrance)?ticket=\(ticket)"
    }

    /// Takes a ticket.
    /// - Returns: the cookie for it; `nil` if it is none, or none any more.
    func enter(_ ticket: String) -> String? {
        let (digest, key) = (Self.digest(ticket), Self.secret())
        let browsers: [Browser]? = state.withLock { state in
            state.tickets.removeAll { $0.end <= .now }
            guard let index = state.tickets.firstIndex(where: { $0.digest == digest }) else { return nil }
            state.tickets.remove(at: index)
            state.browsers.append(Browser(key: Self.digest(key), since: Int64(Date().timeIntervalSince1970)))
            if state.browsers.count > Self.browserLimit { state.browsers.removeFirst() }
            return state.browsers
        }
        guard let browsers else { return nil }
        remember(browsers)
        return "\(cookieName)=\(key); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(Self.browserLife)"
    }

    /// Cookies know no ports, so the name says it.
    private var cookieName: String { "alcove-\(port)" }

    /// Whether a request was meant for this page: a name that another's DNS binds to this address is not.
    func isOurs(_ request: HTTPRequest) -> Bool { request.headers.values("host").map { $0.lowercased() } == [host] }

    /// Whether a script of the page itself makes a request. Scripts say their origin where something changes.
    func isSameOrigin(_ request: HTTPRequest) -> Bool {
        request.headers.values("origin") == ["http://" + host]
            && request.headers.values("sec-fetch-site").allSatisfy { $0 == "same-origin" }
    }

    /// Whether no other site says that it asks. Browsers say no origin where something is only read, or an address is typed.
    func hasNoOtherOrigin(_ request: HTTPRequest) -> Bool {
        request.headers.values("origin").allSatisfy { $0 == "http://" + host }
    }

    /// Whether no other page asks, as far as the browser says.
    func isFromPage(_ request: HTTPRequest) -> Bool {
        hasNoOtherOrigin(request)
            && request.headers.values("sec-fetch-site").allSatisfy { $0 == "same-origin" }
    }

    /// Whether a browser was let in.
    func admits(_ request: HTTPRequest) -> Bool {
        let keys = request.headers.values("cookie").flatMap { $0.split(separator: ";") }.compactMap { pair -> String? in
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == cookieName else { return nil }
            return Self.digest(String(parts[1]))
        }
        // Digests are compared, so the time that this takes says nothing of a key.
        let now = Int64(Date().timeIntervalSince1970)
        return state.withLock { state in
            state.browsers.contains { keys.contains($0.key) && now - $0.since < Self.browserLife }
        }
    }

    private static func digest(_ text: String) -> String { hexadecimal(HashFunction.sha256.digest(Array(text.utf8))) }

    /// 64 random bits.
    static func freshName() -> String { String(secret().prefix(16)) }

    /// 256 random bits, in hexadecimal digits.
    static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return hexadecimal((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
