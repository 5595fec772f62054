internal import Synchronization

/// What other nodes say.
extension RequestHandler {
    func heard(_ event: NodeLink.Event) {
        switch event {
        case .message(let message, let node): heard(message, from: node)
        case .opposite(let room, let name, let peer): update { $0.arrived(room, name: name, peer, isAgain: false) }
        case .died(let nodes): update { $0.died(nodes) }
        case .resync:
            log.log("resync")
            update { $0.resync() }
            askForAcceptances()
        }
    }

    private func heard(_ message: NodeMessage, from node: String) {
        update { router in
            switch message {
            case .arrived(let room, let name, let peer, let isAgain):
                router.arrived(room, name: name, RemotePeer(node: node, name: peer), isAgain: isAgain)
            case .gone(let room, let peer, let how): router.gone(room, RemotePeer(node: node, name: peer), how)
            case .replaced(let room, let name): router.replaced(room, name: name)
            case .relayed(let room, let name, let peer, let text):
                router.relayed(room, to: name, from: RemotePeer(node: node, name: peer), text)
            case .accepted(let code, let room): router.accepted(code, room: room)
            case .removed(let removed, let reason): router.removed(removed, reason: reason)
            }
        }
        if case .removed(let removed, _) = message { state.withLock { $0.gate.removed(removed.codes) } }
    }

    /// The news of an acceptance may have been lost.
    private func askForAcceptances() {
        let codes = state.withLock { Array($0.router.watches.keys) }
        askForAcceptances(of: codes[...])
    }

    /// One slice after the other, because tens of thousands may be watched, and others want to be served in between.
    private func askForAcceptances(of codes: ArraySlice<String>) {
        guard !codes.isEmpty else { return }
        let now = environment.now()
        let slice = Array(codes.prefix(Self.slice))
        let isAsked = decide({ try $0.acceptances(of: slice, now: now) }) { [self] found in
            for (code, room) in found ?? [:] { update { $0.accepted(code, room: room) } }
            // If the store failed, it is asked again when it is back.
            if found != nil { askForAcceptances(of: codes.dropFirst(Self.slice)) }
        }
        if !isAsked { log.log("store_busy") }
    }

    /// A sign of life for the other nodes.
    func beat() {
        guard let link else { return }
        link.beat(remote: state.withLock { $0.router.remoteNodes })
        let holdings = state.withLock { $0.gate.takeChangedHoldings() }
        guard !holdings.isEmpty else { return }
        let now = environment.now()
        _ = decide({ try ($0 as? any SharedLimits)?.hold(holdings, now: now) }) { _ in }
    }
}
