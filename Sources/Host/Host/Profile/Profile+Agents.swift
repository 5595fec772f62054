import AgentProtocols
import Agents
import Storage
import Synchronization

/// What agents of this machine said for members of the circle, until they have it. Every event is sealed by the vault.
extension Profile {
    static let agentsSchema = """
        CREATE TABLE shared_sessions (room TEXT, session TEXT, share TEXT NOT NULL, next INTEGER NOT NULL, taken INTEGER NOT NULL,
            turn INTEGER NOT NULL, is_open INTEGER NOT NULL, PRIMARY KEY (room, session)) STRICT, WITHOUT ROWID;
        CREATE TABLE shared_events (room TEXT, session TEXT, sequence INTEGER, value BLOB NOT NULL,
            PRIMARY KEY (room, session, sequence)) STRICT, WITHOUT ROWID;
        """

    static let supervisionSchema = """
        ALTER TABLE shared_sessions ADD COLUMN supervisor TEXT;
        ALTER TABLE shared_sessions ADD COLUMN heard INTEGER NOT NULL DEFAULT 0;
        """

    static let picturesSchema = """
        CREATE TABLE agent_pictures (id TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
        """

    /// One session, as a member calls it.
    struct SharedLogKey: Sendable, Hashable {
        let room: String
        let session: String

        fileprivate func context(_ sequence: Int) -> String { "shared/\(room)/\(session)/\(sequence)" }
    }

    /// The log of a session and the share that it is for; nil if there is none.
    func sharedLog(_ key: SharedLogKey) throws -> (share: String, log: SharedLog)? {
        let (known, rows) = try database.withLock { database in
            let known = try database.first(
                """
                SELECT share, next, taken, turn, is_open, supervisor, heard FROM shared_sessions
                WHERE room = ? AND session = ?
                """,
                key.room,
                key.session
            ) { row -> (String, SharedLog.Summary) in
                var summary = SharedLog.Summary()
                (summary.next, summary.taken, summary.turn) = (try row[1], try row[2], try row[3])
                (summary.isOpen, summary.supervisor, summary.heard) = (try row[4], try row[5], try row[6])
                return (try row[0], summary)
            }
            let rows = try database.query(
                "SELECT sequence, value FROM shared_events WHERE room = ? AND session = ? ORDER BY sequence", key.room,
                key.session
            ) { row in (sequence: try row[0] as Int, value: try row[1] as [UInt8]) }
            return (known, rows)
        }
        guard let known else { return nil }
        let entries = try rows.map { row in
            let bytes = try vault.open(row.value, context: key.context(row.sequence))
            return SharedLog.Entry(sequence: row.sequence, event: try SharedEvent(BoundedJSON.object(bytes)))
        }
        return (known.0, SharedLog(known.1, entries))
    }

    func save(
        _ key: SharedLogKey, for share: String, _ summary: SharedLog.Summary, adding entries: [SharedLog.Entry],
        droppingBefore first: Int
    ) throws {
        let rows = try entries.map { entry in
            (entry.sequence, try vault.seal(entry.event.bytes, context: key.context(entry.sequence)))
        }
        try write(durably: false) { database in
            try database.execute(
                "INSERT OR REPLACE INTO shared_sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", key.room, key.session,
                share,
                summary.next, summary.taken, summary.turn, summary.isOpen, summary.supervisor, summary.heard)
            try database.execute(
                "DELETE FROM shared_events WHERE room = ? AND session = ? AND sequence < ?", key.room, key.session,
                first)
            for (sequence, value) in rows {
                try database.execute(
                    "INSERT OR REPLACE INTO shared_events VALUES (?, ?, ?, ?)", key.room, key.session, sequence, value)
            }
        }
    }

    /// The sessions of a room whose logs are kept.
    func sharedLogs(of room: String) throws -> [String] {
        try database.withLock { database in
            try database.query("SELECT session FROM shared_sessions WHERE room = ?", room) { try $0[0] as String }
        }
    }

    func forget(_ key: SharedLogKey) throws {
        try write(durably: false) { database in
            for table in ["shared_events", "shared_sessions"] {
                try database.execute("DELETE FROM \(table) WHERE room = ? AND session = ?", key.room, key.session)
            }
        }
    }

    func forget(share: String) throws {
        try write { database in
            try database.execute(
                """
                DELETE FROM shared_events WHERE (room, session) IN (SELECT room, session FROM shared_sessions WHERE share = ?)
                """, share)
            try database.execute("DELETE FROM shared_sessions WHERE share = ?", share)
        }
    }
}

/// The place of one log.
struct SharedLogPlace: SharedLogStore {
    let profile: Profile
    let key: Profile.SharedLogKey
    let share: String

    func save(_ summary: SharedLog.Summary, adding entries: [SharedLog.Entry], droppingBefore first: Int) throws {
        try profile.save(key, for: share, summary, adding: entries, droppingBefore: first)
    }
}
