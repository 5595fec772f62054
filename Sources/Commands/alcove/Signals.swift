import Dispatch
import Foundation
import Synchronization

/// The signals that ask a process to end. From the moment this exists, none of them is missed.
struct Signals: Sendable {
    private let arrival = Arrival()
    /// Dispatch's objects may be used from any thread; only their Swift types do not say so.
    nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

    init() async {
        let arrival = arrival
        var sources: [any DispatchSourceSignal] = []
        for number in [SIGINT, SIGTERM] {
            // Before the source is made: on Linux it puts a handler of its own in this place.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                arrival.happen()
                Self.endIfStuck(.global())
            }
            await withCheckedContinuation { registered in
                source.setRegistrationHandler { registered.resume() }
                source.resume()
            }
            sources.append(source)
        }
        self.sources = sources
    }

    /// A terminal that nobody reads blocks its writers, so an orderly end would never come. Looks every second
    /// whether somebody is still writing, and ends the process after the second time.
    static func endIfStuck(_ queue: DispatchQueue, times: Int = 0) {
        queue.asyncAfter(deadline: .now() + 1) {
            guard Terminal.isStuck else { return endIfStuck(queue) }
            guard times < 2 else {
                RawTerminal.giveBack()
                ProgramEnd.now(.temporaryFailure)
            }
            endIfStuck(queue, times: times + 1)
        }
    }

    /// Whether one of them has come.
    var haveCome: Bool { arrival.hasHappened }

    /// Ends every wait as a signal would.
    func raise() { arrival.happen() }

    /// Returns when one of them has come, or the task is cancelled. Any number of tasks may wait, also after others gave up.
    func wait() async {
        await arrival.wait()
        guard haveCome else { return }
        for source in sources { source.cancel() }
    }

    /// Returns when one of them has come, at the latest after this time.
    func wait(atMost time: Duration) async {
        await withTaskGroup { group in
            group.addTask { await wait() }
            group.addTask { try? await Task.sleep(for: time) }
            await group.next()
            group.cancelAll()
        }
    }
}

/// What happens once.
private final class Arrival: Sendable {
    private struct State {
        var hasHappened = false
        var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    var hasHappened: Bool { state.withLock(\.hasHappened) }

    func happen() {
        let waiting = state.withLock { state in
            state.hasHappened = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.finish() }
    }

    func wait() async {
        // One for each who waits: a stream is over for good once somebody who reads it is cancelled.
        let (end, continuation) = AsyncStream<Void>.makeStream()
        let number = state.withLock { state -> Int? in
            guard !state.hasHappened else { return nil }
            state.lastNumber += 1
            state.waiting[state.lastNumber] = continuation
            return state.lastNumber
        }
        guard let number else { return }
        for await _ in end {}
        state.withLock { _ = $0.waiting.removeValue(forKey: number) }
    }
}
