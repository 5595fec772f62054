package import AppCore

/// Everything that happened, in one file, to be played again anywhere: a bug report, or a golden test.
///
/// `actions` is what the person did and `answers` is what the world did; both are whole inputs with their sequence
/// numbers, so that no world is needed to play them. Traces with bare actions are played with a world that answers.
/// `docs/simulator.md` describes the format.
package struct Trace: Sendable, Codable {
    /// An input or a bare action, and its place among all.
    package struct Entry: Sendable, Hashable {
        package var seq: Int?
        /// The input for the core; `nil` for a bare action.
        package var input: Input?
        package var action: Action
    }

    package var schemaVersion = 1
    package var name: String
    /// The scenario in which it begins; for people, who play `setup` instead.
    package var scenario: String?
    /// The sequence number of the first entry: above 1 if the oldest were dropped from a long log.
    package var firstSeq: Int?
    /// The inputs from the first one of a process to where the trace begins. Without them it begins with
    /// ``initialState``.
    package var setup: [Input]?
    package var initialState: JSONValue?
    package var actions: [Entry]
    package var answers: [Entry]?
    /// `{seq, timestamp_ms, action, effects, by, changes}`; left out of long traces.
    package var transitions: [JSONValue]?
    /// `{seq, timestamp_ms, effect}`.
    package var effects: [JSONValue]?
    package var finalState: JSONValue?

    /// Steps of a trace that may be read.
    package static let limit = 1_000_000

    /// Reads a trace.
    /// - Throws: ``SimulatorError`` saying what is wrong and where.
    package init(json: some Sequence<UInt8>) throws {
        do { self = try JSON.decode(Trace.self, from: json) } catch let error as DecodingError {
            throw SimulatorError(.badTrace, "This is no trace", error)
        }
        guard schemaVersion == 1 else {
            throw SimulatorError(.badTrace, "The trace has schema version \(schemaVersion); this program reads 1.")
        }
        guard (firstSeq ?? 1) <= 1 || initialState != nil else {
            throw SimulatorError(
                .badTrace,
                "The trace begins with step \(firstSeq ?? 1): what was before was dropped, so it cannot play.")
        }
    }

    /// A trace of inputs, as recorded by a real host.
    package init(name: String, inputs: [Input]) {
        self.name = name
        actions = inputs.map { Entry(seq: nil, input: $0, action: $0.action) }
    }

    /// A trace that goes on from a state, with the state in which it ends.
    package init(name: String, start: AppState, inputs: [Input]) throws {
        self.init(name: name, inputs: inputs)
        var core = Core(state: start)
        for input in inputs { _ = core.dispatch(input) }
        initialState = try JSON.decode(JSONValue.self, from: JSON.encode(start))
        finalState = try JSON.decode(JSONValue.self, from: JSON.encode(core.state))
    }

    init(name: String) {
        self.name = name
        actions = []
    }

    /// All entries in their order.
    var entries: [(entry: Entry, isWorld: Bool)] {
        let all = actions.map { (entry: $0, isWorld: false) } + (answers ?? []).map { (entry: $0, isWorld: true) }
        guard let answers, !answers.isEmpty else { return all }
        return all.sorted { ($0.entry.seq ?? 0) < ($1.entry.seq ?? 0) }
    }

    /// Whether every entry is a whole input.
    var isComplete: Bool { actions.allSatisfy { $0.input != nil } }
}

extension Trace.Entry: Codable {
    private enum Key: CodingKey { case seq, at, fresh, view, action }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        guard container.contains(.action) else {
            action = try Action(from: decoder)
            return
        }
        seq = try container.decodeIfPresent(Int.self, forKey: .seq)
        action = try container.decode(Action.self, forKey: .action)
        guard container.contains(.at) else { return }
        let at = try container.decode(Timestamp.self, forKey: .at)
        input = Input(
            at: at, fresh: try container.decode(Fresh.self, forKey: .fresh),
            view: try container.decodeIfPresent(ViewID.self, forKey: .view), action: action)
    }

    package func encode(to encoder: any Encoder) throws {
        guard let input else { return try action.encode(to: encoder) }
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(seq, forKey: .seq)
        try container.encode(input.at, forKey: .at)
        try container.encode(input.fresh, forKey: .fresh)
        try container.encodeIfPresent(input.view, forKey: .view)
        try container.encode(input.action, forKey: .action)
    }
}
