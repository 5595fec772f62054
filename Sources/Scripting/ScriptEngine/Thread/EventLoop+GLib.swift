#if !canImport(Darwin)
internal import CJavaScriptCore
internal import Platform

/// A GLib main context of its own.
final class EventLoop: Sendable {
    /// Never changes; other threads only call `g_main_context_wakeup` with it, which GLib allows.
    nonisolated(unsafe) let context = g_main_context_new()

    deinit { g_main_context_unref(context) }

    /// Whether file descriptors are left for another loop, and for those of the engine's own threads. GLib ends the
    /// process if there are none.
    static var isAvailable: Bool {
        let descriptors = (0..<10).map { _ in eventfd(0, 0) }
        for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
        return descriptors.allSatisfy { $0 >= 0 }
    }

    /// By default a signal stops a script. It can end the process: the sender aborts if the script ends by itself at
    /// the same moment. With this setting, scripts poll whether they have to stop.
    static let prepareEngine: Void = { _ = jsc_options_set_boolean("usePollingTraps", 1) }()

    /// A number that is unique among running threads.
    static var currentThread: UInt { UInt(bitPattern: g_thread_self()) }

    /// Idle garbage collection uses the engine's memory watch, whose timer needs a main loop, as browsers have. Without
    /// one the process would crash. So the first loop becomes the main loop, and the memory watch, which keeps it
    /// alive, is made then.
    private static let prepareMainLoop: Void = {
        AlcoveInitializeMainThread()
        _ = AlcoveMemoryPressureHandler()
    }()

    /// Makes this the loop of the calling thread. JavaScriptCore looks for it when a context is made.
    func enter() {
        g_main_context_push_thread_default(context)
        Self.prepareMainLoop
    }

    func leave() { g_main_context_pop_thread_default(context) }

    /// Handles ready events, after waiting for one if `mayWait`.
    func iterate(mayWait: Bool) { g_main_context_iteration(context, mayWait ? 1 : 0) }

    /// Calls `ready` on the loop's thread whenever the descriptor can be read, or its other end is gone, until it returns
    /// false.
    func watch(descriptor: Int32, _ ready: @escaping @Sendable () -> Bool) {
        let conditions = GIOCondition(rawValue: G_IO_IN.rawValue | G_IO_HUP.rawValue | G_IO_ERR.rawValue)
        let callback: GUnixFDSourceFunc = { _, _, pointer in
            guard let pointer else { return 0 }
            return Unmanaged<Watch>.fromOpaque(pointer).takeUnretainedValue().ready() ? 1 : 0
        }
        let source = g_unix_fd_source_new(descriptor, conditions)
        let watch = Unmanaged.passRetained(Watch(ready)).toOpaque()
        // GLib has one type for callbacks of all sorts; a source of this sort calls it with the descriptor.
        let function = unsafeBitCast(callback, to: GSourceFunc.self)
        g_source_set_callback(source, function, watch) { pointer in
            if let pointer { Unmanaged<Watch>.fromOpaque(pointer).release() }
        }
        g_source_attach(source, context)
        g_source_unref(source)
    }

    private final class Watch: Sendable {
        let ready: @Sendable () -> Bool

        init(_ ready: @escaping @Sendable () -> Bool) { self.ready = ready }
    }

    /// Ends a wait, or the next one. From any thread.
    func wake() { g_main_context_wakeup(context) }
}

/// Calls back once at a time that can be moved. Only used on the loop's thread.
final class Alarm {
    private let source: UnsafeMutablePointer<GSource>?
    private let ring: () -> Void

    init(on loop: EventLoop, ring: @escaping () -> Void) {
        self.ring = ring
        source = g_source_new(Self.functions, UInt32(MemoryLayout<GSource>.size))
        g_source_set_ready_time(source, -1)
        // Unretained: the source is destroyed before the alarm goes away.
        let callback: GSourceFunc = { pointer in
            guard let pointer else { return 0 }
            Unmanaged<Alarm>.fromOpaque(pointer).takeUnretainedValue().ring()
            return 1
        }
        g_source_set_callback(source, callback, Unmanaged.passUnretained(self).toOpaque(), nil)
        g_source_attach(source, loop.context)
    }

    deinit {
        g_source_destroy(source)
        g_source_unref(source)
    }

    /// Rings in `delay`, or never.
    func set(after delay: Duration?) {
        guard let delay else { return g_source_set_ready_time(source, -1) }
        let microseconds = max(0, min(delay / .microseconds(1), 1e15))
        g_source_set_ready_time(source, g_get_monotonic_time() + gint64(microseconds.rounded(.up)))
    }

    /// Never freed and never changed: GLib keeps the pointer.
    nonisolated(unsafe) private static let functions: UnsafeMutablePointer<GSourceFuncs> = {
        let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
        functions.initialize(to: GSourceFuncs())
        functions.pointee.dispatch = { source, callback, data in
            g_source_set_ready_time(source, -1)
            return callback?(data) ?? 0
        }
        return functions
    }()
}
#endif
