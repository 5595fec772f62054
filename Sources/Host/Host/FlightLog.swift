import AppCore

/// What is written down of a run, without its content. When a leg has grown long the next one begins, and only two are kept.
///
/// What is on the disk is let go of, so that no more than what came since the last time is in memory.
struct FlightLog {
    /// Inputs in a leg.
    static let legLength = 4000
    /// Bytes that the inputs of a leg take as JSON.
    static let legBytes = 4 << 20

    private struct Segment {
        let number: Int
        /// Nil once it is on the disk.
        var start: AppState?
        /// Whether it begins where the leg before it ended.
        let continues: Bool
        /// Inputs that are not on the disk.
        var inputs: [Input] = []
        /// How many inputs are on the disk.
        var written = 0
        var bytes = 0
    }

    private var legs: [Segment] = []
    private var nextNumber: Int

    init(nextSegment: Int) { nextNumber = nextSegment }

    /// Begins a leg with a state.
    /// - Parameter continues: whether it is the state in which the leg before ended.
    mutating func begin(with state: AppState, continues: Bool) {
        legs.append(Segment(number: nextNumber, start: state.redacted, continues: continues && !legs.isEmpty))
        nextNumber += 1
        if legs.count > 2 { legs.removeFirst() }
    }

    /// Notes what happened next.
    mutating func record(_ input: Input) {
        guard let last = legs.indices.last else { return }
        let input = input.redacted
        legs[last].bytes += (try? JSON.encode(input).count) ?? 0
        legs[last].inputs.append(input)
    }

    /// Whether the next leg is to begin.
    var isFull: Bool {
        guard let leg = legs.last else { return false }
        return leg.written + leg.inputs.count >= Self.legLength || leg.bytes >= Self.legBytes
    }

    /// Forgets what there was, because something was deleted that it speaks of.
    mutating func forget() { legs = [] }

    /// What is not on the disk yet, oldest first.
    var unwritten: [FlightPart] {
        legs.filter { $0.start != nil || !$0.inputs.isEmpty }.map { leg in
            FlightPart(
                leg: leg.number, place: leg.written, continues: leg.continues, start: leg.start, inputs: leg.inputs)
        }
    }

    /// Everything is on the disk.
    mutating func markWritten() {
        for index in legs.indices {
            legs[index].start = nil
            legs[index].written += legs[index].inputs.count
            legs[index].inputs = []
        }
    }

    /// Segments before this one are no longer wanted.
    var oldestSegment: Int { legs.first?.number ?? nextNumber }
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
