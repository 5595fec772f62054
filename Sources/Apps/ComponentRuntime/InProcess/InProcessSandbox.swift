package import Components
internal import Synchronization

/// Runs components in this process, each in a script context on a thread of its own.
///
/// It keeps components apart from each other and from the host as long as the engine has no holes; it is for trusted code and
/// for platforms without another sandbox. An endless chain of awaits that do nothing cannot be stopped here: the component
/// is declared ``ComponentEnd/hung``, and its thread goes on computing.
package struct InProcessSandbox: ComponentSandbox {
    private let preloads: @Sendable (ComponentLaunch.Kind) -> [PreloadScript]

    package init() { self.init(preloads: PreloadScript.standard) }

    /// - Parameter preloads: the scripts that go ahead of a component's own.
    package init(preloads: @escaping @Sendable (ComponentLaunch.Kind) -> [PreloadScript]) { self.preloads = preloads }

    package func start(
        _ launch: ComponentLaunch, events: @escaping ComponentEvents
    ) async throws(ComponentError) -> any RunningComponent {
        let component = try ComponentContext(launch, events: events)
        component.watchForSilence()
        let failure = await withCheckedContinuation { continuation in
            let answer = FirstAnswer(continuation)
            component.begin(preloads(launch.kind)) { answer.give($0) }
            component.whenOver { answer.give(ComponentError(.timeout, "\(launch.name) ended before it had started")) }
        }
        if let failure { throw failure }
        return component
    }
}

/// Resumes with the first answer that is given.
private final class FirstAnswer: Sendable {
    private let continuation: Mutex<CheckedContinuation<ComponentError?, Never>?>

    init(_ continuation: CheckedContinuation<ComponentError?, Never>) { self.continuation = Mutex(continuation) }

    func give(_ answer: ComponentError?) { continuation.withLock { $0.take() }?.resume(returning: answer) }
}
