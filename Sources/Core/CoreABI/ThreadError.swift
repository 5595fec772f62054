import Platform

/// The newest failure on this thread of a call that had no core to keep it.
enum ThreadError {
    private final class Box {
        let error: CallError
        init(_ error: CallError) { self.error = error }
    }

    /// The system lets go of a thread's error when the thread ends. `nil` if it has no more keys; then nothing is kept.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) { box in
            #if canImport(Darwin)
            Unmanaged<Box>.fromOpaque(box).release()
            #else
            if let box { Unmanaged<Box>.fromOpaque(box).release() }
            #endif
        }
        return status == 0 ? key : nil
    }()

    static var current: CallError? {
        get {
            guard let key, let box = pthread_getspecific(key) else { return nil }
            return Unmanaged<Box>.fromOpaque(box).takeUnretainedValue().error
        }
        set {
            guard let key else { return }
            if let old = pthread_getspecific(key) { Unmanaged<Box>.fromOpaque(old).release() }
            pthread_setspecific(key, newValue.map { Unmanaged.passRetained(Box($0)).toOpaque() })
        }
    }
}
