/// The product, without a body: state in, state out. No clock, no randomness, no input or output.
///
/// A host keeps one core, feeds it ``Input`` after ``Input`` from one place, and does what each ``Outcome`` says. Nothing
/// that comes in can trap: what makes no sense changes nothing.
public struct Core: Sendable {
    public private(set) var state: AppState
    let messageNodes = MessageNodes()

    public init(state: AppState = AppState()) { self.state = state }

    /// Takes one step. Constant time for messages, in rooms of any length.
    public mutating func dispatch(_ input: Input) -> Outcome {
        var turn = DispatchContext(input)
        state.reduce(input.action, &turn)
        if state.lock.isLocked { messageNodes.forget() }
        return turn.finish()
    }
}
