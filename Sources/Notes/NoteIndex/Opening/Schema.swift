internal import Foundation
internal import Storage

/// The tables. Those without `alcove_` in front have the names and columns that the desktop app's database has.
enum Schema {
    /// The desktop app's number for these tables.
    static let version = 11

    /// Our number for the tables and for what is in them, such as how words are told apart. It grows with every change of either.
    static let edition = 1

    static let everything = [notes, folders, comments, progress, places, previews, ours, search].joined()

    /// Makes the tables in an empty database, in one transaction. Returns the new generation.
    static func create(in database: Database, of directory: IndexedDirectory) throws(DatabaseError) -> String {
        let generation = UUID().uuidString
        do {
            try database.transaction {
                try database.executeScript(everything + "PRAGMA user_version = \(edition)")
                // Words wait in memory until this many bytes of them go into the search index: fewer and larger pieces.
                try database.execute("INSERT INTO notes_fts (notes_fts, rank) VALUES ('hashsize', 8388608)")
                try database.execute(
                    "INSERT INTO schema_version VALUES (?, ?, 'made by Alcove')", version, Milliseconds.now)
                try database.execute(
                    "INSERT INTO storage_dirs VALUES (?1, ?2, ?3, ?1, ?4, 1)", directory.id, directory.name,
                    directory.path,
                    Milliseconds.now)
                try database.execute("INSERT INTO alcove_index VALUES (?, ?)", directory.id, generation)
            }
            try database.executeScript(limits)
        } catch let error as DatabaseError {
            throw error
        } catch {
            preconditionFailure("a database throws database errors: \(error)")
        }
        return generation
    }

    /// The log is carried over when it has 16 MB, and cut back to that when it was longer. Merging pieces of the search index
    /// touches many pages; a writer keeps 16 MB of them in memory.
    static let limits = """
        PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 16777216; PRAGMA cache_size = -16000
        """

    /// Whether an earlier version made the file for this directory: then it says nothing that the files do not.
    static func isOlder(_ database: Database, of directory: IndexedDirectory) throws -> Bool {
        try editionOf(database) < edition && generation(in: database, of: directory) != nil
    }

    private static func editionOf(_ database: Database) throws -> Int {
        try database.first("PRAGMA user_version") { try $0[0] } ?? 0
    }

    /// Whether the file has these tables and no others: then it was made by this version.
    static func matches(_ database: Database) throws -> Bool {
        guard try editionOf(database) == edition else { return false }
        let fresh = try Database.inMemory()
        try fresh.executeScript(everything)
        return try statements(of: database) == statements(of: fresh)
    }

    private static func statements(of database: Database) throws -> [String] {
        try database.query("SELECT name || ': ' || coalesce(sql, '') FROM sqlite_schema ORDER BY name") { try $0[0] }
    }

    /// The generation of an index of this directory; nil if it is of another one.
    static func generation(in database: Database, of directory: IndexedDirectory) throws -> String? {
        try database.executeScript(limits)
        return try database.first("SELECT generation FROM alcove_index WHERE sd_id = ?", directory.id) { try $0[0] }
    }
}

/// Times as the tables have them.
enum Milliseconds {
    static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
