import Synchronization

@testable import Rooms

/// A store of one room, in memory.
final class MemoryDeliveries: DeliveryStore {
    private struct Kept {
        var delivery = StoredDelivery()
        var files: [MessageID: StoredFile] = [:]
        var refusesFiles = false
    }

    private let kept = Mutex(Kept())

    /// What a backup holds.
    var delivery: StoredDelivery {
        get { kept.withLock { $0.delivery } }
        set { kept.withLock { $0.delivery = newValue } }
    }

    /// Whether the disk is full.
    var refusesFiles: Bool {
        get { kept.withLock { $0.refusesFiles } }
        set { kept.withLock { $0.refusesFiles = newValue } }
    }

    struct Full: Error {}

    var received: UInt64 { kept.withLock { $0.delivery.received } }
    var files: [StoredFile] { kept.withLock { Array($0.files.values) } }

    func delivery(room: String) throws -> StoredDelivery { kept.withLock { $0.delivery } }

    func append(_ message: MessageID, sequence: UInt64, room: String) throws {
        kept.withLock {
            $0.delivery.messages.append((sequence, message))
            $0.delivery.lastSent = sequence
        }
    }

    func renumber(_ messages: [(sequence: UInt64, id: MessageID)], lastSent: UInt64, room: String) throws {
        kept.withLock { ($0.delivery.messages, $0.delivery.lastSent) = (messages, lastSent) }
    }

    func acknowledged(upTo sequence: UInt64, room: String) throws {
        kept.withLock { $0.delivery.messages.removeAll { $0.sequence <= sequence } }
    }

    func received(upTo sequence: UInt64, room: String) throws { kept.withLock { $0.delivery.received = sequence } }

    func file(_ id: MessageID, room: String) throws -> StoredFile? {
        kept.withLock { $0.files[id] }
    }

    func files(room: String) throws -> [StoredFile] { files }

    func save(_ file: StoredFile, room: String) throws {
        try kept.withLock { kept in
            if kept.refusesFiles { throw Full() }
            kept.files[file.id] = file
        }
    }

    func forgetFile(_ id: MessageID, room: String) throws { kept.withLock { $0.files[id] = nil } }

    func forget(rooms: [String]) throws { kept.withLock { $0 = Kept() } }
}
