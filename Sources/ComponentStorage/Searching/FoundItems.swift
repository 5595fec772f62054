internal import Components
internal import Storage
internal import Synchronization

/// What stands behind an `FSCollection`: what a search has found until now, in the order of finding.
final class FoundItems: Sendable {
    struct Item: Hashable, Sendable {
        /// The path from the folder that was searched.
        let name: String
        let kind: FileStatus.Kind
    }

    private struct State {
        var items: [Item] = []
        var places: [String: Int] = [:]
        var isComplete = false
        var signals: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastSignal = 0
    }

    /// The folder that was searched, for reading.
    let folder: FolderView
    private let state = Mutex(State())

    init(in folder: FolderView) { self.folder = folder }

    var items: [Item] { state.withLock { $0.items } }

    func item(_ name: String) -> Item? { state.withLock { state in state.places[name].map { state.items[$0] } } }

    func add(_ item: Item) {
        let signals = state.withLock { state in
            state.places[item.name] = state.items.count
            state.items.append(item)
            return Array(state.signals.values)
        }
        for signal in signals { signal.yield() }
    }

    /// The search has ended, for whatever reason.
    func complete() {
        let signals = state.withLock { state in
            state.isComplete = true
            return Array(state.signals.values)
        }
        for signal in signals { signal.yield() }
    }

    /// Calls with every item that there is and that will be, and returns when the search has ended.
    func forEach(_ body: (Item) async throws(RuntimeException) -> Void) async throws(RuntimeException) {
        let (news, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastSignal += 1
            state.signals[state.lastSignal] = signal
            return state.lastSignal
        }
        defer { state.withLock { $0.signals[number] = nil } }
        signal.yield()
        var seen = 0
        for await _ in news {
            let (fresh, isComplete) = state.withLock { (Array($0.items[seen...]), $0.isComplete) }
            for item in fresh { try await body(item) }
            seen += fresh.count
            if isComplete { return }
        }
    }
}
