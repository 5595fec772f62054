import Synchronization

/// The nodes of the messages that were shown last, so that the next tree makes anew only what has changed.
///
/// It never changes what a tree is, only how long it takes: a node follows from its message and the ``MessageContext``
/// alone, and nodes are taken from here only if the context is equal and the messages are the same piece of memory. The same
/// memory is the same messages, because a chunk that is held here has two owners, and so is copied by whoever changes it.
///
/// Copies of a core share one of these. It holds the messages of one room for each view.
final class MessageNodes: Sendable {
    private struct Shown: Sendable {
        var context: MessageContext
        var messages: ChunkedArray<Message>
        var nodes: ChunkedArray<SemanticNode>
    }

    private let shown = Mutex<[ViewID: Shown]>([:])

    /// A node for every message of the room, in order.
    func nodes(of room: Room, for view: ViewID) -> ChunkedArray<SemanticNode> {
        let context = MessageContext(of: room)
        let messages = room.messages.all
        let last = shown.withLock { $0[view] }
        var made: [UnsafeRawPointer?: [SemanticNode]] = [:]
        if let last, last.context == context {
            for (messages, nodes) in zip(last.messages.chunks, last.nodes.chunks) { made[messages.storage] = nodes }
        }
        let chunks = messages.chunks.map { made[$0.storage] ?? $0.map(context.node) }
        let nodes = ChunkedArray(chunks: chunks)
        shown.withLock { $0[view] = Shown(context: context, messages: messages, nodes: nodes) }
        return nodes
    }

    /// Lets go of what a view showed.
    func forget(_ view: ViewID) { shown.withLock { $0[view] = nil } }

    /// Lets go of all content.
    func forget() { shown.withLock { $0 = [:] } }
}
