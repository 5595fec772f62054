internal import Networking
internal import Wire

/// A request of the REST interface, parsed and checked, but not decided yet.
enum RESTCall: Equatable, Sendable {
    case create(code: String, device: String, seconds: Int, wantsTicket: Bool)
    case accept(code: String, device: String, wantsTicket: Bool)
    case check(code: String, Proof)
    case show(room: String, Proof)
    case delete(room: String, Proof)
    case purge(devices: [String], tickets: [String])

    /// Whether this call may be a guess at a code: it accepts, requests or claims one.
    var namesGuessableCode: Bool {
        switch self {
        case .create(let code, _, _, _), .accept(let code, _, _), .check(let code, _): JoinID.isGuessable(code)
        default: false
        }
    }

    /// Whether the call counts as a guess before it is decided. Tickets cannot be guessed, so a claim with one counts
    /// only once it is known to be wrong.
    var isGuess: Bool {
        if case .check(_, let proof) = self, proof.hasTicket { return false }
        return namesGuessableCode
    }

    /// The answer if the store fails.
    var failureCode: String {
        switch self {
        case .create: "create_failed"
        case .accept: "accept_failed"
        case .check: "check_failed"
        case .show: "get_failed"
        case .delete: "delete_failed"
        case .purge: "purge_failed"
        }
    }
}

/// The operation that path and method of a request name.
enum Route: String, Sendable {
    case create, accept, check, show, delete, purge
    case greeting, alive, ready, health, metrics, options, retired, unknown

    init(method: String, path: String) {
        // Under one spelling only, because proxies keep this path from the public by its name.
        if method == "GET", path == "/metrics" {
            self = .metrics
            return
        }
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        switch (method, path) {
        case ("OPTIONS", _): self = .options
        case ("POST", "/api/rooms"): self = .create
        case ("GET", "/api/rooms"): self = .show
        case ("DELETE", "/api/rooms"): self = .delete
        case ("POST", "/api/rooms/accept"): self = .accept
        case ("POST", "/api/rooms/check"): self = .check
        case ("POST", "/api/user/purge"): self = .purge
        case ("GET", "/"), ("HEAD", "/"): self = .greeting
        case ("GET", "/health"), ("HEAD", "/health"): self = .alive
        case ("GET", "/ready"), ("HEAD", "/ready"): self = .ready
        case ("GET", "/healthz"), ("HEAD", "/healthz"): self = .health
        default: self = Self.isRetired(method, path) ? .retired : .unknown
        }
    }

    /// `POST /api/rooms/:id/accept` and `GET /api/rooms/:id`, from before the paths above.
    private static func isRetired(_ method: String, _ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard parts.prefix(2) == ["api", "rooms"], parts.allSatisfy({ !$0.isEmpty }) else { return false }
        return method == "GET" && parts.count == 3 || method == "POST" && parts.count == 4 && parts.last == "accept"
    }
}

extension RESTCall {
    /// Reads the request of a route. Nil for routes that need no store.
    init?(_ route: Route, _ request: HTTPRequest) throws(RESTError) {
        switch route {
        case .create: self = try Self.create(RESTFields(request))
        case .accept: self = try Self.accept(RESTFields(request))
        case .check: self = try Self.check(RESTFields(request))
        case .show:
            let (room, proof) = try RESTFields(request).roomAndProof()
            self = .show(room: room, proof)
        case .delete:
            let (room, proof) = try RESTFields(request).roomAndProof()
            self = .delete(room: room, proof)
        case .purge: self = try RESTFields(request).purge()
        case .greeting, .alive, .ready, .health, .metrics, .options, .retired, .unknown: return nil
        }
    }

    private static func create(_ fields: RESTFields) throws(RESTError) -> RESTCall {
        try fields.require("joinid", "client1", "expiresInSeconds")
        return .create(
            code: try fields.joinID(),
            device: try fields.device("client1"),
            seconds: try fields.expiry(),
            wantsTicket: fields["ticket"] == true
        )
    }

    private static func accept(_ fields: RESTFields) throws(RESTError) -> RESTCall {
        try fields.require("joinid", "client2")
        let device = try fields.device("client2")
        return .accept(code: try fields.joinID(), device: device, wantsTicket: fields["ticket"] == true)
    }

    private static func check(_ fields: RESTFields) throws(RESTError) -> RESTCall {
        try fields.require("joinid", "client1")
        let device = try fields.device("client1")
        return .check(code: try fields.joinID(), Proof(device: device, ticket: fields["ticket"]?.string))
    }
}
