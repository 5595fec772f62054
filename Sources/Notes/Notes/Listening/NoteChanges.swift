internal import NoteIndex
internal import Synchronization

/// The changes of a library, in order, for one listener.
///
/// They wait until they are asked for, in bounded space: of several changes to one note the newest waits, in the place of the first.
package final class NoteChanges: AsyncSequence, Sendable {
    package typealias Element = NoteChange
    package typealias Failure = Never

    /// What a change is about: one such change at a time waits.
    private enum Topic: Hashable {
        case note(String)
        case folders
        case sync
    }

    private struct State {
        /// What waits, by its number.
        var waiting: [Int: NoteChange] = [:]
        var first = 0
        var end = 0
        var topics: [Topic: Int] = [:]
    }

    private let state = Mutex(State())
    private let signal = Signal()

    init() {}

    func yield(_ change: NoteChange) {
        state.withLock { state in
            let topic = Self.topic(of: change)
            if let number = state.topics[topic] {
                state.waiting[number] = change
            } else {
                state.topics[topic] = state.end
                state.waiting[state.end] = change
                state.end += 1
            }
        }
        signal.raise()
    }

    /// No change comes after those that wait.
    func finish() { signal.finish() }

    private static func topic(of change: NoteChange) -> Topic {
        switch change {
        case .note(let note, _): .note(note.id)
        case .removed(let note, _): .note(note)
        case .folders: .folders
        case .sync: .sync
        }
    }

    private func take() -> NoteChange? {
        state.withLock { state in
            guard let change = state.waiting.removeValue(forKey: state.first) else { return nil }
            state.topics[Self.topic(of: change)] = nil
            state.first += 1
            return change
        }
    }

    package func makeAsyncIterator() -> Iterator { Iterator(changes: self, raised: signal.raised.makeAsyncIterator()) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let changes: NoteChanges
        fileprivate var raised: AsyncStream<Void>.Iterator

        package mutating func next() async -> NoteChange? {
            while true {
                if let change = changes.take() { return change }
                guard await raised.next(isolation: #isolation) != nil else { return changes.take() }
            }
        }
    }
}
