internal import Components
internal import Storage
internal import Synchronization

/// What stands behind an `FSCollection`: what a search has found until now, in the order of finding.
final class FoundItems: Sendable {
    struct Item: Hashable, Sendable {
        /// The path from the folder that was searched, with a slash in front.
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
    private let memory: MemoryShare?

    /// - Parameter memory: of who searches, and keeps what was found for as long as it likes.
    init(in folder: FolderView, memory: MemoryBudget? = nil) {
        self.folder = folder
        self.memory = memory.map { MemoryShare(of: $0) }
    }

    var items: [Item] { state.withLock { $0.items } }

    func item(_ name: String) -> Item? { state.withLock { state in state.places[name].map { state.items[$0] } } }

    /// - Returns: false if there is no memory for it.
    func add(_ item: Item) -> Bool {
        guard memory?.grow(by: Self.itemCost + item.name.utf8.count) ?? true else { return false }
        let signals = state.withLock { state in
            state.places[item.name] = state.items.count
            state.items.append(item)
            return Array(state.signals.values)
        }
        for signal in signals { signal.yield() }
        return true
    }

    /// Bytes that an item takes beside its name.
    private static let itemCost = 256

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
