import NoteIndex
import RichText
import Storage
import Testing

@Suite struct SchemaTests {
    /// The tables and columns of the desktop app's database, version 11.
    static let tables: [(name: String, columns: String)] = [
        ("notes", "id title sd_id folder_id created modified deleted pinned content_preview content_text"),
        ("folders", "id name parent_id sd_id order deleted"), ("tags", "id name"), ("note_tags", "note_id tag_id"),
        ("note_links", "source_note_id target_note_id"),
        ("checkboxes", "id note_id state text position created modified"), ("users", "id username last_seen"),
        ("storage_dirs", "id name path uuid created is_active"),
        (
            "note_moves",
            """
            id note_id source_sd_uuid target_sd_uuid target_folder_id state initiated_by initiated_at last_modified \
            source_sd_path target_sd_path error
            """
        ),
        ("app_state", "key value"), ("schema_version", "version applied_at description"),
        ("note_sync_state", "note_id sd_id vector_clock document_state updated_at"),
        ("folder_sync_state", "sd_id vector_clock document_state updated_at"),
        ("activity_log_state", "sd_id instance_id last_offset log_file"),
        ("sequence_state", "sd_id document_id current_sequence current_file current_offset"),
        (
            "profile_presence_cache",
            "profile_id sd_id profile_name user username hostname platform app_version last_updated cached_at instance_id"
        ),
        ("images", "id sd_id filename mime_type width height size created"),
        (
            "comment_threads",
            """
            id note_id anchor_start anchor_end original_text author_id author_name author_handle content created modified \
            resolved resolved_by resolved_at
            """
        ),
        ("comment_replies", "id thread_id author_id author_name author_handle content created modified"),
        ("comment_reactions", "id target_type target_id emoji author_id author_name created"),
        ("favicon_cache", "domain data_url fetched_at"), ("thumbnail_cache", "url data_url size_bytes fetched_at"),
        ("oembed_fetch_cache", "url raw_json fetched_at"), ("notes_fts", "note_id title content"),
    ]

    @Test func tablesAndColumnsAreThoseOfTheDesktopApp() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/index.sqlite"
            _ = try NoteIndex(path: path, directory: directory)
            let database = try Database(path: path)
            for table in Self.tables {
                let columns: [String] = try database.query("SELECT name FROM pragma_table_info(?)", table.name) {
                    try $0[0]
                }
                #expect(columns == table.columns.split(separator: " ").map(String.init), "\(table.name)")
            }
            let others: [String] = try database.query(
                """
                SELECT name FROM sqlite_schema WHERE type = 'table'
                AND name NOT LIKE 'alcove\\_%' ESCAPE '\\' AND name NOT LIKE 'notes\\_fts\\_%' ESCAPE '\\'
                """
            ) { try $0[0] }
            #expect(Set(others) == Set(Self.tables.map(\.name)))
            #expect(try database.first("SELECT version FROM schema_version") { try $0[0] as Int } == 11)
            #expect(try database.first("PRAGMA journal_mode") { try $0[0] as String } == "wal")
        }
    }

    @Test func rowsAreAsTheDesktopAppWritesThem() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/index.sqlite"
            var tasked = note("a", "Plan\n#work /now", folder: "f", tags: ["work"])
            tasked.tasks = [IndexedTask(.nope, "x")]
            try NoteIndex(path: path, directory: directory).add(tasked)
            let database = try Database(path: path)
            let searched = try database.first("SELECT note_id, title, content FROM notes_fts") { row in
                [try row[0] as String, try row[1], try row[2]]
            }
            #expect(searched == ["a", "plan", "plan __hashtag__work __slash__now"])
            #expect(try database.first("SELECT sd_id FROM notes") { try $0[0] as String } == directory.id)
            #expect(try database.first("SELECT state FROM checkboxes") { try $0[0] as String } == "nope")
            #expect(try database.first("SELECT uuid FROM storage_dirs") { try $0[0] as String } == directory.id)
        }
    }
}
