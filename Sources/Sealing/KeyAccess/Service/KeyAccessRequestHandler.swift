internal import Cryptography
internal import Networking
internal import Synchronization
internal import Wire

/// Answers the requests. Signatures, key agreements and the audit log take long, so they are done away from the
/// network's thread.
final class KeyAccessRequestHandler: HTTPServerHandler {
    struct State {
        var requests: SourceRateLimiter
        var objects: RateLimiter
        var answered: ReplayCache
        var inFlight = 0
        var port = 0
    }

    let configuration: KeyAccessConfiguration
    let rewrapper: Rewrapper
    /// Milliseconds since 1970.
    let now: @Sendable () -> Int64
    let state: Mutex<State>

    init(_ configuration: KeyAccessConfiguration, now: @escaping @Sendable () -> Int64) {
        self.configuration = configuration
        self.now = now
        rewrapper = Rewrapper(keys: configuration.keys, policy: configuration.policy)
        let limits = configuration.limits
        state = Mutex(
            State(
                requests: SourceRateLimiter(
                    limits.requests, network: limits.requests.times(limits.networkFactor),
                    capacity: limits.trackedSources, now: now()),
                objects: RateLimiter(limits.objectsByCaller, capacity: limits.trackedSources, now: now()),
                answered: ReplayCache(capacity: limits.rememberedRequests)))
    }

    func listens(on port: Int) { state.withLock { $0.port = port } }

    func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {
        let (time, address) = (now(), address(of: request, peer))
        if let wait = state.withLock({ $0.requests.take(ClientAddress(address), now: time) }) {
            return responder.respond(
                .failure(KeyAccessError(.resourceExhausted, "too many requests from this address"), retryAfter: wait))
        }
        do throws(KeyAccessError) {
            try checkOwnName(of: request)
            switch (request.method, request.path) {
            case ("GET", "/healthz"): responder.respond(.json(200, ["ok": true]))
            case ("GET", "/.well-known/opentdf-configuration"): responder.respond(.json(200, description))
            case ("GET", "/kas/v2/kas_public_key"):
                responder.respond(try publicKey(request.queryValue("algorithm") ?? "", .json))
            case ("POST", "/kas.AccessService/PublicKey"):
                let form = try Self.form(of: request)
                responder.respond(try publicKey(form.text(of: .publicKey, request, atMost: 4096), form))
            case ("POST", "/kas.AccessService/Rewrap"), ("POST", "/kas/v2/rewrap"):
                try rewrap(request, try Self.form(of: request), from: address, responder)
            default: throw KeyAccessError(.notFound, "there is nothing at this path for this method")
            }
        } catch {
            responder.respond(.failure(error))
        }
    }

    private func address(of request: HTTPRequest, _ peer: PeerAddress) -> String {
        let forwarded = configuration.trustsForwardedFor ? request.headers.values("x-forwarded-for").last : nil
        return forwarded.flatMap(ClientAddress.forwarded) ?? peer.text
    }

    private static func form(of request: HTTPRequest) throws(KeyAccessError) -> CallForm {
        guard let form = CallForm(request) else {
            throw KeyAccessError(.unimplemented, "the body has to be application/json or application/proto")
        }
        return form
    }

    private func publicKey(_ algorithm: String, _ form: CallForm) throws(KeyAccessError) -> HTTPResponse {
        let key = try configuration.keys.key(algorithm: algorithm)
        guard let pem = try? key.privateKey.publicKey.pem else {
            throw KeyAccessError(.unavailable, "the public key cannot be written")
        }
        var protobuf = ProtobufWriter()
        protobuf.write(pem, 1)
        protobuf.write(key.id, 2)
        return form.response(["publicKey": .string(pem), "kid": .string(key.id)], protobuf.bytes)
    }

    /// Answers a rewrap request on another thread, unless too many are being answered already.
    private func rewrap(
        _ request: HTTPRequest, _ form: CallForm, from address: String, _ responder: HTTPResponder
    ) throws(KeyAccessError) {
        let isAdmitted = state.withLock { state in
            guard state.inFlight < configuration.limits.inFlight else { return false }
            state.inFlight += 1
            return true
        }
        guard isAdmitted else { throw KeyAccessError(.unavailable, "the service is busy; try again in a second") }
        Task { [self] in
            await work(request, form, from: address, responder)
            state.withLock { $0.inFlight -= 1 }
        }
    }

    @concurrent
    private func work(
        _ request: HTTPRequest, _ form: CallForm, from address: String, _ responder: HTTPResponder
    ) async {
        do throws(KeyAccessError) {
            let token = try form.text(of: .rewrap, request, atMost: configuration.limits.bodySize)
            let response = try answer(token, request, from: address)
            responder.respond(form.response(response.json, response.protobuf))
        } catch {
            responder.respond(.failure(error))
        }
    }

    private var description: JSONValue {
        let scheme = configuration.tls == nil ? "http" : "https"
        let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
        let address = configuration.address ?? "\(scheme)://\(host):\(state.withLock { $0.port })"
        return [
            "kas": [
                "uri": .string(address), "algorithms": .array(configuration.keys.algorithms.map { .string($0) }),
                "public_key_url": .string(address + "/kas/v2/kas_public_key"),
                "rewrap_url": .string(address + "/kas/v2/rewrap"),
                "connect_public_key_url": .string(address + "/kas.AccessService/PublicKey"),
                "connect_rewrap_url": .string(address + "/kas.AccessService/Rewrap"),
            ]
        ]
    }
}

/// Checks the name under which a service without authentication is asked.
///
/// A page in this machine's browser may have a name that leads here (DNS rebinding). The browser then takes the page
/// and this service for the same origin, so the page may send requests and read the answers. But the request has the
/// page's name in `Host` and `Origin`.
extension KeyAccessRequestHandler {
    /// Refuses a request under a foreign name, if the service has no authentication.
    func checkOwnName(of request: HTTPRequest) throws(KeyAccessError) {
        guard configuration.policy.admitsAnybody else { return }
        let (hosts, origins) = (request.headers.values("host"), request.headers.values("origin"))
        guard hosts.count == 1, hosts.allSatisfy({ isOwn("http://" + $0) }), origins.allSatisfy(isOwn) else {
            throw KeyAccessError(
                .permissionDenied,
                "this service answers programs on its own machine, under 127.0.0.1, ::1 or localhost, and no pages")
        }
    }

    private func isOwn(_ text: String) -> Bool {
        guard !text.contains("@"), let url = try? ServerURL(text), url.path.isEmpty else { return false }
        let known = configuration.address.flatMap { try? ServerURL($0) }
        return LocalAddress(url.host)?.kind == .loopback || url.host.lowercased() == known?.host.lowercased()
    }
}
