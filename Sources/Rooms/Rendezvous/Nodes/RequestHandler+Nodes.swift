internal import Synchronization

/// What other nodes say.
extension RequestHandler {
    func heard(_ event: NodeLink.Event) {
        switch event {
        case .messages(let messages, let node): heard(messages, from: node)
        case .opposite(let room, let name, let peer): update { $0.arrived(room, name: name, peer, isAgain: false) }
        case .died(let nodes): update { $0.died(nodes) }
        case .resync:
            log.log("resync")
            update { $0.resync() }
            askForNews(of: state.withLock { Array($0.router.watches.keys) }[...])
        }
    }

    private func heard(_ messages: [NodeMessage], from node: String) {
        update { router in messages.flatMap { router.heard($0, from: node) } }
        // By the reason that is said of those that are gone.
        var changed: [String: [String]] = [:]
        for message in messages {
            switch message {
            case .removed(let removed, let reason):
                state.withLock { $0.gate.removed(removed.codes) }
                changed[reason, default: []] += removed.codes
            case .changed(let codes): changed["expired", default: []] += codes
            default: break
            }
        }
        for (reason, codes) in changed {
            let watched = state.withLock { state in codes.filter { state.router.watches[$0] != nil } }
            askForNews(of: watched[...], reason: reason)
        }
    }

    /// Ends the watches whose code is over. Where several nodes share a store, its clock decides, which a clock that was set here must not overrule.
    func endWatches(now: Timestamp) {
        guard link != nil else { return update { $0.tick(now: now) } }
        askForNews(of: state.withLock { $0.router.takeDue(now: now) }[...])
    }

    /// Asks the store what became of codes that are watched here, because news of them may have been lost. One slice after
    /// the other, because tens of thousands may be watched, and others want to be served in between.
    private func askForNews(of codes: ArraySlice<String>, reason: String = "expired") {
        guard !codes.isEmpty else { return }
        let now = environment.now()
        let slice = Array(codes.prefix(Self.slice))
        let isAsked = decide({ try $0.news(of: slice, now: now) }) { [self] found in
            guard let found else { return askLater(codes) }
            update { router in
                slice.flatMap { code in found[code].map { router.heard(code, $0, reason: reason) } ?? [] }
            }
            askForNews(of: codes.dropFirst(Self.slice), reason: reason)
        }
        if !isAsked { askLater(codes) }
    }

    /// With each sign of life it is tried again, until the store answers.
    private func askLater(_ codes: ArraySlice<String>) { state.withLock { $0.unasked.formUnion(codes) } }

    private func takeUnasked() -> [String] {
        state.withLock { state in
            defer { state.unasked = [] }
            return state.unasked.filter { state.router.watches[$0] != nil }
        }
    }

    /// A sign of life for the other nodes.
    func beat() {
        guard let link else { return }
        link.beat(remote: state.withLock { $0.router.remoteNodes })
        askForNews(of: takeUnasked()[...])
        let holdings = state.withLock { $0.gate.takeChangedHoldings() }
        guard !holdings.isEmpty else { return }
        let now = environment.now()
        _ = decide({ try ($0 as? any SharedLimits)?.hold(holdings, now: now) }) { _ in }
    }
}
