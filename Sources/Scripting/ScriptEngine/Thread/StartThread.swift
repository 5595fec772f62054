#if canImport(Glibc)
internal import CJavaScriptCore
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Starts a thread that nobody waits for; false if the system has none to give.
func startThread(name: String, stackSize: Int, _ body: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    guard pthread_attr_setstacksize(&attributes, stackSize) == 0,
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED)) == 0
    else { return false }
    let box = Unmanaged.passRetained(ThreadBody(name: name, run: body))
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread = pthread_t()
    #endif
    let status = pthread_create(
        &thread, &attributes,
        { argument in
            let argument: UnsafeMutableRawPointer? = argument
            guard let argument else { return nil }
            let body = Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue()
            #if canImport(Darwin)
            pthread_setname_np(body.name)
            #else
            pthread_setname_np(pthread_self(), String(body.name.prefix(15)))
            #endif
            body.run()
            return nil
        }, box.toOpaque())
    if status != 0 { box.release() }
    return status == 0
}

private final class ThreadBody: Sendable {
    let name: String
    let run: @Sendable () -> Void

    init(name: String, run: @escaping @Sendable () -> Void) {
        self.name = name
        self.run = run
    }
}
