public import Components

/// Runs components in this process, each in a script context on a thread of its own.
///
/// It keeps components apart from each other and from the host as long as the engine has no holes; it is for trusted code and
/// for platforms without another wall. An endless chain of awaits that do nothing cannot be stopped here: the component
/// is declared ``ComponentEnd/hung``, and its thread goes on computing.
public struct InProcessWall: ComponentWall {
    private let preloads: @Sendable (ComponentLaunch.Kind) -> [PreloadScript]

    public init() { self.init(preloads: PreloadScript.standard) }

    /// - Parameter preloads: the scripts that go ahead of a component's own.
    public init(preloads: @escaping @Sendable (ComponentLaunch.Kind) -> [PreloadScript]) { self.preloads = preloads }

    public func start(
        _ launch: ComponentLaunch, events: @escaping ComponentEvents
    ) async throws(ComponentError) -> any RunningComponent {
        try await ComponentContext.start(launch, preloads: preloads(launch.kind), events: events)
    }
}
