internal import Synchronization
internal import Wire

/// The log says once why a node is cut off, and not with each attempt.
extension NodeLink {
    /// What a link does, and may fail at.
    enum Failing: String {
        case telling
        case hearing
    }

    func failed(_ what: Failing, _ error: any Error) {
        guard state.withLock({ $0.failing.insert(what).inserted }) else { return }
        log.log("nodes_failed", ["in": .string(what.rawValue), "reason": .string("\(error)")])
    }

    func works(_ what: Failing) { state.withLock { _ = $0.failing.remove(what) } }
}
