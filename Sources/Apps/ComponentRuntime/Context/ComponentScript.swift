internal import Components
internal import ScriptEngine

/// The script of a component, and its end of the ports. Lives on the component's thread.
///
/// Scripts see one global more than a bare context has, `_ports_`, and that only until the component's own code runs:
/// `send(port, bytes)`, `onMessage(function)` and `capabilities`.
final class ComponentScript {
    private let launch: ComponentLaunch
    private let context: ScriptContext
    /// Keeps the component alive, which keeps this, until its end.
    private let host: ComponentContext
    private let local: LocalFunctions
    /// What the scripts gave to `onMessage`.
    private var receiver: ScriptValue?
    /// The texts of ports, which would otherwise be made for each message.
    private var portNames: [String: ScriptValue] = [:]
    /// Bytes of messages since garbage was last collected.
    private var carried = 0
    private var failure: ScriptError?
    private var isStarting = true
    private var clock: FixedClock?

    init(_ launch: ComponentLaunch, on thread: ScriptThread, host: ComponentContext) throws(ScriptError) {
        self.launch = launch
        self.host = host
        clock = launch.determinism.map(FixedClock.init)
        context = try ScriptContext(on: thread, .init(launch, clock, host))
        local = LocalFunctions(context: context, clock: clock)
        try clock?.install(in: context)
        try definePorts()
    }

    /// Bytes that the heap holds.
    var heap: Int { (try? context.memory).map { $0.heapSize + $0.extraSize } ?? 0 }

    func close() {
        receiver = nil
        portNames = [:]
        context.close()
    }

    func run(_ preloads: [PreloadScript]) throws(ScriptError) {
        for preload in preloads { try context.evaluate(preload.source, name: preload.name) }
        // The preloads took it and hide it; a component must not find it even if they forgot.
        try context.evaluate("delete globalThis._ports_", name: "alcove:ports")
    }

    /// Evaluates the component's code up to its first `await`.
    func runCode() throws(ScriptError) {
        defer { isStarting = false }
        let start = try context.evaluate(Self.start, name: "alcove:start")
        // Its first line stays the first, so that stack traces are right; its last may end in a comment.
        let main = try context.evaluate("(async () => {" + launch.code + "\n})", name: launch.source)
        let failed = try context.function("failed") { [weak self] arguments in
            self?.failed(arguments.context.error(of: arguments[0]))
            return ScriptData.undefined
        }
        try start.call(main, failed)
        if let failure { throw failure }
    }

    private static let start = """
        ((prepared) => (main, failed) => prepared.then(() => main()).then(undefined, failed))(
            typeof _awaitPreloadInit === "function" ? _awaitPreloadInit() : Promise.resolve())
        """

    private func failed(_ error: ScriptError) {
        if isStarting { failure = error } else { context.configuration.uncaught(error) }
    }

    private func definePorts() throws(ScriptError) {
        let ports = try context.object()
        try ports.setProperty(
            "send",
            context.function("send") { [weak self] arguments in
                try self?.send(PortMessage(port: arguments.string(0), bytes: arguments.bytes(1)))
                return ScriptData.undefined
            })
        try ports.setProperty(
            "onMessage",
            context.function("onMessage") { [weak self] arguments in
                guard try arguments[0].isFunction else { throw ScriptError(.notAFunction, "a function is needed") }
                self?.receiver = arguments[0]
                return ScriptData.undefined
            })
        if !launch.capabilities.isEmpty {
            let names = launch.capabilities.map { path, names in
                (path.joined(separator: "/"), ScriptData.array(names.map(ScriptData.string)))
            }
            try ports.setProperty("capabilities", ScriptData.object(Dictionary(names) { first, _ in first }))
        }
        try context.global.setProperty("_ports_", ports)
    }

    private func send(_ message: PortMessage) throws(ScriptError) {
        guard message.bytes.count <= launch.limits.message, message.port.utf8.count <= PortMessage.longestPort else {
            throw ScriptError(.limit, "the message is longer than \(launch.limits.message) bytes", name: "RangeError")
        }
        carried += message.bytes.count
        if let call = local.call(in: message) {
            local.answer(call, on: message.port, host.send)
        } else {
            host.report(.message(message))
        }
    }

    func deliver(_ message: PortMessage) {
        if let clock, message.port == ComponentDeterminism.clockPort { return clock.set(message.bytes) }
        do {
            guard let receiver else { return }
            carried += message.bytes.count
            try receiver.call(name(of: message.port), message.bytes)
            try tidy()
        } catch {
            context.configuration.uncaught(error)
        }
    }

    /// The engine is slow to collect the memory of large messages, and has several copies of each; the limit of a component's
    /// memory is.
    private func tidy() throws(ScriptError) {
        guard carried > Self.collectsAfter else { return }
        carried = 0
        try context.collectGarbage()
    }

    private static let collectsAfter = 32 << 20

    private func name(of port: String) throws(ScriptError) -> ScriptValue {
        if let name = portNames[port] { return name }
        if portNames.count >= 64 { portNames = [:] }
        let name = try port.scriptValue(in: context)
        portNames[port] = name
        return name
    }
}

extension ScriptConfiguration {
    fileprivate init(_ launch: ComponentLaunch, _ clock: FixedClock?, _ host: ComponentContext) {
        self.init()
        limits.executionTime = launch.limits.turn
        limits.timers = launch.limits.timers
        limits.heap = launch.limits.memory
        console = { line in host.report(.console(level: line.level.rawValue, text: line.text)) }
        uncaught = { error in host.report(.uncaught(error.report)) }
        heapExceeded = { host.end(.exceeded("memory")) }
        guard let clock else { return }
        // The preloads set timers by messages then, which are in the record.
        features.subtract([.timers, .performance])
        random = { count in clock.bytes(count) }
    }
}

extension ScriptError {
    /// What a log shows: the description, and the calls that led there.
    var report: String {
        let text = stack.isEmpty ? description : "\(description)\n\(stack)"
        return text.utf8.count <= 8192 ? text : String(text.prefix(4096)) + "…"
    }
}
