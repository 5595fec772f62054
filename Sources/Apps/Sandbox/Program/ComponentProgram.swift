#if os(Linux)
internal import CSeccomp
internal import ComponentRuntime
package import Components
internal import Platform
package import ScriptEngine
internal import Synchronization
internal import Wire

/// The program inside the sandbox: it confines itself, and then runs the one component that the host sends.
package enum ComponentProgram {
    /// The descriptor that the host left open.
    static let socket: Int32 = 3

    /// Never returns. Without a host at the other end, or with `--libraries`, it says what it is and ends.
    package static func run() -> Never {
        run { launch, thread, channel in start(launch, on: thread, channel) }
    }

    /// The same for tests, whose components do what no script can: `perform` gets their code, and runs it on the only thread that is left to it.
    package static func run(performing perform: @escaping @Sendable (String) -> Void) -> Never {
        run { launch, _, channel in
            channel.send(.started)
            perform(launch.code)
        }
    }

    private static func run(_ start: (ComponentLaunch, ScriptThread, Channel) -> Void) -> Never {
        if CommandLine.arguments.dropFirst().first == "--libraries" { return listLibraries() }
        var type: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &size) == 0 else {
            fail("alcove-component is started by Alcove, to run one component of an app; it does nothing by itself")
        }
        let channel = Channel(socket)
        let thread: ScriptThread
        do {
            thread = try confine()
        } catch {
            channel.send(.refused(error))
            _exit(1)
        }
        channel.send(.ready)
        guard case .launch(let launch)? = channel.receive() else { _exit(1) }
        start(launch, thread, channel)
        return withExtendedLifetime(thread) { while true { rest() } }
    }

    /// The engine opens what it needs of the system before there is nothing left to be had. Meanwhile the filter is made.
    ///
    /// - Returns: the thread that the component will live on.
    package static func confine() throws(ComponentError) -> ScriptThread {
        let failure = Mutex<ScriptError?>(nil)
        let isPrepared = Latch()
        let thread: ScriptThread
        do {
            thread = try ScriptThread(name: "component")
        } catch {
            throw ComponentError(.unavailable, error.message)
        }
        thread.prepareContext { error in
            failure.withLock { $0 = error }
            isPrepared.open()
        }
        let filter = try SystemCallFilter()
        isPrepared.wait()
        if let error = failure.withLock({ $0 }) { throw ComponentError(.unavailable, error.message) }
        limitSelf()
        try filter.install()
        return thread
    }

    /// No core dumps, which would hold the component's data, no files, few descriptors, and no more threads than the host puts up with.
    private static func limitSelf() {
        var all = [(RLIMIT_CORE, rlim_t(0)), (RLIMIT_FSIZE, 0), (RLIMIT_NOFILE, 64)]
        if countsThreadsBySpace { all.append((__RLIMIT_NPROC, rlim_t(ThreadLimit.threads))) }
        for (resource, limit) in all {
            var limits = rlimit(rlim_cur: limit, rlim_max: limit)
            setrlimit(__rlimit_resource_t(resource.rawValue), &limits)
        }
    }

    /// Since Linux 5.14 the limit counts the threads of this user in this name space, which is the component's own. Before that it counted
    /// all that the person runs, and the component might get none.
    private static var countsThreadsBySpace: Bool {
        var system = utsname()
        guard uname(&system) == 0 else { return false }
        let release = withUnsafeBytes(of: &system.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let numbers = release.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
        return numbers.count == 2 && (numbers[0], numbers[1]) >= (5, 14)
    }

    private static func start(_ launch: ComponentLaunch, on thread: ScriptThread, _ channel: Channel) {
        _ = launch.name.withCString { alcove_set_name($0) }
        let component = ComponentContext(launch, on: thread) { _, event in channel.send(.event(event)) }
        component.whenOver { _exit(0) }
        component.begin(PreloadScript.standard(launch.kind)) { failure in
            channel.send(failure.map(ComponentFrame.refused) ?? .started)
        }
        thread.watch(descriptor: socket) { channel.deliver(to: component) }
    }

    private static func listLibraries() -> Never {
        var library = alcove_first_library()
        while let one = library {
            if let name = one.pointee.l_name, name.pointee == UInt8(ascii: "/") { puts(name) }
            library = UnsafePointer(one.pointee.l_next)
        }
        exit(0)
    }

    private static func fail(_ text: String) -> Never {
        let line = "error: \(text)\n"
        _ = line.withCString { write(2, $0, strlen($0)) }
        exit(64)
    }

    private static func rest() { _ = poll(nil, 0, -1) }
}

/// Lets one thread wait for another.
private final class Latch: Sendable {
    private let isOpen = Atomic<Bool>(false)

    func open() { isOpen.store(true, ordering: .releasing) }

    func wait() {
        while !isOpen.load(ordering: .acquiring) { usleep(100) }
    }
}
#endif
