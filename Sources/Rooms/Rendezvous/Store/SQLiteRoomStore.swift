internal import Foundation
internal import Storage

/// Rooms in a SQLite database.
///
/// A killed process loses no decision. A power cut may undo the latest decisions: a code has to be made again, but no
/// message is lost. In return a decision takes microseconds, because it does not wait for the disk.
final class SQLiteRoomStore: RoomStore {
    let database: Database
    var counts = StoreCounts()

    /// How long a creator's answer can be requested again after it was given, in milliseconds.
    static let repeatWindow: Timestamp = 10 * 60 * 1000

    /// How stale a room's time of last use may get, in milliseconds, to spare a write at each join.
    static let useGranularity: Timestamp = 60 * 60 * 1000

    /// Opens the database at this path, or makes one that only this user can read, because who meets whom is private.
    init(path: String) throws {
        if !FileManager.default.fileExists(atPath: path) {
            // If this fails, opening fails too, and says why.
            _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        database = try Database(path: path, configuration: DatabaseConfiguration(durability: .checkpoints))
        try prepare()
    }

    /// A store in memory, which ends with this object.
    init() throws {
        database = try Database.inMemory()
        try prepare()
    }

    private func prepare() throws {
        try database.migrate([Self.schema, Self.nonces])
        try count()
    }

    func count() throws {
        counts.pendingRooms = try database.first("SELECT count(*) FROM pendings") { try $0[0] } ?? 0
        counts.rooms = try database.first("SELECT count(*) FROM rooms") { try $0[0] } ?? 0
    }

    /// Times are milliseconds since 1970, tickets are SHA-256 digests. `keep_until` is when a code is removed: when it
    /// expires, or later if it was accepted and its creator does not know yet.
    private static let schema = """
        CREATE TABLE pendings (
            code TEXT PRIMARY KEY,
            creator TEXT NOT NULL,
            creator_ticket BLOB,
            expires_at INTEGER NOT NULL,
            keep_until INTEGER NOT NULL,
            room TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX pendings_by_creator ON pendings (creator);
        CREATE INDEX pendings_by_room ON pendings (room) WHERE room IS NOT NULL;
        CREATE INDEX pendings_by_end ON pendings (keep_until);
        CREATE TABLE rooms (
            id TEXT PRIMARY KEY,
            creator TEXT NOT NULL,
            creator_ticket BLOB,
            guest TEXT NOT NULL,
            guest_ticket BLOB,
            used_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX rooms_by_creator ON rooms (creator);
        CREATE INDEX rooms_by_guest ON rooms (guest);
        CREATE INDEX rooms_by_use ON rooms (used_at);
        """

    /// Random bytes that belong to one reservation of a code.
    private static let nonces = "ALTER TABLE pendings ADD COLUMN nonce BLOB;"
}
