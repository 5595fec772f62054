#if os(Linux)
internal import CSeccomp
internal import ComponentRuntime
package import Components
internal import Glibc
internal import ScriptEngine
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
        do {
            try confine()
        } catch {
            channel.send(.refused(error))
            _exit(1)
        }
        channel.send(.ready)
        guard case .launch(let launch)? = channel.receive() else { _exit(1) }
        start(launch, channel)
        while true { rest() }
    }

    /// The engine makes what it needs of the system before there is nothing left to be had.
    package static func confine() throws(ComponentError) {
        let thread: ScriptThread
        do {
            thread = try ScriptThread(name: "warm-up")
        } catch {
            throw ComponentError(.unavailable, error.message)
        }
        let isWarm = Mutex<ComponentError?>(nil)
        let done = Gate()
        thread.post {
            do throws(ScriptError) {
                let context = try ScriptContext(on: thread)
                try context.evaluate(warmUp, name: "alcove:warm-up")
                context.close()
            } catch {
                isWarm.withLock { $0 = ComponentError(.unavailable, error.message) }
            }
            done.open()
        }
        done.wait()
        if let error = isWarm.withLock({ $0 }) { throw error }
        limitSelf()
        try SystemCallFilter.install()
    }

    /// Touches chance, time, languages and compilers.
    private static let warmUp = """
        Math.random(); crypto.getRandomValues(new Uint8Array(1)); new Date().toLocaleString(); new Intl.Collator();
        /a+b/u.test("aab"); "é".normalize("NFKC"); "İ".toLocaleLowerCase("tr");
        """

    /// No core dumps, which would hold the component's data, no files, and few descriptors.
    private static func limitSelf() {
        for (resource, limit) in [(RLIMIT_CORE, rlim_t(0)), (RLIMIT_FSIZE, 0), (RLIMIT_NOFILE, 64)] {
            var limits = rlimit(rlim_cur: limit, rlim_max: limit)
            setrlimit(__rlimit_resource_t(resource.rawValue), &limits)
        }
    }

    private static func start(_ launch: ComponentLaunch, _ channel: Channel) {
        _ = launch.name.withCString { alcove_set_name($0) }
        let component: ComponentContext
        do {
            component = try ComponentContext(launch) { _, event in channel.send(.event(event)) }
        } catch {
            channel.send(.refused(error))
            _exit(1)
        }
        component.whenOver { _exit(0) }
        component.begin(PreloadScript.standard(launch.kind)) { failure in
            channel.send(failure.map(ComponentFrame.refused) ?? .started)
        }
        component.thread.watch(descriptor: socket) { channel.deliver(to: component) }
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
