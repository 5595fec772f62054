package import Components
package import Networking
internal import Synchronization

/// Requests to the web for someone who may not ask for everything: each URL, each redirect and each address is checked.
///
/// Redirects are followed as `fetch` does it, a few of them, and secrets in fields do not follow to another server.
package final class HTTPAccess: Sendable {
    package struct Limits: Hashable, Sendable {
        /// Bytes of an answer.
        package var response = 48 << 20
        package var redirects = 5
        /// Requests at the same time.
        package var requests = 64
        /// When the request names no time.
        package var timeout = Duration.seconds(60)
        /// The longest time that a request may name.
        package var longestTimeout = Duration.seconds(600)

        package init() {}
    }

    package struct Request: Sendable {
        package var method: String
        package var url: String
        package var headers: HTTPFields
        /// Goes with the request if there is one, however short.
        package var body: [UInt8]?
        package var timeout: Duration?

        package init(
            _ method: String, _ url: String, headers: HTTPFields = [:], body: [UInt8]? = nil, timeout: Duration? = nil
        ) {
            (self.method, self.url, self.headers, self.body, self.timeout) = (method, url, headers, body, timeout)
        }
    }

    package struct Response: Sendable {
        package var status: Int
        package var headers: HTTPFields
        package var body: [UInt8]
        /// Where the answer came from, after redirects.
        package var url: String
        /// What it takes of the memory that there is for answers, as long as somebody holds this.
        let memory: MemoryShare?
    }

    private let policy: HTTPPolicy
    private let limits: Limits
    private let trust: TLSTrust
    private let memory: MemoryBudget?
    private let running = Mutex(0)

    /// - Parameter memory: where answers are counted as they come; nil counts nothing.
    package init(
        policy: HTTPPolicy, limits: Limits = Limits(), trust: TLSTrust = .system, memory: MemoryBudget? = nil
    ) {
        self.policy = policy
        self.memory = memory
        self.limits = limits
        self.trust = trust
    }

    /// Sends the request and waits for the whole answer, whatever its status.
    package func request(_ request: Request) async throws(HTTPAccessError) -> Response {
        var step = try HTTPStep(request)
        let isFree = running.withLock { running in
            running += 1
            return running <= limits.requests
        }
        defer { running.withLock { $0 -= 1 } }
        guard isFree else { throw step.error(.tooMany, "more than \(limits.requests) requests are under way") }
        let timeout = min(request.timeout ?? limits.timeout, limits.longestTimeout)
        let deadline = ContinuousClock.now + timeout
        for _ in 0...limits.redirects {
            let response: HTTPResponse
            let share = memory.map { MemoryShare(of: $0) }
            do throws(HTTPAccessError) {
                response = try await send(step, until: deadline, share)
            } catch {
                guard error.code == .timedOut else { throw error }
                // Not what was left of the time for this step.
                throw step.error(.timedOut, "\(step.url.server) did not answer within \(timeout)")
            }
            guard let next = try step.following(response) else {
                return Response(
                    status: response.status, headers: response.headers, body: response.body, url: step.url.description,
                    memory: share)
            }
            step = next
        }
        throw step.error(.tooMany, "more than \(limits.redirects) redirects")
    }

    private func send(
        _ step: HTTPStep, until deadline: ContinuousClock.Instant, _ share: MemoryShare?
    ) async throws(HTTPAccessError) -> HTTPResponse {
        let decision = policy.decide(step.url)
        guard decision != .denied else { throw step.error(.notAllowed, "\(step.url.server) may not be asked") }
        var client = HTTPClient(
            bodyLimit: limits.response, trust: trust, permits: HTTPPolicy.addresses(decision))
        let isShort = Flag()
        if let share {
            client.admits = { bytes in
                let isAdmitted = share.grow(by: bytes)
                if !isAdmitted { isShort.set() }
                return isAdmitted
            }
        }
        do throws(NetworkingError) {
            return try await client.send(
                step.request, to: step.url.server, timeout: max(.zero, deadline - ContinuousClock.now))
        } catch {
            if isShort.isSet {
                throw step.error(.tooMany, "answers take all the memory that there is for them; ask later, or for less")
            }
            if Task.isCancelled { throw step.error(.cancelled, "the request was given up") }
            throw HTTPAccessError(error, url: step.url.description, method: step.request.method)
        }
    }
}

private final class Flag: Sendable {
    private let state = Atomic(false)
    var isSet: Bool { state.load(ordering: .relaxed) }
    func set() { state.store(true, ordering: .relaxed) }
}

/// Which URLs someone may ask for. It is asked for each request and each redirect.
package struct HTTPPolicy: Sendable {
    package enum Decision: Hashable, Sendable {
        case denied
        /// Only at addresses that everybody can reach: not on this machine, not in the networks that it is part of.
        case publicAddresses
        case anyAddress
    }

    package var decide: @Sendable (_ url: WebURL) -> Decision

    package init(_ decide: @escaping @Sendable (_ url: WebURL) -> Decision) { self.decide = decide }

    /// Every `https` and `wss` URL at a public address: for a core library.
    package static let secureWeb = HTTPPolicy { $0.isSecure ? .publicAddresses : .denied }

    /// The addresses that a decision leaves; nil are all.
    static func addresses(_ decision: Decision) -> AddressFilter? {
        guard decision != .anyAddress else { return nil }
        return { PublicAddress.contains($0) }
    }
}
