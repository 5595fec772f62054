internal import Foundation
internal import Storage

/// Rooms in a SQLite database.
///
/// A killed process loses nothing that was decided. A power cut may take back the last moments' decisions, which is a
/// code to be made again and no message lost; in return a decision costs microseconds instead of a disk's patience.
final class SQLiteRoomStore: RoomStore {
    let database: Database
    var counts = StoreCounts()

    /// How long a creator's answer can be asked for again once it was given, in milliseconds.
    static let repeatWindow: Timestamp = 10 * 60 * 1000

    /// How stale a room's time of last use may get, in milliseconds, to spare a write at each join.
    static let useGranularity: Timestamp = 60 * 60 * 1000

    /// Opens the database at this path, or makes one that only this user can read, as who meets whom is nobody's business.
    init(path: String) throws {
        if !FileManager.default.fileExists(atPath: path) {
            // If this fails, opening fails too, and says why.
            _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        database = try Database(path: path, configuration: DatabaseConfiguration(durability: .checkpoints))
        try prepare()
    }

    /// A store that is forgotten with this object.
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

    /// Times are milliseconds since 1970, tickets are SHA-256 digests. `keep_until` is when a code is forgotten: when
    /// it expires, or later if it was accepted and the creator has yet to hear of it.
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
