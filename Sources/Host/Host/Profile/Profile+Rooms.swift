import Foundation
import Rooms
import Storage
import Synchronization

/// What the rooms subsystem keeps: keys, numbers of the outbox and inbox, files under way.
///
/// The texts of messages are not here: they are in the core's records, and come back to the outbox with the deliveries
/// that the core issues again. So nothing is written twice, and nothing at all of a room that keeps nothing.
extension Profile: RoomKeyStore {
    func load(room: String) throws -> RoomKeys? {
        let sealed = try database.withLock { database in
            try database.first("SELECT value FROM room_keys WHERE room = ?", room) { try $0[0] as [UInt8] }
        }
        return try sealed.map { try open(RoomKeys.self, $0, "room_keys/" + room) }
    }

    func save(_ keys: RoomKeys, room: String) throws {
        let sealed = try seal(keys, "room_keys/" + room)
        try write { try $0.execute("INSERT OR REPLACE INTO room_keys VALUES (?, ?)", room, sealed) }
    }

    func delete(rooms: [String]) throws {
        try write { database in
            for room in rooms { try database.execute("DELETE FROM room_keys WHERE room = ?", room) }
        }
    }

    private func seal(_ value: some Encodable, _ context: String) throws -> [UInt8] {
        try vault.seal(Array(try JSONEncoder().encode(value)), context: context)
    }

    private func open<Value: Decodable>(_ type: Value.Type, _ sealed: [UInt8], _ context: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(try vault.open(sealed, context: context)))
    }
}

extension Profile: DeliveryStore {
    func delivery(room: String) throws -> StoredDelivery {
        try database.withLock { database in
            let numbers = try database.first("SELECT sent, received FROM deliveries WHERE room = ?", room) { row in
                (sent: try row[0] as Int64, received: try row[1] as Int64)
            }
            let messages = try database.query("SELECT sequence, message FROM outbox WHERE room = ?", room) { row in
                (sequence: try row[0] as Int64, id: try row[1] as String)
            }
            return StoredDelivery(
                messages: try messages.map { (UInt64(clamping: $0.sequence), try MessageID($0.id)) },
                lastSent: UInt64(clamping: numbers?.sent ?? 0), received: UInt64(clamping: numbers?.received ?? 0))
        }
    }

    func append(_ message: MessageID, sequence: UInt64, room: String) throws {
        try write { database in
            try database.execute(
                "INSERT INTO outbox VALUES (?, ?, ?)", room, Int64(clamping: sequence), message.description)
            try database.execute(
                "INSERT INTO deliveries (room, sent) VALUES (?1, ?2) ON CONFLICT (room) DO UPDATE SET sent = ?2",
                room, Int64(clamping: sequence))
        }
    }

    func renumber(_ messages: [(sequence: UInt64, id: MessageID)], lastSent: UInt64, room: String) throws {
        try write { database in
            try database.execute("DELETE FROM outbox WHERE room = ?", room)
            for (sequence, id) in messages {
                try database.execute(
                    "INSERT INTO outbox VALUES (?, ?, ?)", room, Int64(clamping: sequence), id.description)
            }
            try database.execute(
                "INSERT INTO deliveries (room, sent) VALUES (?1, ?2) ON CONFLICT (room) DO UPDATE SET sent = ?2",
                room, Int64(clamping: lastSent))
        }
    }

    // If a power cut takes these two back, the other side says again what it has, and repeated messages are dropped.

    func acknowledged(upTo sequence: UInt64, room: String) throws {
        try write(durably: false) { database in
            try database.execute(
                "DELETE FROM outbox WHERE room = ? AND sequence <= ?", room, Int64(clamping: sequence))
        }
    }

    func received(upTo sequence: UInt64, room: String) throws {
        try write(durably: false) { try Self.note(received: sequence, room: room, in: $0) }
    }

    /// A number that has arrived never goes back.
    static func note(received sequence: UInt64, room: String, in database: Database) throws {
        try database.execute(
            """
            INSERT INTO deliveries (room, received) VALUES (?1, ?2)
            ON CONFLICT (room) DO UPDATE SET received = max(received, ?2)
            """, room, Int64(clamping: sequence))
    }

    func file(_ id: MessageID, room: String) throws -> StoredFile? {
        let sealed = try database.withLock { database in
            try database.first("SELECT value FROM files WHERE room = ? AND message = ?", room, id.description) {
                try $0[0] as [UInt8]
            }
        }
        return try sealed.map { try open(StoredFile.self, $0, "files/\(room)/\(id)") }
    }

    func files(room: String) throws -> [StoredFile] {
        let rows = try database.withLock { database in
            try database.query("SELECT message, value FROM files WHERE room = ?", room) { row in
                (id: try row[0] as String, value: try row[1] as [UInt8])
            }
        }
        // One that cannot be read is left as it is: the others are not to suffer for it.
        return rows.compactMap { try? open(StoredFile.self, $0.value, "files/\(room)/\($0.id)") }
    }

    func save(_ file: StoredFile, room: String) throws {
        let sealed = try seal(file, "files/\(room)/\(file.id)")
        try write { database in
            try database.execute(
                "INSERT OR REPLACE INTO files VALUES (?, ?, ?)", room, file.id.description, sealed)
        }
    }

    func forgetFile(_ id: MessageID, room: String) throws {
        try write { database in
            try database.execute("DELETE FROM files WHERE room = ? AND message = ?", room, id.description)
        }
    }

    func forget(rooms: [String]) throws {
        try write { database in
            for table in ["outbox", "deliveries", "files"] {
                for room in rooms { try database.execute("DELETE FROM \(table) WHERE room = ?", room) }
            }
        }
    }
}
