import CAlcoveCore
import Synchronization

/// One core that the host holds; calls on it happen one after the other.
final class Handle: Sendable {
    let session: Mutex<Session>

    init(_ session: consuming sending Session) { self.session = Mutex(session) }
}

/// Which numbers are cores. The host's pointers are these numbers and are never followed.
enum Registry {
    private struct Cores {
        var handles: [UInt: Handle] = [:]
        var made: UInt = 0
    }

    private static let cores = Mutex(Cores())

    static func add(_ handle: Handle) throws(CallError) -> OpaquePointer? {
        try cores.withLock { cores throws(CallError) in
            guard cores.handles.count < ALCOVE_CORE_HANDLE_LIMIT else {
                throw CallError(.tooManyCores, "\(cores.handles.count) cores exist; free some")
            }
            cores.made += 1
            // An odd factor keeps different numbers different, and puts them far from addresses and small numbers.
            let number = cores.made &* UInt(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64)
            cores.handles[number] = handle
            return OpaquePointer(bitPattern: number)
        }
    }

    static func find(_ pointer: OpaquePointer?) throws(CallError) -> Handle {
        guard let pointer else { throw CallError(.nullHandle, "the core is NULL") }
        guard let handle = cores.withLock({ $0.handles[UInt(bitPattern: pointer)] }) else {
            throw CallError(.unknownHandle, "there is no such core: it was freed, or never made")
        }
        return handle
    }

    static func remove(_ pointer: OpaquePointer?) {
        guard let pointer else { return }
        // The core itself goes outside of the lock, when the last call on it has finished.
        let handle = cores.withLock { $0.handles.removeValue(forKey: UInt(bitPattern: pointer)) }
        withExtendedLifetime(handle) {}
    }
}
