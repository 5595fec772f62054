/// The peer connection's half of the link: greets, negotiates, notices interruptions, starts again.
extension LinkMachine {
    /// Tells the other side our instance, and which of its instances we know.
    mutating func greet() {
        guard socket == .ready else { return }
        sendGreeting()
        if peer == .none {
            report(wasConnected ? .reconnecting : .connecting)
            emit(.set(.negotiation, Limit.negotiation))
        }
    }

    private mutating func sendGreeting() {
        emit(.send(.verify(data: RelayFrame.greeting(Greeting(own: own, known: known)).text)))
    }

    mutating func relayed(_ data: String) {
        switch RelayFrame(text: data) {
        case .greeting(let greeting): greeted(by: greeting)
        case .verification(let message): emit(.verification(message))
        case nil: break
        }
    }

    /// A peer connection belongs to one pair of instances. If the other side is a new instance, our connection is
    /// useless.
    private mutating func greeted(by greeting: Greeting) {
        if peer != .none, greeting.own != known {
            dropPeer()
            report(wasConnected ? .reconnecting : .connecting)
        }
        let isNews = known != greeting.own
        known = greeting.own
        if isNews { hasPeerLeft = false }
        if isNews || greeting.known != own { sendGreeting() }
        guard greeting.known == own else { return }
        if !greeted {
            greeted = true
            if peer == .none { emit(.startVerification) }
        }
        guard identity.role == .initiator else { return }
        if peer == .none {
            beginPeer()
            emit(.makeOffer(iceRestart: false))
        } else if peer == .interrupted {
            emit(.makeOffer(iceRestart: true))
        }
    }

    private mutating func beginPeer() {
        peer = .negotiating
        emit(.makePeer)
        emit(.set(.negotiation, Limit.negotiation))
    }

    /// The first offer of a pair makes our peer connection; a later one renegotiates it (an ICE restart).
    mutating func offered(_ sdp: String) {
        guard identity.role == .responder, socket == .ready else { return }
        if peer == .none {
            guard greeted else { return }
            beginPeer()
        }
        emit(.acceptOffer(sdp: sdp))
    }

    mutating func peerConnected() {
        guard peer == .negotiating || peer == .interrupted else { return }
        peer = .open
        emit(.cancel(.restart))
        emit(.cancel(.abandon))
        reportIfThrough()
    }

    mutating func peerInterrupted() {
        guard peer == .open else { return }
        peer = .interrupted
        report(.reconnecting)
        emit(.set(.restart, Limit.restart))
        emit(.set(.abandon, Limit.abandon))
    }

    /// Content may flow once the transport is connected, the channel is open and the verification is settled.
    mutating func reportIfThrough() {
        guard peer == .open, channelOpen else { return }
        guard settled else { return report(.verifying) }
        emit(.cancel(.negotiation))
        peerBackOff.reset()
        report(.connected)
    }

    /// Drops the peer connection and starts again with a new instance, after a wait if that has failed before.
    mutating func replacePeer() {
        let failedBefore = peer == .negotiating || peer == .none
        if peer == .negotiating, socket == .ready { emit(.noPath) }
        dropPeer()
        report(socket == .alone ? .waitingForPeer : wasConnected ? .reconnecting : .connecting)
        guard socket == .ready else { return }
        if failedBefore {
            emit(.set(.retry, peerBackOff.next(jitter: jitter())))
        } else {
            greet()
        }
    }

    mutating func dropPeer() {
        greeted = false
        channelOpen = false
        settled = false
        for timer in [Timer.negotiation, .restart, .abandon] { emit(.cancel(timer)) }
        guard peer != .none else { return }
        peer = .none
        own = own.next()
        emit(.dropPeer)
    }
}
