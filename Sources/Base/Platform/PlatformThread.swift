/// Dedicated threads for work that mostly waits. Such work on the few threads of Dispatch or Swift's tasks would starve
/// other work.
package enum PlatformThread {
    /// Starts a thread that nobody joins.
    /// - Parameters:
    ///   - name: what debuggers show; Linux shows its first 15 bytes.
    ///   - stackSize: bytes of stack; nil for the system's default.
    /// - Returns: false if the system has no thread to give.
    package static func start(
        name: String? = nil, stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void
    ) -> Bool {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return false }
        defer { pthread_attr_destroy(&attributes) }
        if let stackSize, pthread_attr_setstacksize(&attributes, stackSize) != 0 { return false }
        guard pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED)) == 0 else { return false }
        #if canImport(Glibc)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        let status = pthread_create(
            &thread, &attributes,
            { argument in
                let argument: UnsafeMutableRawPointer? = argument
                if let argument { Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, start.toOpaque())
        if status != 0 { start.release() }
        return status == 0
    }

    private final class Start: Sendable {
        let name: String?
        let body: @Sendable () -> Void

        init(name: String?, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }

        func run() {
            #if canImport(Darwin)
            if let name { pthread_setname_np(name) }
            #else
            if let name { pthread_setname_np(pthread_self(), String(name.prefix(15))) }
            #endif
            body()
        }
    }
}

/// Settings of the whole process for files and connections.
package enum ProcessLimits {
    /// Raises the limit of open files as far as the system allows, because every connection needs one.
    package static func raiseOpenFiles() {
        var limit = rlimit()
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(resource, &limit)
    }

    /// Makes a write to a closed connection an error to handle instead of a signal that ends the process.
    package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
}
