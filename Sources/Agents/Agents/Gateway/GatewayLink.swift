internal import Networking

/// The connection to a gateway, as a state machine without I/O: when to connect, when to wait, when to give up.
package struct GatewayLink: Sendable, Hashable {
    /// How it stands.
    package enum State: Sendable, Hashable {
        /// Not started.
        case idle
        case connecting
        /// There since then.
        case open(since: ContinuousClock.Instant)
        /// It is tried again then.
        case waiting(until: ContinuousClock.Instant)
        /// Nothing happens any more.
        case over
    }

    /// What to do.
    package enum Step: Sendable, Hashable {
        case connect
        /// Then ``GatewayLink/timeCame(now:)``.
        case wait(until: ContinuousClock.Instant)
        case giveUp(AgentErrorCode)
    }

    /// Why there is no connection.
    package enum Loss: Sendable, Hashable {
        /// The gateway answered the upgrade with this status.
        case refused(status: Int)
        /// It shows another key than the one that it was paired with, or none.
        case wrongKey
        /// There is no way to it now.
        case unreachable
        /// It was there, and closed with this code (RFC 6455 section 7.4).
        case closed(code: UInt16)
    }

    package private(set) var state = State.idle
    private var backOff: GatewayBackOff
    private var isAnnounced = false
    /// Since when it is gone.
    private var goneSince: ContinuousClock.Instant?
    /// Times in a row that it was closed because of what was sent, before it had lasted.
    private var violations = 0

    /// Violations of the protocol in a row before it is given up.
    package static let violationLimit = 5
    /// How long a gateway may be away.
    package static let patience = Duration.seconds(48 * 3600)

    /// - Parameter unit: the first pause.
    package init(unit: Duration = GatewayBackOff.first) { backOff = GatewayBackOff(unit: unit) }

    /// Tries that failed in a row.
    package var failures: Int { backOff.failures }

    package mutating func start() -> [Step] {
        guard state == .idle else { return [] }
        state = .connecting
        return [.connect]
    }

    package mutating func opened(now: ContinuousClock.Instant) {
        guard state == .connecting else { return }
        state = .open(since: now)
        goneSince = nil
    }

    /// The gateway said that it starts anew.
    package mutating func announcedRestart() { isAnnounced = true }

    package mutating func timeCame(now: ContinuousClock.Instant) -> [Step] {
        guard case .waiting(let until) = state else { return [] }
        guard now >= until else { return [.wait(until: until)] }
        state = .connecting
        return [.connect]
    }

    /// - Parameter chance: 0 up to 1.
    package mutating func lost(_ loss: Loss, now: ContinuousClock.Instant, chance: Double) -> [Step] {
        let lasted: Duration?
        switch state {
        case .connecting: lasted = nil
        case .open(let since): lasted = since.duration(to: now)
        case .idle, .waiting, .over: return []
        }
        if let lasted, lasted >= GatewayBackOff.stable { violations = 0 }
        if let code = reasonToStop(loss) { return giveUp(code) }
        let since = goneSince ?? now
        goneSince = since
        guard since.duration(to: now) < Self.patience else { return giveUp(.unreachable) }
        defer { isAnnounced = false }
        let until = now + backOff.pause(lasted: lasted, isAnnounced: isAnnounced, chance: chance)
        state = .waiting(until: until)
        return [.wait(until: until)]
    }

    package mutating func stop() { state = .over }

    private mutating func giveUp(_ code: AgentErrorCode) -> [Step] {
        state = .over
        return [.giveUp(code)]
    }

    /// Why another try is of no use; nil if it may be.
    private mutating func reasonToStop(_ loss: Loss) -> AgentErrorCode? {
        switch loss {
        case .refused(401), .refused(403), .wrongKey: return .unauthorized
        case .refused(let status): return [408, 425, 429].contains(status) || status >= 500 ? nil : .refused
        case .closed(let code):
            // 3000 and 3003 are registered with IANA; gateways also put an HTTP status behind a 4.
            if [3000, 3003, 4001, 4003, 4401, 4403].contains(code) { return .unauthorized }
            // What was sent broke a rule: sent again it breaks it again.
            guard [1002, 1003, 1007, 1008, 1009, 1010].contains(code) else { return nil }
            violations += 1
            return violations >= Self.violationLimit ? .notUnderstood : nil
        case .unreachable: return nil
        }
    }
}

extension GatewayLink.Loss {
    init(_ error: NetworkingError) {
        self =
            switch (error.code, error.status) {
            case (_, let status?): .refused(status: status)
            case (.untrustedCertificate, _), (.wrongName, _), (.expiredCertificate, _), (.noTLS, _): .wrongKey
            default: .unreachable
            }
    }
}
