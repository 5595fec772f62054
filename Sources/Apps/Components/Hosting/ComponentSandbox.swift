@_exported public import Errors

/// Where components run: in this process, or each in a confined one of its own.
public protocol ComponentSandbox: Sendable {
    /// Starts a component and returns when its code was evaluated up to its first `await`.
    ///
    /// - Parameters:
    ///   - launch: the code, and what it may use.
    ///   - events: gets what the component does, see ``ComponentEvents``.
    func start(
        _ launch: ComponentLaunch, events: @escaping ComponentEvents
    ) async throws(ComponentError) -> any RunningComponent
}

extension ComponentSandbox {
    /// Reads a script without running it.
    ///
    /// That happens where components run, because the author of a script may have written it to attack its reader. It finds nothing
    /// there.
    /// - Parameters:
    ///   - code: of a component.
    ///   - source: its path, for messages.
    /// - Throws: `invalidCode` if it is not a script, with the line; what else keeps components from starting.
    public func check(_ code: String, source: String) async throws(ComponentError) {
        // The rest is read, and never reached.
        let launch = ComponentLaunch(kind: .app, name: "a look at \(source)", source: source, code: "return;" + code)
        let component = try await start(launch) { _, _ in }
        await component.stop()
    }
}

/// Gets what a component does, in order, one call at a time, on no particular thread. It must not wait; what it sends from
/// within the call arrives without a change of threads where the sandbox allows that.
///
/// Events come already before `start` returns. `.ended` comes once and last, also when the start fails after the component
/// began to exist.
public typealias ComponentEvents = @Sendable (any RunningComponent, ComponentEvent) -> Void

/// A component that was started.
public protocol RunningComponent: AnyObject, Sendable {
    /// Brings it a message. What comes after its end is ignored.
    func send(_ message: PortMessage)
    /// Ends it, and returns when it is gone. Its last event is `.ended(.stopped)`, unless it ended by itself.
    func stop() async
    /// Bytes that it holds now.
    var memory: Int { get }
    /// Bytes of what was sent that it has not taken yet.
    var backlog: Int { get }
    /// Calls back whenever it has taken everything that waited for it. Set once, before much is sent.
    func whenTaken(_ body: @escaping @Sendable () -> Void)
}

/// What a running component does.
public enum ComponentEvent: Hashable, Sendable {
    /// Its message to the host. Functions that need no host (`delay`, `crypto_random`) are answered on the component's side
    /// of the sandbox and never seen here.
    case message(PortMessage)
    /// A line of `console`; `level` is `log`, `info`, `warn`, `error` or `debug`.
    case console(level: String, text: String)
    /// An exception that nothing caught. The component goes on.
    case uncaught(String)
    /// The component ended. Nothing follows.
    case ended(ComponentEnd)
}

/// How a component ended.
public enum ComponentEnd: Hashable, Sendable, CustomStringConvertible {
    /// The host stopped it.
    case stopped
    /// Its process died, or its code could not be evaluated.
    case crashed(String)
    /// It went beyond a limit, which the text names.
    case exceeded(String)
    /// It gave no sign of life for too long.
    case hung

    public var description: String {
        switch self {
        case .stopped: "stopped"
        case .crashed(let text): "crashed: \(text)"
        case .exceeded(let limit): "used too much: \(limit)"
        case .hung: "gave no sign of life"
        }
    }
}

/// Why a component could not be started. The text says what to do.
public typealias ComponentError = CodedError<ComponentErrorCode>

/// The codes of ``ComponentError``.
public enum ComponentErrorCode: String, ErrorCode {
    /// The sandbox cannot be built on this machine.
    case unavailable
    /// The code is not a script, or threw at once.
    case invalidCode
    /// It did not start in time.
    case timeout
    /// A limit of this machine or of the host was reached.
    case limit
}
