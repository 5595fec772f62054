internal import Components
internal import Synchronization

/// First in, first out, between those who add and the one who takes: adding waits while what is in the queue is too large.
///
/// What waits outside is bounded as well, and counted by those who let it in.
final class FlowQueue<Element: Sendable>: Sendable {
    /// Elements of a queue, and of those who wait to add one.
    static var countLimit: Int { 1_000 }

    enum Addition {
        case added
        /// There is no reader any more, or the task that adds was cancelled.
        case over
        case tooMany
    }

    private struct Waiting {
        let id: Int
        let entry: (element: Element, cost: Int)
        let resume: CheckedContinuation<Addition, Never>
    }

    private struct State {
        var entries: [(element: Element, cost: Int)] = []
        var cost = 0
        var waiting: [Waiting] = []
        var lastID = 0
        var taker: CheckedContinuation<Element?, Never>?
        var isFinished = false
    }

    private let limit: Int
    private let memory: MemoryShare?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: bytes; a larger element passes when it is alone.
    ///   - memory: the memory share of the side that adds.
    init(limit: Int, memory: MemoryBudget? = nil) {
        self.limit = limit
        self.memory = memory.map { MemoryShare(of: $0) }
    }

    /// Adds an element, after waiting for room.
    func add(_ element: Element, cost: Int) async -> Addition {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now = state.withLock { state -> (Addition?, CheckedContinuation<Element?, Never>?) in
                    if state.isFinished || Task.isCancelled { return (.over, nil) }
                    if let taker = state.taker.take() { return (.added, taker) }
                    let isFull = state.cost > 0 && state.cost + cost > limit || state.entries.count >= Self.countLimit
                    guard isFull || !state.waiting.isEmpty else {
                        guard memory?.grow(by: cost) ?? true else { return (.tooMany, nil) }
                        state.entries.append((element, cost))
                        state.cost += cost
                        return (.added, nil)
                    }
                    guard state.waiting.count < Self.countLimit else { return (.tooMany, nil) }
                    state.waiting.append(Waiting(id: id, entry: (element, cost), resume: continuation))
                    return (nil, nil)
                }
                now.1?.resume(returning: element)
                if let outcome = now.0 { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
            }
            waiting?.resume.resume(returning: .over)
        }
    }

    /// The next element; nil when there will be none, or the task is cancelled. One task takes.
    func next() async -> Element? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (now, admitted) = state.withLock { state -> (Element??, [Waiting]) in
                    guard !state.entries.isEmpty else {
                        if state.isFinished || Task.isCancelled { return (.some(nil), []) }
                        state.taker = continuation
                        return (nil, [])
                    }
                    let entry = state.entries.removeFirst()
                    state.cost -= entry.cost
                    defer { memory?.count(state.cost) }
                    return (entry.element, admit(&state))
                }
                for waiting in admitted { waiting.resume.resume(returning: .added) }
                if let element = now { continuation.resume(returning: element) }
            }
        } onCancel: {
            state.withLock { $0.taker.take() }?.resume(returning: nil)
        }
    }

    /// Lets in who waits, in order, as far as there is room.
    private func admit(_ state: inout State) -> [Waiting] {
        var admitted: [Waiting] = []
        while let first = state.waiting.first, state.entries.count < Self.countLimit,
            state.cost == 0 || state.cost + first.entry.cost <= limit
        {
            state.entries.append(first.entry)
            state.cost += first.entry.cost
            admitted.append(state.waiting.removeFirst())
        }
        return admitted
    }

    /// Removes elements that are no longer wanted.
    func remove(where matches: (Element) -> Bool) {
        let admitted = state.withLock { state -> [Waiting] in
            state.entries.removeAll { matches($0.element) }
            state.cost = state.entries.reduce(0) { $0 + $1.cost }
            defer { memory?.count(state.cost) }
            return admit(&state)
        }
        for waiting in admitted { waiting.resume.resume(returning: .added) }
    }

    /// Nothing is added any more. What is in the queue can still be taken, unless it is thrown away.
    func finish(throwingAway: Bool = false) {
        let (waiting, taker) = state.withLock { state -> ([Waiting], CheckedContinuation<Element?, Never>?) in
            state.isFinished = true
            if throwingAway {
                state.entries = []
                state.cost = 0
                memory?.count(0)
            }
            defer { state.waiting = [] }
            return (state.waiting, state.entries.isEmpty ? state.taker.take() : nil)
        }
        for one in waiting { one.resume.resume(returning: .over) }
        taker?.resume(returning: nil)
    }
}
