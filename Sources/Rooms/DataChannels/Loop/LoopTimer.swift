internal import CNice

/// A one-shot timer on a loop. Only used from the loop's own thread.
final class LoopTimer {
    private let loop: EventLoop
    /// What to do when the time has come.
    var fire: () -> Void = {}
    private var source: UnsafeMutablePointer<GSource>?

    init(loop: EventLoop) { self.loop = loop }

    deinit { cancel() }

    var isScheduled: Bool { source != nil }

    /// Fires once after `milliseconds`; an earlier schedule is forgotten.
    func schedule(milliseconds: UInt32) {
        cancel()
        guard let source = g_timeout_source_new(milliseconds) else { return }
        let callback: GSourceFunc = { pointer in
            guard let pointer else { return 0 }
            let timer = Unmanaged<LoopTimer>.fromOpaque(pointer).takeUnretainedValue()
            timer.cancel()
            timer.fire()
            return 0
        }
        // Unretained: `cancel` destroys the source before the timer goes away.
        g_source_set_callback(source, callback, Unmanaged.passUnretained(self).toOpaque(), nil)
        g_source_attach(source, loop.context)
        self.source = source
    }

    func cancel() {
        guard let source else { return }
        self.source = nil
        g_source_destroy(source)
        g_source_unref(source)
    }
}
