#if canImport(Darwin)
internal import CoreFoundation
internal import Darwin
internal import Synchronization

/// The run loop of the thread that enters it.
final class EventLoop: Sendable {
    /// A run loop is thread-safe, but its type is not `Sendable`.
    private struct Reference: @unchecked Sendable {
        var loop: CFRunLoop?
        var port: CFRunLoopSource?
    }

    private let entered = Mutex(Reference())

    /// Each thread has a run loop.
    static let isAvailable = true

    /// Apple's engine needs nothing.
    static let prepareEngine: Void = ()

    /// A number that is unique among running threads.
    static var currentThread: UInt { UInt(bitPattern: pthread_self()) }

    /// Makes this the loop of the calling thread. JavaScriptCore looks for it when a context is made.
    func enter() {
        // A run loop without sources returns at once, so it gets this one.
        var nothing = CFRunLoopSourceContext()
        nothing.perform = { _ in }
        let port = CFRunLoopSourceCreate(nil, 0, &nothing)
        CFRunLoopAddSource(CFRunLoopGetCurrent(), port, .defaultMode)
        let reference = Reference(loop: CFRunLoopGetCurrent(), port: port)
        entered.withLock { $0 = reference }
    }

    func leave() {
        let reference = entered.withLock { entered in
            defer { entered = Reference() }
            return entered
        }
        CFRunLoopSourceInvalidate(reference.port)
    }

    /// Handles ready events, after waiting for one if `mayWait`.
    func iterate(mayWait: Bool) { CFRunLoopRunInMode(.defaultMode, mayWait ? 1e9 : 0, true) }

    /// Ends a wait, or the next one. From any thread.
    func wake() {
        entered.withLock { entered in
            guard let loop = entered.loop else { return }
            CFRunLoopSourceSignal(entered.port)
            CFRunLoopWakeUp(loop)
        }
    }
}

/// Calls back once at a time that can be moved. Only used on the loop's thread.
final class Alarm {
    private let ring: () -> Void
    private var timer: CFRunLoopTimer?

    init(on loop: EventLoop, ring: @escaping () -> Void) {
        self.ring = ring
        var information = CFRunLoopTimerContext()
        // Unretained: the timer is invalidated before the alarm goes away.
        information.info = Unmanaged.passUnretained(self).toOpaque()
        let fire: CFRunLoopTimerCallBack = { _, pointer in
            guard let pointer else { return }
            Unmanaged<Alarm>.fromOpaque(pointer).takeUnretainedValue().ring()
        }
        // Repeating, so that it stays valid after it has fired.
        timer = CFRunLoopTimerCreate(nil, Self.never, Self.never, 0, 0, fire, &information)
        CFRunLoopAddTimer(CFRunLoopGetCurrent(), timer, .defaultMode)
    }

    deinit { CFRunLoopTimerInvalidate(timer) }

    private static let never: CFTimeInterval = 1e10

    /// Rings in `delay`, or never.
    func set(after delay: Duration?) {
        let date = delay.map { CFAbsoluteTimeGetCurrent() + max(0, $0 / .seconds(1)) } ?? Self.never
        CFRunLoopTimerSetNextFireDate(timer, date)
    }
}
#endif
