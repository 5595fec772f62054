extension Schema {
    static let progress = """
        CREATE TABLE schema_version (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL, description TEXT NOT NULL);
        CREATE TABLE app_state (key TEXT PRIMARY KEY, value TEXT NOT NULL);
        CREATE TABLE note_sync_state (
            note_id TEXT NOT NULL,
            sd_id TEXT NOT NULL,
            vector_clock TEXT NOT NULL,
            document_state BLOB NOT NULL,
            updated_at INTEGER NOT NULL,
            PRIMARY KEY (note_id, sd_id)
        );
        CREATE TABLE folder_sync_state (
            sd_id TEXT PRIMARY KEY,
            vector_clock TEXT NOT NULL,
            document_state BLOB NOT NULL,
            updated_at INTEGER NOT NULL
        );
        CREATE TABLE activity_log_state (
            sd_id TEXT NOT NULL,
            instance_id TEXT NOT NULL,
            last_offset INTEGER NOT NULL,
            log_file TEXT NOT NULL,
            PRIMARY KEY (sd_id, instance_id)
        );
        CREATE TABLE sequence_state (
            sd_id TEXT NOT NULL,
            document_id TEXT NOT NULL,
            current_sequence INTEGER NOT NULL,
            current_file TEXT NOT NULL,
            current_offset INTEGER NOT NULL,
            PRIMARY KEY (sd_id, document_id)
        );

        """

    static let places = """
        CREATE TABLE storage_dirs (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            path TEXT NOT NULL UNIQUE,
            uuid TEXT,
            created INTEGER NOT NULL,
            is_active INTEGER NOT NULL DEFAULT 0
        );
        CREATE TABLE users (id TEXT PRIMARY KEY, username TEXT NOT NULL, last_seen INTEGER NOT NULL);
        CREATE TABLE profile_presence_cache (
            profile_id TEXT NOT NULL,
            sd_id TEXT NOT NULL,
            profile_name TEXT,
            user TEXT,
            username TEXT,
            hostname TEXT,
            platform TEXT,
            app_version TEXT,
            last_updated INTEGER,
            cached_at INTEGER NOT NULL,
            instance_id TEXT,
            PRIMARY KEY (profile_id, sd_id)
        );
        CREATE TABLE images (
            id TEXT PRIMARY KEY,
            sd_id TEXT NOT NULL REFERENCES storage_dirs (id) ON DELETE CASCADE,
            filename TEXT NOT NULL,
            mime_type TEXT NOT NULL,
            width INTEGER,
            height INTEGER,
            size INTEGER NOT NULL,
            created INTEGER NOT NULL
        );
        CREATE TABLE note_moves (
            id TEXT PRIMARY KEY,
            note_id TEXT NOT NULL,
            source_sd_uuid TEXT NOT NULL,
            target_sd_uuid TEXT NOT NULL,
            target_folder_id TEXT,
            state TEXT NOT NULL,
            initiated_by TEXT NOT NULL,
            initiated_at INTEGER NOT NULL,
            last_modified INTEGER NOT NULL,
            source_sd_path TEXT,
            target_sd_path TEXT,
            error TEXT
        );

        """

    static let previews = """
        CREATE TABLE favicon_cache (domain TEXT PRIMARY KEY, data_url TEXT, fetched_at INTEGER);
        CREATE TABLE thumbnail_cache (url TEXT PRIMARY KEY, data_url TEXT, size_bytes INTEGER, fetched_at INTEGER);
        CREATE TABLE oembed_fetch_cache (url TEXT PRIMARY KEY, raw_json TEXT, fetched_at INTEGER);

        """
}
