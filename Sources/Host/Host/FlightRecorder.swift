import AppCore
import Synchronization

/// The last stretch of a run without its content, so that there is something to look at when something went wrong.
///
/// A step costs the host no more than handing it over. Everything is redacted before it is kept, beside the host: what people
/// said is neither in a segment nor on the disk in the clear, where the vault seals it besides.
final class FlightRecorder: Sendable {
    /// Steps that may wait to be written down. When more come, what was recorded before them is given up.
    private static let backlog = 512

    /// What the recorder has to be told besides the next input.
    private enum Wish {
        case nothing
        /// The state, because there is no segment, or one got lost.
        case beginning
        /// The state, because the segment is full: the next one continues it.
        case nextSegment
        /// The state, because nothing of what was recorded before may be kept.
        case forgetting
    }

    fileprivate struct Step: Sendable {
        var input: Input?
        /// The state after the input, with which a segment begins.
        var state: AppState?
        var continues = false
        var forgets = false
        /// Told when everything before it is written down.
        var flushed: CheckedContinuation<Void, Never>?
    }

    private let wish = Mutex(Wish.beginning)
    private let steps: AsyncStream<Step>.Continuation
    private let writer: FlightWriter
    private let work: Task<Void, Never>

    init(_ profile: Profile) {
        let (stream, steps) = AsyncStream<Step>.makeStream(bufferingPolicy: .bufferingOldest(Self.backlog))
        let writer = FlightWriter(profile)
        (self.steps, self.writer) = (steps, writer)
        let full = FullSegment()
        self.full = full
        work = Task.detached(priority: .utility) {
            for await step in stream {
                if let flushed = step.flushed {
                    await writer.save()
                    flushed.resume()
                } else if await writer.take(step) {
                    full.isReached.store(true, ordering: .relaxed)
                }
            }
        }
    }

    /// Set by the writer when the segment is full.
    private final class FullSegment: Sendable { let isReached = Atomic(false) }
    private let full: FullSegment

    /// Notes a step.
    /// - Parameters:
    ///   - state: the state after it.
    ///   - deletes: whether nothing that was recorded before may outlive it.
    func record(_ input: Input, leadingTo state: @autoclosure () -> AppState, deletes: Bool) {
        let isFull = full.isReached.exchange(false, ordering: .relaxed)
        wish.withLock { wish in
            if deletes {
                wish = .forgetting
            } else if input.action.bringsRecords, wish != .forgetting {
                // Records that come in are in the state; a segment that begins with it need not repeat them.
                wish = .beginning
            } else if isFull, wish == .nothing {
                wish = .nextSegment
            }
            let step: Step =
                switch wish {
                case .nothing: Step(input: input)
                case .beginning: Step(state: state())
                case .nextSegment: Step(input: input, state: state(), continues: true)
                case .forgetting: Step(state: state(), forgets: true)
                }
            if case .dropped = steps.yield(step) {
                if wish != .forgetting { wish = .beginning }
            } else {
                wish = .nothing
            }
        }
    }

    /// Writes down what was recorded so far, as far as the disk takes it.
    func flush() async {
        await withCheckedContinuation { done in
            if case .enqueued = steps.yield(Step(flushed: done)) { return }
            done.resume()
        }
    }

    /// The end of the run: returns when everything is written down, as far as the disk takes it.
    func finish(with state: AppState) async {
        let isLost = wish.withLock { $0 == .forgetting }
        steps.finish()
        await work.value
        if isLost { _ = await writer.take(Step(state: state, forgets: true)) }
        await writer.finish()
    }
}

/// Writes down what the recorder is told, off the host's actor.
private actor FlightWriter {
    /// How long what was recorded may wait for the disk.
    private static let rest = Duration.seconds(2)

    private let profile: Profile
    private var log: FlightLog
    private var isBeingSaved = false
    private var isOver = false
    /// Whether the recorder was told that the segment is full.
    private var hasSaidFull = false

    init(_ profile: Profile) {
        self.profile = profile
        log = FlightLog(nextSegment: (try? profile.nextFlightSegment()) ?? 1)
    }

    /// - Returns: true once for each segment, when it is full.
    func take(_ step: FlightRecorder.Step) -> Bool {
        if step.forgets { log.forget() }
        if let input = step.input { log.record(input) }
        if let state = step.state {
            log.begin(with: state, continues: step.continues)
            hasSaidFull = false
        }
        saveSoon()
        guard log.isFull, !hasSaidFull else { return false }
        hasSaidFull = true
        return true
    }

    private func saveSoon() {
        guard !isBeingSaved else { return }
        isBeingSaved = true
        Task {
            try? await Task.sleep(for: Self.rest)
            isBeingSaved = false
            if !isOver { save() }
        }
    }

    /// While the vault is locked, and while the disk is full, it waits, because nothing depends on it and other data needs the room.
    func save() {
        guard !profile.isLocked, profile.reserve.isKept else { return }
        do { try profile.save(flight: log.unwritten, oldest: log.oldestSegment) } catch { return }
        log.markWritten()
    }

    func finish() {
        save()
        isOver = true
    }
}

extension Action {
    fileprivate var bringsRecords: Bool {
        switch self {
        case .event(.started), .event(.vaultUnlocked): true
        default: false
        }
    }
}
