internal import Networking
internal import Synchronization
internal import Wire

/// The REST interface.
extension RequestHandler {
    func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {
        let route = Route(method: request.method, path: request.path)
        let answer = { @Sendable [self] (response: HTTPResponse) in
            state.withLock { $0.metrics.request(route, status: response.status) }
            log.log("request", ["route": .string(route.rawValue), "status": .number(String(response.status))])
            responder.respond(Self.openToAll(response))
        }
        do throws(RESTError) {
            let source = source(of: request, peer)
            // A browser's CORS preflight. It is not limited, because a refusal would hide the real answer from the
            // page.
            if route == .options { return answer(Self.fixedAnswer(route)) }
            try pass { $0.request(from: source, now: environment.now()) }
            switch route {
            case .alive: return answer(.json(200, ["ok": true]))
            case .ready where !mayGetLoad:
                return answer(.json(503, ["ok": false]))
            case .ready, .health: return health(answer)
            case .metrics where configuration.servesMetrics: return answer(.plain(200, metricsText()))
            default: break
            }
            if let call = try RESTCall(route, request) { return try decide(call, source, answer) }
            answer(Self.fixedAnswer(route))
        } catch {
            answer(error.response)
        }
    }

    private func pass(_ check: (inout RequestLimiter) -> RESTError?) throws(RESTError) {
        let refusal = state.withLock { state in
            let refusal = check(&state.gate)
            if let refusal { state.metrics.reject(refusal.code) }
            return refusal
        }
        if let refusal { throw refusal }
    }

    private func decide(
        _ call: RESTCall,
        _ source: ClientAddress,
        _ answer: @escaping @Sendable (HTTPResponse) -> Void
    ) throws(RESTError) {
        let now = environment.now()
        let (attempt, held) = try admit(call, source, now)
        let charge = SharedCharge(call, from: source, held: held, configuration.limits)
        let context = DecisionContext(
            mint: mint,
            limits: configuration.limits,
            now: now,
            newRoom: environment.roomID(),
            nonce: environment.random(16)
        )
        let isAsked = decide(call, source, charge, context) { [self] decision in
            let refusal = state.withLock { state in
                let refusal = state.gate.decided(call, decision, attempt, from: source, now: now)
                if let code = refusal?.code ?? decision?.rejection { state.metrics.reject(code) }
                return refusal
            }
            answer(refusal?.response ?? decision?.response ?? failure(call))
            if let news = decision?.news { tell(news) }
        }
        guard isAsked else {
            _ = state.withLock { $0.gate.decided(call, nil, attempt, from: source, now: now) }
            throw RESTError(503, "busy", retryAfter: 1)
        }
    }

    private func admit(
        _ call: RESTCall, _ source: ClientAddress, _ now: Timestamp
    ) throws(RESTError) -> (AttemptLimiter.Attempt?, HeldCodes) {
        var attempt: AttemptLimiter.Attempt?
        var held = HeldCodes()
        try pass { gate in
            switch gate.admit(call, from: source, now: now) {
            case .refused(let error): return error
            case .admitted(let counted):
                attempt = counted
                if case .create(let code, _, _, _) = call {
                    held = gate.reservations.held(by: source, isGuessable: JoinID.isGuessable(code))
                }
                return nil
            }
        }
        return (attempt, held)
    }

    /// Asks the store for one decision, or for several in turn if the call is long, so that others are served in
    /// between.
    private func decide(
        _ call: RESTCall, _ source: ClientAddress, _ charge: SharedCharge, _ context: DecisionContext,
        _ deliver: @escaping @Sendable (RESTDecision?) -> Void
    ) -> Bool {
        guard let (first, rest) = call.split() else {
            return decide(AskedCall(call, from: source, charge, context), then: deliver)
        }
        return decide(AskedCall(first, from: source, charge, context)) { [self] done in
            guard let done, done.rejection == nil else { return deliver(done) }
            if let news = done.news { tell(news) }
            // All of it was counted with the first slice.
            if !decide(rest, source, SharedCharge(), context, { deliver($0?.adding(done.purged)) }) { deliver(nil) }
        }
    }

    private func failure(_ call: RESTCall) -> HTTPResponse {
        let isAway = state.withLock { $0.isStoreAway }
        let details: JSONObject = if case .purge = call { ["details": "the store failed; try again"] } else { [:] }
        if isAway { return RESTError(503, "store_unavailable", details, retryAfter: 2).response }
        return RESTError(500, call.failureCode, details).response
    }

    private func tell(_ news: RESTDecision.News) {
        switch news {
        case .accepted(let code, let room, let watchers):
            for node in watchers { link?.tell(node, .accepted(code: code, room: room)) }
        case .removed(let removed) where !removed.isEmpty: link?.broadcast(.removed(removed, reason: "deleted"))
        case .removed: break
        }
        if case .removed(let removed) = news { state.withLock { $0.gate.removed(removed.codes) } }
        update { router in
            switch news {
            case .accepted(let code, let room, _): router.accepted(code, room: room)
            case .removed(let removed): router.removed(removed, reason: "deleted")
            }
        }
    }

    private static func fixedAnswer(_ route: Route) -> HTTPResponse {
        switch route {
        case .greeting: .plain(200, "The rendezvous server is running.\n")
        case .options: HTTPResponse(status: 204)
        case .retired: RESTError(410, "use_new_endpoints").response
        default: .plain(404, "Not Found")
        }
    }

    /// Every origin may send requests: there are no cookies, and tickets are sent explicitly.
    static func openToAll(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        for (name, value) in crossOriginHeaders { response.headers.append(name, value) }
        return response
    }

    static let crossOriginHeaders: HTTPFields = [
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "GET,POST,DELETE,OPTIONS",
        "access-control-allow-headers": "Content-Type",
    ]

    /// The server is healthy if it can read its store.
    private func health(_ answer: @escaping @Sendable (HTTPResponse) -> Void) {
        let isAsked = decide({ _ = try $0.room("") }) { found in
            answer(.json(found == nil ? 503 : 200, ["ok": .bool(found != nil)]))
        }
        if !isAsked { answer(.json(503, ["ok": false])) }
    }

    /// Not while it drains, nor without the other nodes.
    private var mayGetLoad: Bool { !state.withLock { $0.isDraining } && link?.isConnected != false }

    private func metricsText() -> String {
        let isReady = mayGetLoad
        return state.withLock { state in
            state.metrics.text(
                Metrics.Gauges(
                    isReady: isReady,
                    sockets: state.sockets.count,
                    liveRooms: state.router.rooms.count,
                    watches: state.router.watches.count,
                    store: state.stored
                )
            )
        }
    }
}
