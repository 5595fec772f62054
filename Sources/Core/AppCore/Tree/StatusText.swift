// States in the words that a person reads.

extension Room {
    var statusText: Words {
        switch status {
        case .creating: "status.creating"
        case .joining: "status.joining"
        case .pending: "status.pending"
        case .accepted: linkText
        case .closed: "status.closed"
        case .expired: "status.expired"
        case .spent: "status.spent"
        case .failed: "status.failed"
        case .revoked: revokedBy == .peer ? "status.revoked.peer" : "status.revoked.own"
        }
    }

    private var linkText: Words {
        switch live.link {
        case .closed where live.meetEffect != nil: "link.looking"
        case .closed: wantsLink ? "link.closed" : "link.left"
        case .connecting: "link.connecting"
        case .waitingForPeer: "link.waiting"
        case .verifying: "link.verifying"
        case .connected: connectedText
        case .reconnecting: "link.reconnecting"
        }
    }

    private var connectedText: Words {
        switch (live.verification, live.comparison) {
        case (.verified, _), (.unverified, true): "link.verified"
        case (.unverified, _): "link.unverified"
        case (.none, _), (.failed, _): "link.verifying"
        }
    }

    /// Whether the two never met here and never will: another code leads on.
    var needsNewCode: Bool {
        switch status {
        case .expired, .spent: true
        case .failed: failure?.retryable == false
        case .creating, .joining, .pending, .accepted, .closed, .revoked: false
        }
    }

    var pathText: Words? {
        switch live.path {
        case .direct: "path.direct"
        case .reflexive: "path.reflexive"
        case .relayed: "path.relayed"
        case nil: nil
        }
    }

    var verificationText: Words {
        switch (live.verification, live.comparison) {
        case (.none, _): "link.closed"
        // Whoever compared is verified from then on, as the link says soon after.
        case (.verified, true), (.unverified, true): "verification.compared"
        case (.verified, _): "verification.words"
        case (.unverified, _): "verification.none"
        case (.failed, _): "verification.failed"
        }
    }
}

extension Lifetime {
    /// Completes "messages …".
    var words: Words {
        switch self {
        case .keep: "lifetime.keep.words"
        case .ephemeral: "lifetime.ephemeral.words"
        default: .key("lifetime.after.words", ["time": .duration((seconds ?? 0) * 1000)])
        }
    }

    var title: Words {
        switch self {
        case .keep: "lifetime.keep"
        case .ephemeral: "lifetime.ephemeral"
        default: .key("duration", ["time": .duration((seconds ?? 0) * 1000)])
        }
    }
}

extension Room {
    var trustText: Words {
        switch (trustGiven, trustReceived) {
        case _ where status == .revoked: Words(Failure(.trustRevoked))
        case (.some, .some): "trust.both"
        case (.some, nil): .key("trust.given", ["room": .words(titleWords)])
        case (nil, .some): .key("chat.offer", ["room": .words(titleWords)])
        case (nil, nil): "trust.none"
        }
    }

    /// What to know about the keys that are left; `nil` while there are enough.
    var keyWarning: Words? {
        switch live.keys?.level {
        case .enough, nil: nil
        case .low: "keys.low"
        case .lastResort:
            "keys.last_resort"
        }
    }

    var refusalText: Words? {
        guard !live.refusals.isEmpty else { return nil }
        let counts = live.refusals.inOrder.map {
            Words.key("refusal", ["count": .count($0.count), "reason": .words($0.reason.refusal)])
        }
        return .key("chat.refused", ["counts": .list(counts)])
    }
}

extension Failure.Code {
    /// Completes "3 …".
    fileprivate var refusal: Words {
        switch self {
        case .forged: "refusal.forged"
        case .replayed: "refusal.replayed"
        case .keyReused: "refusal.key_reused"
        case .unknownKey: "refusal.unknown_key"
        default: "refusal.unreadable"
        }
    }
}
