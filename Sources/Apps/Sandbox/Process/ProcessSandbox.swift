package import Components
internal import Synchronization

#if os(Linux)
internal import Platform

/// Runs each component in a process of its own, which bubblewrap and a filter of system calls confine: no files, no network,
/// no other processes. It sees nothing but its socket to this process.
///
/// It never falls back to weaker isolation: where it cannot be built, `start` says what is missing.
package final class ProcessSandbox: ComponentSandbox {
    private let loop: SandboxLoop
    private let wall: ComponentWall
    private let keepsSpare: Bool
    /// A process that is ready before anybody asks.
    private let spare = Mutex<SandboxedComponent?>(nil)

    /// - Parameters:
    ///   - program: `alcove-component`; without it, what `ALCOVE_COMPONENT` names, the one beside this program, or, where
    ///     that is installed as `bin/alcove`, `libexec/alcove/alcove-component`.
    ///   - keepsSpare: whether a process is kept ready for the next component, which then starts in a few milliseconds.
    package init(program: String? = nil, keepsSpare: Bool = true) throws(ComponentError) {
        guard let loop = SandboxLoop.shared else {
            throw ComponentError(.unavailable, "apps cannot be watched: the system has no thread to give")
        }
        self.loop = loop
        wall = try ComponentWall(program: program ?? Self.standardProgram)
        self.keepsSpare = keepsSpare
    }

    deinit { replaceSpare(nil) }

    private static var standardProgram: String {
        if let named = getenv("ALCOVE_COMPONENT") { return String(cString: named) }
        guard let path = realpath("/proc/self/exe", nil) else { return "alcove-component" }
        defer { free(path) }
        let folder = String(cString: path).split(separator: "/").dropLast()
        let beside = "/" + (folder + ["alcove-component"]).joined(separator: "/")
        let installed = "/" + (folder.dropLast() + ["libexec", "alcove", "alcove-component"]).joined(separator: "/")
        return access(beside, X_OK) != 0 && access(installed, X_OK) == 0 ? installed : beside
    }

    /// Makes a process ready for the next start.
    package func prepare() {
        if spare.withLock({ $0?.isUsable != true }) { replaceSpare(makeProcess()) }
    }

    package func start(
        _ launch: ComponentLaunch, events: @escaping ComponentEvents
    ) async throws(ComponentError) -> any RunningComponent {
        let ready = spare.withLock { $0.take() }
        let component = ready?.isUsable == true ? ready ?? makeProcess() : makeProcess()
        let result = await withCheckedContinuation { continuation in
            component.run(.init(launch: launch, events: events) { continuation.resume(returning: $0) })
        }
        if keepsSpare { prepare() }
        try result.get()
        return component
    }

    private func makeProcess() -> SandboxedComponent {
        let component = SandboxedComponent(on: loop)
        loop.perform { [wall] in component.begin(wall.words) }
        return component
    }

    private func replaceSpare(_ new: SandboxedComponent?) {
        let old = spare.withLock { spare in
            defer { spare = new }
            return spare
        }
        if let old { loop.perform { old.state.withLock { old.condemn(.stopped, &$0) } } }
    }
}
#else
/// Not available on this platform, which confines whole programs by itself.
package final class ProcessSandbox: ComponentSandbox {
    package init(program: String? = nil, keepsSpare: Bool = true) throws(ComponentError) {
        throw ComponentError(
            .unavailable, "this platform does not let a program confine another; run components in this process")
    }

    package func prepare() {}

    package func start(
        _ launch: ComponentLaunch, events: @escaping ComponentEvents
    ) async throws(ComponentError) -> any RunningComponent {
        throw ComponentError(.unavailable, "this platform does not let a program confine another")
    }
}
#endif
