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
        }
    }

    private var linkText: String {
        switch live.link {
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
