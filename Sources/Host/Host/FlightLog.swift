import AppCore

/// What is written down of a run, without its content. When a segment has grown long the next one begins, and only two are kept.
///
/// What is on the disk is let go of, so that no more than what came since the last time is in memory.
struct FlightLog {
    /// Inputs in a segment.
    static let segmentLength = 4000
    /// Bytes that the inputs of a segment take as JSON.
    static let segmentBytes = 4 << 20

    private struct Segment {
        let number: Int
        /// Nil once it is on the disk.
        var start: AppState?
        /// Whether it begins where the segment before it ended.
        let continues: Bool
        /// Inputs that are not on the disk.
        var inputs: [Input] = []
        /// How many inputs are on the disk.
        var written = 0
        var bytes = 0
    }

    private var segments: [Segment] = []
    private var nextNumber: Int

    init(nextSegment: Int) { nextNumber = nextSegment }

    /// Begins a segment with a state.
    /// - Parameter continues: whether it is the state in which the segment before ended.
    mutating func begin(with state: AppState, continues: Bool) {
        segments.append(Segment(number: nextNumber, start: state.redacted, continues: continues && !segments.isEmpty))
        nextNumber += 1
        if segments.count > 2 { segments.removeFirst() }
    }

    /// Notes what happened next.
    mutating func record(_ input: Input) {
        guard let last = segments.indices.last else { return }
        let input = input.redacted
        segments[last].bytes += (try? JSON.encode(input).count) ?? 0
        segments[last].inputs.append(input)
    }

    /// Whether the next segment is to begin.
    var isFull: Bool {
        guard let segment = segments.last else { return false }
        return segment.written + segment.inputs.count >= Self.segmentLength || segment.bytes >= Self.segmentBytes
    }

    /// Forgets what there was, because something was deleted that it speaks of.
    mutating func forget() { segments = [] }

    /// What is not on the disk yet, oldest first.
    var unwritten: [FlightPart] {
        segments.filter { $0.start != nil || !$0.inputs.isEmpty }.map { segment in
            FlightPart(
                segment: segment.number, place: segment.written, continues: segment.continues, start: segment.start,
                inputs: segment.inputs)
        }
    }

    /// Everything is on the disk.
    mutating func markWritten() {
        for index in segments.indices {
            segments[index].start = nil
            segments[index].written += segments[index].inputs.count
            segments[index].inputs = []
        }
    }

    /// Segments before this one are no longer wanted.
    var oldestSegment: Int { segments.first?.number ?? nextNumber }
}

/// A piece of a segment, as it lies on the disk.
struct FlightPart: Codable, Sendable {
    var segment: Int
    /// The number of its first input in the segment.
    var place: Int
    var continues: Bool
    /// With the first piece: the state in which the segment began.
    var start: AppState?
    var inputs: [Input]

    /// The names on the disk. A segment was called a leg in the first version.
    private enum CodingKeys: String, CodingKey {
        case segment = "leg"
        case place, continues, start, inputs
    }
}
