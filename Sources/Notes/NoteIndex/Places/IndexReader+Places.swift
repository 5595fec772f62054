internal import Storage

extension IndexReader {
    /// All folders, deleted ones included, by their order and then by name.
    package func folders() throws -> [IndexedFolder] {
        try database.query(
            "SELECT id, name, parent_id, \"order\", deleted FROM folders ORDER BY \"order\", lower(name), id"
        ) { row in
            IndexedFolder(
                id: try row[0], name: try row[1], parent: try row[2], order: try row[3], isDeleted: try row[4])
        }
    }

    /// What is known of a device; nil if nothing is.
    package func presence(of profile: String) throws -> IndexedPresence? {
        try database.first(
            "SELECT \(Self.presenceColumns) FROM profile_presence_cache WHERE profile_id = ?", profile
        ) { try Self.presence($0) }
    }

    /// All devices that are known, by their ids.
    package func presences() throws -> [IndexedPresence] {
        try database.query("SELECT \(Self.presenceColumns) FROM profile_presence_cache ORDER BY profile_id") {
            try Self.presence($0)
        }
    }

    private static let presenceColumns =
        "profile_id, instance_id, profile_name, user, username, hostname, platform, app_version, last_updated"

    private static func presence(_ row: borrowing Row) throws -> IndexedPresence {
        IndexedPresence(
            profile: try row[0], instance: try row[1], profileName: try row[2], handle: try row[3],
            personName: try row[4], host: try row[5], platform: try row[6], appVersion: try row[7],
            updated: try row[8])
    }

    package func image(_ id: String) throws -> IndexedImage? {
        try database.first(
            "SELECT id, filename, mime_type, width, height, size, created FROM images WHERE id = ?", id
        ) { row in
            IndexedImage(
                id: try row[0], file: try row[1], mimeType: try row[2], width: try row[3], height: try row[4],
                size: try row[5], created: try row[6])
        }
    }

    /// What a program remembers of its own, by its name.
    package func appState(_ key: String) throws -> String? {
        try database.first("SELECT value FROM app_state WHERE key = ?", key) { try $0[0] }
    }
}
