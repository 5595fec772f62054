internal import Networking
internal import Synchronization
internal import Wire

/// A rewrap, from the token to the answer: who asks, whether they may ask so often, what they may have, and the line in
/// the audit log before the answer is sent.
extension KeyAccessRequestHandler {
    func answer(
        _ text: String, _ request: HTTPRequest, from address: String
    ) throws(KeyAccessError) -> RewrapResponse {
        var entry = AuditEntry(time: now(), address: address)
        do throws(KeyAccessError) {
            let token = try trusted { () throws(TokenError) in
                try SignedToken(text, atMost: configuration.limits.bodySize)
            }
            let identity = try identify(token, request)
            entry.caller = identity.caller.name
            entry.signer = identity.thumbprint
            guard let body = token.claims["requestBody"]?.string else { throw .invalid("requestBody is missing") }
            let question = try RewrapRequest(body: body.utf8, atMost: configuration.limits.objects)
            try admit(question, of: identity.caller)
            let (response, decisions) = try rewrapper.answer(question, for: identity.caller)
            try audit(
                decisions.map { decision in
                    var line = entry
                    line.decision = decision
                    return line
                })
            return response
        } catch {
            entry.decision.refusal = error
            try audit([entry])
            throw error
        }
    }

    /// Who makes a request that is neither too old nor answered already.
    private func identify(_ token: SignedToken, _ request: HTTPRequest) throws(KeyAccessError) -> CallerCheck.Result {
        let limits = configuration.limits
        let seconds = now() / 1000
        let window = TokenWindow(now: seconds, age: limits.requestAge, skew: limits.clockSkew)
        let expires = try trusted { () throws(TokenError) in try window.checkRequest(token.claims) }
        let check = CallerCheck(policy: configuration.policy, window: window)
        let identity = try trusted { () throws(TokenError) in
            try check.identify(token, headers: request.headers, path: request.path)
        }
        // Only what is proven is remembered, so strangers cannot fill the memory.
        switch state.withLock({ $0.answered.admit(token.digest, expires: expires, now: seconds) }) {
        case .new: return identity
        case .replayed: throw KeyAccessError(.unauthenticated, "this request was answered already; make a new one")
        case .full: throw KeyAccessError(.unavailable, "the service remembers too many requests; try again in a minute")
        }
    }

    /// Counts the files of a request.
    private func admit(_ request: RewrapRequest, of caller: AccessPolicy.Caller) throws(KeyAccessError) {
        let (time, count) = (now(), request.entries.reduce(0) { $0 + $1.objects.count })
        let isAdmitted = state.withLock { state in
            for _ in 0..<count where state.objects.take(caller.name, now: time) != nil { return false }
            return true
        }
        guard isAdmitted else {
            throw KeyAccessError(.resourceExhausted, "\"\(caller.name)\" asks about too many files; try again later")
        }
    }

    /// Writes the lines. If they cannot be written, the request is not answered.
    private func audit(_ entries: [AuditEntry]) throws(KeyAccessError) {
        guard let audit = configuration.audit else { return }
        do {
            for entry in entries { try audit(entry.line) }
        } catch {
            throw KeyAccessError(.unavailable, "the service cannot write its audit log")
        }
    }

    private func trusted<Value>(_ check: () throws(TokenError) -> Value) throws(KeyAccessError) -> Value {
        do {
            return try check()
        } catch {
            switch error {
            case .malformed(let reason): throw KeyAccessError(.invalidArgument, reason)
            case .untrusted(let reason): throw KeyAccessError(.unauthenticated, reason)
            }
        }
    }
}
