import AppCore

/// The last stretch of a run without its content, so that there is something to look at when something went wrong.
///
/// Everything is redacted before it is kept: what people said is neither here nor on the disk, where the vault seals it
/// besides. When a leg has grown long the next one begins, and only two are kept.
struct FlightRecorder {
    /// Inputs in a leg.
    static let legLength = 4000

    private struct Leg {
        let number: Int
        let start: AppState
        /// Whether it begins where the leg before it ended.
        let continues: Bool
        var inputs: [Input] = []
        /// How many of the inputs are on the disk; `nil` if the start is not.
        var written: Int?
    }

    private var legs: [Leg] = []
    private var nextNumber: Int

    init(nextLeg: Int) { nextNumber = nextLeg }

    /// Notes a step.
    /// - Parameter state: the state after it.
    mutating func record(_ input: Input, leadingTo state: @autoclosure () -> AppState) {
        // Records that come in are in the state; a leg that begins with it need not repeat them.
        guard !legs.isEmpty, !input.action.bringsRecords else { return begin(with: state(), continues: false) }
        legs[legs.count - 1].inputs.append(input.redacted)
        if legs[legs.count - 1].inputs.count >= Self.legLength { begin(with: state(), continues: true) }
    }

    /// Forgets what there was, because something was deleted that it speaks of.
    mutating func beginAnew(with state: AppState) {
        legs = []
        begin(with: state, continues: false)
    }

    private mutating func begin(with state: AppState, continues: Bool) {
        legs.append(Leg(number: nextNumber, start: state.redacted, continues: continues))
        nextNumber += 1
        if legs.count > 2 { legs.removeFirst() }
    }

    /// What is not on the disk yet, oldest first.
    var unwritten: [FlightPart] {
        legs.compactMap { leg in
            let place = leg.written ?? 0
            guard leg.written == nil || leg.inputs.count > place else { return nil }
            return FlightPart(
                leg: leg.number, place: place, continues: leg.continues, start: leg.written == nil ? leg.start : nil,
                inputs: Array(leg.inputs[place...]))
        }
    }

    /// Everything is on the disk.
    mutating func markWritten() { for index in legs.indices { legs[index].written = legs[index].inputs.count } }

    /// Legs before this one are no longer wanted.
    var oldestLeg: Int { legs.first?.number ?? nextNumber }
}

/// A piece of a leg, as it lies on the disk.
struct FlightPart: Codable, Sendable {
    var leg: Int
    /// The number of its first input in the leg.
    var place: Int
    var continues: Bool
    /// With the first piece: the state in which the leg began.
    var start: AppState?
    var inputs: [Input]
}

extension Action {
    fileprivate var bringsRecords: Bool {
        switch self {
        case .event(.started), .event(.vaultUnlocked): true
        default: false
        }
    }
}
