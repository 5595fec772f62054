import AppCore

/// Everything that happened in a simulation, as inputs: states are made again by replaying.
struct Log: Sendable {
    /// The cause of an input.
    enum Source: Sendable { case person, world }

    struct Entry: Sendable {
        let input: Input
        let source: Source
        /// The effects that the core requested.
        let effects: [Effect]
    }

    private(set) var entries: [Entry] = []
    /// The sequence number of the first entry that is still here.
    private(set) var first = 1
    /// Cores as they were before certain entries, so that no replay is long.
    private var checkpoints: [Checkpoint]

    private struct Checkpoint: Sendable {
        /// The sequence number of the entry that comes next.
        let seq: Int
        let core: any SimulatedCore
    }

    /// Entries that are kept; beyond them the oldest half goes.
    static let limit = 200_000
    private static let checkpointLimit = 24

    /// - Parameter core: as it is before the first entry; `nil` if it cannot be copied.
    init(from core: (any SimulatedCore)?) { checkpoints = core.map { [Checkpoint(seq: 1, core: $0)] } ?? [] }

    /// The number of the last entry; 0 without one.
    var last: Int { first + entries.count - 1 }

    /// Whether old entries had to go.
    var isCut: Bool { first > 1 }

    subscript(seq: Int) -> Entry? {
        let index = seq - first
        return entries.indices.contains(index) ? entries[index] : nil
    }

    /// Adds what happened; `core` is as it is after it.
    mutating func append(_ entry: Entry, after core: any SimulatedCore) {
        entries.append(entry)
        if entries.count % stride == 0, let copy = core.copy {
            checkpoints.append(Checkpoint(seq: last + 1, core: copy))
            thin()
        }
        if entries.count > Self.limit { cut() }
    }

    /// Entries between two checkpoints: the longer the log, the more.
    private var stride: Int { max(256, (entries.count / Self.checkpointLimit).nextPowerOfTwo) }

    /// Keeps the first checkpoint and every other one after it when there are too many.
    private mutating func thin() {
        guard checkpoints.count > Self.checkpointLimit else { return }
        checkpoints = checkpoints.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    }

    /// Drops the oldest half, up to a checkpoint. Without checkpoints nothing could be replayed, so all is kept.
    private mutating func cut() {
        guard let checkpoint = checkpoints.first(where: { $0.seq >= first + entries.count / 2 }) else { return }
        entries.removeFirst(checkpoint.seq - first)
        first = checkpoint.seq
        checkpoints.removeAll { $0.seq < checkpoint.seq }
    }

    /// The core as it was before the entry `seq`.
    func core(before seq: Int) throws -> any SimulatedCore {
        guard let checkpoint = checkpoints.last(where: { $0.seq <= seq }) else {
            throw SimulatorError(.badTrace, "Step \(seq) is no longer in the log: it begins with step \(first).")
        }
        var core = checkpoint.core
        for number in checkpoint.seq..<max(seq, checkpoint.seq) {
            if let entry = self[number] { _ = try core.dispatch(entry.input) }
        }
        return core
    }
}

extension Int {
    fileprivate var nextPowerOfTwo: Int { self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}
