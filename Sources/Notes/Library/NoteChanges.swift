/// The changes of a library for one listener.
public struct NoteChanges: AsyncSequence, Sendable {
    public typealias Element = NoteChange
    public typealias Failure = Never

    public func makeAsyncIterator() -> Iterator { Iterator() }

    public struct Iterator: AsyncIteratorProtocol {
        public mutating func next() async -> NoteChange? { nil }
    }
}
