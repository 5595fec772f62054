// States in the words that a person reads.

extension Room {
    var statusText: String {
        switch status {
        case .creating: "Making the room"
        case .joining: "Joining"
        case .pending: "Waiting for the other person to enter the code"
        case .accepted: linkText
        case .closed: "Closed"
        case .expired: "The code ran out"
        case .spent: "The words did not match"
        case .failed: "Could not be opened"
        case .revoked: revokedBy == .peer ? "The other person ended the trust" : "You ended the trust"
        }
    }

    private var linkText: String {
        switch live.link {
        case .closed where live.meetEffect != nil: "Looking for the other person"
        case .closed: wantsLink ? "Not connected" : "You left"
        case .connecting: "Connecting"
        case .waitingForPeer: "Waiting for the other person"
        case .verifying: "Checking the words"
        case .connected: connectedText
        case .reconnecting: "The connection broke; reconnecting"
        }
    }

    private var connectedText: String {
        switch (live.verification, live.comparison) {
        case (.verified, _), (.unverified, true): "Connected, verified"
        case (.unverified, _): "Connected, not verified"
        case (.none, _), (.failed, _): "Checking the words"
        }
    }

    var pathText: String? {
        switch live.path {
        case .direct: "Direct"
        case .reflexive: "Direct, through a router"
        case .relayed: "Through a relay, which sees only ciphertext"
        case nil: nil
        }
    }

    var verificationText: String {
        switch (live.verification, live.comparison) {
        case (.none, _): "Not connected"
        case (.verified, _): "Verified by the words of the code"
        case (.unverified, true): "Verified by comparing the safety number"
        case (.unverified, _): "Not verified"
        case (.failed, _): "Failed"
        }
    }
}

extension Lifetime {
    /// Completes "messages …".
    var words: String {
        switch self {
        case .keep: "stay until the room is deleted"
        case .ephemeral: "are never stored and go when you leave"
        default: "go after \(title.lowercased())"
        }
    }

    var title: String {
        switch self {
        case .keep: "Until the room is deleted"
        case .ephemeral: "Never on disk"
        default: Wording.duration(milliseconds: (seconds ?? 0) * 1000)
        }
    }
}

extension Room {
    var trustText: String {
        switch (trustGiven, trustReceived) {
        case _ where status == .revoked: Wording.sentence(for: Failure(.trustRevoked))
        case (.some, .some): "You are in each other's circle."
        case (.some, nil): "You have \(title) in your circle. They have not said it yet."
        case (nil, .some): "\(title) wants you in their circle."
        case (nil, nil): "You are not in each other's circle."
        }
    }

    /// What to know about the keys that are left; `nil` while there are enough.
    var keyWarning: String? {
        switch live.keys?.level {
        case .enough, nil: nil
        case .low: "Few one-time keys are left. New ones come while you are connected."
        case .lastResort:
            "No one-time key is left: messages are sealed with the last-resort key, which opens all of them at once for"
                + " whoever finds it. Stay connected until new keys have come."
        }
    }

    var refusalText: String? {
        guard !live.refusals.isEmpty else { return nil }
        let counts = live.refusals.inOrder.map { "\($0.count) \($0.reason.refusal)" }
        return "Messages that were not opened: " + counts.joined(separator: ", ")
    }
}

extension Failure.Code {
    /// Completes "3 …".
    fileprivate var refusal: String {
        switch self {
        case .forged: "not from this person"
        case .replayed: "opened before"
        case .keyReused: "under a key that was used already"
        case .unknownKey: "without a key"
        default: "damaged or not sealed"
        }
    }
}
