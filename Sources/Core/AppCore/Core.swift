/// The product as a pure function: state and input in, state and effects out. It has no clock, randomness, input or output.
///
/// A host keeps one core, feeds it ``Input`` after ``Input`` from one place, and does what each ``Outcome`` says. No
/// input can trap: what makes no sense changes nothing.
package struct Core: Sendable {
    package private(set) var state: AppState
    let messageNodes = MessageNodes()

    package init(state: AppState = AppState()) { self.state = state }

    /// Takes one step. Constant time for messages, in rooms of any length.
    package mutating func dispatch(_ input: Input) -> Outcome {
        var context = DispatchContext(input)
        state.reduce(input.action, &context)
        if state.lock.isLocked { messageNodes.forget() }
        return context.finish()
    }
}

/// What one input led to.
///
/// The host does three things with it, in this order: it saves `changes`, it carries out `effects`, it draws the
/// new tree. The order matters: a message is acknowledged to its sender by an effect, hence after it was saved.
package struct Outcome: Sendable, Hashable, Codable {
    /// Work for the host, in order. Each is answered by one event that carries its id.
    package var effects: [Effect] = []
    /// Records whose saved form is out of date: see ``Core/record(for:)``. No key occurs twice.
    package var changes: [RecordKey] = []
    /// Records that could not be read (only after an action that brings records). They are left as they are.
    package var unreadable: [RecordKey] = []

    package init() {}
}
