internal import Storage

/// An open database file: one connection that writes, and a few that read.
///
/// All of them are opened at once, so that they stay with this very file when another process moves it away.
final class IndexFile: Sendable {
    /// Made with the file.
    let generation: String
    /// Which file it is, as its name may get to mean another one; nil in memory.
    let identity: FileIdentity?
    private let writer: Connection
    private let readers: [Connection]

    private static let readerCount = 3

    init(writer: Connection, readers: [Connection], generation: String, identity: FileIdentity?) {
        self.writer = writer
        self.readers = readers
        self.generation = generation
        self.identity = identity
    }

    func read<Value: Sendable>(_ body: @Sendable (borrowing IndexReader) throws -> Value) throws -> Value {
        for reader in readers {
            if let answer = try reader.useIfFree({ try Self.read($0, body) }) { return answer }
        }
        return try (readers.randomElement() ?? writer).use { try Self.read($0, body) }
    }

    private static func read<Value>(
        _ database: Database, _ body: (borrowing IndexReader) throws -> Value
    ) throws -> Value {
        try database.snapshot { try body(IndexReader(database: database)) }
    }

    func write<Value: Sendable>(_ body: @Sendable (borrowing IndexWriter) throws -> Value) throws -> Value {
        try writer.use { database in
            try database.transaction {
                let writer = IndexWriter(database: database)
                let value = try body(writer)
                try writer.writeSearchChanges()
                return value
            }
        }
    }

    /// An index that vanishes with this object, with one connection for everything.
    static func temporary(of directory: IndexedDirectory) throws(DatabaseError) -> IndexFile {
        let database = try Database.temporary(configuration: configuration)
        let generation = try Schema.create(in: database, of: directory)
        return IndexFile(writer: Connection(database), readers: [], generation: generation, identity: nil)
    }

    /// Opens the readers of a file that was found good.
    static func beside(
        _ writer: sending Database, at path: String, generation: String
    ) throws(DatabaseError) -> IndexFile {
        var readers: [Connection] = []
        for _ in 0..<readerCount {
            let reader = try Database(path: path, configuration: configuration)
            // Reading opens the log.
            try reader.executeScript(
                "PRAGMA query_only = ON; PRAGMA cache_size = -8000; SELECT version FROM schema_version")
            readers.append(Connection(reader))
        }
        return IndexFile(
            writer: Connection(writer), readers: readers, generation: generation, identity: FileIdentity(path))
    }

    static let configuration = DatabaseConfiguration(durability: .checkpoints, statementCacheSize: 128, keepsLog: true)
}
