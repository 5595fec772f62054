#if os(Linux)
internal import CSeccomp
internal import ComponentRuntime
package import Components
internal import Glibc
package import ScriptEngine
internal import Synchronization
internal import Wire

/// The program that is the inside of the wall: it confines itself, and then runs the one component that the host sends.
public enum ComponentProgram {
    /// The descriptor that the host left open.
    static let socket: Int32 = 3

    /// Never returns. Without a host at the other end, or with `--libraries`, it says what it is and ends.
    public static func run() -> Never {
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
        start(launch, on: thread, channel)
        while true { rest() }
    }

    /// The engine opens what it needs of the system before there is nothing left to be had. Meanwhile the filter is made.
    ///
    /// - Returns: the thread that the component will live on.
    package static func confine() throws(ComponentError) -> ScriptThread {
        let failure = Mutex<ScriptError?>(nil)
        let isPrepared = Gate()
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

    /// No core dumps, which would hold the component's data, no files, and few descriptors.
    private static func limitSelf() {
        for (resource, limit) in [(RLIMIT_CORE, rlim_t(0)), (RLIMIT_FSIZE, 0), (RLIMIT_NOFILE, 64)] {
            var limits = rlimit(rlim_cur: limit, rlim_max: limit)
            setrlimit(__rlimit_resource_t(resource.rawValue), &limits)
        }
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
private final class Gate: Sendable {
    private let isOpen = Atomic<Bool>(false)

    func open() { isOpen.store(true, ordering: .releasing) }

    func wait() {
        while !isOpen.load(ordering: .acquiring) { usleep(100) }
    }
}
#endif
