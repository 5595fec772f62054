import AppCore

// Golden comparison: the first step at which two runs differ, and how.

extension Trace {
    /// Plays the trace and compares everything that it says with what happens now.
    /// - Returns: what differs first, in words; `nil` if nothing does.
    func difference(on core: any SimulatedCore) throws -> String? {
        let played = try Simulation(core: core, playing: self)
        let replay = try played.trace(named: name)
        return try difference(to: replay)
    }

    /// The first difference between two traces. Parts that one of them leaves out are not compared.
    func difference(to other: Trace) throws -> String? {
        let transitions = isOfOneView ? transitions?.map(\.withoutChanges) : transitions
        for (what, old, new) in [("transition", transitions, other.transitions), ("effect", effects, other.effects)] {
            guard let old, let new else { continue }
            if let difference = Self.difference(what, old, new) { return difference }
        }
        let count = (actions.count, other.actions.count)
        if count.0 != count.1 { return "There were \(count.0) actions, and are \(count.1)." }
        guard let finalState = finalState.map(AppState.upgraded), let state = other.finalState,
            let change = finalState.changes(to: state).first
        else { return nil }
        return "The final state differs: \(change)."
    }

    /// Whether it was made by a version whose state had one view, so that its changes name other places.
    private var isOfOneView: Bool { initialState.map { AppState.upgraded($0) != $0 } ?? false }

    private static func difference(_ what: String, _ old: [JSONValue], _ new: [JSONValue]) -> String? {
        for (expected, actual) in zip(old, new) {
            // Older traces do not say who did it, or what changed.
            let members = expected.object ?? [:]
            let comparable = JSONValue.object((actual.object ?? [:]).filter { members[$0.key] != nil })
            let known = JSONValue.object(members.filter { actual[$0.key] != nil })
            guard let change = known.changes(to: comparable).first else { continue }
            let seq = expected["seq"]?.integer ?? 0
            return "Step \(seq) differs: in the \(what), \(change)."
        }
        if old.count == new.count { return nil }
        let seq = (old.count < new.count ? new[old.count] : old[new.count])["seq"]?.integer ?? 0
        return "Step \(seq) differs: there were \(old.count) \(what)s, and are \(new.count)."
    }
}

extension JSONValue {
    fileprivate var withoutChanges: JSONValue {
        var transition = self
        transition["changes"] = nil
        return transition
    }
}
