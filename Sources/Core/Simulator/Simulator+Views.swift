package import AppCore

/// What a renderer needs that shows the simulated world as a host shows a real one.
///
/// A core of the earlier shape has no views. What a core in a library fails to do does not happen.
extension Simulator {
    package func dispatch(_ action: Action, in view: ViewID?, fresh: Fresh?) {
        try? change { try $0.dispatch(action, in: view, fresh: fresh) }
    }

    /// What is on the screen of a view; `nil` if it is not open.
    package func tree(for view: ViewID, windows: [String: Window.Request]) -> SemanticNode? {
        try? simulation.core.tree(in: view, windows: windows)
    }

    package func read<Value: Sendable>(_ look: @Sendable (AppState) throws -> Value) rethrows -> Value {
        try look((try? simulation.core.appState) ?? AppState())
    }

    /// Goes up with everything that may change a screen.
    package var changeCount: UInt64 { revision }

    /// Lets time pass. Nothing is told if nothing happens.
    package func pass(milliseconds: Int64) {
        let before = simulation.transitions
        try? simulation.advance(milliseconds: milliseconds)
        if simulation.transitions != before { change { _ in } }
    }

    package func keep(secret: String) -> SecretRef { simulation.world.secrets.keep(secret) }

    package func secret(_ ref: SecretRef) -> String? {
        simulation.world.secrets.holds(ref) ? simulation.world.secrets.resolve(ref) : nil
    }

    package var isEarlierShape: Bool { jcode != nil }
}
