import AppCore

// The log as clients read it.

extension Log {
    /// The sequence numbers of the entries that are here.
    var numbers: Range<Int> { first..<(last + 1) }
}

extension Simulation {
    private func time(of input: Input) -> Int64 { origin.milliseconds(until: input.at) }

    /// `{seq, timestamp_ms, action, effects, by}`.
    func transition(_ seq: Int) throws -> JSONValue? {
        guard let entry = log[seq] else { return nil }
        return .object([
            "seq": .integer(Int64(seq)),
            "timestamp_ms": .integer(time(of: entry.input)),
            "action": try JSONValue(entry.input.action),
            "effects": try JSONValue(entry.effects),
            "by": .string(entry.source == .person ? "person" : "world"),
        ])
    }

    func transitions(_ numbers: Range<Int>) throws -> [JSONValue] { try numbers.compactMap { try transition($0) } }

    /// Transitions with the states around them, made again by replaying.
    func wholeTransitions(_ numbers: Range<Int>) throws -> [JSONValue] {
        guard !numbers.isEmpty else { return [] }
        var core = try log.core(before: numbers.lowerBound)
        var before = try JSON.decode(JSONValue.self, from: core.state)
        return try numbers.compactMap { seq in
            guard let entry = log[seq], var transition = try transition(seq) else { return nil }
            _ = try core.dispatch(entry.input)
            let after = try JSON.decode(JSONValue.self, from: core.state)
            transition["before"] = before
            transition["after"] = after
            before = after
            return transition
        }
    }

    /// `{seq, timestamp_ms, effect}` for each effect of a transition.
    func effectRecords(of seq: Int) throws -> [JSONValue] {
        guard let entry = log[seq] else { return [] }
        let time = time(of: entry.input)
        return try entry.effects.enumerated().map { position, effect in
            .object([
                "seq": .integer(Int64(seq)),
                "timestamp_ms": .integer(time + Int64(position) + 1),
                "effect": try JSONValue(effect),
            ])
        }
    }
}
